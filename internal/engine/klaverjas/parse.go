package klaverjas

import (
	"fmt"

	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// ParseHands reads the four hands of a deal, each a list of eight cards in the format of piquet.ParseCard. Its error is Violations that
// list every text that is not a card, every card that occurs twice, and every hand without eight cards.
func ParseHands(hands map[piquet.Seat][]string) ([4]piquet.Set, error) {
	var (
		out   [4]piquet.Set
		bad   Violations
		first [32]string // the pointer of the first occurrence of each card
	)
	for _, seat := range piquet.Seats() {
		at := "/hands/" + seat.String()
		texts, ok := hands[seat]
		if !ok {
			bad = append(bad, violation.New(violation.Missing, "is missing, expected %d cards", HandSize).At(at))
			continue
		}
		if len(texts) != HandSize {
			bad = append(bad, wrongCount(seat, len(texts)))
		}
		for i, text := range texts[:min(len(texts), piquet.Deck.Len())] { // limits the number of violations of a longer list
			here := fmt.Sprintf("%s/%d", at, i)
			c, err := piquet.ParseCard(text)
			if err != nil {
				bad = append(bad, violation.Of(here, err)...)
				continue
			}
			if first[c] != "" {
				bad = append(bad, violation.New(violation.CardTwice, "%s is also in", c).AlsoAt(first[c]).At(here).Of(c))
				continue
			}
			first[c] = here
			out[seat] = out[seat].With(c)
		}
	}
	return out, bad.OrNil()
}

// Replay plays the cards in order from p. Its error is Violations with the pointer of the first card that is not legal, /played/i, and the
// legal cards.
func (p Position) Replay(played []piquet.Card) (Position, error) {
	for i, c := range played {
		if err := p.play(c); err != nil {
			return p, playedViolation(i, err)
		}
	}
	return p, nil
}

// ReplayText is like Replay for cards in the format of piquet.ParseCard. It also returns the cards.
func (p Position) ReplayText(played []string) (Position, []piquet.Card, error) {
	out := make([]piquet.Card, 0, min(len(played), piquet.Deck.Len()))
	for i, text := range played {
		c, err := piquet.ParseCard(text)
		if err != nil {
			return p, out, playedViolation(i, err)
		}
		if err := p.play(c); err != nil {
			return p, out, playedViolation(i, err)
		}
		out = append(out, c)
	}
	return p, out, nil
}

func playedViolation(i int, err error) error {
	return violation.Of(fmt.Sprintf("/played/%d", i), err)
}
