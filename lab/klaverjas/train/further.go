package train

import (
	"slices"

	"roem/internal/model/klaverjas/deal"
	"roem/lab/klaverjas/floatnet"
)

// Further holds what is needed to continue the training of a network.
type Further struct {
	Network        *floatnet.Network
	LeaderDeclares bool         // the declaring side that it is trained for
	Before         []deal.Stage // its training so far, the first stage first
}

// Open reads a file of weights to continue the training of its network. If the file cannot be used, the error is a
// *[deal.FileError].
func Open(file []byte) (*Further, error) {
	t, fixed, err := deal.Decode(file)
	if err != nil {
		return nil, err
	}
	n, err := floatnet.Float(fixed)
	if err != nil {
		return nil, &deal.FileError{What: err.Error()}
	}
	return &Further{n, t.LeaderDeclares, append(slices.Clip(t.Before), deal.Stage{
		SHA256: t.SHA256, Version: t.Version, Rules: &t.Rules, LeaderDeclares: t.LeaderDeclares, Training: t.Training, Data: t.Data,
		HeldOut: t.HeldOut,
	})}, nil
}
