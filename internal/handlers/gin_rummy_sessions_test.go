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
	if len(s.LegalActions) == 0 {
		return sessionAct{"/next", fmt.Sprintf(`{"acts": %d}`, s.Acts)}
	}
	kind := s.LegalActions[rng.IntN(len(s.LegalActions))]
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

// checkGinSealed checks that an answer has no card but those that the client has seen, until the hand is over, and not the seed that the
// server has drawn. A knock shows the ten cards of the knocker, and a result the cards laid off.
func checkGinSealed(t *testing.T, answer []byte, s *api.GinSession) {
	t.Helper()
	over := s.State == api.GinSessionStateHandOver || s.State == api.GinSessionStateOver
	if (s.Revealed != nil) != over {
		t.Fatalf("revealed is there in the state %s: %s", s.State, answer)
	}
	if over {
		return
	}
	seen := map[string]bool{s.View.Upcard: true}
	for _, c := range s.View.Hand {
		seen[c] = true
	}
	for _, e := range s.View.Events {
		if hidden := e.Seat == api.GinSeatB && e.Kind == "stock"; e.Card != nil {
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

// A random client plays sessions to their ends. No answer has a card that the client has not seen before the hand is over; a repeated act
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
			length, player := `, "hands": 1`, []string{"simple", "random", "simple", "playout"}[i%4]
			if i == 0 {
				length = ""
			}
			now, w := createGinSession(t, s, fmt.Sprintf(`{"players": {"opponent": %q}%s}`, player, length))
			for {
				checkGinSealed(t, w.Body.Bytes(), &now)
				if i%6 == 1 || now.Acts%8 == 0 {
					checkGinPostable(t, s, &now)
				}
				if now.State == api.GinSessionStateHandOver || now.State == api.GinSessionStateOver {
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
			if length == "" && max(now.Totals.A, now.Totals.B) < 100 && now.Number < 50 || length != "" && now.Number != 1 {
				t.Errorf("a session%s ends at %+v in hand %d", length, now.Totals, now.Number)
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
	w := s.post(t, "/v1/gin-rummy/advise", encoded(t, now.View, `, "player": "simple"`))
	status(t, w, http.StatusOK)
	action := encoded(t, decodeAs[api.GinAdvice](t, w).Action, "")
	return ginAct(now.Acts, strings.TrimSuffix(strings.TrimPrefix(action, "{"), "}"))
}

// checkGinPostable posts the situation to other operations.
func checkGinPostable(t *testing.T, s *server, now *api.GinSession) {
	t.Helper()
	status(t, s.post(t, "/v1/gin-rummy/estimate", encoded(t, now.View, "")), http.StatusOK)
	switch now.State {
	case api.GinSessionStateDraw, api.GinSessionStateDiscard, api.GinSessionStateKnock:
		w := s.post(t, "/v1/gin-rummy/advise", encoded(t, now.View,
			fmt.Sprintf(`, "player": "simple", "totals": {"A": %d, "B": %d}`, now.Totals.A, now.Totals.B)))
		status(t, w, http.StatusOK)
		a := decodeAs[api.GinAdvice](t, w)
		if want := max(len(now.LegalActions), len(now.Discards)); string(a.Phase) != string(now.State) || len(a.Options) != want {
			t.Errorf("advice for %s with %d options, the state is %s with %v %v", a.Phase, len(a.Options), now.State, now.LegalActions, now.Discards)
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
	if diff := cmp.Diff(now.View.Hand, shown.Held.A); diff != "" || len(shown.Held.B) != 10 || len(shown.Stock) != 31 {
		t.Errorf("the hands at the end: %+v\n%s", shown, diff)
	}
	var sum api.GinNumbers
	for _, one := range now.Results {
		sum.A += one.Points.A
		sum.B += one.Points.B
	}
	if sum != now.Totals {
		t.Errorf("the points %+v, the scores %+v", sum, now.Totals)
	}
	if r.Result == api.GinSessionResultResultVoid {
		if r.Knocker != nil || r.Points != (api.GinNumbers{}) || now.Knock != nil || now.Stock != 2 {
			t.Errorf("a void round: %+v", r)
		}
		return
	}
	hands, laid := []api.GinCards{shown.Held.A, shown.Held.B}, []api.GinLaid{shown.Laid.A, shown.Laid.B}
	points := []int{r.Points.A, r.Points.B}
	if *r.Knocker == api.GinSeatB {
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
	now, _ := createGinSession(t, s, `{"players": {"opponent": "simple"}, "starter": "A", "seed": "3"}`)
	play := now.Id + "/play"
	for _, test := range []struct {
		name, path, body string
		status           int
		where, detail    string
	}{
		{"no player", "", `{"players": {"opponent": "best"}}`, 400, "/players/opponent", "is not one of"},
		{"no hands", "", `{"hands": 0}`, 400, "/hands", ""},
		{"starter", "", `{"starter": "you"}`, 400, "/starter", ""},
		{"seed number", "", `{"seed": 7}`, 400, "/seed", ""},
		{"seed too large", "", `{"seed": "18446744073709551616"}`, 400, "/seed", "18446744073709551615"},
		{"unknown field", "", `{"length": "game"}`, 400, "/length", "did you mean hands?"},
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
		{"the next hand", now.Id + "/next", `{"acts": 0}`, 409, "", "waits for a draw"},
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
