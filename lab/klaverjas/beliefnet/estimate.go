package beliefnet

import (
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/belief"
)

// Estimate is what an estimator says about one view.
type Estimate struct {
	// P is the probability that a seat holds an unseen card. It is 0 for seats that the rules exclude, and its sum over the seats is 1.
	P [32][4]float64
	// World is the gain in the natural logarithm of the probability of the true world, against equally likely worlds. It is not a number if
	// the estimate gives no distribution over worlds.
	World float64
	// Draw draws the holders of the unseen cards from the estimate.
	Draw func(rng *rand.Rand) worlds.World
}

// Estimator estimates who holds the unseen cards of a view. It must not look at the true world but for Estimate.World.
type Estimator struct {
	Name string
	Of   func(ex *Example) (Estimate, error)
}

// Uniform is exact knowledge: all worlds are equally likely.
func Uniform() Estimator {
	return Estimator{"uniform", func(ex *Example) (Estimate, error) {
		e := Estimate{Draw: ex.Knowledge.Sample}
		for c := range ex.Knowledge.Unseen().All() {
			for _, s := range piquet.Seats() {
				e.P[c][s] = ex.Knowledge.Probability(c, s)
			}
		}
		return e, nil
	}}
}

// Belief is the estimate of a network.
func Belief(name string, n *belief.Network) Estimator {
	var sp belief.Space
	return Estimator{name, func(ex *Example) (Estimate, error) {
		n.Forward(&sp, ex.Knowledge)
		return WeightedEstimate(ex, sp.Weights())
	}}
}

// WeightedEstimate returns the estimate of weights by card and seat, normalised exactly over the worlds of the view ([worlds.Weighted]).
func WeightedEstimate(ex *Example, weights *[32][4]float64) (Estimate, error) {
	w, err := ex.Knowledge.Weighted(weights)
	if err != nil {
		return Estimate{}, err
	}
	e := Estimate{World: w.LogProbability(ex.World) + math.Log(float64(ex.Knowledge.Worlds())), Draw: w.Sample}
	for c := range ex.Knowledge.Unseen().All() {
		for _, s := range piquet.Seats() {
			e.P[c][s] = w.Probability(c, s)
		}
	}
	return e, nil
}
