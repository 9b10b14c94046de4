package train

import (
	"slices"

	"roem/internal/lab/floatnet"
	"roem/internal/model"
)

// Further holds what is needed to continue the training of a network.
type Further struct {
	Network        *floatnet.Network
	LeaderDeclares bool          // the declaring side that it is trained for
	Before         []model.Stage // its training so far, the first stage first
}

// Open reads a file of weights to continue the training of its network. If the file cannot be used, the error is a
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
		SHA256: t.SHA256, Version: t.Version, Rules: &t.Rules, LeaderDeclares: t.LeaderDeclares, Training: t.Training, Data: t.Data, HeldOut: t.HeldOut,
	})}, nil
}
