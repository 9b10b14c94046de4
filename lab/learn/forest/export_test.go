package forest

// Predict returns the probability that a row belongs to the class. row holds its codes by column.
func (f *Forest) Predict(row []uint8) float64 {
	sum := 0.0
	for _, t := range f.trees {
		sum += float64(t.predict(row))
	}
	return sum / float64(len(f.trees))
}
