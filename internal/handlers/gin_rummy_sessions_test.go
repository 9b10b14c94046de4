package handlers_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/service/ginrummy"
)

const ginSessionsPath = ginrummy.SessionPath

func createGinSession(t *testing.T, s *server, body string) (api.GinSession, *httptest.ResponseRecorder) {
	t.Helper()
	return createSessionOf[api.GinSession](t, s, ginSessionsPath, body)
}

// ginAct returns the request for an action.
func ginAct(acts int, action string) sessionAct {
	return sessionAct{"/play", fmt.Sprintf(`{"acts": %d, "action": {%s}}`, acts, action)}
}

// legalGinAct draws a legal act.
func legalGinAct(rng *rand.Rand, s *api.GinSession) sessionAct {
	if len(s.Actions) == 0 {
		return sessionAct{"/next", fmt.Sprintf(`{"acts": %d}`, s.Acts)}
	}
	kind := s.Actions[rng.IntN(len(s.Actions))]
	action := fmt.Sprintf(`"kind": %q`, kind)
	switch {
	case kind == api.GinSessionActionKindDiscard:
		action += fmt.Sprintf(`, "card": %q`, s.Discards[rng.IntN(len(s.Discards))])
	case (kind == api.GinSessionActionKindMelds || kind == api.GinSessionActionKindKnock) && rng.IntN(2) == 0:
		var melds []string
		for _, m := range s.Melds {
			melds = append(melds, `["`+strings.Join(m, `", "`)+`"]`)
		}
		action += `, "melds": [` + strings.Join(melds, ", ") + `]`
	}
	return ginAct(s.Acts, action)
}

// ginActUntil makes legal acts in the session of an answer, drawn from one seed, until the session has the state; with an empty state
// none. It returns the id of the session.
func ginActUntil(t *testing.T, s *server, w *httptest.ResponseRecorder, state string) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(0, 0))
	now := decodeAs[api.GinSession](t, w)
	for state != "" && string(now.State) != state {
		act := legalGinAct(rng, &now)
		w = s.post(t, now.Links.Self+act.path, act.body)
		status(t, w, http.StatusOK)
		now = decodeAs[api.GinSession](t, w)
	}
	return now.Id
}

// ginCardText finds cards of Gin Rummy in JSON.
var ginCardText = regexp.MustCompile(`"(10|[2-9]|J|Q|K|A)[CDHS]"`)

// checkGinSealed checks that an answer has no card but those that the client has seen, until the round is over, and not the seed that the
// server has drawn. A knock shows the ten cards of the knocker, and a result the cards laid off.
func checkGinSealed(t *testing.T, answer []byte, s *api.GinSession) {
	t.Helper()
	over := s.State == api.GinSessionStateRoundOver || s.State == api.GinSessionStateOver
	if (s.Revealed != nil) != over {
		t.Fatalf("revealed is there in the state %s: %s", s.State, answer)
	}
	if over {
		return
	}
	seen := map[string]bool{s.Situation.Upcard: true}
	for _, c := range s.Situation.Hand {
		seen[c] = true
	}
	for _, e := range s.Situation.Events {
		if hidden := e.Seat == api.GinWhoOpp && e.Kind == "stock"; e.Card != nil {
			if hidden {
				t.Fatalf("the answer has a hidden draw: %s", answer)
			}
			seen[*e.Card] = true
		}
	}
	if k := s.Knock; k != nil {
		for _, m := range append(slices.Clone(k.Laid.Melds), k.Laid.Unmelded) {
			for _, c := range m {
				seen[c] = true
			}
		}
	}
	past := regexp.MustCompile(`"results":\[.*\],"expires_at"`).ReplaceAll(answer, []byte(`"expires_at"`)) // cards of earlier rounds
	for _, quoted := range ginCardText.FindAllString(string(past), -1) {
		if !seen[strings.Trim(quoted, `"`)] {
			t.Fatalf("the answer has %s, which the client has not seen: %s", quoted, answer)
		}
	}
	if s.Seed != nil || bytes.Contains(answer, []byte(`"seed"`)) || bytes.Contains(answer, []byte("secret")) {
		t.Fatalf("the answer tells what the cards are drawn from: %s", answer)
	}
}

