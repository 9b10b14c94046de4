package baselines

import (
	"cmp"
	"math"
	"slices"

	"roem/internal/engine/match"
)

// z is the half width of a 95 % interval in standard deviations.
const z = 1.959964

// share returns a share with Wilson's interval.
func share(n, of int) Interval {
	p := float64(n) / float64(of)
	low, high := match.Wilson(p, float64(of))
	return Interval{Value: p, Low: low, High: high}
}

// mean returns the mean of numbers with the interval of the normal distribution.
func mean(x []float64) Interval {
	n := float64(len(x))
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum += v / n
	}
	for _, v := range x {
		squares += (v - sum) * (v - sum)
	}
	half := 0.0
	if n > 1 {
		half = z * math.Sqrt(squares/(n-1)/n)
	}
	return Interval{Value: sum, Low: sum - half, High: sum + half}
}

// winner measures probabilities of a win.
func winner(r *rows, model string, p []float64) Winner {
	// The probability is limited: a forest can return 0 or 1 and be wrong, and the loss would be infinite.
	const least = 1e-6
	right := 0
	losses, squares := make([]float64, len(p)), make([]float64, len(p))
	for i, won := range r.won {
		if won == (p[i] > 0.5) {
			right++
		}
		y := 0.0
		if won {
			y = 1
		}
		said := math.Abs(1 - y - p[i]) // the predicted probability of the true winner
		losses[i] = -math.Log(max(said, least))
		squares[i] = (p[i] - y) * (p[i] - y)
	}
	return Winner{
		Set: r.info.Sampling, Model: model,
		Accuracy: share(right, len(p)), LogLoss: mean(losses), Brier: mean(squares),
	}
}

// hardness measures predicted efforts.
func hardness(r *rows, model string, p []float64) Hardness {
	off := make([]float64, len(p))
	for i := range p {
		off[i] = math.Abs(p[i] - r.effort[i])
	}
	return Hardness{Set: r.info.Sampling, Model: model, Rank: spearman(p, r.effort), Error: mean(off)}
}

// spearman returns the rank correlation of two lists with the interval of Bonett and Wright (2000). It returns 0 if a list is constant.
func spearman(a, b []float64) Interval {
	ra, rb := ranks(a), ranks(b)
	middle := float64(len(a)-1) / 2 // the mean rank
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range ra {
		ab += (ra[i] - middle) * (rb[i] - middle)
		aa += (ra[i] - middle) * (ra[i] - middle)
		bb += (rb[i] - middle) * (rb[i] - middle)
	}
	if aa == 0 || bb == 0 {
		return Interval{}
	}
	rho := max(-1, min(1, ab/math.Sqrt(aa*bb)))
	half := z * math.Sqrt((1+rho*rho/2)/math.Max(1, float64(len(a)-3)))
	at := math.Atanh(max(-1+1e-12, min(1-1e-12, rho)))
	return Interval{Value: rho, Low: math.Tanh(at - half), High: math.Tanh(at + half)}
}

// ranks returns the rank of each number. Equal numbers get the mean of their ranks.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Compare(x[i], x[k]) })
	out := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return out
}
