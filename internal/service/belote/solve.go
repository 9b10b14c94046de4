package belote

import (
	"context"
	"math"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// SolveQuery is a request for the exact result of a position.
type SolveQuery struct {
	*service.LookupQuery[any]
	game     *Game
	position Position
	question Question
	twin     canonical
	began    time.Time
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
	q := &SolveQuery{game: g, position: p, question: question, began: time.Now()}
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
func (q *SolveQuery) answer(value service.Value) (service.Answer[any], error) {
	f, ok := readResult(value.Bytes, q.question.Goal, &q.twin)
	if !ok {
		return service.Answer[any]{}, &service.Error{Detail: "the result of the search does not fit its position"}
	}
	f = q.twin.relabel(f)
	source := value.Source()
	took := stats(f.generated, source, q.began)
	out := api.BeloteSolution{
		Utility: api.BeloteUtility(q.question.Utility.String()), Goal: api.BeloteGoal(q.question.Goal.String()),
		Algorithm: api.BeloteAlgorithm(q.question.Algorithm.String()), ForwardPruning: !q.question.NoPruning,
		Won: f.won, Line: outCards(f.line), Exact: true, Rules: q.position.outRules(), Source: source, Stats: took,
		Version: q.game.service.Version(),
	}
	if f.exact {
		out.Points = &f.points
	}
	if f.exact || !f.won {
		d := q.position.start.Deal()
		score := scoreOf(&d, f.points, f.won)
		out.ScoreAfterContract = &api.BelotePoints{A: score[belote.A], B: score[belote.B]}
	}
	if !q.position.now.Finished() {
		out.Turn = outPlayer(q.position.now.Turn())
	}
	if q.question.Goal == search.Moves {
		moves := make([]api.BeloteMove, len(f.moves))
		for i, m := range f.moves {
			moves[i] = api.BeloteMove{Card: m.Card.String(), Won: m.Won, Best: m.Best}
			if m.Exact {
				moves[i].Points = &f.moves[i].Points
			}
		}
		out.Moves = &moves
	}
	return service.Solved[any](value, out, 1, took.Nodes), nil
}

func stats(generated uint64, source api.Source, began time.Time) api.BeloteStats {
	out := api.BeloteStats{Generated: int64(generated), Nodes: int64(generated), ElapsedUs: time.Since(began).Microseconds()}
	if source == api.SourceCache {
		out.Nodes = 0
	}
	return out
}
