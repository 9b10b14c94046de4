package hands

import (
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/random"
)

// Sample is a hand and its weight.
type Sample struct {
	Hand   ginrummy.Set
	Weight float64
}

// Weighted appends n hands drawn from the distribution, with weights that make them a sample of the distribution of hands after the history: by Bayes, if
// all hands were equally likely at the deal and the opponent is a simple player. The weights are not normalised.
func (h *History) Weighted(to []Sample, d *Distribution, n int, rng *rand.Rand) []Sample {
	for range n {
		hand, drawn := d.Sample(rng)
		to = append(to, Sample{hand, h.Likelihood(hand, rng) / drawn})
	}
	return to
}

// Probabilities returns the probability of each card in weighted hands, and the effective number of hands. Without any weight it returns 0.
func Probabilities(all []Sample) (p [ginrummy.DeckSize]float64, effective float64) {
	sum, square := 0.0, 0.0
	for _, s := range all {
		sum += s.Weight
		square += s.Weight * s.Weight
		for c := s.Hand; c != 0; c &= c - 1 {
			p[c.First()] += s.Weight
		}
	}
	if sum == 0 {
		return p, 0
	}
	for c := range p {
		p[c] /= sum
	}
	return p, sum * sum / square
}

// Resample appends n hands of weighted hands to a list, each as often as its weight says, by systematic resampling. Without any weight all count
// equally.
func Resample(to []ginrummy.Set, all []Sample, n int, rng *rand.Rand) []ginrummy.Set {
	sum := 0.0
	for _, s := range all {
		sum += s.Weight
	}
	step := sum / float64(n)
	at := random.Float64(rng) * step
	i, upto := 0, 0.0
	if sum > 0 {
		upto = all[0].Weight
	}
	for k := range n {
		if sum <= 0 {
			to = append(to, all[k%len(all)].Hand)
			continue
		}
		for upto <= at+float64(k)*step && i < len(all)-1 {
			i++
			upto += all[i].Weight
		}
		to = append(to, all[i].Hand)
	}
	return to
}
