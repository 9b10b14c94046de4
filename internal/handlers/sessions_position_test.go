package handlers_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// From a hand that is over a session is begun again after each number of cards, with the cards of all seats and with those that its seat
// had seen. It begins with the cards that had been played, and ends with a result.
func TestSessionFromAPosition(t *testing.T) {
	s := newServer(t)
	rng := rand.New(rand.NewPCG(3, 4))
	whole := createSession(t, s, `{"players": {"partner": "simple", "opponents": "simple"}, "seed": "5"}`)
	for whole.State != api.KlaverjasSessionStateOver {
		act := legalAct(rng, &whole)
		whole = decodeAs[api.KlaverjasSession](t, s.post(t, whole.Links.Self+act.path, act.body))
	}
	r := whole.Revealed
	for n := range 32 {
		position := map[string]any{
			"rules": r.Rules, "trump": r.Trump, "leader": r.Leader, "declarer": r.Declarer, "hands": r.Hands, "played": r.Played[:n],
		}
		view := map[string]any{
			"rules": r.Rules, "trump": r.Trump, "leader": r.Leader, "declarer": r.Declarer, "seat": "S", "hand": r.Hands.S, "played": r.Played[:n],
		}
		for field, value := range map[string]any{"position": position, "view": view} {
			body, err := json.Marshal(map[string]any{field: value, "players": map[string]string{"partner": "simple", "opponents": "simple"}})
			if err != nil {
				t.Fatal(err)
			}
			now := createSession(t, s, string(body))
			if now.Acts != 0 || now.Hands != 1 || !slices.Equal(now.View.Hand, r.Hands.S) || now.View.Trump != r.Trump {
				t.Fatalf("%s after %d cards: the session has %d acts and the hand %v", field, n, now.Acts, now.View.Hand)
			}
			if diff := cmp.Diff(r.Played[:n], now.View.Played[:n]); diff != "" {
				t.Fatalf("%s after %d cards: other cards were played (-want +got)\n%s", field, n, diff)
			}
			if n%8 != 0 {
				continue
			}
			for now.State != api.KlaverjasSessionStateOver {
				act := legalAct(rng, &now)
				now = decodeAs[api.KlaverjasSession](t, s.post(t, now.Links.Self+act.path, act.body))
			}
			if len(now.Results) != 1 || field == "position" && now.Revealed.Hands.N[0] != r.Hands.N[0] {
				t.Errorf("%s after %d cards: it ends with %+v", field, n, now.Results)
			}
		}
	}
}

// With compare each result has the same hand with that player in the seat. The difference is 0 for a client that plays the same cards.
func TestSessionCompared(t *testing.T) {
	s := newServer(t)
	rng := rand.New(rand.NewPCG(5, 6))
	const request = `{"players": {"partner": "simple", "opponents": "simple"}, "compare": "simple", "bidding": "free", "seed": "6"}`
	now := createSession(t, s, request)
	for now.State != api.KlaverjasSessionStateOver {
		act := legalAct(rng, &now)
		now = decodeAs[api.KlaverjasSession](t, s.post(t, now.Links.Self+act.path, act.body))
	}
	compared := now.Results[0].Compared
	if compared == nil || compared.Player != "simple" || len(compared.Played) != 32 {
		t.Fatalf("the comparison is %+v", compared)
	}
	points := now.Results[0].Points
	if want := points.NS - points.EW - compared.Points.NS + compared.Points.EW; compared.Difference != want {
		t.Errorf("the difference is %d, want %d", compared.Difference, want)
	}
	again := createSession(t, s, request)
	for again.State != api.KlaverjasSessionStateOver {
		call := compared.Calls[min(len(again.Calls), len(compared.Calls)-1)]
		act := sessionAct{"/call", fmt.Sprintf(`{"acts": %d, "call": %q}`, again.Acts, call)}
		if again.State == api.KlaverjasSessionStatePlaying {
			act = playAct(again.Acts, compared.Played[len(again.View.Played)])
		}
		w := s.post(t, again.Links.Self+act.path, act.body)
		status(t, w, http.StatusOK)
		again = decodeAs[api.KlaverjasSession](t, w)
	}
	if got := again.Results[0]; got.Compared.Difference != 0 || got.Points != compared.Points {
		t.Errorf("a client that plays the same cards has %+v, and the difference %d", got.Points, got.Compared.Difference)
	}
	if without := createSession(t, s, `{"seed": "6"}`); without.Players.Partner != "playout:40" {
		t.Errorf("the partner is %s", without.Players.Partner)
	}
}

// A claim is granted where the session says that nothing is left to decide, and refused elsewhere. It is one act, which can be repeated.
func TestSessionClaim(t *testing.T) {
	s := newServer(t)
	rng := rand.New(rand.NewPCG(7, 8))
	granted, refused := 0, 0
	for seed := range 12 {
		now := createSession(t, s, fmt.Sprintf(
			`{"players": {"partner": "simple", "opponents": "logical"}, "seed": "%d", "bidding": "free"}`, seed))
		for now.State != api.KlaverjasSessionStateOver {
			claim := sessionAct{"/claim", fmt.Sprintf(`{"acts": %d}`, now.Acts)}
			w := s.post(t, now.Links.Self+claim.path, claim.body)
			if !now.Settled {
				refused++
				status(t, w, http.StatusConflict)
				if p := decodeAs[api.Problem](t, w); p.Acts == nil || *p.Acts != now.Acts {
					t.Errorf("the problem %s", w.Body)
				}
				act := legalAct(rng, &now)
				now = decodeAs[api.KlaverjasSession](t, s.post(t, now.Links.Self+act.path, act.body))
				continue
			}
			granted++
			status(t, w, http.StatusOK)
			before := now.Acts
			now = decodeAs[api.KlaverjasSession](t, w)
			if now.State != api.KlaverjasSessionStateOver || now.Acts != before+1 || len(now.Revealed.Played) != 32 {
				t.Fatalf("after the claim: %s, %d acts after %d", now.State, now.Acts, before)
			}
			w = s.post(t, now.Links.Self+claim.path, claim.body)
			status(t, w, http.StatusOK)
			if diff := cmp.Diff(now.Results, decodeAs[api.KlaverjasSession](t, w).Results); diff != "" {
				t.Errorf("the claim repeated (-want +got)\n%s", diff)
			}
		}
	}
	if granted < 6 || refused < 60 {
		t.Errorf("%d claims granted, %d refused", granted, refused)
	}
}
