package handlers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/internal/redistest"
	"roem/internal/service"
	game "roem/internal/service/klaverjas"
	"roem/internal/sessions"
	"roem/internal/testkit"
)

const sessionsPath = game.SessionPath

// onEachSessionStore runs a test with the sessions in memory and with the sessions in Redis.
func onEachSessionStore(t *testing.T, test func(t *testing.T, store func(*config))) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, func(*config) {}) })
	t.Run("redis", func(t *testing.T) {
		store, err := sessions.NewRedis(sessions.RedisOptions{URL: redistest.Start(t, redistest.Options{}).URL()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
		test(t, func(c *config) { c.sessions = store })
	})
}

func createSession(t *testing.T, s *server, body string) api.KlaverjasSession {
	t.Helper()
	out, _ := createSessionOf[api.KlaverjasSession](t, s, sessionsPath, body)
	return out
}

// sessionAct is a request for an act: its path below the session, and its body.
type sessionAct struct{ path, body string }

// legalAct draws a legal act.
func legalAct(rng *rand.Rand, s *api.KlaverjasSession) sessionAct {
	switch s.State {
	case api.KlaverjasSessionStateBidding:
		return sessionAct{"/call", fmt.Sprintf(`{"acts": %d, "call": %q}`, s.Acts, s.LegalCalls[rng.IntN(len(s.LegalCalls))])}
	case api.KlaverjasSessionStatePlaying:
		return playAct(s.Acts, s.Legal[rng.IntN(len(s.Legal))])
	default:
		return sessionAct{"/next", fmt.Sprintf(`{"acts": %d}`, s.Acts)}
	}
}

func playAct(acts int, card api.Card) sessionAct {
	return sessionAct{"/play", fmt.Sprintf(`{"acts": %d, "card": %q}`, acts, card)}
}

// sessionBodies returns requests for sessions of every form.
func sessionBodies(n int) []string {
	kinds := []string{"simple", "random", "logical", "policy", "logical:compat"}
	flows := []string{"none", "free", "official", "obliged", "turned"}
	bodies := make([]string, n)
	for i := range bodies {
		hands := 1
		if i%40 == 0 {
			hands = 16
		}
		bodies[i] = fmt.Sprintf(`{"seat": %q, "players": {"partner": %q, "opponents": %q}, "bidding": %q, "hands": %d, "rules": {"system": %q}}`,
			piquet.Seat(i%4), kinds[i%len(kinds)], kinds[i/4%len(kinds)], flows[i/2%len(flows)], hands, []string{"rotterdam", "amsterdam"}[i/3%2])
	}
	return bodies
}

// cardText finds cards in JSON.
var cardText = regexp.MustCompile(`"(7|8|9|10|J|Q|K|A)[CDHS]"`)

// checkSealed checks that an answer has no card but those that the seat holds or has seen, until the hand is over, and that it does not
// have the seed of a session whose seed the server has drawn.
func checkSealed(t *testing.T, answer []byte, s *api.KlaverjasSession) {
	t.Helper()
	over := s.State == api.KlaverjasSessionStateHandOver || s.State == api.KlaverjasSessionStateOver
	if (s.Revealed != nil) != over {
		t.Fatalf("revealed is there in the state %s: %s", s.State, answer)
	}
	if over {
		return
	}
	seen := map[string]bool{}
	switch {
	case s.View != nil:
		for _, c := range append(slices.Clone(s.View.Hand), s.View.Played...) {
			seen[c] = true
		}
		if len(s.View.Hand) != 8 || len(seen) > 8+len(s.View.Played) {
			t.Fatalf("the view %+v", s.View)
		}
	default:
		for _, c := range s.Auction.Hand {
			seen[c] = true
		}
	}
	for _, quoted := range cardText.FindAllString(string(answer), -1) {
		if !seen[strings.Trim(quoted, `"`)] {
			t.Fatalf("the answer has %s, which the seat has not seen: %s", quoted, answer)
		}
	}
	if s.Seed != nil || bytes.Contains(answer, []byte(`"seed"`)) || bytes.Contains(answer, []byte("secret")) ||
		bytes.Contains(answer, []byte(`"index"`)) {
		t.Fatalf("the answer tells what the cards are drawn from: %s", answer)
	}
}

// A random client plays sessions of every form to their ends. No answer has a card that its seat has not seen before the hand is over; a
// repeated act has the same answer; the result agrees with the engine; and what a session shows can be posted to the other operations as
// it is.
func TestSessions(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	onEachSessionStore(t, func(t *testing.T, store func(*config)) {
		t.Helper()
		s := newServer(t, store)
		bodies := sessionBodies(testkit.Times(24, 60, 120, 120))
		if t.Name() != "TestSessions/memory" {
			bodies = bodies[:12] // the store has the bytes of a session, whatever they mean
		}
		answers := 0
		for i, body := range bodies {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			w := s.post(t, sessionsPath, body)
			status(t, w, http.StatusCreated)
			now := decodeAs[api.KlaverjasSession](t, w)
			for {
				answers++
				checkSealed(t, w.Body.Bytes(), &now)
				if now.State == api.KlaverjasSessionStateOver {
					break
				}
				if i%30 == 10 {
					checkPostable(t, s, &now)
				}
				act := legalAct(rng, &now)
				before := now
				w = s.post(t, now.Links.Self+act.path, act.body)
				status(t, w, http.StatusOK)
				now = decodeAs[api.KlaverjasSession](t, w)
				if now.Acts != before.Acts+1 || now.Id != before.Id {
					t.Fatalf("%d acts after %d", now.Acts, before.Acts)
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
			checkEnd(t, s, &now)
		}
		t.Logf("%d answers", answers)
	})
}

// unexpiring returns an answer without the time at which the session expires, which a store knows to the millisecond only.
func unexpiring(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	return regexp.MustCompile(`"expires_at":"[^"]*"`).ReplaceAllString(w.Body.String(), "")
}

// checkPostable posts what a session shows to other operations.
func checkPostable(t *testing.T, s *server, now *api.KlaverjasSession) {
	t.Helper()
	switch now.State {
	case api.KlaverjasSessionStateBidding:
		status(t, s.post(t, bidPath, encoded(t, now.Auction, "")), http.StatusOK)
	case api.KlaverjasSessionStatePlaying:
		status(t, s.post(t, "/v1/klaverjas/knowledge", encoded(t, now.View, "")), http.StatusOK)
		status(t, s.post(t, "/v1/klaverjas/worlds", encoded(t, now.View, `, "worlds": 2`)), http.StatusOK)
		if len(now.View.Played) >= 16 {
			w := s.post(t, "/v1/klaverjas/advise", encoded(t, now.View, `, "worlds": 2`))
			status(t, w, http.StatusOK)
			if got := len(decodeAs[api.KlaverjasAdvice](t, w).Cards); got != len(now.Legal) {
				t.Errorf("advice on %d cards, legal are %v", got, now.Legal)
			}
		}
	case api.KlaverjasSessionStateHandOver, api.KlaverjasSessionStateOver:
	}
}

// encoded returns a value as an object, with further fields.
func encoded(t *testing.T, value any, further string) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(text), "}") + further + "}"
}

// checkEnd checks the end of a session: the result of its last hand agrees with the cards revealed, and the totals are sums.
func checkEnd(t *testing.T, s *server, now *api.KlaverjasSession) {
	t.Helper()
	if now.Number != now.Hands || len(now.Results) != now.Hands || now.Turn != nil || len(now.Legal)+len(now.LegalCalls)+len(now.Held) != 0 ||
		now.Trick != nil {
		t.Errorf("the end of a session of %d hands: %+v", now.Hands, now)
	}
	r := now.Revealed
	position := *r
	body := strings.Replace(encoded(t, position, ""), fmt.Sprintf(`,"seat":%q`, r.Seat), "", 1)
	w := s.post(t, "/v1/klaverjas/legal-moves", body)
	status(t, w, http.StatusOK)
	end := decodeAs[api.KlaverjasLegalMoves](t, w)
	last := now.Results[len(now.Results)-1]
	if !end.Finished || end.Score != last.Score || end.TricksTaken != last.TricksTaken || end.Score != now.Score {
		t.Errorf("the engine has the end %+v, the session %+v", end, last)
	}
	var totals api.KlaverjasTeamPoints
	for i, one := range now.Results {
		totals.NS += one.Points.NS
		totals.EW += one.Points.EW
		if one.Number != i+1 || one.Won != (one.Outcome > 0) {
			t.Errorf("the result %+v", one)
		}
		margin := one.Points.NS - one.Points.EW
		if one.Declarer == api.KlaverjasTeamEW {
			margin = -margin
		}
		if margin != one.Outcome {
			t.Errorf("the outcome is %d and the margin of the declarers %d", one.Outcome, margin)
		}
	}
	if totals != now.Totals {
		t.Errorf("the totals are %+v, want %+v", now.Totals, totals)
	}
	if lt := now.LastTrick; lt == nil || lt.Number != 8 || len(lt.Cards) != 4 {
		t.Errorf("the last trick is %+v", now.LastTrick)
	}
}

// A hand that is over can be posted to review as it is. The verdicts are on the cards of the seat.
func TestSessionReview(t *testing.T) {
	s := newServer(t)
	rng := rand.New(rand.NewPCG(1, 2))
	now := createSession(t, s, `{"players": {"partner": "simple", "opponents": "simple"}, "seed": "1"}`)
	for now.State != api.KlaverjasSessionStateOver {
		act := legalAct(rng, &now)
		now = decodeAs[api.KlaverjasSession](t, s.post(t, now.Links.Self+act.path, act.body))
	}
	w := s.post(t, "/v1/klaverjas/review", encoded(t, now.Revealed, `, "worlds": 4`))
	status(t, w, http.StatusOK)
	review := decodeAs[api.KlaverjasReview](t, w)
	if len(review.Cards) != 8 {
		t.Errorf("a review of %d cards", len(review.Cards))
	}
	for _, c := range review.Cards {
		if c.Seat != now.Seat || !slices.Contains(now.View.Hand, c.Card) {
			t.Errorf("the review has %s of %s, which is not in %v", c.Card, c.Seat, now.View.Hand)
		}
	}
	status(t, s.post(t, "/v1/klaverjas/analyse", strings.Replace(encoded(t, now.Revealed, ""), `,"seat":"S"`, "", 1)), http.StatusOK)
}

// An act that does not fit is refused with the number of the next act, and changes nothing.
func TestSessionConflicts(t *testing.T) {
	onEachSessionStore(t, func(t *testing.T, store func(*config)) {
		t.Helper()
		s := newServer(t, store)
		now := createSession(t, s, `{"players": {"partner": "simple", "opponents": "simple"}, "leader": "S", `+
			`"trump": "H", "hands": 16, "seed": "3"}`)
		played := now.Legal[0]
		first := playAct(0, played)
		now = decodeAs[api.KlaverjasSession](t, s.post(t, now.Links.Self+first.path, first.body))
		second := playAct(1, now.Legal[0])
		now = decodeAs[api.KlaverjasSession](t, s.post(t, now.Links.Self+second.path, second.body))
		for name, one := range map[string]struct {
			act  sessionAct
			code api.ErrorCode
		}{
			"another card at an old number": {playAct(0, now.Legal[0]), "act_taken"},
			"another act at an old number":  {sessionAct{"/next", `{"acts": 1}`}, "act_taken"},
			"a number that is too high":     {playAct(3, now.Legal[0]), "act_too_early"},
			"a call":                        {sessionAct{"/call", `{"acts": 2, "call": "pass"}`}, "wrong_act"},
			"the next hand":                 {sessionAct{"/next", `{"acts": 2}`}, "wrong_act"},
			"the rest of the hand":          {sessionAct{"/claim", `{"acts": 2}`}, "not_settled"},
		} {
			act := one.act
			t.Run(name, func(t *testing.T) {
				w := s.post(t, now.Links.Self+act.path, act.body)
				status(t, w, http.StatusConflict)
				if p := decodeAs[api.Problem](t, w); p.Acts == nil || *p.Acts != 2 || p.Type != "/docs/errors#session-conflict" || p.Code != one.code {
					t.Errorf("the problem %s", w.Body)
				}
			})
		}
		// The first act again, although a second one followed, has the present session as its answer.
		for _, act := range []sessionAct{first, second} {
			w := s.post(t, now.Links.Self+act.path, act.body)
			status(t, w, http.StatusOK)
			if diff := cmp.Diff(now.View, decodeAs[api.KlaverjasSession](t, w).View); diff != "" {
				t.Errorf("an old act again (-want +got)\n%s", diff)
			}
		}
	})
}

// A card that is not legal is refused at its field, and the reason tells nothing of the hidden cards.
func TestSessionIllegalCards(t *testing.T) {
	s := newServer(t)
	rng := rand.New(rand.NewPCG(1, 3))
	now := createSession(t, s, `{"players": {"partner": "simple", "opponents": "simple"}, "seed": "5"}`)
	refused := 0
	for now.State != api.KlaverjasSessionStateOver {
		for c := range piquet.Deck.All() {
			if slices.Contains(now.Legal, c.String()) {
				continue
			}
			refused++
			act := playAct(now.Acts, c.String())
			w := s.post(t, now.Links.Self+act.path, act.body)
			status(t, w, http.StatusUnprocessableEntity)
			errors := *decodeAs[api.Problem](t, w).Errors
			detail := errors[0].Detail
			if len(errors) != 1 || *errors[0].Pointer != "/card" || !strings.HasPrefix(detail, c.String()+" is not legal: ") {
				t.Fatalf("the problem %s", w.Body)
			}
			unseen := !slices.Contains(now.View.Hand, c.String())
			if unseen && !strings.Contains(detail, ": it is not in your hand; ") {
				t.Errorf("a card that the seat was not dealt: %s", detail)
			}
		}
		act := legalAct(rng, &now)
		now = decodeAs[api.KlaverjasSession](t, s.post(t, now.Links.Self+act.path, act.body))
	}
	t.Logf("%d cards", refused)
}

func TestSessionBadRequests(t *testing.T) {
	s := newServer(t)
	bidding := createSession(t, s, `{"bidding": "obliged", "leader": "S", "players": {"partner": "simple", "opponents": "simple"}}`)
	turned := createSession(t, s, `{"bidding": "turned", "leader": "S", "players": {"partner": "simple", "opponents": "simple"}}`)
	var notTurned string
	for _, suit := range []string{"C", "D"} {
		if suit != string((*turned.Auction.Turned)[0]) {
			notTurned = suit
		}
	}
	for _, test := range []struct {
		name, path, body string
		status           int
		where, detail    string
	}{
		{"no seat", "", `{"seat": "Q"}`, 400, "/seat", "Q"},
		{"number of hands", "", `{"hands": 2}`, 400, "/hands", ""},
		{"no player", "", `{"players": {"partner": "me"}}`, 400, "/players/partner", "is not one of beginner"},
		{"a player that sees all cards", "", `{"players": {"opponents": "open"}}`, 400, "/players/opponents", "is not one of beginner"},
		{"too many worlds", "", `{"players": {"opponents": "pimc:41"}}`, 422, "/players/opponents", "at most 40"},
		{"unknown bidding", "", `{"bidding": "leids"}`, 400, "/bidding", "obliged"},
		{"trump with bidding", "", `{"bidding": "free", "trump": "H"}`, 422, "/trump", "the bidding decides"},
		{"declarer with bidding", "", `{"bidding": "free", "declarer": "NS"}`, 422, "/declarer", "the bidding decides"},
		{"again without turned", "", `{"bidding": "free", "again": true}`, 422, "/again", "no suit is turned"},
		{"no trump", "", `{"trump": "X"}`, 400, "/trump", "X"},
		{"seed number", "", `{"seed": 7}`, 400, "/seed", ""},
		{"unknown field", "", `{"deal": "7"}`, 400, "/deal", ""},
		{"a comparison with a player that sees all cards", "", `{"compare": "open"}`, 400, "/compare", "is not one of beginner"},
		{"a position without hands", "", `{"position": {"trump": "H", "leader": "S"}}`, 400, "/position/hands", "give hands, or deal"},
		{
			"a card in a position", "", `{"position": {"trump": "H", "leader": "S", "deal": "7", "played": ["X"]}}`, 400,
			"/position/played/0", "X",
		},
		{
			"trump with a position", "", `{"trump": "H", "position": {"trump": "H", "leader": "S", "deal": "7"}}`, 422,
			"/trump", "the hand that position describes",
		},
		{"hands with a position", "", `{"hands": 16, "position": {"trump": "H", "leader": "S", "deal": "7"}}`, 422, "/hands", "only the hand"},
		{
			"bidding with a position", "", `{"bidding": "free", "position": {"trump": "H", "leader": "S", "deal": "7"}}`, 422,
			"/bidding", "only the hand",
		},
		{"a view without cards", "", `{"view": {"trump": "H", "leader": "S", "seat": "S", "hand": []}}`, 422, "/view/hand", "8"},
		{
			"the seat of a view", "", `{"seat": "S", "view": {"trump": "H", "leader": "S", "seat": "S", ` +
				`"hand": ["7C", "8C", "9C", "10C", "JC", "QC", "KC", "AC"]}}`, 422, "/seat", "the hand that view describes",
		},
		{"no acts", bidding.Id + "/call", `{"call": "H"}`, 400, "/acts", ""},
		{"acts below 0", bidding.Id + "/call", `{"acts": -1, "call": "H"}`, 400, "/acts", ""},
		{"no call", bidding.Id + "/call", `{"acts": 0}`, 400, "/call", ""},
		{"neither pass nor suit", bidding.Id + "/call", `{"acts": 0, "call": "play"}`, 400, "/call", "is not one of pass, C, D, H, S"},
		{"the obliged passes", bidding.Id + "/call", `{"acts": 0, "call": "pass"}`, 422, "/call", "expected one of C, D, H, S"},
		{"another suit than was turned", turned.Id + "/call", `{"acts": 0, "call": "` + notTurned + `"}`, 422, "/call", "may not be called"},
		{"no card", bidding.Id + "/play", `{"acts": 0, "card": "1H"}`, 400, "/card", "1H"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := s.post(t, strings.TrimSuffix(sessionsPath+"/"+test.path, "/"), test.body)
			status(t, w, test.status)
			errors := *decodeAs[api.Problem](t, w).Errors
			if len(errors) != 1 || *errors[0].Pointer != test.where || !strings.Contains(errors[0].Detail, test.detail) {
				t.Errorf("%s\nwant one error at %s that contains %q", w.Body, test.where, test.detail)
			}
		})
	}
}

