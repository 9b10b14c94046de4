package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/random"
)

// ErrNone is the error for a position that has no card that is better than each other one by the margin.
var ErrNone = errors.New("no card is better than each other one by the margin")

// lineTable is the memory of the searcher of the lines.
const lineTable = 1 << 20

// Solve searches the position of an open puzzle. The values are of the legal cards, the best first, each with a best line. The error is
// ErrNone, or of the search.
//
// There can be several best lines, and which one a searcher finds depends on what it has searched before. So the lines are found by a new
// searcher: they are the same each time.
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
	s = search.New(search.Options{TableBytes: lineTable})
	for i, m := range moves {
		next, err := at.Play(m.Card)
		if err != nil {
			return nil, err
		}
		r, err := s.Solve(ctx, search.Query{Position: next, Goal: search.Value})
		if err != nil {
			return nil, err
		}
		if r.Outcome != m.Outcome {
			return nil, fmt.Errorf("%s: the search finds %d before the card, and %d after it", m.Card, m.Outcome, r.Outcome)
		}
		values[i] = Value{Card: m.Card, Outcome: float64(m.Outcome), Line: r.Clone().Line}
		values[i].Cost = math.Abs(values[0].Outcome - values[i].Outcome)
	}
	return values, nil
}

// Search searches worlds of a hidden puzzle, drawn uniformly without repetition. The values are of the legal cards, the best first. Each
// other card must cost more than the margin by a number of standard errors. The error is ErrNone, or of the view or of the search.
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
			return nil, ErrNone
		}
	}
	if len(values) < 2 {
		return nil, ErrNone
	}
	return values, nil
}

// Again searches a puzzle again, and compares the values. Its error says what is different.
func (p *Puzzle) Again(ctx context.Context, s *search.Solver) error {
	var values []Value
	if p.Hidden {
		v, err := p.View()
		if err != nil {
			return err
		}
		if values, err = Search(ctx, s, v, p.Worlds, p.Seed, Errors); err != nil {
			return err
		}
	} else {
		at, err := p.Position()
		if err != nil {
			return err
		}
		if values, err = Solve(ctx, s, at); err != nil {
			return err
		}
	}
	for i, v := range values {
		was := p.Values[i]
		if v.Card != was.Card || !same(v.Outcome, was.Outcome) || !same(v.Cost, was.Cost) || !same(v.Win, was.Win) || !same(v.Error, was.Error) {
			return fmt.Errorf("card %d is %+v: expected %+v", i+1, v, was)
		}
		if !p.Hidden && cardsText(v.Line) != cardsText(was.Line) {
			return fmt.Errorf("the line after %s is %s: expected %s", v.Card, cardsText(v.Line), cardsText(was.Line))
		}
	}
	return nil
}

// same reports whether two numbers are equal as the file writes them.
func same(a, b float64) bool { return number(a) == number(b) }
