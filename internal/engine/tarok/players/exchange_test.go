package players_test

import (
	"math"
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
			list := append(tarok.OfSuit(tarok.Taroks).Slice()[:12], tarok.Kings.Slice()...)
			hand = tarok.SetOf(list...)
			talon = append(tarok.OfSuit(tarok.Taroks).Slice()[14:18], tarok.Of(tarok.Hearts, i%7), tarok.Of(tarok.Spades, i%5))
		}
		got, want := players.FastExchange(hand, talon, s.Contract), players.BestExchange(hand, talon, s.Contract)
		n := s.Contract.Exchange()
		have := hand | tarok.SetOf(talon[got.Group*n:(got.Group+1)*n]...)
		if bad := tarok.CheckDiscards(have, got.Discards, n); len(bad) > 0 || math.Abs(got.Worth-want.Worth) > 1e-9 {
			t.Fatalf("%s with %v, %s: %+v, the best is %+v; %v", hand, talon, s.Contract, got, want, bad)
		}
	}
}

func BenchmarkFastExchange(b *testing.B) {
	s := tarok.DrawSetup(random.New(6), tarok.Two)
	for b.Loop() {
		players.FastExchange(s.Deal.Hands[s.Declarer], s.Deal.Talon[:], tarok.Three)
	}
}
