package tarok

import (
	"cmp"
	"context"
	"slices"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// SolveQuery is a request for a search of a position.
type SolveQuery struct {
	*service.LookupQuery[result]
	game     *Game
	position tarok.Position
	question Question
	key      service.Key
}

const (
	// maxExact is the most cards in a hand with which the exact search is run. Beyond them it can take hours.
	maxExact = 12
	// oneTurn is the most cards in a hand with which the exact search keeps its slot to the end: it takes milliseconds.
	oneTurn = 6
	// shortDepth is the depth up to which a search with a table keeps its slot to the end.
	shortDepth = 9
)

// mostDepth returns the greatest depth of a search with the given number of tricks left: a search without a table makes a hundred
// times as many nodes for each trick.
func mostDepth(table search.Table, tricks int) int {
	switch {
	case table == search.NoTable:
		return 9
	case tricks > 9:
		return 12
	case tricks > 7:
		return 15
	}
	return maxSolveDepth
}

func (g *Game) newSolveQuery(p Position, question Question) (*SolveQuery, error) {
	if p.setup.Contract == tarok.Klop {
		return nil, refused("/contract", violation.NotUsed, "%s", search.ErrKlop)
	}
	tricks := tricksLeft(&p.now)
	switch most := mostDepth(question.Table, tricks); {
	case question.Depth == 0 && tricks > maxExact:
		return nil, refused("/depth", violation.Needed, "is missing: %d tricks are left, and the exact search is run with at most %d",
			tricks, maxExact)
	case question.Depth > most:
		return nil, service.Refused(violation.New(violation.TooMuch, "is %d, expected at most %d with the table %s and %d tricks left",
			question.Depth,
			most, question.Table, tricks).At("/depth").Of(question.Depth).Between(0, most))
	}
	q := &SolveQuery{game: g, position: p.now, question: question, key: keyOf(&p.now, question)}
	l := service.Lookup{
		Valid: func(value []byte) bool { _, ok := readResult(value, q); return ok },
		Compute: func(ctx context.Context, task *computation.Task) ([]byte, error) {
			return g.compute(ctx, g.solver(task.Slot()), q, nil)
		},
	}
	if !q.short() {
		l.InParts = true
		l.Compute = func(ctx context.Context, _ *computation.Task) (bytes []byte, err error) {
			err = g.service.WithPause(ctx, func(ctx context.Context, pause func() error) (err error) {
				bytes, err = g.compute(ctx, newSolver(), q, pause)
				return err
			})
			return bytes, err
		}
	}
	q.LookupQuery = service.NewLookupQuery(g.service, q.key, l, q.answer)
	return q, nil
}

// short reports whether a search keeps its slot to the end. One that may take more than some milliseconds takes slots in turns.
func (q *SolveQuery) short() bool {
	if q.question.Depth > 0 {
		return q.question.Depth <= shortDepth && q.question.Table != search.NoTable
	}
	return tricksLeft(&q.position) <= oneTurn
}

// tricksLeft returns how many tricks are not finished. A beggar can end before the last one.
func tricksLeft(p *tarok.Position) int {
	if p.Finished() {
		return 0
	}
	return tarok.HandSize - p.Played()/3
}

// compute searches. It returns the result as the cache keeps it.
func (g *Game) compute(ctx context.Context, solver *search.Solver, q *SolveQuery, pause func() error) ([]byte, error) {
	var f result
	question := q.question
	goal := question.Goal.String()
	if question.Depth > 0 {
		goal = "depth"
	}
	err := g.measure(ctx, goal, func(ctx context.Context) (uint64, error) {
		if question.Depth > 0 {
			r, err := solver.Estimate(ctx, search.LimitedQuery{
				Position: q.position, Depth: question.Depth, Enhancements: question.Enhancements, Moves: question.Goal == search.Moves, Pause: pause,
			})
			f = fromEstimate(r, q)
			return r.Nodes, err
		}
		r, err := solver.Solve(ctx, search.Query{Position: q.position, Goal: question.Goal, Pause: pause})
		f = fromResult(r)
		return r.Nodes, err
	})
	if err != nil {
		return nil, err
	}
	return f.value(q), nil
}

func (q *SolveQuery) answer(value service.Value) (service.Answer[result], error) {
	f, ok := readResult(value.Bytes, q)
	if !ok {
		return service.Answer[result]{}, &service.Error{Detail: "the result of the search does not fit its position"}
	}
	nodes := int64(f.nodes)
	if value.Source() == api.SourceCache {
		nodes = 0
	}
	return service.Solved(value, f, 1, nodes), nil
}

func (g *Game) outSolution(q *SolveQuery, a service.Answer[result]) api.TarokSolution {
	f := &a.Result
	out := api.TarokSolution{
		Goal: api.TarokGoal(q.question.Goal.String()), Exact: q.question.Depth == 0, Line: outCards(f.line), Source: a.Source,
		Stats:   api.TarokStats{Searched: int64(f.nodes), Nodes: a.Nodes, ElapsedUs: time.Since(a.Began).Microseconds()},
		Version: g.service.Version(),
	}
	beggar := q.position.Setup().Contract == tarok.Beggar
	switch {
	case q.question.Depth > 0:
		value := rounded(f.score)
		out.Depth, out.Value = &q.question.Depth, &value
	case beggar:
		out.Won = &f.won
	default:
		points := tarok.Points(f.thirds)
		out.Thirds, out.Points, out.Won = &f.thirds, &points, &f.won
	}
	if !q.position.Finished() {
		out.Turn = outPlayer(q.position.Turn())
	}
	if q.question.Goal == search.Moves {
		out.Moves = new(q.outMoves(f))
	}
	return out
}

// rounded returns a value to a thousandth of a third of a point.
func rounded(value float64) float64 { return service.Rounded(value, valueDigits) }

const valueDigits = 3

// outMoves returns the moves of a result, the best for their player first.
func (q *SolveQuery) outMoves(f *result) []api.TarokMove {
	setup := q.position.Setup()
	sign := 1.0
	if q.position.Turn() == setup.Declarer {
		sign = -1
	}
	list := slices.Clone(f.moves)
	slices.SortStableFunc(list, func(a, b move) int { return cmp.Compare(sign*a.score, sign*b.score) })
	out := make([]api.TarokMove, len(list))
	for i := range list {
		m := &list[i]
		out[i] = api.TarokMove{Card: m.card.String(), Best: m.score == list[0].score}
		switch {
		case q.question.Depth > 0:
			out[i].Value = new(rounded(m.score))
		case setup.Contract == tarok.Beggar:
			out[i].Won = &m.won
		default:
			out[i].Thirds, out[i].Won = &m.thirds, &m.won
		}
	}
	return out
}