// Sessions that never existed, have an id that cannot exist, or have ended are not found by any operation.
func TestNoSuchSession(t *testing.T) {
	onEachSessionStore(t, func(t *testing.T, store func(*config)) {
		t.Helper()
		s := newServer(t, store)
		now := createSession(t, s, `{"players": {"partner": "simple", "opponents": "simple"}}`)
		status(t, s.do(t, request(http.MethodDelete, now.Links.Self, "")), http.StatusNoContent)
		for _, id := range []string{now.Id, sessions.NewID(), "x", "..", strings.Repeat("a", 64), "a%00b", "acted"} {
			path := sessionsPath + "/" + id
			for _, r := range []*http.Request{
				request(http.MethodGet, path, ""), request(http.MethodDelete, path, ""), request(http.MethodPost, path+"/next", `{"acts": 0}`),
				request(http.MethodPost, path+"/play", `{"acts": 0, "card": "JH"}`), request(http.MethodPost, path+"/call",
					`{"acts": 0, "call": "pass"}`),
			} {
				w := s.do(t, r)
				status(t, w, http.StatusNotFound)
			}
		}
	})
}

// Of many requests at once for the same act, all have the same answer. Of those for different acts with the same number, one wins.
func TestSessionRequestsAtOnce(t *testing.T) {
	onEachSessionStore(t, func(t *testing.T, store func(*config)) {
		t.Helper()
		s := newServer(t, store)
		now := createSession(t, s, `{"players": {"partner": "playout:2", "opponents": "pimc:2"}, "leader": "S", "seed": "9"}`)
		send := func(acts []sessionAct) []*httptest.ResponseRecorder {
			answers := make([]*httptest.ResponseRecorder, len(acts))
			var all sync.WaitGroup
			for i, act := range acts {
				all.Go(func() { answers[i] = s.post(t, now.Links.Self+act.path, act.body) })
			}
			all.Wait()
			return answers
		}
		equal := send(slices.Repeat([]sessionAct{playAct(0, now.Legal[0])}, 8))
		for _, w := range equal {
			status(t, w, http.StatusOK)
			if diff := cmp.Diff(unexpiring(t, equal[0]), unexpiring(t, w)); diff != "" {
				t.Fatalf("the same act at once has two answers\n%s", diff)
			}
		}
		now = decodeAs[api.KlaverjasSession](t, equal[0])
		for now.State == api.KlaverjasSessionStatePlaying {
			var acts []sessionAct
			for _, c := range now.Legal {
				acts = append(acts, playAct(now.Acts, c), playAct(now.Acts, c))
			}
			won := ""
			for i, w := range send(acts) {
				if w.Code == http.StatusConflict {
					continue
				}
				status(t, w, http.StatusOK)
				if won != "" && won != acts[i].body {
					t.Fatalf("two acts have won: %s and %s", won, acts[i].body)
				}
				won = acts[i].body
			}
			if won == "" {
				t.Fatal("no act has won")
			}
			now = decodeAs[api.KlaverjasSession](t, s.get(t, now.Links.Self))
		}
	})
}

