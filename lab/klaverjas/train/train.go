package train

import (
	"context"
	"errors"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/network"
	"roem/lab/klaverjas/floatnet"
)

// Name is the name of the models that [Train] makes.
const Name = "roem-suits"

// Options are the options of Train.
type Options struct {
	network.Training
	Version string
	Workers int
	// Start holds the weights to start from; nil for random weights. They may be for other rules or the other declaring side.
	Start *Further
	Tell  func(floatnet.Progress)
}

// Train trains a network on rows, calibrates it on the rows for calibration, and returns the file of weights.
func Train(ctx context.Context, rows *Rows, o Options) ([]byte, error) {
	if rows.NodesPerMillisecond <= 0 {
		return nil, errors.New("the data sets do not say how long their searches took: their .us files are missing")
	}
	var start []float32
	var before []deal.Stage
	if o.Start != nil {
		start, o.Shape, before = o.Start.Network.Params(), o.Start.Network.Shape(), o.Start.Before
	}
	if o.Start != nil && o.Start.LeaderDeclares != rows.LeaderDeclares {
		start = o.Start.Network.Opposed()
	}
	n, err := floatnet.Train(ctx, o.Training, start, rows.Train, o.Workers, o.Tell)
	if err != nil {
		return nil, err
	}
	return finish(n, rows.Calibration, deal.Header{
		Name: Name, Version: o.Version, Rules: klaverjas.RulesJSON(rows.Rules), LeaderDeclares: rows.LeaderDeclares,
		NodesPerMillisecond: rows.NodesPerMillisecond, Solver: rows.Solver, Training: o.Training, Before: before, Data: rows.Data,
		HeldOut: rows.HeldOut,
	})
}

// finish quantises a trained network, calibrates the result, and returns the file of weights.
func finish(n *floatnet.Network, calibration []floatnet.Example, h deal.Header) ([]byte, error) {
	fixed, err := floatnet.Quantise(n, sample())
	if err != nil {
		return nil, err
	}
	h.Calibration = calibrate(fixed, calibration)
	return deal.Encode(h, fixed)
}

// sampleDeals is the number of deals that determine the range of a network's codes.
const sampleDeals = 16384

// sample draws these deals, which are always the same: half uniform, half class-uniform. The latter have more uneven suit lengths.
func sample() []network.Suits {
	rng := index.NewRand(1)
	deals := make([]network.Suits, sampleDeals)
	for i := range deals {
		hands := index.Random(rng, piquet.Clubs, piquet.North)
		if i%2 != 0 {
			hands = index.RandomClassUniform(rng, piquet.Clubs, piquet.North)
		}
		deals[i] = deal.Suits(&hands, piquet.Clubs, piquet.North)
	}
	return deals
}
