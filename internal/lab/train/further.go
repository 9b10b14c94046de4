package train

import (
	"slices"

	"roem/internal/lab/floatnet"
	"roem/internal/model"
)

// Further is what a file of weights gives to those who train its network further.
type Further struct {
	Network        *floatnet.Network
	LeaderDeclares bool          // whom it is trained for
	Before         []model.Stage // how it came to be
}

// Open returns what it takes to train the network of a file of weights further. The error for a file that cannot be used is a
// *[model.FileError].
func Open(file []byte) (*Further, error) {
	t, fixed, err := model.Decode(file)
	if err != nil {
		return nil, err
	}
	n, err := floatnet.Float(fixed)
	if err != nil {
		return nil, &model.FileError{What: err.Error()}
	}
	return &Further{n, t.LeaderDeclares, append(slices.Clip(t.Before), model.Stage{
		SHA256: t.SHA256, Version: t.Version, LeaderDeclares: t.LeaderDeclares, Training: t.Training, Data: t.Data, HeldOut: t.HeldOut,
	})}, nil
}
