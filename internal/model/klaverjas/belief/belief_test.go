package belief_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/belief"
)

// randomNetwork returns a network with random weights.
func randomNetwork(hidden int, seed uint64) *belief.Network {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := belief.New(hidden)
	for _, list := range n.Params() {
		for i := range list {
			list[i] = float32(rng.NormFloat64() * 0.3)
		}
	}
	return n
}

// randomPlay returns a position after n random cards, and the cards.
func randomPlay(tb testing.TB, rng *rand.Rand, n int) (klaverjas.Position, []piquet.Card) {
	tb.Helper()
	trump, leader := piquet.Suit(rng.IntN(4)), piquet.Seat(rng.IntN(4))
	p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.System(rng.IntN(2))), klaverjas.Deal{
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

func know(tb testing.TB, v worlds.View) *worlds.Knowledge {
	tb.Helper()
	k, err := worlds.New(v)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

// With weights of zero the belief is the exact uniform knowledge.
func TestZeroWeightsAreUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var sp belief.Space
	for n := range 32 {
		p, played := randomPlay(t, rng, n)
		k := know(t, worlds.ViewOf(p, played, p.Turn()))
		w, err := belief.New(4).Of(k, &sp)
		if err != nil {
			t.Fatal(err)
		}
		for c := range k.Unseen().All() {
			for _, s := range piquet.Seats() {
				if got, want := w.Probability(c, s), k.Probability(c, s); math.Abs(got-want) > 1e-9 {
					t.Errorf("after %d cards %s is at %s with probability %v, want %v", n, c, s, got, want)
				}
			}
		}
	}
}

// The belief about a card does not change with the names of the plain suits and of the seats.
func TestNamesDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	net := randomNetwork(16, 3)
	var sp belief.Space
	for n := range 32 {
		p, played := randomPlay(t, rng, n)
		seat := piquet.Seat(rng.IntN(4))
		v := worlds.ViewOf(p, played, seat)
		var suits [4]piquet.Suit
		for i, s := range rng.Perm(4) {
			suits[i] = piquet.Suit(s)
		}
		turn := 2 * rng.IntN(2) // teams keep their names
		rename := func(c piquet.Card) piquet.Card { return piquet.Of(suits[c.Suit()], c.Face()) }
		other := worlds.View{
			Rules: v.Rules, Trump: suits[v.Trump], Leader: v.Leader.Plus(turn), Declarer: v.Declarer, Seat: v.Seat.Plus(turn),
		}
		for c := range v.Hand.All() {
			other.Hand = other.Hand.With(rename(c))
		}
		for _, c := range v.Played {
			other.Played = append(other.Played, rename(c))
		}
		k := know(t, v)
		a, err := net.Of(k, &sp)
		if err != nil {
			t.Fatal(err)
		}
		b, err := net.Of(know(t, other), &sp)
		if err != nil {
			t.Fatal(err)
		}
		for c := range k.Unseen().All() {
			for _, s := range piquet.Seats() {
				if got, want := b.Probability(rename(c), s.Plus(turn)), a.Probability(c, s); math.Abs(got-want) > 1e-6 {
					t.Errorf("after %d cards: %v under other names, %v before", n, got, want)
				}
			}
		}
	}
}

// A belief gives some probability to each world, however large the weights are.
func TestNoWorldIsExcluded(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	net := randomNetwork(16, 5)
	for _, list := range net.Params() {
		for i := range list {
			list[i] *= 50
		}
	}
	var sp belief.Space
	for n := range 32 {
		p, played := randomPlay(t, rng, n)
		k := know(t, worlds.ViewOf(p, played, p.Turn()))
		w, err := net.Of(k, &sp)
		if err != nil {
			t.Fatal(err)
		}
		var truth worlds.World
		for _, s := range piquet.Seats() {
			truth[s] = p.Hand(s)
		}
		if log := w.LogProbability(truth); math.IsInf(log, 0) || math.IsNaN(log) {
			t.Errorf("after %d cards the true world has log probability %v", n, log)
		}
	}
}

func TestFile(t *testing.T) {
	net := randomNetwork(8, 6)
	file := net.Encode()
	again, err := belief.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Encode(), file) {
		t.Error("a file read and written is another file")
	}
	for name, damage := range map[string]func([]byte) []byte{
		"empty":           func([]byte) []byte { return nil },
		"another file":    func([]byte) []byte { return []byte("roem belief 2\n and more than thirty-six bytes after it .....") },
		"cut off":         func(b []byte) []byte { return b[:len(b)-1] },
		"only its head":   func(b []byte) []byte { return b[:16] },
		"a bit changed":   func(b []byte) []byte { b[100] ^= 1; return b },
		"a byte too many": func(b []byte) []byte { return append(b, 0) },
	} {
		if _, err := belief.Decode(damage(bytes.Clone(file))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, hidden := range map[string]int{"no hidden layer": 0, "too large": 1025} {
		if _, err := belief.Decode(belief.New(hidden).Encode()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	net.Parts[1].First[0] = float32(math.NaN())
	if _, err := belief.Decode(net.Encode()); err == nil {
		t.Error("not a number: no error")
	}
}

// The time of a belief, with its table of worlds.
func BenchmarkOf(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 1))
	net := randomNetwork(64, 8)
	var views []*worlds.Knowledge
	for n := range 32 {
		p, played := randomPlay(b, rng, n)
		views = append(views, know(b, worlds.ViewOf(p, played, p.Turn())))
	}
	var sp belief.Space
	for i := 0; b.Loop(); i++ {
		if _, err := net.Of(views[i%len(views)], &sp); err != nil {
			b.Fatal(err)
		}
	}
}
