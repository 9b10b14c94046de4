package ginlab

import (
	"fmt"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/hands"
)

// Proposal sets a distribution to hands to draw.
type Proposal func(v *ginrummy.View, d *hands.Distribution)

// Bayes returns the estimator that knows the policy of the opponent: hands are drawn from a proposal, and weighed by how likely a simple player with the
// hand would have done what the opponent did. Few effective hands are noisy, so the answer is mixed with the proposal, which counts as some hands.
func Bayes(name string, proposal Proposal, draws int, rng *rand.Rand) Estimator {
	const prior = 8
	var (
		d       hands.Distribution
		h       hands.History
		samples []hands.Sample
	)
	return Estimator{fmt.Sprintf("%s, %d hands", name, draws), func(r *Row) Estimate {
		proposal(&r.View, &d)
		h.Set(&r.View, true)
		samples = h.Weighted(samples[:0], &d, draws, rng)
		p, effective := hands.Probabilities(samples)
		q := d.Probabilities()
		for c := range p {
			p[c] = (p[c]*effective + q[c]*prior) / (effective + prior)
		}
		return p
	}}
}
