package klaverjas

import (
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
)

// outSolved returns the answer of solve.
func (g *Game) outSolved(q *SolveQuery, a service.Answer[result]) api.KlaverjasSolution {
	return g.solution(q.position, q.goal, a.Result, a.Source, a.Began)
}

// solution converts a result in the seats and suits of the Position to the type of the contract.
func (g *Game) solution(p Position, goal search.Goal, f result, source api.Source, began time.Time) api.KlaverjasSolution {
	out := api.KlaverjasSolution{
		Goal:    api.KlaverjasGoal(goal.String()),
		Won:     f.won,
		Exact:   true,
		Rules:   outRules(p.now.Rules()),
		Deal:    outIdentity(p.now.Deal()),
		Source:  source,
		Version: g.service.Version(),
	}
	if !p.now.Finished() {
		out.Turn = outSeat(p.now.Turn())
	}
	if goal != search.Win {
		line, score := outCards(f.line), outScore(f.score)
		out.Outcome, out.Line, out.Score, out.Pit = &f.outcome, &line, &score, &f.pit
	}
	if goal == search.Moves {
		moves := make([]api.KlaverjasMove, len(f.moves))
		for i, m := range f.moves {
			moves[i] = api.KlaverjasMove{Card: m.Card.String(), Outcome: m.Outcome, Won: m.Won, Best: m.Best}
		}
		out.Moves = &moves
	}
	out.Stats = stats(f.nodes, source, began)
	return out
}

func stats(nodes uint64, source api.Source, began time.Time) api.KlaverjasStats {
	if source == api.SourceCache {
		nodes = 0
	}
	return api.KlaverjasStats{Nodes: int64(nodes), ElapsedUs: time.Since(began).Microseconds()}
}

// solutionResult is a solution in a list.
type solutionResult struct {
	Ok bool `json:"ok"`
	api.KlaverjasSolution
}

// outSolvedBatch returns the answer of solve/batch.
func (g *Game) outSolvedBatch(q *SolveBatchQuery, a service.Answer[[]solvedItem]) api.KlaverjasSolveBatch {
	out := api.KlaverjasSolveBatch{
		Results: make([]any, len(a.Result)), Version: g.service.Version(), Stats: stats(uint64(a.Nodes), a.Source, a.Began),
	}
	for i, item := range a.Result {
		if item.err != nil {
			out.Results[i] = g.service.ItemError(item.err)
			continue
		}
		out.Results[i] = solutionResult{true, g.solution(q.items[i].Value, q.goal, item.result, item.source, item.began)}
	}
	return out
}
