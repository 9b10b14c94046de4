package klaverjas

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
	"roem/internal/service/klaverjas/handstrength"
)

// HandStrengthQuery asks how strong a hand is for one trump or all four.
type HandStrengthQuery struct {
	service.Uncached[[]handstrength.Strength]
	game      *Game
	questions []handstrength.Question // one for each trump; they differ only in the trump
	precision float64                 // in points, as in the request
	fast      bool                    // the hand model answers all of them
}

// newHandStrengthQuery prepares the query. Its error is the error of a method that has no model for the rules.
func (g *Game) newHandStrengthQuery(questions []handstrength.Question, precision float64) (*HandStrengthQuery, error) {
	q := &HandStrengthQuery{game: g, questions: questions, precision: precision, fast: true}
	for _, one := range questions {
		method, err := g.models().strength.Method(one)
		if _, unknown := errors.AsType[*handstrength.UnknownError](err); unknown {
			return nil, service.NewNoModel("/method", "is %s: there is no such model for these rules and declarers", one.Method)
		}
		if err != nil {
			return nil, err
		}
		q.fast = q.fast && method == handstrength.HandModel
	}
	return q, nil
}

// Key holds everything that the answer depends on.
func (q *HandStrengthQuery) Key() []byte {
	one := &q.questions[0]
	key := appendQuestion(newKey(KindHandStrength), one).Byte(byte(one.Method)).Int(len(q.questions))
	for _, question := range q.questions {
		key = key.Byte(byte(question.Trump))
	}
	key = key.Float(q.precision).Uint(one.Seed).Bool(q.fast)
	if q.fast {
		if m := q.game.models().handModel; m != nil {
			key = key.Text(m.SHA256())
		}
		return key
	}
	if m, ok := q.game.models().predictor.(interface{ Checksums() string }); ok {
		key = key.Text(m.Checksums())
	}
	return key
}

// appendQuestion writes the cards and the rules of a question. If the request has no seed, it is a hash of these bytes.
func appendQuestion(key service.Key, q *handstrength.Question) service.Key {
	return appendRules(key, q.Rules).Byte(byte(q.Seat)).Byte(byte(q.Leader)).Byte(byte(q.Declarer)).Uint32(uint32(q.Hand))
}

// Known returns the answer if the hand model has it. It takes microseconds.
func (q *HandStrengthQuery) Known(ctx context.Context) (service.Answer[[]handstrength.Strength], bool, error) {
	if !q.fast {
		return service.Answer[[]handstrength.Strength]{}, false, nil
	}
	answer, err := q.estimate(ctx, nil, func(computation.Progress) {})
	return answer, err == nil, err
}

// Computation estimates one trump after the other. It takes slots in turns: an estimate with a precision that needs many worlds takes many
// seconds.
func (q *HandStrengthQuery) Computation() computation.Spec {
	return service.Running(q.game.sharedKey(q.Key()), func(
		ctx context.Context, task *computation.Task,
	) (answer service.Answer[[]handstrength.Strength], err error) {
		err = q.game.service.InTurns(ctx, func(ctx context.Context, next func() (*computation.Slot, error)) (err error) {
			answer, err = q.estimate(ctx, turnsSolver{q.game, next}, func(p computation.Progress) {
				task.Report(p)
				_, _ = next() // between two batches of predictions; they look at the context themselves
			})
			return err
		})
		return answer, err
	})
}

// estimate answers the query. The parts of its progress are hundredths of a trump.
func (q *HandStrengthQuery) estimate(ctx context.Context, solver handstrength.Solver,
	report func(computation.Progress),
) (service.Answer[[]handstrength.Strength], error) {
	const partsOfTrump = 100
	sum := computation.Progress{Of: partsOfTrump * len(q.questions)}
	report(sum)
	strengths := make([]handstrength.Strength, len(q.questions))
	for i, question := range q.questions {
		var nodes uint64
		var err error
		strengths[i], err = q.game.models().strength.Estimate(ctx, question, solver, func(share float64, n uint64) {
			now := sum
			now.Done, now.Nodes = now.Done+int(share*partsOfTrump), now.Nodes+n
			nodes = n
			report(now)
		})
		if err != nil {
			return service.Answer[[]handstrength.Strength]{}, service.FromEngine(err)
		}
		sum.Done += partsOfTrump
		sum.Nodes += max(nodes, strengths[i].Nodes)
		report(sum)
	}
	slices.SortStableFunc(strengths, func(a, b handstrength.Strength) int { return cmp.Compare(b.WinProbability, a.WinProbability) })
	return service.Answer[[]handstrength.Strength]{Result: strengths, Source: service.FromSearch, Nodes: int64(sum.Nodes), Progress: sum}, nil
}

// turnsSolver solves with the searcher of the slot of the present turn. An estimate makes hundreds of searches of less than a millisecond;
// they get no spans.
type turnsSolver struct {
	game *Game
	next func() (*computation.Slot, error)
}

// Solve searches a position and records the effort.
func (s turnsSolver) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	slot, err := s.next()
	if err != nil {
		return search.Result{}, err
	}
	return s.game.search(ctx, slot, q)
}
