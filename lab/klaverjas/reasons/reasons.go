// Package reasons reviews hands that the program played, and lists mistakes with their lines and reasons, so that a reader can judge them.
package reasons

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/lab/klaverjas/games"
)

// Mistake is a card that cost its team points with all cards open.
type Mistake struct {
	Hand   int // the number of the hand, from 1
	Before klaverjas.Position
	Lines  reason.Lines
	Cost   int
	Reason reason.Reason
	Found  bool // there is a reason
	Nodes  uint64
}

// Settings say which hands are played.
type Settings struct {
	Mistakes int            // how many to find
	Each     int            // the largest number in a hand, drawn from all of them
	Players  []players.Kind // the hands are played by each of them in turn
	Seed     uint64
	Tools    *players.Tools
}

// Find plays hands and reviews them until it has as many mistakes as wanted.
func Find(ctx context.Context, s Settings) ([]Mistake, error) {
	var all []Mistake
	solver := search.New(search.Options{})
	for hand := 1; len(all) < s.Mistakes; hand++ {
		start, played, rng, err := s.play(ctx, hand)
		if err != nil {
			return nil, err
		}
		found, err := review(ctx, solver, start, played)
		if err != nil {
			return nil, err
		}
		rng.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
		for _, m := range found[:min(len(found), s.Each, s.Mistakes-len(all))] {
			m.Hand = hand
			if err := m.explain(ctx, solver); err != nil {
				return nil, err
			}
			all = append(all, m)
		}
	}
	return all, nil
}

// play plays the hand with a number, and returns what draws the mistakes of it.
func (s *Settings) play(ctx context.Context, hand int) (start klaverjas.Position, played []piquet.Card, rng *rand.Rand, err error) {
	rng = rand.New(rand.NewPCG(s.Seed, uint64(hand)))
	rules := klaverjas.DefaultRules(klaverjas.System(hand & 1))
	if start, err = klaverjas.NewPosition(rules, games.RandomDeal(rng)); err != nil {
		return start, nil, nil, err
	}
	kind := s.Players[hand/2%len(s.Players)]
	played, _, err = players.Play(ctx, start, nil, players.Sit([2]players.Kind{kind, kind}, rng.Uint64(), s.Tools), nil)
	return start, played, rng, err
}

// review returns the mistakes of a hand, without their lines.
func review(ctx context.Context, solver *search.Solver, p klaverjas.Position, played []piquet.Card) (found []Mistake, err error) {
	for _, c := range played {
		if p.Legal().Len() > 1 {
			r, err := solver.Solve(ctx, search.Query{Position: p, Goal: search.Moves, NoLine: true})
			if err != nil {
				return nil, err
			}
			var best piquet.Set
			cost := 0
			for _, m := range r.Moves {
				if m.Best {
					best = best.With(m.Card)
				}
				if m.Card == c {
					cost = max(m.Outcome-r.Outcome, r.Outcome-m.Outcome)
				}
			}
			if cost > 0 {
				better := reason.Better(c, best, p.Deal().Trump)
				found = append(found, Mistake{Before: p, Cost: cost, Lines: reason.Lines{Played: []piquet.Card{c}, Best: []piquet.Card{better}}})
			}
		}
		if p, err = p.Play(c); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// counted counts the nodes of a solver.
type counted struct {
	*search.Solver
	nodes uint64
}

func (c *counted) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	r, err := c.Solver.Solve(ctx, q)
	c.nodes += r.Nodes
	return r, err
}

func (m *Mistake) explain(ctx context.Context, solver *search.Solver) (err error) {
	c := &counted{Solver: solver}
	if m.Lines, err = reason.LinesOf(ctx, c, m.Before, m.Lines.Played[0], m.Lines.Best[0]); err != nil {
		return err
	}
	m.Nodes = c.nodes
	m.Reason, m.Found = reason.Find(m.Before, m.Lines)
	return nil
}
