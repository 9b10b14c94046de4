package tarok

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/enginetest"
	"roem/internal/engine/tarok/enginetest/naive"
)

// The completed tricks of each vector agree with the reference implementation, and their winners with the vector.
func TestCompletedTricks(t *testing.T) {
	list, err := enginetest.Vectors("../../../testdata/tarok/play.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(t, false)
	rng := rand.New(rand.NewPCG(28, 3))
	gifts := 0
	for i, v := range list {
		setup, err := v.Setup()
		if err != nil {
			t.Fatal(err)
		}
		start, err := tarok.NewPosition(setup)
		if err != nil {
			t.Fatal(err)
		}
		game := enginetest.Naive(start)
		plays := v.Plays[:rng.IntN(len(v.Plays)+1)]
		for _, card := range plays {
			game.Play(card)
		}
		want := []api.TarokCompletedTrick{}
		for n, cards := range game.Tricks {
			worth := cards
			if n < len(game.Gifts) {
				worth = append(append([]string(nil), cards...), game.Gifts[n])
				gifts++
			}
			want = append(want, api.TarokCompletedTrick{
				Number: n + 1, Leader: *outPlayer(tarok.Player(game.Leaders[n])), Cards: cards,
				Winner: *outPlayer(tarok.Player(v.Winners[n])), Thirds: naive.Thirds(worth),
			})
		}
		got := legalOf(t, g, bodyOf(setup, enginetest.Cards(plays...), ``))
		if diff := cmp.Diff(want, got.Completed); diff != "" {
			t.Errorf("vector %d (-reference +answer)\n%s", i, diff)
		}
	}
	if gifts == 0 {
		t.Error("no hand of klop")
	}
}
