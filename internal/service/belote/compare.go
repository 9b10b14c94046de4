package belote

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// CompareQuery is a request for the paper's experiment over drawn deals.
type CompareQuery struct {
	game       *Game
	experiment compare.Experiment
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
		return &CompareQuery{game: g, experiment: e, began: time.Now()}, nil
	})
}

// Key holds the experiment.
func (q *CompareQuery) Key() []byte {
	e := &q.experiment
	key := newKey(KindCompare).Int(len(e.Suits))
	for _, n := range e.Suits {
		key = key.Int(n)
	}
	return key.Int(e.Deals).Uint(e.Seed).Uint(e.Limit)
}

// lookup says where the counts are in the cache, and how they are found.
func (q *CompareQuery) lookup() service.Lookup {
	return service.Lookup{Keys: []solvecache.Key{solvecache.Key(q.Key())}, Valid: func(value []byte) bool {
		_, ok := q.read(value)
		return ok
	}}
}

// compared is the value of an experiment in the cache, as JSON, with a check behind it.
type compared struct {
	Rows      []compare.Row `json:"rows"`
	Generated uint64        `json:"generated"` // by all searches
}

// check binds a value to the experiment.
func (q *CompareQuery) check(value []byte) uint32 {
	return uint32(xxhash.Sum64(append(q.Key(), value...)))
}

// read reads a value of the cache. ok reports whether it is that of the experiment.
func (q *CompareQuery) read(value []byte) (c compared, ok bool) {
	n := len(value) - checkSize
	if n < 0 || binary.BigEndian.Uint32(value[n:]) != q.check(value[:n]) {
		return c, false
	}
	return c, json.Unmarshal(value[:n], &c) == nil
}

// Known returns the answer if the cache has the counts.
func (q *CompareQuery) Known(ctx context.Context) (service.Answer, bool, error) {
	return q.game.service.KnownAnswer(ctx, q.lookup(), q.answer)
}

// Computation makes the experiment. It takes slots in turns.
func (q *CompareQuery) Computation() computation.Spec {
	return q.game.computationInTurns(q.lookup(), func(
		ctx context.Context, task *computation.Task, solver *search.Solver, pause func() error,
	) ([]byte, error) {
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
		return binary.BigEndian.AppendUint32(value, q.check(value)), err
	})
}

// Answer returns the result, which is the same for all equal queries.
func (q *CompareQuery) Answer(result computation.Result) (service.Answer, error) {
	return q.answer(service.ValueOf(result))
}

func (q *CompareQuery) answer(value service.Value) (service.Answer, error) {
	c, ok := q.read(value.Bytes)
	if !ok {
		return service.Answer{}, &service.Error{Detail: "the counts do not fit their experiment"}
	}
	source := value.Source()
	body := q.out(c.Rows, c.Generated, source)
	searches := 0
	for _, r := range c.Rows {
		searches += r.Deals
	}
	return service.Answer{
		Body: body, Source: source, Nodes: body.Stats.Nodes,
		Progress: computation.Progress{Done: searches, Of: searches, Nodes: uint64(body.Stats.Nodes)},
	}, nil
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
