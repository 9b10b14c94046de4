package belote

import (
	"context"

	"roem/internal/computation"
	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
)

// CompareQuery is a request for the paper's experiment over drawn deals.
type CompareQuery struct {
	*service.LookupQuery[compared]
	game       *Game
	experiment compare.Experiment
	key        service.Key
}

// newCompareQuery returns the query of an experiment.
func (g *Game) newCompareQuery(e compare.Experiment) *CompareQuery {
	q := &CompareQuery{game: g, experiment: e, key: keyOfExperiment(&e)}
	q.LookupQuery = service.NewLookupQuery(g.service, q.key, service.Lookup{
		Valid:   func(value []byte) bool { _, ok := q.read(value); return ok },
		InParts: true,
		Compute: g.inTurns(q.search),
	}, q.answer)
	return q
}

func keyOfExperiment(e *compare.Experiment) service.Key {
	key := newKey(KindCompare).Int(len(e.Suits))
	for _, n := range e.Suits {
		key = key.Int(n).Int(len(compare.Ways(n))) // earlier versions compared fewer ways
	}
	return key.Int(e.Deals).Uint(e.Seed).Uint(e.Limit)
}

// search makes the experiment, and returns its counts as the cache keeps them.
func (q *CompareQuery) search(ctx context.Context, task *computation.Task, solver *search.Solver, pause func() error) ([]byte, error) {
	end := service.EffortOf(ctx).BeginSearch()
	var c compared
	var err error
	c.Rows, err = q.experiment.Run(ctx, solver, pause, func(done, of int, generated uint64) {
		c.Generated = generated
		task.Report(computation.Progress{Done: done, Of: of, Nodes: generated})
	})
	end(c.Generated)
	if err != nil {
		return nil, err
	}
	return q.keep(c)
}

func (q *CompareQuery) answer(value service.Value) (service.Answer[compared], error) {
	c, ok := q.read(value.Bytes)
	if !ok {
		return service.Answer[compared]{}, &service.Error{Detail: "the counts do not fit their experiment"}
	}
	searches := 0
	for _, r := range c.Rows {
		searches += r.Deals
	}
	return service.Solved(value, c, searches, taken(value, c.Generated)), nil
}