// occupied returns a server whose only slot is taken, and a function that frees it.
func occupied(t *testing.T, queue int, limits computation.Limits, store sessions.Store) (s *server, free func()) {
	t.Helper()
	waiting := newWaiting()
	s = newServer(t, withSearcher(waiting.solve), func(c *config) {
		c.searchers, c.queue, c.limits, c.sessions = 1, queue, limits, store
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		other := request(http.MethodPost, "/v1/klaverjas/solve", `{"trump": "D", "leader": "N", "deal": "1"}`)
		s.ServeHTTP(httptest.NewRecorder(), other.WithContext(ctx))
	}()
	within(t, waiting.started, "the search that takes the slot")
	free = sync.OnceFunc(func() {
		cancel()
		within(t, done, "the search that takes the slot")
	})
	t.Cleanup(free)
	return s, free
}

// searchedSession creates a session, with another server, in which a player searches worlds after the first card.
func searchedSession(t *testing.T, store sessions.Store) api.KlaverjasSession {
	t.Helper()
	s := newServer(t, func(c *config) { c.sessions = store })
	return createSession(t, s, `{"players": {"partner": "playout:2", "opponents": "playout:2"}, "leader": "S", "seed": "2"}`)
}

// When no slot is free, an act whose answer needs one is refused and not made. Sessions of players that search nothing go on.
func TestSessionsOnABusyServer(t *testing.T) {
	for name, test := range map[string]struct {
		limits computation.Limits
		queue  int
		want   int
	}{
		"busy":    {queue: service.NoQueue, want: http.StatusServiceUnavailable},
		"limited": {limits: computation.Limits{Searches: 1}, queue: 10, want: http.StatusTooManyRequests},
	} {
		t.Run(name, func(t *testing.T) {
			store := sessions.NewMemory(sessions.Options{})
			now := searchedSession(t, store)
			s, free := occupied(t, test.queue, test.limits, store)
			act := playAct(0, now.Legal[0])
			w := s.post(t, now.Links.Self+act.path, act.body)
			status(t, w, test.want)
			if w.Header().Get("Retry-After") == "" {
				t.Error("there is no Retry-After")
			}
			if got := decodeAs[api.KlaverjasSession](t, s.get(t, now.Links.Self)); got.Acts != 0 || len(got.View.Played) != 0 {
				t.Errorf("the act was refused and made: %+v", got)
			}
			quick := createSession(t, s, `{"players": {"partner": "policy", "opponents": "logical"}}`)
			act2 := legalAct(rand.New(rand.NewPCG(1, 1)), &quick)
			status(t, s.post(t, quick.Links.Self+act2.path, act2.body), http.StatusOK)
			free()
			w = s.post(t, now.Links.Self+act.path, act.body)
			// the slot is free soon after the search has ended
			for late := time.Now().Add(testkit.Patience); w.Code == test.want && time.Now().Before(late); {
				runtime.Gosched()
				w = s.post(t, now.Links.Self+act.path, act.body)
			}
			status(t, w, http.StatusOK)
		})
	}
}

// A client that leaves while the others decide loses nothing: the act was not made, and can be repeated.
func TestSessionClientLeaves(t *testing.T) {
	store := sessions.NewMemory(sessions.Options{})
	now := searchedSession(t, store)
	s, free := occupied(t, 10, computation.Limits{}, store)
	act := playAct(0, now.Legal[0])
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, now.Links.Self+act.path, act.body).WithContext(ctx))
	}()
	until(t, "the act waits for a slot", func() bool { return s.service.Load().Waiting == 1 })
	leave()
	within(t, gone, "the request whose client has left")
	if got := decodeAs[api.KlaverjasSession](t, s.get(t, now.Links.Self)); got.Acts != 0 {
		t.Errorf("the session has %d acts", got.Acts)
	}
	free()
	w := s.post(t, now.Links.Self+act.path, act.body)
	status(t, w, http.StatusOK)
	if got := decodeAs[api.KlaverjasSession](t, w); got.Acts != 1 {
		t.Errorf("the session has %d acts", got.Acts)
	}
}

