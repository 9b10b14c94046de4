package belote

import (
	"context"
	"fmt"
	"math"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// SolveQuery is a request for the exact result of a position.
type SolveQuery struct {
	game     *Game
	position Position
	question Question
	twin     canonical
	began    time.Time
	lookup   service.Lookup
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
		return nil, service.NewImpossible(service.Violation{
			Pointer: "/algorithm",
			Detail: fmt.Sprintf("%s would take too long: %d cards are left, and for this question it is run with at most %d",
				question.Algorithm, left, most),
		})
	}
	q := &SolveQuery{game: g, position: p, question: question, began: time.Now()}
	var err error
	if q.twin, err = newCanonical(&p, question.Algorithm != search.Table); err != nil {
		return nil, err
	}
	q.lookup = service.Lookup{
		Keys:  []solvecache.Key{q.twin.keyFor(question.bytes()...)},
		Valid: func(value []byte) bool { _, ok := readResult(value, question.Goal, &q.twin); return ok },
		Compute: func(ctx context.Context, task *computation.Task) ([]byte, error) {
			return g.compute(ctx, g.solver(task.Slot()), &q.twin, question, nil)
		},
	}
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

// Key holds the position in its own players and suits, and the question.
func (q *SolveQuery) Key() []byte {
	return q.position.appendTo(newKey(KindSolve).Bytes(q.question.bytes()))
}

// Known returns the answer if the cache has it.
func (q *SolveQuery) Known(ctx context.Context) (service.Answer, bool, error) {
	return q.game.service.KnownAnswer(ctx, q.lookup, q.answer)
}

// Computation searches the canonical form of the position. The paper's algorithms take slots in turns.
func (q *SolveQuery) Computation() computation.Spec {
	spec := q.game.service.Computation(q.lookup)
	if q.question.Algorithm == search.Table {
		return spec
	}
	return q.game.computationInTurns(q.lookup, func(ctx context.Context, _ *computation.Task, solver *search.Solver,
		pause func() error,
	) ([]byte, error) {
		return q.game.compute(ctx, solver, &q.twin, q.question, pause)
	})
}

// computationInTurns returns the computation of a value that is looked up, which takes slots in turns.
func (g *Game) computationInTurns(
	l service.Lookup,
	compute func(ctx context.Context, task *computation.Task, solver *search.Solver, pause func() error) ([]byte, error),
) computation.Spec {
	return g.service.ComputationInParts(l, func(ctx context.Context, task *computation.Task) (bytes []byte, err error) {
		err = g.inTurns(ctx, func(ctx context.Context, solver *search.Solver, pause func() error) (err error) {
			bytes, err = compute(ctx, task, solver, pause)
			return err
		})
		return bytes, err
	})
}

// Answer relabels the result with the players and suits of the position.
func (q *SolveQuery) Answer(result computation.Result) (service.Answer, error) {
	return q.answer(service.ValueOf(result))
}

func (q *SolveQuery) answer(value service.Value) (service.Answer, error) {
	f, ok := readResult(value.Bytes, q.question.Goal, &q.twin)
	if !ok {
		return service.Answer{}, &service.Error{Detail: "the result of the search does not fit its position"}
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
	return service.Answer{
		Body: out, Source: source, Nodes: took.Nodes,
		Progress: computation.Progress{Done: 1, Of: 1, Nodes: uint64(took.Nodes)},
	}, nil
}

func stats(generated uint64, source api.Source, began time.Time) api.BeloteStats {
	out := api.BeloteStats{Generated: int64(generated), Nodes: int64(generated), ElapsedUs: time.Since(began).Microseconds()}
	if source == api.Cache {
		out.Nodes = 0
	}
	return out
}
