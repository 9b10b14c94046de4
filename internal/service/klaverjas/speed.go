package klaverjas

import (
	"context"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// The speed of searches is measured on random deals of speedSeed for speedFor. Before that it searches for speedWarming, which does
// not count: a table is slower while its memory is used for the first time.
const (
	speedSeed    = 1
	speedWarming = 15 * time.Millisecond
	speedFor     = 45 * time.Millisecond
	speedLimit   = 100 * time.Millisecond // for all of it, on a machine that is busy with other things
)

// MeasureSpeed makes some searches to measure the nodes per second on this machine, so that predictions of milliseconds are right
// before the first request. It uses a slot for well below a tenth of a second. Observers and limits do not count its searches. ok
// is false if nothing could be measured, because all slots are busy or ctx has ended. The searches of requests then measure it.
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
				Trump: piquet.Clubs, Leader: piquet.North, Declarer: piquet.NorthSouth,
				Hands: index.Random(rng, piquet.Clubs, piquet.North),
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