// unavailable is a store that cannot be reached.
type unavailable struct{ sessions.Store }

var errNoStore = fmt.Errorf("%w: nobody listens", sessions.ErrUnavailable)

func (unavailable) Create(context.Context, sessions.New) (sessions.Entry, error) {
	return sessions.Entry{}, errNoStore
}

func (unavailable) Get(context.Context, string) (sessions.Entry, error) {
	return sessions.Entry{}, errNoStore
}
func (unavailable) Delete(context.Context, string) error { return errNoStore }

// changing is a store in which a session is never the one that was read.
type changing struct{ sessions.Store }

func (changing) Swap(context.Context, string, uint64, []byte, bool) (sessions.Entry, error) {
	return sessions.Entry{}, sessions.ErrChanged
}

func TestSessionStoreFails(t *testing.T) {
	s := newServer(t, func(c *config) { c.sessions = unavailable{} })
	path := sessionsPath + "/" + sessions.NewID()
	for _, r := range []*http.Request{
		request(http.MethodPost, sessionsPath, `{"players": {"partner": "simple", "opponents": "simple"}}`),
		request(http.MethodGet, path, ""), request(http.MethodDelete, path, ""), request(http.MethodPost, path+"/next", `{"acts": 0}`),
	} {
		w := s.do(t, r)
		status(t, w, http.StatusServiceUnavailable)
		if got := decodeAs[api.Problem](t, w).Type; got != "/docs/errors#sessions-unavailable" || w.Header().Get("Retry-After") != "2" {
			t.Errorf("%s, Retry-After %q", got, w.Header().Get("Retry-After"))
		}
	}
	s = newServer(t, func(c *config) { c.sessions = changing{sessions.NewMemory(sessions.Options{})} })
	now := createSession(t, s, `{"players": {"partner": "simple", "opponents": "simple"}}`)
	act := playAct(0, now.Legal[0])
	status(t, s.post(t, now.Links.Self+act.path, act.body), http.StatusServiceUnavailable)
}

