package handstrength

import (
	"context"
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/pause"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/random"
)

// A plan weighs the work of a prediction against the work of a search. The unit is a node. The figures come from one machine; on
// another one the allocation is a little less than optimal, and the estimate as good.
const (
	predictionCost = 90.0  // nodes that a search plays in the time of a prediction
	searchCost     = 300.0 // the fixed cost of a search
	// leastDoubt is added to the variance of a prediction. Without it a world whose winner the network is sure of would hardly ever be
	// searched, and one error there would have a very large weight.
	leastDoubt = 3e-4
	// pilotWorlds is the number of worlds from which the number of worlds of the estimate is computed. They are not used again: the estimate
	// would be biased if its size depended on its own values.
	pilotWorlds = 256
	// priorSearches is the weight of the expected variance of a correction against the measured one.
	priorSearches = 100
	// batchSize is the number of worlds between two looks at the context.
	batchSize = 512
)

// explained returns the share of the variance of the predictions that the places of the cards explain, as measured: half of it for hands
// that may win or lose, and little for hands that nearly always win or nearly always lose.
func explained(variance float64) float64 { return min(3*variance, 0.5) }

// predictions are the predictions for sampled worlds.
type predictions struct {
	layouts
	won     []float64 // the probability that the declarers win
	outcome []float64
	effort  []float64 // the nodes expected of a search
}

// doubt returns the variance of the winner of a world given its prediction.
func (p *predictions) doubt(i int) float64 { return p.won[i]*(1-p.won[i]) + leastDoubt }

// cost returns the expected cost of searching a world.
func (p *predictions) cost(i int) float64 { return p.effort[i] + searchCost }

// predict draws n worlds and predicts them.
func (e *Estimator) predict(
	ctx context.Context, q Question, k *worlds.Knowledge, from uint64, n int, progress func(float64),
) (*predictions, error) {
	p := &predictions{
		layouts: sample(k, stream(q.Seed, from), n),
		won:     make([]float64, n), outcome: make([]float64, n), effort: make([]float64, n),
	}
	size := min(batchSize, n)
	deals, out, covered := make([]klaverjas.Deal, size), make([]deal.Prediction, size), make([]bool, size)
	for at := 0; at < n; at += size {
		pause.Point()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(at+size, n)
		for i := at; i < to; i++ {
			deals[i-at] = q.deal(p.worlds[i])
		}
		e.Predictor.PredictBatch(q.Rules, deals[:to-at], out, covered)
		for i, one := range out[:to-at] {
			p.won[at+i], p.outcome[at+i] = one.WinProbability, one.Outcome
			// The mean of a log-normal number whose logarithm has this mean and this 90 % quantile.
			spread := (one.Log10Nodes90 - one.Log10Nodes) * math.Ln10 / 1.2816
			p.effort[at+i] = math.Exp(one.Log10Nodes*math.Ln10 + spread*spread/2)
		}
		progress(float64(to) / float64(n))
	}
	return p, nil
}

// predicted estimates with the network and, if exact, corrects it by searches.
func (e *Estimator) predicted(
	ctx context.Context, q Question, exact bool, k *worlds.Knowledge, solver Solver, progress func(float64, uint64),
) (Strength, error) {
	none := func(float64) {}
	pilot, err := e.predict(ctx, q, k, pilotStream, pilotWorlds, none)
	if err != nil {
		return Strength{}, err
	}
	p, err := e.predict(ctx, q, k, worldStream, pilot.worldsFor(q, exact), func(share float64) { progress(share/3, 0) })
	if err != nil {
		return Strength{}, err
	}
	adjusted := withoutPlaces(p.places, p.won)
	mean, variance := meanAndVariance(adjusted)
	n := float64(len(p.won))
	s := Strength{WinProbability: mean, Worlds: len(p.won)}
	s.StandardError = math.Sqrt(variance/n + square(ModelError(q.Rules)))
	d := newDistribution(q.Rules)
	means := make([]float64, len(p.won))
	for i := range means {
		means[i] = d.mean(p.outcome[i], p.won[i])
	}
	var meanVariance float64
	s.Mean, meanVariance = meanAndVariance(withoutPlaces(p.places, means))
	s.MeanError = math.Sqrt(meanVariance/n + square(OutcomeError(q.Rules)))
	if !exact {
		for i := range p.won {
			d.add(p.outcome[i], p.won[i])
		}
		s.Examples = p.examples()
		s.Quantiles, s.Pit = d.quantiles(), d.pit()
		progress(1, 0)
		return s, nil
	}
	c, err := p.correct(ctx, q, variance, solver, func(share float64, nodes uint64) { progress((1+2*share)/3, nodes) })
	if err != nil {
		return Strength{}, err
	}
	for i := range p.won {
		d.add(p.outcome[i], p.won[i]+c.by[i])
		s.Mean += c.by[i] * d.gap(p.outcome[i]) / n
	}
	s.WinProbability += c.mean
	s.StandardError = math.Sqrt(variance/n + c.variance)
	s.MeanError = math.Sqrt(meanVariance/n + c.variance*meanGap*meanGap + ConditionalError*ConditionalError)
	s.Searches, s.Nodes = c.searches, c.nodes
	s.Quantiles, s.Pit = d.quantiles(), d.pit()
	s.Examples = p.examples()
	for i := range s.Examples {
		if err := s.Examples[i].solve(ctx, q, solver, &s); err != nil {
			return Strength{}, err
		}
	}
	progress(1, s.Nodes)
	return s, nil
}

