package handlers_test

import (
	"bytes"
	"encoding/json"
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
	engine "roem/internal/engine/tarok"
	"roem/internal/service/tarok"
	"roem/internal/testkit"
)

const tarokSessionsPath = tarok.SessionPath

func createTarokSession(t *testing.T, s *server, body string) (api.TarokSession, *httptest.ResponseRecorder) {
	t.Helper()
	return createSessionOf[api.TarokSession](t, s, tarokSessionsPath, body)
}

// some draws some texts of a list, as JSON.
func some(rng *rand.Rand, list []string) string {
	out := []string{}
	for _, text := range list {
		if rng.IntN(6) == 0 {
			out = append(out, `"`+text+`"`)
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// legalTarokAct draws a legal act.
func legalTarokAct(t *testing.T, rng *rand.Rand, s *api.TarokSession) sessionAct {
	t.Helper()
	acts := fmt.Sprintf(`{"acts": %d`, s.Acts)
	switch s.State {
	case api.TarokSessionStateBidding:
		return sessionAct{"/call", fmt.Sprintf(`%s, "call": %q}`, acts, s.LegalCalls[rng.IntN(len(s.LegalCalls))])}
	case api.TarokSessionStateExchange:
		contract, err := engine.ParseContract(string(*s.Contract))
		if err != nil {
			t.Fatal(err)
		}
		group := rng.IntN(contract.Groups())
		var hand engine.Set
		for _, name := range slices.Concat(s.Held, s.Talon[group*contract.Exchange():(group+1)*contract.Exchange()]) {
			c, err := engine.ParseCard(name)
			if err != nil {
				t.Fatal(err)
			}
			hand = hand.With(c)
		}
		var discards []string
		for range contract.Exchange() {
			c := engine.Any(rng, engine.Discards(hand))
			hand, discards = hand.Without(c), append(discards, c.String())
		}
		return sessionAct{"/exchange", fmt.Sprintf(`%s, "group": %d, "discards": [`, acts, group) + `"` + strings.Join(discards, `", "`) + `"]}`}
	case api.TarokSessionStateAnnounce:
		return sessionAct{"/announce", fmt.Sprintf(`%s, "bonuses": %s, "double": %s}`, acts, some(rng, s.May.Bonuses), some(rng, s.May.Double))}
	case api.TarokSessionStatePlaying:
		return sessionAct{"/play", fmt.Sprintf(`%s, "card": %q}`, acts, s.Legal[rng.IntN(len(s.Legal))])}
	default:
		return sessionAct{"/next", acts + "}"}
	}
}

// tarokActUntil makes legal acts in the session of an answer, drawn from one seed, until the session has the state; with an empty state
// none. It returns the id of the session.
func tarokActUntil(t *testing.T, s *server, w *httptest.ResponseRecorder, state string) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(0, 0))
	now := decodeAs[api.TarokSession](t, w)
	for state != "" && string(now.State) != state {
		act := legalTarokAct(t, rng, &now)
		w = s.post(t, now.Links.Self+act.path, act.body)
		status(t, w, http.StatusOK)
		now = decodeAs[api.TarokSession](t, w)
	}
	return now.Id
}

// tarokCardText finds cards of tarok in JSON.
var tarokCardText = regexp.MustCompile(`"(T\d+|[HD][4321JCQK]|[SC](7|8|9|10|J|C|Q|K))"`)

// expiresAt is when a session ends, which an act moves.
var expiresAt = regexp.MustCompile(`"expires_at":"[^"]*"`)

// checkTarokSealed checks that an answer has no card but those that the client has seen, until the hand is over, and not the seed that the
// server has drawn.
func checkTarokSealed(t *testing.T, answer []byte, s *api.TarokSession) {
	t.Helper()
	over := s.State == api.TarokSessionStateHandOver || s.State == api.TarokSessionStateOver
	if (s.Revealed != nil) != over {
		t.Fatalf("revealed is there in the state %s: %s", s.State, answer)
	}
	if over {
		return
	}
	seen := map[string]bool{}
	lists := [][]string{s.View.Hand}
	for _, list := range []*api.TarokCards{s.View.Talon, s.View.Played} {
		if list != nil {
			lists = append(lists, *list)
		}
	}
	taroks := 0 // discards that others have shown
	if d := s.View.Discards; d != nil && (s.Declarer == nil || *s.Declarer != s.Seat) {
		for _, c := range *d {
			if !strings.HasPrefix(c, "T") {
				t.Fatalf("the client sees the discard %s: %s", c, answer)
			}
			taroks++
		}
		lists = append(lists, *d)
	}
	for _, c := range slices.Concat(lists...) {
		seen[c] = true
	}
	most := 16 + taroks
	if s.View.Talon != nil {
		most += len(*s.View.Talon)
	}
	if s.View.Played != nil {
		most += len(*s.View.Played)
	}
	if len(s.View.Hand) != 16 || len(seen) > most {
		t.Fatalf("the view %+v", s.View)
	}
	if c := s.Contract; c != nil && s.View.Talon != nil && (*c == api.TarokContractBeggar || *c == api.TarokContractZero) {
		t.Fatalf("the talon is shown in %s: %s", *c, answer)
	}
	for _, quoted := range tarokCardText.FindAllString(string(answer), -1) {
		if !seen[strings.Trim(quoted, `"`)] {
			t.Fatalf("the answer has %s, which the client has not seen: %s", quoted, answer)
		}
	}
	if s.Seed != nil || bytes.Contains(answer, []byte(`"seed"`)) || bytes.Contains(answer, []byte("secret")) {
		t.Fatalf("the answer tells what the cards are drawn from: %s", answer)
	}
}

// A random client plays sessions to their ends, also against the program. No answer has a card that the client has not seen before the
// hand is over; a repeated act has the same answer; the result agrees with score; the view can be posted to sample as it is; and the
// totals are the sums.
func TestTarokSessions(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	onEachSessionStore(t, func(t *testing.T, store func(*config)) {
		t.Helper()
		s := newServer(t, store)
		rng := rand.New(rand.NewPCG(17, 5))
		kinds := []string{"random", "heuristic"}
		states := map[api.TarokSessionState]int{}
		contracts := map[api.TarokContract]int{}
		reviews := map[api.TarokContract]bool{}
		// The deals are the server's: an exchange or a contract may be missing among the first ones.
		most := 200
		if t.Name() != "TestTarokSessions/memory" {
			most = 3 // the store has the bytes of a session, whatever they mean
		}
		for n := 0; n < min(12, most) || n < most && (len(states) < 5 || len(contracts) < 4); n++ {
			body := fmt.Sprintf(`{"seat": %q, "hands": %d, "players": {"left": %q, "right": %q}, "radli": %t}`,
				engine.Player(n%3), 1+n%4, kinds[n%2], kinds[n/2%2], n%5 != 0)
			now, w := createTarokSession(t, s, body)
			for now.State != api.TarokSessionStateOver {
				checkTarokSealed(t, w.Body.Bytes(), &now)
				states[now.State]++
				if rng.IntN(12) == 0 && now.Revealed == nil {
					view, err := json.Marshal(now.View)
					if err != nil {
						t.Fatal(err)
					}
					status(t, s.post(t, "/v1/tarok/worlds", string(view)), http.StatusOK)
					if now.State == api.TarokSessionStatePlaying {
						status(t, s.post(t, "/v1/tarok/advise", strings.TrimSuffix(string(view), "}")+tarokBefore(t, &now)), http.StatusOK)
					}
				}
				act := legalTarokAct(t, rng, &now)
				if now.State == api.TarokSessionStateBidding && rng.IntN(4) > 0 { // no high bid in every hand
					act.body = fmt.Sprintf(`{"acts": %d, "call": %q}`, now.Acts, now.LegalCalls[0])
				}
				w = s.post(t, now.Links.Self+act.path, act.body)
				status(t, w, http.StatusOK)
				if rng.IntN(8) == 0 {
					again := s.post(t, now.Links.Self+act.path, act.body)
					if diff := cmp.Diff(expiresAt.ReplaceAllString(w.Body.String(), ""), expiresAt.ReplaceAllString(again.Body.String(), "")); diff != "" {
						t.Fatalf("the same act again (-first +second)\n%s", diff)
					}
				}
				now = decodeAs[api.TarokSession](t, w)
				if now.Revealed != nil {
					contracts[now.Revealed.Contract]++
					checkTarokScore(t, s, &now)
					if reviewed := now.Revealed.Contract; !reviews[reviewed] {
						reviews[reviewed] = true
						checkTarokReview(t, s, &now)
					}
				}
			}
			var sums api.TarokSessionNumbers
			for _, r := range now.Results {
				sums.You, sums.Left, sums.Right = sums.You+r.Points.You, sums.Left+r.Points.Left, sums.Right+r.Points.Right
			}
			if diff := cmp.Diff(sums, now.Totals); diff != "" || len(now.Results) != now.Hands {
				t.Errorf("%d of %d hands, totals (-sums +totals)\n%s", len(now.Results), now.Hands, diff)
			}
		}
		if most > 3 && (len(states) < 5 || len(contracts) < 4) {
			t.Errorf("states %v, contracts %v", states, contracts)
		}
	})
}

// tarokBefore returns what a session shows of the time before the first card, as fields of advise.
func tarokBefore(t *testing.T, s *api.TarokSession) string {
	t.Helper()
	bids := []string{}
	for _, b := range s.Calls {
		bids = append(bids, b.Call)
	}
	seat, err := engine.ParsePlayer(string(s.Seat))
	if err != nil {
		t.Fatal(err)
	}
	radli := map[string]int{seat.String(): s.Radli.You, seat.Next().String(): s.Radli.Left, seat.After(2).String(): s.Radli.Right}
	more, err := json.Marshal(map[string]any{"said": s.Words, "calls": bids, "radli": radli, "worlds": 2})
	if err != nil {
		t.Fatal(err)
	}
	return "," + string(more[1:])
}

// checkTarokScore compares the last result of a session with score.
func checkTarokScore(t *testing.T, s *server, now *api.TarokSession) {
	t.Helper()
	revealed, err := json.Marshal(now.Revealed)
	if err != nil {
		t.Fatal(err)
	}
	w := s.post(t, "/v1/tarok/score", string(revealed))
	status(t, w, http.StatusOK)
	want, got := decodeAs[api.TarokScore](t, w), now.Results[len(now.Results)-1].Score
	if got.Radli == (api.TarokNumbers{}) {
		want.Radli = api.TarokNumbers{} // a session without radli
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("the score (-score +session)\n%s", diff)
	}
}

// checkTarokReview posts a hand that is over to review as it is. All its cards are reviewed, and the declarer's exchange.
func checkTarokReview(t *testing.T, s *server, now *api.TarokSession) {
	t.Helper()
	revealed, err := json.Marshal(now.Revealed)
	if err != nil {
		t.Fatal(err)
	}
	w := s.post(t, "/v1/tarok/review", string(revealed))
	status(t, w, http.StatusOK)
	got, cards := decodeAs[api.TarokReview](t, w), api.TarokCards{}
	for _, c := range got.Cards {
		cards = append(cards, c.Card)
	}
	if diff := cmp.Diff(now.Revealed.Played, cards); diff != "" {
		t.Fatalf("the cards (-played +reviewed)\n%s", diff)
	}
	r := now.Revealed
	if e := got.Exchange; (e != nil) != (r.Group != nil) || e != nil && (e.Seat != *r.Declarer || e.Group != *r.Group) {
		t.Fatalf("the exchange %+v of %s", e, revealed)
	}
}

// The program, and the program of the paper, play a hand against a random client; the same seed and acts give the same session, on another
// server too.
func TestTarokSessionProgram(t *testing.T) {
	play := func(kind string) string {
		s := newServer(t)
		rng := rand.New(rand.NewPCG(17, 6))
		now, _ := createTarokSession(t, s,
			`{"seat": "C", "players": {"left": "`+kind+`", "right": "heuristic"}, "seed": "3"}`)
		for now.State != api.TarokSessionStateOver {
			act := legalTarokAct(t, rng, &now)
			w := s.post(t, now.Links.Self+act.path, act.body)
			status(t, w, http.StatusOK)
			now = decodeAs[api.TarokSession](t, w)
		}
		text, err := json.Marshal(now.Results)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, kind := range []string{"program", "paper"} {
		if diff := cmp.Diff(play(kind), play(kind)); diff != "" {
			t.Errorf("%s (-first +second)\n%s", kind, diff)
		}
	}
}

// An act that may not be made is refused with a pointer, tells nothing of the hidden cards, and changes nothing. An act of another number
// or another state is a conflict.
func TestTarokSessionRefusals(t *testing.T) {
	s := newServer(t)
	now, _ := createTarokSession(t, s, `{"players": {"left": "heuristic", "right": "heuristic"}, "seed": "5"}`)
	for _, test := range []struct {
		path, body string
		code       int
		want       string
	}{
		{"/call", `{"acts": 0, "call": "four"}`, http.StatusBadRequest, "/call"},
		{"/call", `{"acts": 0, "call": "klop"}`, http.StatusUnprocessableEntity, "/call"},
		{"/call", `{"acts": 1, "call": "pass"}`, http.StatusConflict, ""},
		{"/call", `{"acts": 0}`, http.StatusBadRequest, "/call"},
		{"/exchange", `{"acts": 0, "group": 0, "discards": ["C8", "CJ"]}`, http.StatusConflict, ""},
		{"/exchange", `{"acts": 0, "group": 6, "discards": []}`, http.StatusBadRequest, "/group"},
		{"/exchange", `{"acts": 0, "group": 0, "discards": ["C8", "C8"]}`, http.StatusUnprocessableEntity, "/discards/1"},
		{"/announce", `{"acts": 0, "bonuses": ["game"]}`, http.StatusBadRequest, "/bonuses/0"},
		{"/announce", `{"acts": 0, "double": ["game", "game"]}`, http.StatusBadRequest, "/double/1"},
		{"/play", `{"acts": 0, "card": "T1"}`, http.StatusConflict, ""},
		{"/play", `{"acts": 0, "card": "T23"}`, http.StatusBadRequest, "/card"},
		{"/next", `{"acts": 0}`, http.StatusConflict, ""},
	} {
		w := s.post(t, now.Links.Self+test.path, test.body)
		if w.Code != test.code || !strings.Contains(w.Body.String(), fmt.Sprintf("%q", test.want)) && test.want != "" {
			t.Errorf("%s %s: %d %s", test.path, test.body, w.Code, w.Body)
		}
	}
	for _, body := range []string{
		`{"seat": "D"}`, `{"hands": 31}`, `{"hands": 0}`, `{"players": {"left": "wizard"}}`, `{"seed": "-1"}`,
		`{"rules": {"mond": 1000}}`, `{"radli": 1}`,
	} {
		if w := s.post(t, tarokSessionsPath, body); w.Code != http.StatusBadRequest && w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	// A card of another player, in the play.
	rng := rand.New(rand.NewPCG(17, 7))
	for now.State != api.TarokSessionStatePlaying {
		act := legalTarokAct(t, rng, &now)
		w := s.post(t, now.Links.Self+act.path, act.body)
		status(t, w, http.StatusOK)
		now = decodeAs[api.TarokSession](t, w)
	}
	for c := range engine.Deck.All() {
		if slices.Contains(now.Held, c.String()) || now.View.Played != nil && slices.Contains(*now.View.Played, c.String()) {
			continue
		}
		w := s.post(t, now.Links.Self+"/play", fmt.Sprintf(`{"acts": %d, "card": %q}`, now.Acts, c))
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "it is not in your hand") {
			t.Fatalf("%s: %d %s", c, w.Code, w.Body)
		}
	}
	if got := decodeAs[api.TarokSession](t, s.get(t, now.Links.Self)); got.Acts != now.Acts {
		t.Errorf("%d acts, had %d", got.Acts, now.Acts)
	}
}

// Each card that may not be discarded, and each word that may not be said, is refused at its place in the request, whatever the order of
// the engine.
func TestTarokSessionPlaces(t *testing.T) {
	s := newServer(t)
	rng := rand.New(rand.NewPCG(17, 8))
	refused := func(now *api.TarokSession, path, body string, want map[string]string) {
		t.Helper()
		w := s.post(t, now.Links.Self+path, body)
		status(t, w, http.StatusUnprocessableEntity)
		got := map[string]string{}
		for _, e := range *decodeAs[api.Problem](t, w).Errors {
			got[*e.Pointer] = e.Detail
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-want +got)\n%s", body, diff)
		}
	}
	exchanges, words := 0, 0
	for n := 0; exchanges < 3 || words < 3; n++ {
		now, _ := createTarokSession(t, s, fmt.Sprintf(`{"players": {"left": "heuristic", "right": "heuristic"}, "seed": "%d"}`, n))
		for now.State != api.TarokSessionStatePlaying && now.State != api.TarokSessionStateOver {
			act := legalTarokAct(t, rng, &now)
			if now.State == api.TarokSessionStateExchange {
				var exchange struct{ Discards []string }
				if err := json.Unmarshal([]byte(act.body), &exchange); err != nil {
					t.Fatal(err)
				}
				other := engine.Card(0)
				for slices.Contains(slices.Concat(now.Held, now.Talon), other.String()) {
					other++
				}
				old, last := exchange.Discards[len(exchange.Discards)-1], len(exchange.Discards)-1
				refused(&now, act.path, strings.Replace(act.body, `"`+old+`"`, `"`+other.String()+`"`, 1), map[string]string{
					fmt.Sprintf("/discards/%d", last): other.String() + " may not be discarded: the declarer does not hold it",
				})
				exchanges++
			}
			if now.State == api.TarokSessionStateAnnounce && len(now.Words) == 0 {
				refused(&now, act.path, fmt.Sprintf(`{"acts": %d, "double": ["pagat", "game", "kings"]}`, now.Acts), map[string]string{
					"/double/0": "pagat may not be doubled now", "/double/1": "the game may not be doubled now",
					"/double/2": "kings may not be doubled now",
				})
				words++
			}
			w := s.post(t, now.Links.Self+act.path, act.body)
			status(t, w, http.StatusOK)
			now = decodeAs[api.TarokSession](t, w)
		}
	}
}
