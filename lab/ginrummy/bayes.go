package ginrummy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/worlds"
)

// Proposal sets a distribution to hands to draw.
type Proposal func(v *ginrummy.View, d *worlds.Distribution)

// Bayes returns the estimator that knows the policy of the opponent: Markov chains of the given number of rounds ([worlds.Ladder]), in
// which cards are proposed with the odds of a proposal. What the chains have not visited is not impossible, so the answer is mixed with
// the proposal, which counts as some hands.
func Bayes(name string, proposal Proposal, rounds int, rng *rand.Rand) Estimator {
	const prior = 0.02
	var d worlds.Distribution
	l := worlds.NewLadder(worlds.Penalties()...)
	return Estimator{fmt.Sprintf("%s, %d rounds", name, rounds), func(r *Row) Estimate {
		proposal(&r.View, &d)
		q := d.Probabilities()
		odds := d.Odds
		for c := range odds {
			odds[c] = math.Sqrt(odds[c])
		}
		p := l.Probabilities(&r.View, true, &odds, rounds, rng)
		sum := 0.0
		for _, x := range p {
			sum += x
		}
		if sum == 0 { // no possible history was found
			return q
		}
		for c := range p {
			p[c] += prior * (q[c] - p[c])
		}
		return p
	}}
}
