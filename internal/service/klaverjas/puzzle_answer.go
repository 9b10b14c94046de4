package klaverjas

import (
	"fmt"
	"slices"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// PuzzleAnswer says which of the cards that were tried hold.
func (g *Game) PuzzleAnswer(in PuzzleAnswerParams) (out api.KlaverjasPuzzleAnswer, err error) {
	p, err := puzzle(in.ID)
	if err != nil {
		return out, err
	}
	cards, err := triedCards(in.Cards)
	tried, next := p.Try(cards)
	if err == nil && len(tried) < len(cards) {
		err = refusedTry(len(tried), cards[len(tried)], next)
	}
	var vs service.Problems
	vs.AddIn("cards", err)
	if err := vs.Err(); err != nil {
		return out, err
	}
	out = api.KlaverjasPuzzleAnswer{
		Id: p.ID, Decisions: len(p.Decisions()), Over: next == nil, Legal: api.Cards{}, Version: g.service.Version(),
	}
	for _, t := range tried {
		out.Tried = append(out.Tried, api.KlaverjasPuzzleTry{Card: t.Card.String(), Decision: t.Decision + 1, Holds: t.Holds})
	}
	if next == nil {
		last := p.Decisions()[len(p.Later)]
		out.Played = outCards(append(slices.Clone(last.Played), last.Values[0].Card))
		return out, nil
	}
	out.Played, out.Legal = outCards(next.Played), outCards(next.Legal().Slice())
	return out, nil
}

// PuzzleAnswerParams names a puzzle and cards that were tried.
type PuzzleAnswerParams struct {
	ID    string  `json:"id"`
	Cards *string `json:"cards"`
}

// mostTries is how many cards may be tried: each card of the hand at each of its decisions.
const mostTries = 64

// triedCards reads cards that are separated by commas.
func triedCards(text *string) (cards []piquet.Card, err error) {
	if text == nil {
		return nil, violation.New(violation.Missing, "is missing")
	}
	words := strings.Split(*text, ",")
	if len(words) > mostTries {
		return nil, violation.New(violation.TooMany, "has %d cards: expected 1 to %d", len(words), mostTries).Of(len(words)).Between(1, mostTries)
	}
	for i, word := range words {
		c, err := piquet.ParseCard(word)
		if err != nil {
			found := violation.Of("", err)
			found[0].Detail = fmt.Sprintf("card %d: %s", i+1, found[0].Detail)
			return nil, found
		}
		cards = append(cards, c)
	}
	return cards, nil
}

// refusedTry says why a card cannot be tried at a decision, or after the last one if there is none. It does not say who holds the card.
func refusedTry(before int, c piquet.Card, at *puzzles.Puzzle) error {
	if at == nil {
		return violation.New(violation.Over, "card %d, %s, comes after the last decision of the puzzle", before+1, c).Of(c.String())
	}
	legal := outCards(at.Legal().Slice())
	return violation.New(
		violation.NotLegal, "card %d, %s, is not legal at its decision: expected %s", before+1, c, strings.Join(legal, ", "),
	).Of(c.String()).OneOf(legal...)
}