// worldsFor returns the number of worlds with which the precision takes the least work.
//
// With N worlds, whose predictions have the variance A after the control variate of the places, and searches of each world with a
// probability k sqrt(v/c), where v is its doubt and c the cost of its search, the variance of the estimate is (A + S/k)/N and the work N
// (p + k S), where S is the mean of sqrt(v c) and p the cost of a prediction. The product of the two is least for k = sqrt(p/A).
func (p *predictions) worldsFor(q Question, exact bool) int {
	_, variance := meanAndVariance(p.won)
	variance += 1 / float64(len(p.won)) // as if one world more had another winner than the rest
	variance *= 1 - explained(variance)
	goal := square(q.Precision)
	if !exact {
		return worldsFor(variance / max(goal-square(ModelError(q.Rules)), goal/8))
	}
	k := math.Sqrt(predictionCost / variance)
	for i := range p.won {
		variance += p.doubt(i) / min(1, k*math.Sqrt(p.doubt(i)/p.cost(i))) / float64(len(p.won))
	}
	return worldsFor(variance / goal)
}

// correction is what searches add to the predictions.
type correction struct {
	by       []float64 // of each world: for a world that was searched, its error divided by the probability that it is searched; else 0
	mean     float64
	variance float64 // of the mean, over the choices of worlds and the winners
	searches int
	nodes    uint64
}

// correct searches some of the worlds: each with a probability of its own, independently. A searched world counts for 1/probability worlds
// (Horvitz and Thompson, 1952), so the expectation of the mean equals the mean of searching all worlds. The probabilities are
// proportional to sqrt(v/c) and as large as the precision needs. variance is the variance of the predictions.
func (p *predictions) correct(
	ctx context.Context, q Question, variance float64, solver Solver, progress func(float64, uint64),
) (correction, error) {
	n := float64(len(p.won))
	goal := max(q.Precision*q.Precision-variance/n, q.Precision*q.Precision/8)
	chances := p.chances(goal * n * n)
	c := correction{by: make([]float64, len(p.won))}
	rng := stream(q.Seed, choiceStream+uint64(q.Trump))
	var chosen []int
	expected := 0.0 // the variance if the doubts of the predictions are right
	for i, chance := range chances {
		if random.Float64(rng) < chance {
			chosen = append(chosen, i)
		}
		expected += p.doubt(i) / chance
	}
	measured := 0.0 // the same from the searches
	for done, i := range chosen {
		result, err := solve(ctx, q, p.worlds[i], search.Win, solver)
		if err != nil {
			return correction{}, err
		}
		c.nodes += result.Nodes
		by := (share(result.Won) - p.won[i]) / chances[i]
		c.by[i] = by
		c.mean += by / n
		measured += by * by
		if done%16 == 15 {
			progress(float64(done+1)/float64(len(chosen)), c.nodes)
		}
	}
	c.searches = len(chosen)
	// Few searches may have found no error by chance, and the network may be wrong more often than it says. So each counts: what is expected
	// as much as priorSearches searches.
	weight := float64(c.searches) / (float64(c.searches) + priorSearches)
	c.variance = (weight*measured + (1-weight)*expected) / (n * n)
	return c, nil
}

// chances returns the probability of searching each world, so that the sum of v/probability is at most most.
func (p *predictions) chances(most float64) []float64 {
	roots := make([]float64, len(p.won)) // sqrt(v/c)
	largest := 0.0
	for i := range roots {
		roots[i] = math.Sqrt(p.doubt(i) / p.cost(i))
		largest = max(largest, 1/roots[i])
	}
	sum := func(k float64) (variance float64) {
		for i, root := range roots {
			variance += p.doubt(i) / min(1, k*root)
		}
		return variance
	}
	low, high := largest*1e-9, largest // with the largest all worlds are searched
	for range 40 {
		if middle := math.Sqrt(low * high); sum(middle) > most {
			low = middle
		} else {
			high = middle
		}
	}
	for i := range roots {
		roots[i] = min(1, high*roots[i])
	}
	return roots
}

func square(x float64) float64 { return x * x }

func share(won bool) float64 {
	if won {
		return 1
	}
	return 0
}

// solve searches a world.
func solve(ctx context.Context, q Question, w worlds.World, goal search.Goal, solver Solver) (search.Result, error) {
	if err := ctx.Err(); err != nil {
		return search.Result{}, err
	}
	start, err := klaverjas.NewPosition(q.Rules, q.deal(w))
	if err != nil {
		return search.Result{}, err
	}
	return solver.Solve(ctx, search.Query{Position: start, Goal: goal})
}
