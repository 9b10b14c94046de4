package hand

import "roem/internal/model/nn/weightfile"

// Embedded returns the model that comes with the program. Its file is loaded when it is first asked something.
func Embedded() (*Model, error) { return &Model{load: weightfile.Fetched("hand.roemhand", Load)}, nil }
