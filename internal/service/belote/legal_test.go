package belote

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/belote/enginetest"
)

// The completed tricks after random legal cards of each vector agree with the reference implementation.
func TestCompletedTricks(t *testing.T) {
	list, err := enginetest.Vectors("../../../testdata/belote/decouverte.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(t, false)
	rng := rand.New(rand.NewPCG(28, 3))
	for i, v := range list {
		end, err := v.Start()
		if err != nil {
			t.Fatal(err)
		}
		deal := end.Deal()
		game := enginetest.Naive(deal)
		played := []string{}
		want := []api.BeloteCompletedTrick{}
		for stop := rng.IntN(len(deal.Deck.Slice()) + 1); !game.Over() && (len(played) < stop || len(played) < len(v.Position.Played)); {
			legal := game.Legal()
			card := legal[rng.IntN(len(legal))]
			if n := len(played); n < len(v.Position.Played) {
				card = v.Position.Played[n]
			}
			led, before := game.Led, game.Copy()
			game.Play(card)
			played = append(played, card)
			if led != "" {
				leader := map[string]string{"A": "B", "B": "A"}[before.Turn]
				want = append(want, api.BeloteCompletedTrick{
					Number: len(played) / 2, Leader: api.BeloteSeat(leader), Cards: api.Cards{led, card}, Winner: api.BeloteSeat(game.Turn),
					Points: game.Points[game.Turn] - before.Points[game.Turn],
				})
			}
		}
		var body map[string]any
		if err := json.Unmarshal(v.Raw, &body); err != nil {
			t.Fatal(err)
		}
		body["played"] = played
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ParsePosition(t.Context(), g, text)
		if err != nil {
			t.Fatalf("vector %d: %v", i, err)
		}
		got, err := g.Legal(p)
		if err != nil {
			t.Fatalf("vector %d: %v", i, err)
		}
		if diff := cmp.Diff(want, got.Completed); diff != "" {
			t.Errorf("vector %d (-reference +answer)\n%s", i, diff)
		}
	}
}