// A session whose bytes are damaged is a fault of the server, and its cards are not in the answer.
func TestSessionDamaged(t *testing.T) {
	store := sessions.NewMemory(sessions.Options{})
	s := newServer(t, func(c *config) { c.sessions = store })
	id := sessions.NewID()
	if _, err := store.Create(t.Context(), sessions.New{
		ID:    "klaverjas:" + id,
		Value: []byte(`{"v":1,"seat":"S","history":[{"played":"JH"}]}`),
	}); err != nil {
		t.Fatal(err)
	}
	w := s.get(t, sessionsPath+"/"+id)
	status(t, w, http.StatusInternalServerError)
	if strings.Contains(w.Body.String(), "JH") {
		t.Errorf("the answer is %s", w.Body)
	}
}

// A client at its limit of sessions ends its own oldest one, and none of another client.
func TestSessionsOfOneClient(t *testing.T) {
	store := sessions.NewMemory(sessions.Options{MaxEach: 2})
	s := newServer(t, func(c *config) { c.sessions = store })
	create := func(addr string) string {
		r := request(http.MethodPost, sessionsPath, `{"players": {"partner": "simple", "opponents": "simple"}}`)
		r.RemoteAddr = addr
		w := s.do(t, r)
		status(t, w, http.StatusCreated)
		return decodeAs[api.KlaverjasSession](t, w).Links.Self
	}
	other := create("192.0.2.9:1")
	var own []string
	for range 3 {
		own = append(own, create("192.0.2.1:1"))
	}
	for path, want := range map[string]int{other: 200, own[0]: 404, own[1]: 200, own[2]: 200} {
		status(t, s.get(t, path), want)
	}
}

