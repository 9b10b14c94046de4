package belote

import (
	"time"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
)

// outSolution returns the answer of solve.
func (g *Game) outSolution(q *SolveQuery, a service.Answer[result]) api.BeloteSolution {
	f := a.Result
	out := api.BeloteSolution{
		Utility: api.BeloteUtility(q.question.Utility.String()), Goal: api.BeloteGoal(q.question.Goal.String()),
		Algorithm: api.BeloteAlgorithm(q.question.Algorithm.String()), ForwardPruning: !q.question.NoPruning,
		Won: f.won, Line: outCards(f.line), Exact: true, Rules: q.position.outRules(), Source: a.Source, Stats: stats(f.generated, a),
		Version: g.service.Version(),
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
	return out
}

// stats returns what an answer took. generated counts the states also where the cache has the answer.
func stats[R any](generated uint64, a service.Answer[R]) api.BeloteStats {
	return api.BeloteStats{Generated: int64(generated), Nodes: a.Nodes, ElapsedUs: time.Since(a.Began).Microseconds()}
}
