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
	"roem/internal/engine/piquet"
	"roem/internal/service/belote"
)

const beloteSessionsPath = belote.SessionPath

func createBeloteSession(t *testing.T, s *server, body string) (api.BeloteSession, *httptest.ResponseRecorder) {
	t.Helper()
	return createSessionOf[api.BeloteSession](t, s, beloteSessionsPath, body)
}

// legalBeloteAct draws a legal act.
func legalBeloteAct(rng *rand.Rand, s *api.BeloteSession) sessionAct {
	switch s.State {
	case api.BeloteSessionStateBidding:
		return sessionAct{"/call", fmt.Sprintf(`{"acts": %d, "call": %q}`, s.Acts, s.LegalCalls[rng.IntN(len(s.LegalCalls))])}
	case api.BeloteSessionStatePlaying:
		return playAct(s.Acts, s.Legal[rng.IntN(len(s.Legal))])
	default:
		return sessionAct{"/next", fmt.Sprintf(`{"acts": %d}`, s.Acts)}
	}
}

// beloteActUntil makes legal acts in the session of an answer, drawn from one seed, until the session has the state; with an empty state
// none. It returns the id of the session.
func beloteActUntil(t *testing.T, s *server, w *httptest.ResponseRecorder, state string) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(0, 0))
	now := decodeAs[api.BeloteSession](t, w)
	for state != "" && string(now.State) != state {
		act := legalBeloteAct(rng, &now)
		w = s.post(t, now.Links.Self+act.path, act.body)
		status(t, w, http.StatusOK)
		now = decodeAs[api.BeloteSession](t, w)
	}
	return now.Id
}

// pastResults are the results of a session of Belote in JSON, which have cards of earlier hands.
var pastResults = regexp.MustCompile(`"results":\[.*\],"totals"`)

// checkBeloteSealed checks that an answer has no card but the open ones and those that were turned, until the hand is over, and not the
// seed that the server has drawn. A card below is turned after the trick of the card on it, or at once with the flip immediate.
func checkBeloteSealed(t *testing.T, answer []byte, s *api.BeloteSession) {
	t.Helper()
	over := s.State == api.BeloteSessionStateHandOver || s.State == api.BeloteSessionStateOver
	bidding := s.State == api.BeloteSessionStateBidding
	if (s.Revealed != nil) != over || (s.Auction != nil) != bidding || (s.View == nil) != bidding {
		t.Fatalf("in the state %s: %s", s.State, answer)
	}
	seen := map[string]bool{}
	note := func(cards ...string) {
		for _, c := range cards {
			seen[c] = true
		}
	}
	if a := s.Auction; a != nil {
		n := len(a.Suits)
		note(append(slices.Clone(a.Open.A), a.Open.B...)...)
		if stage := len(s.Calls); len(a.Open.A) != n*(stage/2+1) || len(a.Open.B) != n*((stage+1)/2) {
			t.Fatalf("after %d calls the cards %v are open", stage, a.Open)
		}
	}
	if v := s.View; v != nil {
		note(v.Played...)
		turned := v.Played
		if v.Flip == api.BeloteFlipAfterTrick {
			turned = turned[:len(turned)&^1]
		}
		for _, stack := range slices.Concat(v.Stacks.A, v.Stacks.B) {
			note(*stack[0])
			if was := slices.Contains(turned, *stack[0]); was != (stack[1] != nil) {
				t.Fatalf("%s was played: %t, and the card below it is %v", *stack[0], was, stack[1])
			} else if was {
				note(*stack[1])
			}
		}
	}
	for _, quoted := range cardText.FindAllString(string(pastResults.ReplaceAll(answer, nil)), -1) {
		if !seen[strings.Trim(quoted, `"`)] {
			t.Fatalf("the answer has %s, which nobody has seen: %s", quoted, answer)
		}
	}
	if s.Seed != nil || bytes.Contains(answer, []byte(`"seed"`)) || bytes.Contains(answer, []byte("secret")) {
		t.Fatalf("the answer tells what the cards are drawn from: %s", answer)
	}
}

