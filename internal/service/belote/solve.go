package belote

import (
	"context"
	"math"

	"roem/internal/computation"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// Question is what a search is asked about a position.
type Question struct {
	Utility   search.Utility
	Goal      search.Goal
	Algorithm search.Algorithm
	NoPruning bool
}

// SolveQuery is a request for the exact result of a position.
type SolveQuery struct {
	*service.LookupQuery[result]
	game     *Game
	position Position
	question Question
	twin     canonical
}

// The most cards left with which the paper's algorithms are run. Beyond them a search can take hours.
const (
	maxMinimax   = 16
	maxAlphaBeta = 24 // with the utility points
)

// newSolveQuery prepares the query.
func (g *Game) newSolveQuery(p Position, question Question) (*SolveQuery, error) {
	d := p.start.Deal()
	left := d.Deck.Len() - p.now.Played()
	most := math.MaxInt
	switch {
	case question.Algorithm == search.Minimax:
		most = maxMinimax
	case question.Algorithm == search.AlphaBeta && (question.Utility == search.Points || question.Goal == search.Moves):
		most = maxAlphaBeta
	}
	if left > most {
		return nil, service.Refused(violation.New(violation.TooMuch,
			"%s would take too long: %d cards are left, and for this question it is run with at most %d", question.Algorithm, left, most).
			At("/algorithm").Of(question.Algorithm))
	}
	q := &SolveQuery{game: g, position: p, question: question}
	var err error
	if q.twin, err = newCanonical(&p, question.Algorithm != search.Table); err != nil {
		return nil, err
	}
	l := service.Lookup{
		Keys:  []solvecache.Key{q.twin.keyFor(question.bytes()...)},
		Valid: func(value []byte) bool { _, ok := readResult(value, question.Goal, &q.twin); return ok },
		Compute: func(ctx context.Context, task *computation.Task) ([]byte, error) {
			return g.compute(ctx, g.solver(task.Slot()), &q.twin, question, nil)
		},
	}
	if question.Algorithm != search.Table { // the paper's algorithms take slots in turns
		l.InParts = true
		l.Compute = g.inTurns(func(ctx context.Context, _ *computation.Task, solver *search.Solver, pause func() error) ([]byte, error) {
			return g.compute(ctx, solver, &q.twin, question, pause)
		})
	}
	// The key of the query holds the position in its own players and suits, in which the answer is.
	q.LookupQuery = service.NewLookupQuery(g.service, p.appendTo(newKey(KindSolve).Bytes(question.bytes())), l, q.answer)
	return q, nil
}

// bytes writes the question as a part of a key.
func (q Question) bytes() []byte {
	pruning := byte(1)
	if q.NoPruning {
		pruning = 0
	}
	return []byte{byte(q.Utility), byte(q.Goal), byte(q.Algorithm), pruning}
}

// compute searches a canonical form. It returns the result as the cache keeps it.
func (g *Game) compute(ctx context.Context, solver *search.Solver, twin *canonical, q Question, pause func() error) ([]byte, error) {
	r, err := g.solve(ctx, solver, search.Query{
		Position: twin.now, Utility: q.Utility, Goal: q.Goal, Algorithm: q.Algorithm, NoPruning: q.NoPruning, Pause: pause,
	})
	if err != nil {
		return nil, err
	}
	return fromResult(r).value(twin), nil
}

// answer relabels the result with the players and suits of the position.
func (q *SolveQuery) answer(value service.Value) (service.Answer[result], error) {
	f, ok := readResult(value.Bytes, q.question.Goal, &q.twin)
	if !ok {
		return service.Answer[result]{}, &service.Error{Detail: "the result of the search does not fit its position"}
	}
	return service.Solved(value, q.twin.relabel(f), 1, taken(value, f.generated)), nil
}

// taken returns how many states were generated now for a value.
func taken(value service.Value, generated uint64) int64 {
	if value.Source() == service.FromCache {
		return 0
	}
	return int64(generated)
}
