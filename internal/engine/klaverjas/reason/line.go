package reason

import (
	"context"
	"fmt"

	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// Solver solves positions, one at a time. *search.Solver is one.
type Solver interface {
	Solve(ctx context.Context, q search.Query) (search.Result, error)
}

// Lines are two ways to the end of the hand from the position before a card: with the card that was played, and with a better one. After
// the first card all seats play best, with all cards open.
type Lines struct {
	Played, Best []piquet.Card
}

// Relabelled returns the lines with other names of the cards.
func (l Lines) Relabelled(to func(piquet.Card) piquet.Card) Lines {
	relabel := func(line []piquet.Card) []piquet.Card {
		out := make([]piquet.Card, len(line))
		for i, c := range line {
			out[i] = to(c)
		}
		return out
	}
	return Lines{Played: relabel(l.Played), Best: relabel(l.Best)}
}

// LinesOf returns the lines of two cards. Where several cards are best, the choice makes the lines easy to compare:
//
//   - The declarers may not care how they lose. Then they still make as many points as they can, and so do the defenders.
//   - In the line of the card played, a seat plays what it plays in the best line, in the same trick if possible.
//   - Otherwise a seat plays its cheapest card.
func LinesOf(ctx context.Context, s Solver, before klaverjas.Position, played, best piquet.Card) (Lines, error) {
	b := builder{ctx: ctx, solver: s}
	var l Lines
	var err error
	if l.Best, err = b.line(before, best); err != nil {
		return Lines{}, err
	}
	for _, t := range tricksOf(before, l.Best) {
		b.other = append(b.other, t.shared(before.Turn().Team(), before.Deal().Trump))
	}
	l.Played, err = b.line(before, played)
	return l, err
}

// Next returns the card with which a line goes on from a position, as in a best line of LinesOf.
func Next(ctx context.Context, s Solver, at klaverjas.Position) (piquet.Card, error) {
	b := builder{ctx: ctx, solver: s}
	return b.choose(at)
}

// builder makes one line after the other.
type builder struct {
	ctx    context.Context // kept only during one LinesOf
	solver Solver
	other  []tricks.Trick[piquet.Card, piquet.Seat] // of the line to be like
}

// line returns the card and best play after it.
func (b *builder) line(p klaverjas.Position, first piquet.Card) ([]piquet.Card, error) {
	line := make([]piquet.Card, 0, piquet.Deck.Len())
	for c := first; ; {
		var err error
		if p, err = p.Play(c); err != nil {
			return nil, fmt.Errorf("a card of a line is not legal: %w", err)
		}
		line = append(line, c)
		if p.Finished() {
			return line, nil
		}
		if c, err = b.choose(p); err != nil {
			return nil, err
		}
	}
}

// choose returns the card that the line goes on with.
func (b *builder) choose(p klaverjas.Position) (piquet.Card, error) {
	cards := p.Legal()
	if cards.Len() == 1 {
		return cards.First(), nil
	}
	outcome, err := b.keepBest(p, &cards)
	if err != nil {
		return 0, err
	}
	if outcome <= 0 && cards.Len() > 1 {
		if _, err = b.keepBest(p.Ahead(settled), &cards); err != nil {
			return 0, err
		}
	}
	return b.like(p, cards), nil
}

// settled is a lead of the declarers with which no outcome is nat. The best cards are then those that make the most points.
const settled = 2000

// keepBest keeps the best cards, and returns their outcome.
func (b *builder) keepBest(p klaverjas.Position, cards *piquet.Set) (outcome int, err error) {
	r, err := b.solver.Solve(b.ctx, search.Query{Position: p, Goal: search.Moves, NoLine: true})
	if err != nil {
		return 0, err
	}
	found := false
	var kept piquet.Set
	for _, m := range r.Moves { // the best first
		if cards.Has(m.Card) && (!found || m.Outcome == outcome) {
			outcome, found, kept = m.Outcome, true, kept.With(m.Card)
		}
	}
	*cards = kept
	return outcome, nil
}

// like returns the card that the seat plays in the other line: in this trick, or else in the first of the later ones. Without such a card
// it returns the cheapest.
func (b *builder) like(p klaverjas.Position, cards piquet.Set) piquet.Card {
	if c, ok := tricks.Like(b.other, number(p), p.Turn(), cards.Has); ok {
		return c
	}
	return cheapest(cards, p.Deal().Trump)
}

// cheapest returns the card with the fewest points, of those the weakest, and rather a plain card than a trump.
func cheapest(cards piquet.Set, trump piquet.Suit) piquet.Card {
	price := func(c piquet.Card) int {
		n := 1000*klaverjas.Points(c, trump) + klaverjas.Strength(c, trump)
		if c.Suit() == trump {
			n += 100
		}
		return n
	}
	best := cards.First()
	for c := range cards.All() {
		if price(c) < price(best) {
			best = c
		}
	}
	return best
}

// Better returns the card with which the played one is compared, of several that are best: one of its suit before others, and the cheapest.
func Better(played piquet.Card, best piquet.Set, trump piquet.Suit) piquet.Card {
	if same := best.InSuit(played.Suit()); same != 0 {
		best = same
	}
	return cheapest(best, trump)
}