// A random client plays sessions of every form to their ends. No answer has a card that has not been turned before the hand is over; a
// repeated act has the same answer; the result agrees with score; what a session shows can be posted to the other operations as it is; and
// the totals are the sums.
func TestBeloteSessions(t *testing.T) {
	onEachSessionStore(t, func(t *testing.T, store func(*config)) {
		t.Helper()
		s := newServer(t, store)
		rng := rand.New(rand.NewPCG(29, 5))
		states := map[api.BeloteSessionState]int{}
		count := 12
		if strings.HasSuffix(t.Name(), "redis") {
			count = 3 // the store of sessions has tests of its own
		}
		for n := range count {
			body := fmt.Sprintf(`{"seat": %q, "players": {"opponent": %q}, "hands": %d, "suits": ["H", "S"], "trump": %q, "flip": %q}`,
				"AB"[n%2:][:1], []string{"simple", "random", "sampling:2", "expectimax:2"}[n%4], 1+n%3, []string{"bidding", "drawn", "none"}[n/2%3],
				[]string{"after_trick", "immediate"}[n/3%2])
			now, w := createBeloteSession(t, s, body)
			for {
				checkBeloteSealed(t, w.Body.Bytes(), &now)
				states[now.State]++
				checkBelotePostable(t, s, rng, &now)
				if now.State == api.BeloteSessionStateOver {
					break
				}
				act := legalBeloteAct(rng, &now)
				before := now
				w = s.post(t, now.Links.Self+act.path, act.body)
				status(t, w, http.StatusOK)
				if now = decodeAs[api.BeloteSession](t, w); now.Acts != before.Acts+1 || now.Id != before.Id {
					t.Fatalf("%d acts after %d", now.Acts, before.Acts)
				}
				if rng.IntN(4) == 0 {
					again := s.post(t, now.Links.Self+act.path, act.body)
					status(t, again, http.StatusOK)
					if diff := cmp.Diff(unexpiring(t, w), unexpiring(t, again)); diff != "" {
						t.Fatalf("the same act again (-first +second)\n%s", diff)
					}
				}
			}
			var sums api.BeloteSessionNumbers
			for _, r := range now.Results {
				sums.You, sums.Opponent = sums.You+r.Points.You, sums.Opponent+r.Points.Opponent
			}
			if sums != now.Totals || len(now.Results) != now.Hands {
				t.Errorf("%d of %d hands, the sums are %v, the totals %v", len(now.Results), now.Hands, sums, now.Totals)
			}
		}
		if len(states) < 4 {
			t.Errorf("states %v", states)
		}
	})
}

// checkBelotePostable posts what a session shows to other operations, and compares their answers.
func checkBelotePostable(t *testing.T, s *server, rng *rand.Rand, now *api.BeloteSession) {
	t.Helper()
	switch now.State {
	case api.BeloteSessionStateBidding:
		w := s.post(t, "/v1/belote/bid", encoded(t, now.Auction, `, "worlds": 4`))
		status(t, w, http.StatusOK)
		if b := decodeAs[api.BeloteBidAdvice](t, w); b.Speaker != now.Seat || b.Stage != len(now.Calls)+1 {
			t.Errorf("the bid is of %s at stage %d, the session of %s after %d calls", b.Speaker, b.Stage, now.Seat, len(now.Calls))
		}
	case api.BeloteSessionStatePlaying:
		if rng.IntN(4) > 0 {
			return
		}
		w := s.post(t, "/v1/belote/advise", encoded(t, now.View, `, "worlds": 2`))
		status(t, w, http.StatusOK)
		a := decodeAs[api.BeloteAdvice](t, w)
		var advised []string
		for _, c := range a.Cards {
			advised = append(advised, c.Card)
		}
		legal := slices.Clone(now.Legal)
		slices.Sort(advised)
		slices.Sort(legal)
		if diff := cmp.Diff(legal, advised); diff != "" || a.Turn != now.Seat {
			t.Errorf("advice for %s (-legal +advised)\n%s", a.Turn, diff)
		}
	default:
		checkBeloteEnd(t, s, now)
	}
}

// checkBeloteEnd compares the last result of a session with score, and its tricks with legal-moves.
func checkBeloteEnd(t *testing.T, s *server, now *api.BeloteSession) {
	t.Helper()
	r, contract := now.Results[len(now.Results)-1], "none"
	if now.Declarer != nil {
		contract = "paper"
	}
	w := s.post(t, "/v1/belote/score", fmt.Sprintf(`{"position": %s, "contract": %q}`, encoded(t, now.Revealed, ""), contract))
	status(t, w, http.StatusOK)
	if diff := cmp.Diff(decodeAs[api.BeloteScore](t, w), r.Score); diff != "" {
		t.Errorf("the score (-score +session)\n%s", diff)
	}
	mine, theirs := r.Score.Written.A, r.Score.Written.B
	if r.Seat == api.BeloteSeatB {
		mine, theirs = theirs, mine
	}
	if r.Points.You != mine || r.Points.Opponent != theirs || r.Seat != now.Seat || r.Number != now.Number {
		t.Errorf("%+v of the client in the seat %s", r, now.Seat)
	}
	w = s.post(t, "/v1/belote/legal-moves", encoded(t, now.Revealed, ""))
	status(t, w, http.StatusOK)
	moves := decodeAs[api.BeloteLegalMoves](t, w)
	last := moves.Completed[len(moves.Completed)-1]
	if diff := cmp.Diff(&last, now.LastTrick); diff != "" || moves.Points != now.Points || !moves.Finished || now.Trick != nil {
		t.Errorf("points %v, by legal-moves %v; the last trick (-legal-moves +session)\n%s", now.Points, moves.Points, diff)
	}
}

