package hand_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/worlds"
	"roem/internal/model/ginrummy/hand"
	"roem/internal/model/nn/weightfile"
	"roem/internal/random"
)

// views returns what both seats see in rounds of simple players after each draw and discard.
func views(tb testing.TB, deals uint64) (list []ginrummy.View) {
	tb.Helper()
	for i := range deals {
		deal := ginrummy.SeededDeal(31, i, ginrummy.Seat(i&1))
		seats := [2]players.Player{players.NewSimple(random.New(31, 0, i)), players.NewSimple(random.New(31, 1, i))}
		if _, _, err := players.PlayRound(tb.Context(), &deal, [2]int{}, seats, func(step *players.Step) {
			for who := range ginrummy.Seat(2) {
				if r := &step.After; r.Phase() != ginrummy.ToDiscard || r.Seat() == who {
					list = append(list, ginrummy.NewView(r, who, step.Events[who], [2]int{}))
				}
			}
		}); err != nil {
			tb.Fatal(err)
		}
	}
	return list
}

func network(tb testing.TB) *hand.Network {
	tb.Helper()
	n, err := hand.Default()
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// Known cards are 0 or 1, others lie strictly between, and all sum to ten.
func TestSum(t *testing.T) {
	e := network(t).Estimator()
	for _, v := range views(t, 40) {
		p := e.Estimate(&v)
		seen := v.Seen()
		sum := 0.0
		for c, x := range p {
			card := ginrummy.Card(c)
			sum += x
			switch {
			case seen.Kept.Has(card) && x != 1, !seen.Kept.Has(card) && !seen.Unknown().Has(card) && x != 0, seen.Unknown().Has(card) &&
				!(x > 0 && x < 1):
				t.Errorf("%s has %g: own %s, kept %s", card, x, v.Own, seen.Kept)
			}
		}
		if math.Abs(sum-ginrummy.HandSize) > 1e-9 {
			t.Errorf("the sum is %g", sum)
		}
	}
}

// swapped returns the card, set or view with the suits exchanged as the list says.
func swapped(c ginrummy.Card, to [4]ginrummy.Suit) ginrummy.Card {
	if c == ginrummy.NoCard {
		return c
	}
	return ginrummy.Of(to[c.Suit()], c.Rank())
}

func swappedView(v ginrummy.View, to [4]ginrummy.Suit) ginrummy.View {
	own := ginrummy.Set(0)
	for c := range v.Own.All() {
		own = own.With(swapped(c, to))
	}
	v.Own, v.Upcard, v.Top, v.Drawn = own, swapped(v.Upcard, to), swapped(v.Top, to), swapped(v.Drawn, to)
	events := append([]ginrummy.Event(nil), v.Events...)
	for i := range events {
		events[i].Card = swapped(events[i].Card, to)
	}
	v.Events = events
	return v
}

// With the names of the suits exchanged, the probabilities are exchanged, to the last bit.
func TestSuits(t *testing.T) {
	e := network(t).Estimator()
	for _, v := range views(t, 12) {
		p := e.Estimate(&v)
		for _, to := range [][4]ginrummy.Suit{{1, 0, 2, 3}, {3, 1, 2, 0}, {1, 2, 3, 0}, {2, 3, 0, 1}, {3, 2, 1, 0}} {
			other := swappedView(v, to)
			q := e.Estimate(&other)
			for c, x := range p {
				if y := q[swapped(ginrummy.Card(c), to)]; x != y {
					t.Fatalf("suits as %v: %s has %v, its image %v", to, ginrummy.Card(c), x, y)
				}
			}
		}
	}
}

// A file is read back, and every damaged one is refused.
func TestFile(t *testing.T) {
	n := network(t)
	file := n.Encode()
	again, err := hand.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(n.Params(), again.Params()); diff != "" {
		t.Error(diff)
	}
	for _, at := range []int{0, 17, len(file) / 2, len(file) - 1} {
		bad := append([]byte(nil), file...)
		bad[at] ^= 1
		var wrong *weightfile.Error
		if _, err := hand.Decode(bad); !errors.As(err, &wrong) {
			t.Errorf("byte %d changed: %v", at, err)
		}
	}
}

// What a card says of others: a card that the opponent took makes cards that meld with it likelier, and one that it refused makes them
// less likely.
func TestSense(t *testing.T) {
	own := ginrummy.SetOf(0, 3, 6, 10, 14, 19, 23, 30, 36, 47)
	view := func(first ginrummy.Event, discard ginrummy.Card) ginrummy.View {
		s := ginrummy.Situation{Starter: ginrummy.B, Upcard: 33, Own: own, Events: []ginrummy.Event{first}} // 8S
		if first.Kind == ginrummy.Take {
			s.Events = append(s.Events, ginrummy.Event{Seat: ginrummy.B, Kind: ginrummy.Discard, Card: discard})
		}
		v, err := s.View()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	e := network(t).Estimator()
	took := view(ginrummy.Event{Seat: ginrummy.B, Kind: ginrummy.Take, Card: 33}, 51)
	passed := view(ginrummy.Event{Seat: ginrummy.B, Kind: ginrummy.Pass, Card: ginrummy.NoCard}, 0)
	p, q := e.Estimate(&took), e.Estimate(&passed)
	for _, c := range []ginrummy.Card{32, 34, 7, 20, 46} { // 7S 9S and the other eights
		if p[c] <= q[c] {
			t.Errorf("%s: %.3f after 8S was taken, %.3f after it was refused", c, p[c], q[c])
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	all := views(b, 30)
	n := network(b)
	sp := n.NewSpace()
	var d worlds.Distribution
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		n.Estimate(&all[i%len(all)], sp, &d)
	}
}
