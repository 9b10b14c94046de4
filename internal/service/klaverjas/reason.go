package klaverjas

import (
	"context"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// countingSolver adds up the nodes of its searches.
type countingSolver struct {
	slotSolver
	nodes uint64
}

func (s *countingSolver) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	r, err := s.slotSolver.Solve(ctx, q)
	s.nodes += r.Nodes
	return r, err
}

// reasonWorlds is how many worlds are searched for the reason of a mistake on knowledge.
const reasonWorlds = 24

// explained is the reason of a mistake on knowledge, as the cache keeps it: what reason.HiddenOf found.
type explained struct {
	reason.Hidden

	Found bool
	Nodes uint64
}

// reasonKind is the kind of the cache keys of reasons.
const reasonKind = "klaverjas reason of a mistake"

// why looks for the reason of a mistake, with a slot.
func (q *ReviewQuery) why(ctx context.Context, p *service.Pass, d *decision, j *judgement) error {
	by, now, better := d.Asks[0], d.Of.Before.now, j.advice.Card
	key := append(newKey(reasonKind), by.subject...).Byte(byte(d.Of.Act)).Byte(byte(better))
	for _, s := range piquet.Seats() {
		key = key.Uint32(uint32(now.Hand(s)))
	}
	seed := by.seed
	if by.all {
		seed = 0
	}
	found, source, err := service.Kept(ctx, p, key.Uint(seed), func(ctx context.Context) (x explained, err error) {
		drawn, err := by.draw()
		if err != nil {
			return x, err
		}
		var possible []worlds.World
		for _, w := range drawn[:min(reasonWorlds, len(drawn))] {
			possible = append(possible, w.World)
		}
		err = q.game.service.Part(ctx, func(ctx context.Context, task *computation.Task) (err error) {
			solver := &countingSolver{slotSolver: slotSolver{q.game, task.Slot()}}
			x.Hidden, x.Found, err = reason.HiddenOf(ctx, solver, now, d.Of.Act, better, possible)
			x.Nodes = solver.nodes
			return err
		})
		return x, err
	})
	j.reason = found
	p.Found(source, found.Nodes)
	if source == service.FromSearch {
		p.Add(0, found.Nodes)
	}
	return err
}
