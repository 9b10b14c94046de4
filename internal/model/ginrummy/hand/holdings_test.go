package hand

import (
	"testing"

	"roem/internal/engine/ginrummy"
)

func card(t *testing.T, name string) ginrummy.Card {
	t.Helper()
	c, err := ginrummy.ParseCard(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Why the opponent took the eight of spades: what it refused later, what it took earlier and what it discarded before change the shares of
// other cards.
func TestExplain(t *testing.T) {
	took := card(t, "8S")
	tests := []struct {
		name          string
		before, after func(h *holdings)
		kept          []string
		likelier      [2]string // the first has a greater share than the second
		equal         [2]string
		none          string
	}{
		{name: "nothing is known", likelier: [2]string{"9S", "10S"}, equal: [2]string{"7S", "9S"}, none: "QS"},
		{name: "the eights are alike", likelier: [2]string{"7S", "6S"}, equal: [2]string{"8C", "8D"}, none: "9C"},
		{
			name: "an eight is refused later", after: func(h *holdings) { h.refuse(card(t, "8D")); h.draw() },
			likelier: [2]string{"7S", "8C"}, equal: [2]string{"8C", "8H"}, none: "2S",
		},
		{
			name: "the five of spades is refused later", after: func(h *holdings) { h.refuse(card(t, "5S")); h.draw() },
			likelier: [2]string{"10S", "6S"}, equal: [2]string{"8C", "8H"}, none: "4S",
		},
		{
			name: "the neighbours were taken before", before: func(h *holdings) { h.take(card(t, "9S"), 0); h.take(card(t, "10S"), 0) },
			kept: []string{"9S", "10S"}, likelier: [2]string{"JS", "8C"}, equal: [2]string{"8C", "8H"}, none: "2C",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var h holdings
			h.reset()
			if test.before != nil {
				test.before(&h)
			}
			var kept ginrummy.Set
			for _, name := range test.kept {
				kept = kept.With(card(t, name))
			}
			h.take(took, kept)
			if test.after != nil {
				test.after(&h)
			}
			open := ginrummy.Deck &^ kept.With(took)
			for c, at := range h.refused {
				if at > 0 {
					open = open.Without(ginrummy.Card(c))
				}
			}
			h.explain(open)
			share := func(name string) float64 { return h.best[card(t, name)] }
			if a, b := share(test.likelier[0]), share(test.likelier[1]); !(a > b && a <= 1) {
				t.Errorf("%s has %g and %s %g", test.likelier[0], a, test.likelier[1], b)
			}
			if a, b := share(test.equal[0]), share(test.equal[1]); a != b || a == 0 {
				t.Errorf("%s has %g and %s %g", test.equal[0], a, test.equal[1], b)
			}
			if x := share(test.none); x != 0 {
				t.Errorf("%s has %g", test.none, x)
			}
		})
	}
}

// Intervals are in ascending order of their values, and the last one has the greatest.
func TestSays(t *testing.T) {
	last := -1
	for w := uint64(0); w < 1<<22; w += 1 + w/16 {
		say := meldSay(w)
		if say < last || say >= meldSays {
			t.Fatalf("%d has the interval %d after %d", w, say, last)
		}
		last = say
	}
	if last != meldSays-1 {
		t.Errorf("the last interval is %d", last)
	}
	var h holdings
	last = -1
	for _, p := range []float64{0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.45, 0.55, 0.7, 0.8, 0.9, 1} {
		h.best[3] = p
		if say := h.say(3); say != last+1 {
			t.Errorf("%g has the interval %d after %d", p, say, last)
		} else {
			last = say
		}
	}
	if last != says-1 {
		t.Errorf("the last interval is %d", last)
	}
}