// Equal requests with one Idempotency-Key, at once or later, have one session. The session belongs to one client and one body, as long as
// it is kept.
func TestSessionIdempotencyKey(t *testing.T) {
	onEachSessionStore(t, func(t *testing.T, store func(*config)) {
		t.Helper()
		s := newServer(t, store, keyed)
		const body, other = `{"leader": "S", "players": {"partner": "simple", "opponents": "playout:2"}}`, `{"leader": "N"}`
		create := func(key, body, addr string) *httptest.ResponseRecorder {
			r := request(http.MethodPost, sessionsPath, body)
			r.Header.Set("Idempotency-Key", key)
			r.RemoteAddr = addr
			return s.do(t, r)
		}
		const ann, bob = "192.0.2.1:1", "192.0.2.2:1"
		var (
			clients sync.WaitGroup
			answers [5]*httptest.ResponseRecorder
		)
		for i := range answers {
			clients.Go(func() { answers[i] = create(`"a key"`, body, ann) })
		}
		clients.Wait()
		for _, w := range answers {
			status(t, w, http.StatusCreated)
			if diff := cmp.Diff(unexpiring(t, answers[0]), unexpiring(t, w)); diff != "" {
				t.Errorf("another session (-first +other)\n%s", diff)
			}
		}
		now := decodeAs[api.KlaverjasSession](t, answers[0])
		if got := answers[0].Header().Get("Location"); got != now.Links.Self {
			t.Errorf("Location %q, want %q", got, now.Links.Self)
		}
		act := playAct(0, now.Legal[0])
		status(t, s.post(t, now.Links.Self+act.path, act.body), http.StatusOK)
		w := create("a key", body, ann) // the same key without quotes, after an act
		status(t, w, http.StatusCreated)
		if again := decodeAs[api.KlaverjasSession](t, w); again.Id != now.Id || again.Acts != 1 {
			t.Errorf("after an act the answer is %s with %d acts, want %s with 1", again.Id, again.Acts, now.Id)
		}
		w = create("a key", other, ann)
		status(t, w, http.StatusUnprocessableEntity)
		if got := decodeAs[api.Problem](t, w).Type; got != "/docs/errors#idempotency-key-reused" {
			t.Errorf("another body: %s", got)
		}
		for name, w := range map[string]*httptest.ResponseRecorder{
			"another client": create("a key", body, bob), "another key": create("another key", body, ann), "no key": s.post(t, sessionsPath, body),
		} {
			status(t, w, http.StatusCreated)
			if decodeAs[api.KlaverjasSession](t, w).Id == now.Id {
				t.Errorf("%s has the same session", name)
			}
		}
		for _, bad := range []string{"", "\x01", strings.Repeat("k", 256)} {
			status(t, create(bad, body, ann), http.StatusBadRequest)
		}
		status(t, s.do(t, request(http.MethodDelete, now.Links.Self, "")), http.StatusNoContent)
		w = create("a key", other, ann)
		status(t, w, http.StatusCreated)
		if decodeAs[api.KlaverjasSession](t, w).Id == now.Id {
			t.Error("the session that was ended is there again")
		}
	})
}

