package boost

// Predict returns the score of a row from its codes by column: the logarithm of the odds with Logistic (see [Probability]), the
// expected target with Squared.
func (m *Model) Predict(row []uint8) float64 {
	score := m.base
	for _, t := range m.trees {
		score += t.predict(row)
	}
	return score
}
