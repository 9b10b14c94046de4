package handstrength

// Where the unseen cards are explains a large part of a deal's value, and its expectation over all worlds is known: each card is at each of
// the other seats in a third of the worlds. So the part of a value that is a sum over the cards of a number for the place of the card
// is a control variate: it is subtracted from each sampled value, and its expectation, 0, need not be added.
//
// The best such sum for a function f of a uniform world is, up to the mean of f, 23/24 times the sum over the cards c of E[f | place of c]
// - E[f]. (If f is a sum of a(c, place) whose sums over the places and over the cards are 0, then E[f | c at o] = a(c, o) - 1/23 of the
// sum of a(c', o) over the other cards c' = 24/23 a(c, o), because each other card is at o with probability 7/23 and at the other places
// with 8/23 each. The projection of any f onto such sums has the same conditional expectations as f.) So no equations need to be solved.

// folds is the number of parts of the sample. The numbers for the worlds of a part are estimated from the other parts, so that they do not
// depend on the worlds that they correct, and the corrected mean is unbiased.
const folds = 4

// steady is the number of worlds whose weight the prior of no effect has in each estimated number.
const steady = 100

// withoutPlaces returns the values of the worlds without what the places of the cards explain.
func withoutPlaces(places [][unseen]uint8, values []float64) []float64 {
	type cell struct{ sum, n float64 }
	var parts [folds][unseen][3]cell
	var all [folds]cell
	for i, value := range values {
		part := &parts[i%folds]
		for c, p := range &places[i] {
			part[c][p].sum += value
			part[c][p].n++
		}
		all[i%folds].sum += value
		all[i%folds].n++
	}
	var effect [folds][unseen][3]float64
	for f := range effect {
		var rest cell
		for g := range parts {
			if g != f {
				rest.sum += all[g].sum
				rest.n += all[g].n
			}
		}
		if rest.n == 0 {
			continue
		}
		mean := rest.sum / rest.n
		weight := rest.n / (rest.n + steady) * (unseen - 1) / unseen
		for c := range effect[f] {
			total := 0.0
			for p := range effect[f][c] {
				var there cell
				for g := range parts {
					if g != f {
						there.sum += parts[g][c][p].sum
						there.n += parts[g][c][p].n
					}
				}
				if there.n > 0 {
					effect[f][c][p] = weight * (there.sum/there.n - mean)
				}
				total += effect[f][c][p]
			}
			for p := range effect[f][c] { // so that the expectation is exactly 0
				effect[f][c][p] -= total / 3
			}
		}
	}
	out := make([]float64, len(values))
	for i, value := range values {
		for c, p := range &places[i] {
			value -= effect[i%folds][c][p]
		}
		out[i] = value
	}
	return out
}

// meanAndVariance returns the mean of the values and their sample variance.
func meanAndVariance(values []float64) (mean, variance float64) {
	n := float64(len(values))
	for _, x := range values {
		mean += x
	}
	mean /= n
	if n < 2 {
		return mean, 0
	}
	for _, x := range values {
		variance += (x - mean) * (x - mean)
	}
	return mean, variance / (n - 1)
}
