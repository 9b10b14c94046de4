package logistic

// Predict returns the logarithm of the odds of a row. row holds its codes by column; the model must have been fitted to all of them.
func (m *Model) Predict(row []uint8) float64 {
	score := m.bias
	for i, code := range row {
		score += m.weights[i][code]
	}
	return score
}
