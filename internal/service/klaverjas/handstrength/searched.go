package handstrength

import (
	"context"
	"math"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
)

const (
	pilotSearches = 64  // worlds from which the number of worlds is computed; they are not used again
	valued        = 200 // worlds of which the outcome is searched, and not only the winner
)

// outcomeOf is the outcome of a searched world.
type outcomeOf struct {
	world   int
	outcome int
	won     bool
	pit     bool
}

// searched estimates with searches alone.
func searched(
	ctx context.Context, q Question, k *worlds.Knowledge, solver Solver, progress func(float64, uint64),
) (Strength, error) {
	var s Strength
	pilot := sample(k, stream(q.Seed, pilotStream), pilotSearches)
	wins := 1.0 // one win and one loss more than there are, so that the variance is not 0
	for _, w := range pilot.worlds {
		result, err := solve(ctx, q, w, search.Win, solver)
		if err != nil {
			return Strength{}, err
		}
		wins += share(result.Won)
		s.Nodes += result.Nodes
	}
	p := wins / (pilotSearches + 2)
	n := worldsFor(p * (1 - p) * (1 - explained(p*(1-p))/2) / (q.Precision * q.Precision))
	l := sample(k, stream(q.Seed, worldStream), n)
	won := make([]float64, n)
	var outcomes []outcomeOf
	for i, w := range l.worlds {
		goal := search.Win
		if i < valued {
			goal = search.Value
		}
		result, err := solve(ctx, q, w, goal, solver)
		if err != nil {
			return Strength{}, err
		}
		s.Nodes += result.Nodes
		won[i] = share(result.Won)
		if goal == search.Value {
			one := outcomeOf{world: i, outcome: result.Outcome, won: result.Won}
			if one.pit, err = pitOf(q, w, result); err != nil {
				return Strength{}, err
			}
			outcomes = append(outcomes, one)
		}
		if i%16 == 15 {
			progress(float64(i+1)/float64(n), s.Nodes)
		}
	}
	mean, variance := meanAndVariance(withoutPlaces(l.places, won))
	s.WinProbability = mean
	// With few worlds all winners may be the same by chance; the variance is then computed with one other winner.
	s.StandardError = math.Sqrt(max(variance, 1/float64(n)) / float64(n))
	s.Worlds, s.Searches = n, n+pilotSearches
	s.summarise(outcomes, l.worlds)
	progress(1, s.Nodes)
	return s, nil
}

// pitOf reports whether the declarers win all tricks in the line of a result.
func pitOf(q Question, w worlds.World, result search.Result) (bool, error) {
	start, err := klaverjas.NewPosition(q.Rules, q.deal(w))
	if err != nil {
		return false, err
	}
	end, err := start.Replay(result.Line)
	return err == nil && end.TricksTaken()[q.Declarer.Opponents()] == 0, err
}

// summarise sets the outcome of s from the outcomes of searched worlds. The worlds that the declarers win together weigh as much as the
// win probability, and so do the others: the outcomes of fewer worlds are known than the winners.
func (s *Strength) summarise(outcomes []outcomeOf, worlds []worlds.World) {
	slices.SortStableFunc(outcomes, func(a, b outcomeOf) int { return a.outcome - b.outcome })
	var count, sum, squares [2]float64
	group := func(won bool) int { return int(share(won)) }
	for _, o := range outcomes {
		g := group(o.won)
		count[g]++
		sum[g] += float64(o.outcome)
		squares[g] += float64(o.outcome) * float64(o.outcome)
	}
	p := min(max(s.WinProbability, 0), 1)
	weight := [2]float64{1 - p, p}
	for g := range weight {
		if count[g] == 0 { // no outcome to give the weight to
			weight[g], weight[1-g] = 0, 1
		}
	}
	s.Mean, s.MeanError = 0, 0
	var means [2]float64
	for g := range weight {
		if count[g] > 0 {
			means[g] = sum[g] / count[g]
			s.Mean += weight[g] * means[g]
			s.MeanError += weight[g] * weight[g] * max(squares[g]/count[g]-means[g]*means[g], 0) / count[g]
		}
	}
	gap := (means[1] - means[0]) * s.StandardError
	s.MeanError = math.Sqrt(s.MeanError + gap*gap)
	below, next := 0.0, 0
	examples := map[float64]outcomeOf{}
	levels := exampleLevels
	for i, o := range outcomes {
		each := weight[group(o.won)] / count[group(o.won)]
		below += each
		for next < len(Levels) && (below >= Levels[next]-1e-12 || i == len(outcomes)-1) {
			s.Quantiles[next] = o.outcome
			next++
		}
		for _, e := range levels {
			if _, found := examples[e.level]; !found && (below >= e.level-1e-12 || i == len(outcomes)-1) {
				examples[e.level] = o
			}
		}
		if o.pit {
			s.Pit += each
		}
	}
	for _, e := range levels {
		o := examples[e.level]
		s.Examples = append(s.Examples, Example{e.kind, worlds[o.world], float64(o.outcome), true})
	}
}
