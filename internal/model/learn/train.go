package learn

import (
	"context"
	"errors"

	"roem/internal/dataset"
	"roem/internal/model"
	"roem/internal/model/network"
)

// Name is the name of the models that [Train] makes.
const Name = "roem-suits"

// Options say what Train makes.
type Options struct {
	network.Training
	Version string
	Workers int
	// Start are the weights to start from, nil for random ones. They may be for other rules, and for the other side declaring.
	Start *model.Further
	Tell  func(network.Progress)
}

// Train trains a network on rows, calibrates it on those kept for that, and returns the file of weights.
func Train(ctx context.Context, rows *Rows, o Options) ([]byte, error) {
	if rows.NodesPerMillisecond <= 0 {
		return nil, errors.New("the data sets do not say how long their searches took: their .us files are missing")
	}
	var start []float32
	var before []model.Stage
	if o.Start != nil {
		start, o.Shape, before = o.Start.Network.Params(), o.Start.Network.Shape(), o.Start.Before
	}
	if o.Start != nil && o.Start.LeaderDeclares != rows.LeaderDeclares {
		start = o.Start.Network.Opposed()
	}
	n, err := network.Train(ctx, o.Training, start, rows.Train, o.Workers, o.Tell)
	if err != nil {
		return nil, err
	}
	return model.Encode(model.Header{
		Name: Name, Version: o.Version, Rules: dataset.Rules(rows.Rules), LeaderDeclares: rows.LeaderDeclares, Calibration: calibrate(n, rows.Calibration),
		NodesPerMillisecond: rows.NodesPerMillisecond, Solver: rows.Solver, Training: o.Training, Before: before, Data: rows.Data, HeldOut: rows.HeldOut,
	}, n)
}
