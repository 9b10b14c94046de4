package logic_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/logic"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// The paper's figures: the ace of hearts before the first card, the seven of clubs after South has played it, and the ten of clubs after
// South could not follow clubs.
func TestCardModelsOfThePaper(t *testing.T) {
	const (
		n, e, s, w = piquet.North, piquet.East, piquet.South, piquet.West
	)
	start, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Amsterdam), klaverjas.Deal{
		Trump: piquet.Spades, Leader: piquet.South,
		Hands: [4]piquet.Set{
			n: enginetest.Set(t, "9C 10C JC 10D 9H 10S JS QS"),
			e: enginetest.Set(t, "QC AC JD AD JH AH KS AS"),
			s: enginetest.Set(t, "7C 7D 8D QD KD 7H 10H QH"),
			w: enginetest.Set(t, "8C KC 9D 8H KH 7S 8S 9S"),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	played := enginetest.List(t, "7C 8C 9C AC QC 7D") // East wins the first trick and leads clubs again
	model := func(count int, card string) logic.CardModel {
		p, err := start.Replay(played[:count])
		if err != nil {
			t.Fatal(err)
		}
		return logic.CardModelAt(enginetest.Knowledge(t, worlds.ViewOf(p, played[:count], s)), enginetest.List(t, card)[0], enginetest.Held(p))
	}
	only := []piquet.Seat{s}
	for _, c := range []struct {
		name    string
		played  int
		want    logic.CardModel
		card    string
		classes [4][][]piquet.Seat
	}{
		{
			"the ace of hearts at the start", 0,
			logic.CardModel{
				Worlds: []piquet.Seat{n, e, s, w}, Actual: e,
				Possible: [4][]piquet.Seat{n: {e, s, w}, e: {e}, s: {n, e, w}, w: {n, e, s}},
			},
			"AH",
			[4][][]piquet.Seat{n: {{n}, {e, s, w}}, e: {{n, s, w}, {e}}, s: {{n, e, w}, {s}}, w: {{n, e, s}, {w}}},
		},
		{
			"the seven of clubs after South has played it", 1,
			logic.CardModel{Worlds: only, Actual: s, Possible: [4][]piquet.Seat{only, only, only, only}},
			"7C",
			[4][][]piquet.Seat{{only}, {only}, {only}, {only}},
		},
		{
			"the ten of clubs before South's second card", 5,
			logic.CardModel{
				Worlds: []piquet.Seat{n, e, s, w}, Actual: n,
				Possible: [4][]piquet.Seat{n: {n}, e: {n, s, w}, s: {n, e, w}, w: {n, e, s}},
			},
			"10C",
			[4][][]piquet.Seat{n: {{n}, {e, s, w}}, e: {{n, s, w}, {e}}, s: {{n, e, w}, {s}}, w: {{n, e, s}, {w}}},
		},
		{
			"the ten of clubs after South could not follow", 6,
			logic.CardModel{
				Worlds: []piquet.Seat{n, e, w}, Actual: n,
				Possible: [4][]piquet.Seat{n: {n}, e: {n, w}, s: {n, e, w}, w: {n, e}},
			},
			"10C",
			[4][][]piquet.Seat{n: {{n}, {e, w}}, e: {{n, w}, {e}}, s: {{n, e, w}}, w: {{n, e}, {w}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.want.Card = enginetest.List(t, c.card)[0]
			got := model(c.played, c.card)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			for agent, want := range c.classes {
				if diff := cmp.Diff(want, got.Classes(piquet.Seat(agent))); diff != "" {
					t.Errorf("the classes of %s (-want +got)\n%s", piquet.Seat(agent), diff)
				}
			}
		})
	}
}

// The model of a view agrees with the true deal, without what only the other seats see.
func TestSeenCardModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	for range 300 {
		p, v := enginetest.RandomView(t, rng, rng.IntN(32))
		k := enginetest.Knowledge(t, v)
		for c := range piquet.Deck.All() {
			whole := logic.CardModelAt(k, c, enginetest.Held(p))
			got, known := logic.SeenCardModel(k, c)
			if diff := cmp.Diff(whole.Worlds, got.Worlds); diff != "" {
				t.Errorf("%v: the worlds of %s (-whole +seen)\n%s", v, c, diff)
			}
			if diff := cmp.Diff(whole.Possible[v.Seat], got.Possible[v.Seat]); diff != "" {
				t.Errorf("%v: what %s holds possible of %s (-whole +seen)\n%s", v, v.Seat, c, diff)
			}
			if known && got.Actual != whole.Actual {
				t.Errorf("%v: %s is with %s, not with %s", v, c, whole.Actual, got.Actual)
			}
			if known != (len(whole.Possible[v.Seat]) == 1) {
				t.Errorf("%v: %s knows %s: %v", v, v.Seat, c, known)
			}
		}
	}
}