// The same request with the same seed is the same session. Without a seed, two sessions have different cards.
func TestSessionSeeds(t *testing.T) {
	s := newServer(t)
	play := func(body string) []string {
		rng := random.New(1)
		now := createSession(t, s, body)
		hands := []string{strings.Join(now.View.Hand, " ")}
		for now.State != api.KlaverjasSessionStateOver {
			card := now.Legal[random.Below(rng, uint64(len(now.Legal)))]
			act := playAct(now.Acts, card)
			now = decodeAs[api.KlaverjasSession](t, s.post(t, now.Links.Self+act.path, act.body))
		}
		return append(hands, strings.Join(now.View.Played, " "))
	}
	const seeded, drawn = `{"players": {"partner": "random", "opponents": "pimc:2"}, "seed": "42"}`, `{"players": {"partner": "random", ` +
		`"opponents": "pimc:2"}}`
	if diff := cmp.Diff(play(seeded), play(seeded)); diff != "" {
		t.Errorf("the same seed: another hand\n%s", diff)
	}
	if a, b := play(drawn), play(drawn); a[0] == b[0] {
		t.Errorf("two sessions without a seed have the hand %s", a[0])
	}
	if got := createSession(t, s, seeded).Seed; got == nil || *got != "42" {
		t.Errorf("the seed is %v", got)
	}
}

// Without a secret API key, many visitors can be one client: no Idempotency-Key returns a session again, and the answer says so.
func TestSessionKeysOfStrangers(t *testing.T) {
	s := newServer(t)
	for path, body := range map[string]string{
		sessionsPath: `{"leader": "S"}`, beloteSessionsPath: `{"seed": "1"}`, ginSessionsPath: `{}`, tarokSessionsPath: `{}`,
	} {
		for _, key := range []string{"1", "a key", `"8e03978e-40d5-43dd-bc93-6894a57f9324"`, ""} {
			ids := map[string]bool{}
			for range 2 {
				r := request(http.MethodPost, path, body)
				ignored := ""
				if key != "" {
					r.Header.Set("Idempotency-Key", key)
					ignored = "true"
				}
				w := s.do(t, r)
				status(t, w, http.StatusCreated)
				ids[anySessionOf(t, w).ID] = true
				if got := w.Header().Get("Idempotency-Key-Ignored"); got != ignored {
					t.Errorf("%s, %q: Idempotency-Key-Ignored %q", path, key, got)
				}
			}
			if len(ids) != 2 {
				t.Errorf("%s, %q: the sessions %v", path, key, ids)
			}
		}
	}
}