// A random client plays sessions to their ends. No answer has a card that the client has not seen before the round is over; a repeated act
// has the same answer; the result agrees with score; and the situation can be posted to estimate and advise as it is.
func TestGinSessions(t *testing.T) {
	onEachSessionStore(t, func(t *testing.T, store func(*config)) {
		t.Helper()
		s := newServer(t, store)
		results := map[api.GinSessionResultResult]int{}
		count := 12
		if strings.HasSuffix(t.Name(), "redis") {
			count = 2 // the store of sessions has tests of its own
		}
		for i := range count {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			length, player := "round", []string{"simple", "random", "simple", "playout"}[i%4]
			if i == 0 {
				length = "game"
			}
			now, w := createGinSession(t, s, fmt.Sprintf(`{"player": %q, "length": %q}`, player, length))
			for {
				checkGinSealed(t, w.Body.Bytes(), &now)
				if i%6 == 1 || now.Acts%8 == 0 {
					checkGinPostable(t, s, &now)
				}
				if now.State == api.GinSessionStateRoundOver || now.State == api.GinSessionStateOver {
					checkGinResult(t, s, &now)
					results[now.Results[len(now.Results)-1].Result]++
				}
				if now.State == api.GinSessionStateOver {
					break
				}
				act := legalGinAct(rng, &now)
				if now.State == api.GinSessionStateDiscard && i%2 == 0 { // so that the client can knock
					act = bestGinDiscard(t, s, &now)
				}
				before := now
				w = s.post(t, now.Links.Self+act.path, act.body)
				status(t, w, http.StatusOK)
				now = decodeAs[api.GinSession](t, w)
				if now.Acts != before.Acts+1 || now.Id != before.Id {
					t.Fatalf("%d acts after %d", now.Acts, before.Acts)
				}
				if now.Acts%4 > 0 && now.Revealed == nil {
					continue
				}
				again := s.post(t, now.Links.Self+act.path, act.body)
				status(t, again, http.StatusOK)
				read := s.get(t, now.Links.Self)
				for name, other := range map[string]*httptest.ResponseRecorder{"the act again": again, "GET": read} {
					if diff := cmp.Diff(unexpiring(t, w), unexpiring(t, other)); diff != "" {
						t.Fatalf("%s has another answer (-first +other)\n%s", name, diff)
					}
				}
			}
			if length == "game" && max(now.Scores.Me, now.Scores.Opp) < 100 && now.Number < 50 || length == "round" && now.Number != 1 {
				t.Errorf("a %s ends at %+v in round %d", length, now.Scores, now.Number)
			}
		}
		t.Logf("%v", results)
		if results[api.GinSessionResultResultKnock] == 0 {
			t.Errorf("no round ended with a knock: %v", results)
		}
	})
}

// bestGinDiscard returns the discard that leaves the least deadwood.
func bestGinDiscard(t *testing.T, s *server, now *api.GinSession) sessionAct {
	t.Helper()
	w := s.post(t, "/v1/gin-rummy/advise", encoded(t, now.Situation, `, "player": "simple"`))
	status(t, w, http.StatusOK)
	action := encoded(t, decodeAs[api.GinAdvice](t, w).Action, "")
	return ginAct(now.Acts, strings.TrimSuffix(strings.TrimPrefix(action, "{"), "}"))
}

// checkGinPostable posts the situation to other operations.
func checkGinPostable(t *testing.T, s *server, now *api.GinSession) {
	t.Helper()
	status(t, s.post(t, "/v1/gin-rummy/estimate", encoded(t, now.Situation, "")), http.StatusOK)
	switch now.State {
	case api.GinSessionStateDraw, api.GinSessionStateDiscard, api.GinSessionStateKnock:
		w := s.post(t, "/v1/gin-rummy/advise", encoded(t, now.Situation,
			fmt.Sprintf(`, "player": "simple", "scores": {"me": %d, "opp": %d}`, now.Scores.Me, now.Scores.Opp)))
		status(t, w, http.StatusOK)
		a := decodeAs[api.GinAdvice](t, w)
		if want := max(len(now.Actions), len(now.Discards)); string(a.Phase) != string(now.State) || len(a.Options) != want {
			t.Errorf("advice for %s with %d options, the state is %s with %v %v", a.Phase, len(a.Options), now.State, now.Actions, now.Discards)
		}
		for _, o := range a.Options {
			if (o.Danger != nil) != (o.Action.Kind == api.GinActionKindDiscard) || o.Danger != nil && (*o.Danger < 0 || *o.Danger > 1) {
				t.Errorf("%+v", o)
			}
		}
	default:
	}
}

