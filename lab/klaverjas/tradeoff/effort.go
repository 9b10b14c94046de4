package tradeoff

// Hardness is the quality of the predicted effort.
type Hardness struct {
	Rank      float64 // Spearman's rank correlation of the expected and the true number of cards
	WithinP90 float64 // the share of deals that take no more cards than the predicted 90th percentile
	Expected  float64 // expected cards per deal, on average
	Actual    float64 // cards played per deal, on average
}

// Judge compares the expected effort with the true one.
func Judge(deals []Deal) Hardness {
	expected := make([]float64, len(deals))
	actual := make([]float64, len(deals))
	within, sumExpected, sumActual := 0, 0.0, 0.0
	for i := range deals {
		d := &deals[i]
		expected[i], actual[i] = d.Prediction.Effort.Log10, d.Cards
		if d.Cards <= d.Prediction.Effort.P90() {
			within++
		}
		sumExpected += d.Prediction.Effort.Mean()
		sumActual += d.Cards
	}
	n := float64(len(deals))
	return Hardness{
		Rank: spearman(expected, actual), WithinP90: float64(within) / n, Expected: sumExpected / n, Actual: sumActual / n,
	}
}
