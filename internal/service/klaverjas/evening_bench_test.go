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
)

// BenchmarkParseEvening reads an evening of 96 hands of 32 cards.
func BenchmarkParseEvening(b *testing.B) {
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
	body, err := json.Marshal(map[string]string{"text": record.Write(hands...)})
	if err != nil {
		b.Fatal(err)
	}
	g := newGame(b, service.Options{}, Options{})
	for b.Loop() {
		if _, err := ParseEvening(b.Context(), g, body); err != nil {
			b.Fatal(err)
		}
	}
}
