package belote

import (
	"slices"

	"roem/internal/engine/belote/compare"
	"roem/internal/service"
)

// defaultMaxSuit is the greatest number of suits where the request names none.
const defaultMaxSuit = 3

// ParseCompare reads the body of compare.
var ParseCompare = service.BodyOf("BeloteCompareRequest", func(g *Game, in compareBody) (*CompareQuery, error) {
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
	return g.newCompareQuery(e), nil
})
