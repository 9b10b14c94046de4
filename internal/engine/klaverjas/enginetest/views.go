package enginetest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// RandomRules returns one of the rule sets that differ in which cards are legal.
func RandomRules(rng *rand.Rand) klaverjas.Rules {
	r := klaverjas.DefaultRules(klaverjas.System(rng.IntN(2)))
	r.UnderRuff = klaverjas.UnderRuff(rng.IntN(3))
	return r
}

// RandomPlay deals at random and plays n random legal cards.
func RandomPlay(tb testing.TB, rng *rand.Rand, n int) (klaverjas.Position, []piquet.Card) {
	tb.Helper()
	trump, leader := piquet.Suit(rng.IntN(4)), piquet.Seat(rng.IntN(4))
	p, err := klaverjas.NewPosition(RandomRules(rng), klaverjas.Deal{
		Trump: trump, Leader: leader, Declarer: piquet.Team(rng.IntN(2)), Hands: index.Random(rng, trump, leader),
	})
	if err != nil {
		tb.Fatal(err)
	}
	var played []piquet.Card
	for range n {
		legal := p.Legal().Slice()
		c := legal[rng.IntN(len(legal))]
		if p, err = p.Play(c); err != nil {
			tb.Fatal(err)
		}
		played = append(played, c)
	}
	return p, played
}

// RandomView returns the view of a random seat of such a position, in some cases with cards of others that lie open.
func RandomView(tb testing.TB, rng *rand.Rand, n int) (klaverjas.Position, worlds.View) {
	tb.Helper()
	p, played := RandomPlay(tb, rng, n)
	v := worlds.ViewOf(p, played, piquet.Seat(rng.IntN(4)))
	if rng.IntN(3) == 0 {
		for range 1 + rng.IntN(4) {
			seat := v.Seat.Plus(1 + rng.IntN(3))
			hand := p.Deal().Hands[seat].Slice()
			v.Known[seat] = v.Known[seat].With(hand[rng.IntN(len(hand))])
		}
	}
	return p, v
}

// Held returns the hands of a position as a world.
func Held(p klaverjas.Position) (w worlds.World) {
	for _, s := range piquet.Seats() {
		w[s] = p.Hand(s)
	}
	return w
}

// Knowledge returns what a view knows.
func Knowledge(tb testing.TB, v worlds.View) *worlds.Knowledge {
	tb.Helper()
	k, err := worlds.New(v)
	if err != nil {
		tb.Fatalf("%+v: %v", v, err)
	}
	return k
}

// Set reads cards such as "7C 8C".
func Set(tb testing.TB, text string) (s piquet.Set) {
	tb.Helper()
	for _, c := range List(tb, text) {
		s = s.With(c)
	}
	return s
}

// List reads cards in their order.
func List(tb testing.TB, text string) (out []piquet.Card) {
	tb.Helper()
	for word := range strings.FieldsSeq(text) {
		c, err := piquet.ParseCard(word)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}
