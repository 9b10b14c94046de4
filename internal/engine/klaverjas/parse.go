package klaverjas

import (
	"errors"
	"fmt"

	"roem/internal/cards"
)

// ParseHands reads the four hands of a deal, each a list of eight cards as cards.ParseCard takes them. Its error is
// Violations that name every text that is no card, every card that stands twice and every hand of another size.
func ParseHands(hands map[cards.Seat][]string) ([4]cards.Set, error) {
	var (
		out   [4]cards.Set
		bad   Violations
		first [32]string // where each card was met first
	)
	for _, seat := range cards.Seats() {
		at := "/hands/" + seat.String()
		texts, ok := hands[seat]
		if !ok {
			bad = append(bad, Violation{at, fmt.Sprintf("is missing, expected %d cards", HandSize)})
			continue
		}
		if len(texts) != HandSize {
			bad = append(bad, wrongCount(seat, len(texts)))
		}
		for i, text := range texts[:min(len(texts), cards.Deck.Len())] { // a longer list is wrong already
			here := fmt.Sprintf("%s/%d", at, i)
			c, err := cards.ParseCard(text)
			if err != nil {
				bad = append(bad, Violation{here, err.Error()})
				continue
			}
			if first[c] != "" {
				bad = append(bad, Violation{here, fmt.Sprintf("%s is also in %s", c, first[c])})
				continue
			}
			first[c] = here
			out[seat] = out[seat].With(c)
		}
	}
	return out, bad.orNil()
}

// Replay plays the cards in order from p. Its error is a Violations with the pointer of the first card that could not
// be played, /played/i, which says what was legal.
func (p Position) Replay(played []cards.Card) (Position, error) {
	for i, c := range played {
		next, err := p.Play(c)
		if err != nil {
			return p, playedViolation(i, err)
		}
		p = next
	}
	return p, nil
}

// ReplayText is Replay for cards as cards.ParseCard takes them; it also returns the cards that it read.
func (p Position) ReplayText(played []string) (Position, []cards.Card, error) {
	out := make([]cards.Card, 0, min(len(played), cards.Deck.Len()))
	for i, text := range played {
		c, err := cards.ParseCard(text)
		if err != nil {
			return p, out, playedViolation(i, err)
		}
		next, err := p.Play(c)
		if err != nil {
			return p, out, playedViolation(i, err)
		}
		p = next
		out = append(out, c)
	}
	return p, out, nil
}

func playedViolation(i int, err error) error {
	detail := err.Error()
	var illegal *IllegalCard
	if errors.As(err, &illegal) && illegal.Legal.Empty() {
		detail = fmt.Sprintf("%s cannot be played: %s", illegal.Card, illegal.Reason)
	}
	return Violations{{Pointer: fmt.Sprintf("/played/%d", i), Detail: detail}}
}
