package belote

import (
	"context"
	"encoding/binary"
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
	game       *Game
	experiment compare.Experiment
	began      time.Time
}

// The limits and defaults of the contract.
const (
	maxCompared    = 100
	maxLimit       = 10_000_000
	defaultDeals   = 10
	defaultLimit   = 1_000_000
	defaultMaxSuit = 3
)

type compareBody struct {
	Suits *[]int  `json:"suits"`
	Deals *int    `json:"deals"`
	Seed  *string `json:"seed"`
	Limit *int    `json:"limit"`
}

// ParseCompare reads the body of compare.
func (g *Game) ParseCompare(body []byte) (*CompareQuery, error) {
	return service.Decode(g.schemas, body, "BeloteCompareRequest", func(in compareBody) (*CompareQuery, error) {
		e := compare.Experiment{Deals: defaultDeals, Limit: defaultLimit}
		var vs violations
		between := func(pointer string, n *int, most int, set func(int)) {
			switch {
			case n == nil:
			case *n < 1 || *n > most:
				vs = append(vs, service.Violation{Pointer: pointer, Detail: "is out of range"})
			default:
				set(*n)
			}
		}
		between("/deals", in.Deals, maxCompared, func(n int) { e.Deals = n })
		between("/limit", in.Limit, maxLimit, func(n int) { e.Limit = uint64(n) })
		if in.Seed != nil {
			seed, err := service.SeedOf(in.Seed)
			if vs.add("/seed", err); len(*in.Seed) == 20 && err != nil { // too large, which the pattern accepts
				return nil, service.NewImpossible(vs...)
			}
			e.Seed = seed
		}
		for n := range defaultMaxSuit {
			e.Suits = append(e.Suits, n+1)
		}
		if in.Suits != nil {
			e.Suits = *in.Suits
			if len(e.Suits) < 1 || len(e.Suits) > 4 || slices.Min(e.Suits) < 1 || slices.Max(e.Suits) > 4 {
				vs = append(vs, service.Violation{Pointer: "/suits", Detail: "is out of range"})
			}
		}
		if len(vs) > 0 {
			return nil, service.NewMalformed(vs...)
		}
		slices.Sort(e.Suits)
		e.Suits = slices.Compact(e.Suits)
		return &CompareQuery{game: g, experiment: e, began: time.Now()}, nil
	})
}

// Key holds the experiment.
func (q *CompareQuery) Key() []byte {
	key := append(appendVersions(), KindCompare...)
	for _, n := range q.experiment.Suits {
		key = append(key, byte(n))
	}
	key = binary.BigEndian.AppendUint64(append(key, byte(q.experiment.Deals)), q.experiment.Seed)
	return binary.BigEndian.AppendUint64(key, q.experiment.Limit)
}

// Known returns nothing: comparisons are not cached.
func (q *CompareQuery) Known(context.Context) (service.Answer, bool, error) {
	return service.Answer{}, false, nil
}

// Computation makes the experiment. It takes slots in turns.
func (q *CompareQuery) Computation() computation.Spec {
	return computation.Spec{
		Key: sharedKey(KindCompare, q.Key()),
		Run: func(ctx context.Context, task *computation.Task) (any, error) {
			var answer service.Answer
			err := q.game.inTurns(ctx, func(ctx context.Context, solver *search.Solver, pause func() error) error {
				end := service.EffortOf(ctx).BeginSearch()
				var at computation.Progress
				rows, err := q.experiment.Run(ctx, solver, pause, func(done, of int, generated uint64) {
					at = computation.Progress{Done: done, Of: of, Nodes: generated}
					task.Report(at)
				})
				end(at.Nodes)
				if err != nil {
					return err
				}
				answer = service.Answer{Body: q.out(rows, at.Nodes), Source: api.Search, Nodes: int64(at.Nodes), Progress: at}
				return nil
			})
			return answer, err
		},
	}
}

// Answer returns the result, which is the same for all equal queries.
func (q *CompareQuery) Answer(result computation.Result) (service.Answer, error) {
	return asAnswer(result)
}

func (q *CompareQuery) out(rows []compare.Row, generated uint64) api.BeloteComparison {
	out := api.BeloteComparison{
		Counts: make([]api.BeloteCount, len(rows)), Seed: strconv.FormatUint(q.experiment.Seed, 10), Limit: int(q.experiment.Limit),
		Source: api.Search, Stats: stats(generated, api.Search, q.began), Version: q.game.service.Version(),
	}
	for i, r := range rows {
		out.Counts[i] = api.BeloteCount{
			Suits: r.Suits, Algorithm: api.BeloteAlgorithm(r.Algorithm.String()), Utility: api.BeloteUtility(r.Utility.String()),
			ForwardPruning: r.Pruning, Deals: r.Deals, Limited: r.Limited, Min: int64(r.Min), Median: int64(r.Median),
			Mean: math.Round(r.Mean*10) / 10, P90: int64(r.P90), Max: int64(r.Max),
		}
		if r.Suits == 4 && r.Utility == search.Contract {
			out.Counts[i].AtMostPaper = &rows[i].BelowPaper
		}
	}
	return out
}
