package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// ErrNone is the error for a position that has no card that is better than each other one by the margin.
var ErrNone = errors.New("no card is better than all others by the margin")

// Solve searches the position of an open puzzle. The values are of the legal cards, the best first, each with a best line: the lines of
// reason.LinesOf, which say why a card is a mistake. The error is ErrNone, or of the search.
func Solve(ctx context.Context, s *search.Solver, at klaverjas.Position) ([]Value, error) {
	r, err := s.Solve(ctx, search.Query{Position: at, Goal: search.Moves, NoLine: true})
	if err != nil {
		return nil, err
	}
	moves := r.Clone().Moves
	if len(moves) < 2 || math.Abs(float64(moves[0].Outcome-moves[1].Outcome)) < OpenMargin {
		return nil, ErrNone
	}
	values := make([]Value, len(moves))
	for i, m := range moves {
		values[i] = Value{Card: m.Card, Outcome: float64(m.Outcome), Cost: math.Abs(float64(moves[0].Outcome - m.Outcome))}
	}
	best := values[0].Card
	for i := range values[1:] {
		l, err := reason.LinesOf(ctx, s, at, values[i+1].Card, best)
		if err != nil {
			return nil, err
		}
		values[0].Line, values[i+1].Line = l.Best[1:], l.Played[1:]
	}
	return values, nil
}

// whyWorlds is how many worlds are searched for the reason of a card of a hidden puzzle, as in a review.
const whyWorlds = 24

// possible returns the worlds that are searched for the reasons: the first worlds of the puzzle.
func (p *Puzzle) possible() ([]worlds.World, error) {
	k, err := p.Knowledge()
	if err != nil {
		return nil, err
	}
	q, err := advice.NewQuestion(k)
	if err != nil {
		return nil, err
	}
	var out []worlds.World
	drawn := q.Uniform(random.New(p.Seed), p.Worlds)
	for _, w := range drawn[:min(len(drawn), whyWorlds)] {
		out = append(out, w.World)
	}
	return out, nil
}

// Explain looks for the reasons of the cards of a hidden puzzle.
func (p *Puzzle) Explain(ctx context.Context, s *search.Solver) error {
	possible, err := p.possible()
	if err != nil {
		return err
	}
	now, err := p.Position()
	if err != nil {
		return err
	}
	for i := range p.Values[1:] {
		v := &p.Values[i+1]
		h, ok, err := reason.HiddenOf(ctx, s, now, v.Card, p.Values[0].Card, possible)
		if err != nil {
			return err
		}
		v.Why = nil
		if ok {
			v.Why = &Why{Code: h.Code, Applies: h.Applies, Decides: h.Decides, Example: h.Example, Lines: h.Lines}
		}
	}
	return nil
}

// Reason returns why a card other than the best one is a mistake: the lines with the position before them and, if the puzzle is hidden,
// in how many worlds the reason applies. ok is false if the card has no lines.
func (p *Puzzle) Reason(v *Value) (h reason.Hidden, before klaverjas.Position, ok bool, err error) {
	if before, err = p.Position(); err != nil || v.Card == p.Values[0].Card {
		return h, before, false, err
	}
	if !p.Hidden {
		best := p.Values[0]
		h.Lines = reason.Lines{Played: withFirst(v.Card, v.Line), Best: withFirst(best.Card, best.Line)}
		return h, before, true, nil
	}
	if v.Why == nil {
		return h, before, false, nil
	}
	possible, err := p.possible()
	if err != nil {
		return h, before, false, err
	}
	h = reason.Hidden{
		Lines: v.Why.Lines, Example: v.Why.Example, Worlds: len(possible), Applies: v.Why.Applies, Decides: v.Why.Decides, Code: v.Why.Code,
	}
	switch {
	case h.Real():
		h.World = reason.Hands(before)
	case h.Example >= len(possible):
		return h, before, false, errPlace
	default:
		h.World = possible[h.Example]
		before, err = before.Redealt(h.World)
	}
	return h, before, err == nil, err
}

func withFirst(c piquet.Card, line []piquet.Card) []piquet.Card {
	return append([]piquet.Card{c}, line...)
}

// Search searches worlds of a hidden puzzle, drawn uniformly without repetition. The values are of the legal cards, the best first. Each
// other card must cost more than the margin by a number of standard errors. The error is ErrNone, which comes with the values, or of the
// view or of the search.
func Search(ctx context.Context, s advice.Solver, v worlds.View, n int, seed uint64, errorsOf float64) ([]Value, error) {
	k, err := worlds.New(v)
	if err != nil {
		return nil, err
	}
	q, err := advice.NewQuestion(k)
	if err != nil {
		return nil, err
	}
	a, err := q.Decide(ctx, random.New(seed), s, advice.Options{Worlds: n})
	if err != nil {
		return nil, err
	}
	values := make([]Value, len(a.Cards))
	for i, c := range a.Cards {
		values[i] = Value{Card: c.Card, Outcome: c.Outcome.Mean, Win: c.WinProbability.Mean, Cost: c.Cost.Mean, Error: c.Cost.Error}
		if i > 0 && !(c.Cost.Mean-errorsOf*c.Cost.Error > HiddenMargin) {
			err = ErrNone
		}
	}
	if len(values) < 2 {
		err = ErrNone
	}
	return values, err
}

// Again searches a puzzle again, and compares the values. Its error says what is different.
func (p *Puzzle) Again(ctx context.Context, s *search.Solver) error {
	again := *p
	if p.Hidden {
		v, err := p.View()
		if err != nil {
			return err
		}
		if again.Values, err = Search(ctx, s, v, p.Worlds, p.Seed, Errors); err != nil {
			return err
		}
		if err := again.Explain(ctx, s); err != nil {
			return err
		}
	} else {
		at, err := p.Position()
		if err != nil {
			return err
		}
		if again.Values, err = Solve(ctx, s, at); err != nil {
			return err
		}
	}
	if err := again.Continue(ctx, s); err != nil {
		return err
	}
	if got, was := again.valuesText()+" "+again.laterText(), p.valuesText()+" "+p.laterText(); got != was {
		return fmt.Errorf("the values are %s: expected %s", got, was)
	}
	return nil
}
