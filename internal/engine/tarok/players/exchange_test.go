package players_test

import (
	"math"
	"slices"
	"testing"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/random"
)

// TestFastExchange: it is legal, and worth as much as the best of all exchanges.
func TestFastExchange(t *testing.T) {
	rng := random.New(5)
	for i := range 600 {
		s := tarok.DrawSetup(rng, tarok.Three, tarok.Two, tarok.One)
		hand, talon := s.Deal.Hands[s.Declarer], s.Deal.Talon[:]
		if i%6 == 0 { // few cards of suits, so that taroks must be discarded
			list := tarok.OfSuit(tarok.Taroks).Slice()
			hand = tarok.SetOf(list[:12]...) | tarok.Kings
			talon = slices.Concat(list[14:18], []tarok.Card{tarok.Of(tarok.Hearts, i%7), tarok.Of(tarok.Spades, i%5)})
		}
		got, want := players.FastExchange(hand, talon, s.Contract), players.BestExchange(hand, talon, s.Contract)
		n := s.Contract.Exchange()
		have := hand | tarok.SetOf(talon[got.Group*n:(got.Group+1)*n]...)
		if bad := tarok.CheckDiscards(have, got.Discards, n); len(bad) > 0 || math.Abs(got.Worth-want.Worth) > 1e-9 {
			t.Fatalf("%s with %v, %s: %+v, the best is %+v; %v", hand, talon, s.Contract, got, want, bad)
		}
	}
}

// TestLikelyExchange: the probabilities of all exchanges of a hand sum to 1, and the best exchange is the likeliest.
func TestLikelyExchange(t *testing.T) {
	rng := random.New(7)
	for range 20 {
		s := tarok.DrawSetup(rng, tarok.Three, tarok.Two, tarok.One)
		hand, talon := s.Deal.Hands[s.Declarer], s.Deal.Talon[:]
		sum, most := 0.0, 0.0
		players.Exchanges(hand, talon, s.Contract, func(e players.Exchange) {
			p := math.Exp(players.LikelyExchange(hand, talon, s.Contract, e.Group, e.Discards))
			sum += p
			most = max(most, p)
		})
		best := players.BestExchange(hand, talon, s.Contract)
		own := math.Exp(players.LikelyExchange(hand, talon, s.Contract, best.Group, best.Discards))
		if math.Abs(sum-1) > 1e-9 || own < most-1e-9 {
			t.Errorf("%s with %v, %s: %v together, the best has %v of at most %v", hand, talon, s.Contract, sum, own, most)
		}
	}
}

func BenchmarkFastExchange(b *testing.B) {
	s := tarok.DrawSetup(random.New(6), tarok.Two)
	for b.Loop() {
		players.FastExchange(s.Deal.Hands[s.Declarer], s.Deal.Talon[:], tarok.Three)
	}
}