// checkGinResult compares the result of a round with score.
func checkGinResult(t *testing.T, s *server, now *api.GinSession) {
	t.Helper()
	r, shown := now.Results[len(now.Results)-1], now.Revealed
	if diff := cmp.Diff(now.Situation.Hand, shown.Hands.Me); diff != "" || len(shown.Hands.Opp) != 10 || len(shown.Stock) != 31 {
		t.Errorf("the hands at the end: %+v\n%s", shown, diff)
	}
	var sum api.GinScores
	for _, one := range now.Results {
		sum.Me += one.Points.Me
		sum.Opp += one.Points.Opp
	}
	if sum != now.Scores {
		t.Errorf("the points %+v, the scores %+v", sum, now.Scores)
	}
	if r.Result == api.GinSessionResultResultVoid {
		if r.Knocker != nil || r.Points != (api.GinScores{}) || now.Knock != nil || now.Stock != 2 {
			t.Errorf("a void round: %+v", r)
		}
		return
	}
	hands, laid := []api.GinCards{shown.Hands.Me, shown.Hands.Opp}, []api.GinLaid{shown.Laid.Me, shown.Laid.Opp}
	points := []int{r.Points.Me, r.Points.Opp}
	if *r.Knocker == api.GinWhoOpp {
		slices.Reverse(hands)
		slices.Reverse(laid)
		slices.Reverse(points)
	}
	body := encoded(t, map[string]any{
		"knocker": map[string]any{"hand": hands[0], "melds": laid[0].Melds}, "opponent": map[string]any{"hand": hands[1], "melds": laid[1].Melds},
	}, "")
	w := s.post(t, "/v1/gin-rummy/score", body)
	status(t, w, http.StatusOK)
	want := decodeAs[api.GinScore](t, w)
	if string(want.Result) != string(r.Result) || want.Score.Knocker != points[0] || want.Score.Opponent != points[1] {
		t.Errorf("score says %+v, the session %+v", want, r)
	}
	if diff := cmp.Diff([]any{want.Knocker, want.Opponent, want.LaidOff}, []any{laid[0], laid[1], r.LaidOff}); diff != "" {
		t.Errorf("what was laid down (-score +session)\n%s", diff)
	}
}

// Bad requests are refused at their fields, and acts that do not fit with the number of the next act. Neither changes anything.
func TestGinSessionBadRequests(t *testing.T) {
	s := newServer(t)
	now, _ := createGinSession(t, s, `{"player": "simple", "starter": "me", "seed": "3"}`)
	play := now.Id + "/play"
	for _, test := range []struct {
		name, path, body string
		status           int
		where, detail    string
	}{
		{"no player", "", `{"player": "best"}`, 400, "/player", "is not one of"},
		{"length", "", `{"length": "match"}`, 400, "/length", ""},
		{"starter", "", `{"starter": "you"}`, 400, "/starter", ""},
		{"seed number", "", `{"seed": 7}`, 400, "/seed", ""},
		{"seed too large", "", `{"seed": "18446744073709551616"}`, 400, "/seed", "18446744073709551615"},
		{"unknown field", "", `{"hands": 7}`, 400, "/hands", ""},
		{"no acts", play, `{"action": {"kind": "pass"}}`, 400, "/acts", ""},
		{"no action", play, `{"acts": 0}`, 400, "/action", ""},
		{"no kind", play, `{"acts": 0, "action": {}}`, 400, "/action/kind", ""},
		{"unknown kind", play, `{"acts": 0, "action": {"kind": "draw"}}`, 400, "/action/kind", ""},
		{"two cards as a meld", play, `{"acts": 0, "action": {"kind": "knock", "melds": [["AC", "2C"]]}}`, 422, "/action/melds/0", ""},
		{"a card of a draw", play, `{"acts": 0, "action": {"kind": "take", "card": "AC"}}`, 422, "/action/card", "for a discard only"},
		{"melds of a draw", play, `{"acts": 0, "action": {"kind": "take", "melds": []}}`, 422, "/action/melds", "knock and melds only"},
		{"no card", play, `{"acts": 0, "action": {"kind": "discard"}}`, 422, "/action/card", "is missing"},
		{"unknown card", play, `{"acts": 0, "action": {"kind": "discard", "card": "1C"}}`, 400, "/action/card", "not a card"},
		{"no meld", play, `{"acts": 0, "action": {"kind": "knock", "melds": [["AC", "2C", "4C"]]}}`, 422, "/action/melds/0", "neither"},
		{"a draw from the stock", play, `{"acts": 0, "action": {"kind": "stock"}}`, 422, "/action/kind", "first two turns"},
		{"an early number", play, `{"acts": 1, "action": {"kind": "pass"}}`, 409, "", "number 0"},
		{"a discard", play, `{"acts": 0, "action": {"kind": "discard", "card": "AC"}}`, 409, "", "waits for a draw"},
		{"the next round", now.Id + "/next", `{"acts": 0}`, 409, "", "waits for a draw"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := s.post(t, strings.TrimSuffix(ginSessionsPath+"/"+test.path, "/"), test.body)
			status(t, w, test.status)
			p := decodeAs[api.Problem](t, w)
			if test.status == http.StatusConflict {
				if p.Acts == nil || *p.Acts != 0 || !strings.Contains(p.Detail, test.detail) {
					t.Errorf("%s\nwant %q", w.Body, test.detail)
				}
				return
			}
			errors := *p.Errors
			if len(errors) != 1 || *errors[0].Pointer != test.where || !strings.Contains(errors[0].Detail, test.detail) {
				t.Errorf("%s\nwant one error at %s that contains %q", w.Body, test.where, test.detail)
			}
		})
	}
	if read := decodeAs[api.GinSession](t, s.get(t, now.Links.Self)); read.Acts != 0 || read.State != api.GinSessionStateDraw {
		t.Errorf("the session has changed: %+v", read)
	}
}