// Bad requests are refused at their fields, and acts that do not fit with the number of the next act. Neither changes anything. No error
// tells where a card lies that is face down.
func TestBeloteSessionBadRequests(t *testing.T) {
	s := newServer(t)
	called, _ := createBeloteSession(t, s, `{"players": {"opponent": "simple"}, "suits": ["H", "S"], "seed": "3"}`)
	now, _ := createBeloteSession(t, s, `{"players": {"opponent": "simple"}, "suits": ["H", "S"], "trump": "drawn", "seed": "3"}`)
	call, play := called.Id+"/call", now.Id+"/play"
	for _, test := range []struct {
		name, path, body string
		status           int
		where, detail    string
	}{
		{"a seat", "", `{"seat": "C"}`, 400, "/seat", "expected A or B"},
		{"no player", "", `{"players": {"opponent": "best"}}`, 400, "/players/opponent", "is not one of"},
		{"the player that sees all", "", `{"players": {"opponent": "exact"}}`, 400, "/players/opponent", "sees face-down cards"},
		{"too many worlds", "", `{"players": {"opponent": "sampling:101"}}`, 422, "/players/opponent", "at most 100"},
		{"hands", "", `{"hands": 31}`, 400, "/hands", "30"},
		{"no suits", "", `{"suits": []}`, 400, "/suits", ""},
		{"a suit twice", "", `{"suits": ["H", "H"]}`, 400, "/suits/1", "twice"},
		{"the trump", "", `{"trump": "H"}`, 400, "/trump", ""},
		{"the flip", "", `{"flip": "never"}`, 400, "/flip", ""},
		{"seed number", "", `{"seed": 7}`, 400, "/seed", ""},
		{"unknown field", "", `{"player": "simple"}`, 400, "/player", "did you mean players?"},
		{"no acts", call, `{"call": "pass"}`, 400, "/acts", ""},
		{"no call", call, `{"acts": 0}`, 400, "/call", ""},
		{"an unknown call", call, `{"acts": 0, "call": "coinche"}`, 400, "/call", "is not one of"},
		{"a suit of no card", call, `{"acts": 0, "call": "C"}`, 422, "/call", "not one of the suits"},
		{"an early call", call, `{"acts": 1, "call": "pass"}`, 409, "", "number 0"},
		{"a card too early", called.Id + "/play", `{"acts": 0, "card": "7H"}`, 409, "", "waits for a call"},
		{"a call too late", now.Id + "/call", `{"acts": 0, "call": "pass"}`, 409, "", "waits for a card"},
		{"an unknown card", play, `{"acts": 0, "card": "1C"}`, 400, "/card", "not a card"},
		{"a card of no suit", play, `{"acts": 0, "card": "7C"}`, 422, "/card", "not one of the open cards"},
		{"the next hand", now.Id + "/next", `{"acts": 0}`, 409, "", "waits for a card"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := s.post(t, strings.TrimSuffix(beloteSessionsPath+"/"+test.path, "/"), test.body)
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
	for c := range piquet.Deck.All() {
		if slices.Contains(now.Legal, c.String()) {
			continue
		}
		w := s.post(t, now.Links.Self+"/play", fmt.Sprintf(`{"acts": 0, "card": %q}`, c))
		if !strings.Contains(w.Body.String(), "it is not one of the open cards; expected one of "+strings.Join(now.Legal, ", ")) {
			t.Errorf("%s: %d %s", c, w.Code, w.Body)
		}
	}
	if read := decodeAs[api.BeloteSession](t, s.get(t, now.Links.Self)); read.Acts != 0 || read.State != api.BeloteSessionStatePlaying {
		t.Errorf("the session has changed: %+v", read)
	}
}
