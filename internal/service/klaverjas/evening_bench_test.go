package klaverjas

import (
	"encoding/json"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	handrecord "roem/internal/engine/klaverjas/record"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/random"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// eveningBodyOf returns the body of a request for an evening of 96 hands of 32 cards.
func eveningBodyOf(b *testing.B, worlds int) []byte {
	b.Helper()
	rng := random.New(1)
	var hands []record.Hand
	for range 96 {
		h := &handrecord.Hand{Decided: true, Trump: piquet.Suit(rng.IntN(4))}
		var err error
		if h.Hands, err = index.Unrank(rng.Uint64N(1e15), h.Trump, h.Leader); err != nil {
			b.Fatal(err)
		}
		p, err := klaverjas.NewPosition(h.Rules, klaverjas.Deal{Trump: h.Trump, Hands: h.Hands})
		for err == nil && !p.Finished() {
			legal := p.Legal().Slice()
			c := legal[rng.IntN(len(legal))]
			h.Played = append(h.Played, c)
			p, err = p.Play(c)
		}
		if err != nil {
			b.Fatal(err)
		}
		hands = append(hands, h)
	}
	body, err := json.Marshal(map[string]any{"text": record.Write(hands...), "worlds": worlds})
	if err != nil {
		b.Fatal(err)
	}
	return body
}

// BenchmarkParseEvening reads an evening of 96 hands of 32 cards.
func BenchmarkParseEvening(b *testing.B) {
	body := eveningBodyOf(b, 100)
	g := newGame(b, service.Options{}, Options{})
	for b.Loop() {
		if _, err := ParseEvening(b.Context(), g, body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvening reviews an evening over one world for each card: with searches, and from the cache.
func BenchmarkEvening(b *testing.B) {
	body := eveningBodyOf(b, 1)
	answer := func(b *testing.B, g *Game) {
		b.Helper()
		r, err := g.service.Parse(b.Context(), KindEvening, body)
		if err == nil {
			_, err = g.service.Answer(b.Context(), r.Query())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("searched", func(b *testing.B) {
		for b.Loop() {
			answer(b, newGame(b, service.Options{Slots: 2}, Options{}))
		}
	})
	b.Run("cached", func(b *testing.B) {
		memory, err := solvecache.NewMemory(64 << 20)
		if err != nil {
			b.Fatal(err)
		}
		cache := solvecache.New(memory)
		b.Cleanup(func() { _ = cache.Close() })
		g := newGame(b, service.Options{Slots: 2, Cache: cache}, Options{})
		answer(b, g)
		for b.Loop() {
			answer(b, g)
		}
	})
}
