package logistic

// Predict returns the logarithm of the odds of a row. row holds its codes by column; the model must have been fitted to all of them.
func (m *Model) Predict(row []uint8) float64 {
	score := m.bias
	for i, code := range row {
		score += m.weights[i][code]
	}
	return score
}

// PredictAll returns the logarithm of the odds of every row. The error is [ErrColumns].
func (m *Model) PredictAll(columns []Column) ([]float64, error) {
	if len(columns) != len(m.weights) {
		return nil, ErrColumns
	}
	out := make([]float64, len(columns[0].Codes))
	for row := range out {
		out[row] = m.bias
	}
	for i, c := range columns {
		if len(c.Codes) != len(out) {
			return nil, ErrColumns
		}
		for row, code := range c.Codes {
			if int(code) >= len(m.weights[i]) {
				return nil, ErrColumns
			}
			out[row] += m.weights[i][code]
		}
	}
	return out, nil
}
