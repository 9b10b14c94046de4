package belote

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
)

// CompareQuery is a request for the paper's experiment over drawn deals.
type CompareQuery struct {
	*service.LookupQuery[any]
	game       *Game
	experiment compare.Experiment
	key        service.Key
	began      time.Time
}

// defaultMaxSuit is the greatest number of suits where the request names none.
const defaultMaxSuit = 3

// ParseCompare reads the body of compare.
func (g *Game) ParseCompare(ctx context.Context, body []byte) (*CompareQuery, error) {
	return service.Decode(ctx, g.schemas, body, "BeloteCompareRequest", func(in compareBody) (*CompareQuery, error) {
		var vs service.Problems
		e := compare.Experiment{
			Deals: in.Deals, Limit: uint64(in.Limit), Seed: vs.Seed(in.Seed), Suits: in.Suits,
		}
		if err := vs.Err(); err != nil {
			return nil, err
		}
		if e.Suits == nil {
			for n := range defaultMaxSuit {
				e.Suits = append(e.Suits, n+1)
			}
		}
		slices.Sort(e.Suits)
		e.Suits = slices.Compact(e.Suits)
		q := &CompareQuery{game: g, experiment: e, began: time.Now(), key: keyOfExperiment(&e)}
		q.LookupQuery = service.NewLookupQuery(g.service, q.key, service.Lookup{
			Valid:   func(value []byte) bool { _, ok := q.read(value); return ok },
			InParts: true,
			Compute: g.inTurns(q.search),
		}, q.answer)
		return q, nil
	})
}

func keyOfExperiment(e *compare.Experiment) service.Key {
	key := newKey(KindCompare).Int(len(e.Suits))
	for _, n := range e.Suits {
		key = key.Int(n).Int(len(compare.Ways(n))) // earlier versions compared fewer ways
	}
	return key.Int(e.Deals).Uint(e.Seed).Uint(e.Limit)
}

// compared is the value of an experiment in the cache, as JSON, with a check behind it.
type compared struct {
	Rows      []compare.Row `json:"rows"`
	Generated uint64        `json:"generated"` // by all searches
}

// read reads a value of the cache. ok reports whether it belongs to the experiment.
func (q *CompareQuery) read(value []byte) (c compared, ok bool) {
	value, ok = q.key.Open(value)
	return c, ok && json.Unmarshal(value, &c) == nil
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
	value, err := json.Marshal(c)
	return q.key.Seal(value), err
}

func (q *CompareQuery) answer(value service.Value) (service.Answer[any], error) {
	c, ok := q.read(value.Bytes)
	if !ok {
		return service.Answer[any]{}, &service.Error{Detail: "the counts do not fit their experiment"}
	}
	body := q.out(c.Rows, c.Generated, value.Source())
	searches := 0
	for _, r := range c.Rows {
		searches += r.Deals
	}
	return service.Solved[any](value, body, searches, body.Stats.Nodes), nil
}

func (q *CompareQuery) out(rows []compare.Row, generated uint64, source api.Source) api.BeloteComparison {
	out := api.BeloteComparison{
		Counts: make([]api.BeloteCount, len(rows)), Seed: strconv.FormatUint(q.experiment.Seed, 10), Limit: int(q.experiment.Limit),
		Source: source, Stats: stats(generated, source, q.began), Version: q.game.service.Version(),
	}
	for i, r := range rows {
		out.Counts[i] = api.BeloteCount{
			Suits: r.Suits, Algorithm: api.BeloteAlgorithm(r.Algorithm.String()), Utility: api.BeloteUtility(r.Utility.String()),
			ForwardPruning: r.Pruning, Deals: r.Deals, Limited: r.Limited, Min: int64(r.Min), Median: int64(r.Median),
			Mean: math.Round(r.Mean*10) / 10, P90: int64(r.P90), Max: int64(r.Max),
		}
		paper := uint64(compare.PaperStates)
		if r.Pruning {
			paper = compare.PaperStatesPruned
		}
		// A search that ended at a limit below this number may have taken fewer states or more.
		if r.Suits == 4 && r.Utility == search.Contract && q.experiment.Limit >= paper {
			out.Counts[i].AtMostPaper = &rows[i].BelowPaper
		}
	}
	return out
}
