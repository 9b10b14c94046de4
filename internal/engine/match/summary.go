package match

import (
	"math"
	"slices"
	"time"
)

// Pair is the result of one deal: what side A scored above side B in each of the two hands. In the second hand the sides sit in each
// other's places.
type Pair [2]float64

// Summary compares the sides over all deals.
type Summary struct {
	Deals int
	// Difference estimates what A scores above B in a hand, in points, from the means of the pairs. Deals are independent of each other; the
	// two hands of a deal are not.
	Difference Estimate
	// Won, Tied and Lost count the deals by the sign of A's sum over the two hands.
	Won, Tied, Lost int
	// Share estimates the share of deals that A wins, where a tie counts as half.
	Share Estimate
	// Duplication is the variance of the difference divided by what it would be if the hands of a pair were of different deals. It is 0 if no
	// hand differs from the mean.
	Duplication float64
}

// Summarise compares the sides.
func Summarise(pairs []Pair) Summary {
	s := Summary{Deals: len(pairs)}
	means, shares := make([]float64, len(pairs)), make([]float64, len(pairs))
	var single [2][]float64
	for i, p := range pairs {
		means[i] = (p[0] + p[1]) / 2
		switch {
		case means[i] > 0:
			s.Won++
			shares[i] = 1
		case means[i] < 0:
			s.Lost++
		default:
			s.Tied++
			shares[i] = 0.5
		}
		for h := range p {
			single[h] = append(single[h], p[h])
		}
	}
	s.Difference, s.Share = MeanOf(means), ShareOf(shares)
	if apart := (Variance(single[0]) + Variance(single[1])) / 4; apart > 0 {
		s.Duplication = Variance(means) / apart
	}
	return s
}

// Times collects how long decisions took. The zero value is empty. It is not safe for concurrent use.
type Times struct{ all []time.Duration }

// Add adds a decision.
func (t *Times) Add(d time.Duration) { t.all = append(t.all, d) }

// Join adds the decisions of another collection.
func (t *Times) Join(other Times) { t.all = append(t.all, other.all...) }

// Len returns the number of decisions.
func (t *Times) Len() int { return len(t.all) }

// Mean returns the mean time, or 0 if there is no decision.
func (t *Times) Mean() time.Duration {
	if len(t.all) == 0 {
		return 0
	}
	var sum time.Duration
	for _, d := range t.all {
		sum += d
	}
	return sum / time.Duration(len(t.all))
}

// Quantile returns the least time that the share q of the decisions did not exceed, or 0 if there is no decision.
func (t *Times) Quantile(q float64) time.Duration {
	if len(t.all) == 0 {
		return 0
	}
	slices.Sort(t.all)
	return t.all[min(max(int(math.Ceil(q*float64(len(t.all))))-1, 0), len(t.all)-1)]
}
