package klaverjas

import (
	"context"
	"time"

	"roem/internal/cards"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
)

// How the speed of searches is measured: random deals of one seed, for so long, after so long that does not count because
// a table is slower while its memory is touched for the first time.
const (
	speedSeed    = 1
	speedWarming = 15 * time.Millisecond
	speedFor     = 45 * time.Millisecond
	speedLimit   = 100 * time.Millisecond // for all of it, on a machine that is busy with other things
)

// MeasureSpeed makes some searches to find out how fast they are on this machine, so that milliseconds are foretold from
// that and not from a guess before anybody has asked for a search. It takes well below a tenth of a second, of one of the
// searchers of the pool, and is no search in the eyes of observers and limits. It returns the nodes of a second, and false
// where nothing could be measured: all searchers are busy, so that requests will show their speed, or ctx has ended.
func (g *Game) MeasureSpeed(ctx context.Context) (perSecond float64, ok bool) {
	done := g.service.TrySlot(ctx, func(ctx context.Context, slot *computation.Slot) {
		perSecond, ok = g.measureSpeed(ctx, computation.Tool(slot, searcherKey{g}, g.searcher))
	})
	return perSecond, done && ok
}

// measureSpeed measures the speed of one searcher.
func (g *Game) measureSpeed(ctx context.Context, searcher Searcher) (perSecond float64, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, speedLimit)
	defer cancel()
	rng := index.NewRand(speedSeed)
	run := func(limit time.Duration) (nodes uint64, took time.Duration) {
		for began := time.Now(); took < limit; {
			position, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), klaverjas.Deal{
				Trump: cards.Clubs, Leader: cards.North, Declarer: cards.NorthSouth,
				Hands: index.Random(rng, cards.Clubs, cards.North),
			})
			if err != nil {
				break
			}
			result, err := searcher.Solve(ctx, search.Query{Position: position, Goal: search.Win})
			if err != nil {
				break
			}
			nodes += result.Nodes
			took = time.Since(began)
		}
		return nodes, took
	}
	run(speedWarming)
	nodes, took := run(speedFor)
	if nodes == 0 || took <= 0 {
		return 0, false
	}
	g.pace.Reset(nodes, took)
	return g.pace.PerSecond(), true
}
