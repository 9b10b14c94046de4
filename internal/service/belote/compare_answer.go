package belote

import (
	"math"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
)

// outComparison returns the answer of compare.
func (g *Game) outComparison(q *CompareQuery, a service.Answer[compared]) api.BeloteComparison {
	rows := a.Result.Rows
	out := api.BeloteComparison{
		Counts: make([]api.BeloteCount, len(rows)), Seed: strconv.FormatUint(q.experiment.Seed, 10), Limit: int(q.experiment.Limit),
		Source: a.Source, Stats: stats(a.Result.Generated, a), Version: g.service.Version(),
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
