package handlers_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"testing"

	"roem/internal/api"
)

// The random deal of each game has a position that the other operations of the game take as it is. A few of them need a question too, or
// cards played, which the test adds to the position.
func TestRandomDealsArePositions(t *testing.T) {
	type fields = map[string]any
	for _, test := range []struct {
		name, deal string
		with       map[string]fields // what the operations need besides the position
	}{
		{"klaverjas", "klaverjas/deals/random?seed=3", map[string]fields{
			"klaverjas/legal-moves": nil, "klaverjas/solve": nil, "klaverjas/predict": nil, "klaverjas/hybrid": nil,
			"klaverjas/deals/index": nil,
		}},
		{"belote", "belote/deals/random?seed=3&suits=CD", map[string]fields{
			"belote/legal-moves": nil, "belote/solve": nil, "belote/advise": nil,
		}},
		{"tarok", "tarok/deals/random?seed=3", map[string]fields{
			"tarok/legal-moves": nil, "tarok/complexity": nil, "tarok/solve": {"depth": 3},
		}},
		{"tarok with an exchange", "tarok/deals/random?seed=3&contract=two&declarer=c", map[string]fields{
			"tarok/legal-moves": nil, "tarok/complexity": nil, "tarok/solve": {"depth": 3, "group": 0, "discards": []string{"S7", "SC"}},
		}},
		{"klop", "tarok/deals/random?seed=3&contract=klop", map[string]fields{"tarok/legal-moves": nil, "tarok/complexity": nil}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer(t)
			w := s.get(t, "/v1/"+test.deal)
			status(t, w, http.StatusOK)
			position := decodeAs[map[string]any](t, w)["position"].(map[string]any)
			for operation, with := range test.with {
				body := maps.Clone(position)
				maps.Copy(body, with)
				text, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				if w := s.post(t, "/v1/"+operation, string(text)); w.Code != http.StatusOK {
					t.Errorf("%s: %d %s", operation, w.Code, w.Body)
				}
			}
		})
	}
}

// The random deal of Gin Rummy is a position, of which the operations take what each seat sees. Only the starter can be advised.
func TestRandomGinDealsAreViews(t *testing.T) {
	s := newServer(t)
	for seed := range 4 {
		w := s.get(t, fmt.Sprintf("/v1/gin-rummy/deals/random?seed=%d", seed))
		status(t, w, http.StatusOK)
		deal := decodeAs[api.GinDeal](t, w)
		p := deal.Position
		for seat, hand := range map[api.GinSeat]api.GinCards{api.GinSeatA: p.Hands.A, api.GinSeatB: p.Hands.B} {
			text, err := json.Marshal(api.GinView{Seat: seat, Starter: p.Starter, Upcard: p.Upcard, Hand: hand, Events: []api.GinEvent{}})
			if err != nil {
				t.Fatal(err)
			}
			status(t, s.post(t, "/v1/gin-rummy/estimate", string(text)), http.StatusOK)
			want := http.StatusOK
			if seat != p.Starter {
				want = http.StatusUnprocessableEntity
			}
			status(t, s.post(t, "/v1/gin-rummy/advise", string(text)), want)
		}
	}
}
