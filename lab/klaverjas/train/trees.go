package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	model "roem/internal/model/klaverjas/forest"
	"roem/internal/model/nn/weightfile"
	"roem/internal/model/trees"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/matrix"
	"roem/lab/learn/forest"
)

// Deals are deals of data sets, split for training and calibration as [Rows] are, and the sets that are held out.
type Deals struct {
	*Rows // without examples

	train, calibration []dataset.Row
	heldOut            []string
}

// ReadDeals is [Read] for trees.
func ReadDeals(ctx context.Context, dirs, heldOut []string, limit int) (*Deals, error) {
	d := &Deals{heldOut: heldOut}
	r := newReading(limit)
	r.keep = func(row dataset.Row, _ search.Goal, calibrates bool) {
		to := &d.train
		if calibrates {
			to = &d.calibration
		}
		*to = append(*to, row)
	}
	if err := r.all(ctx, dirs, heldOut); err != nil {
		return nil, err
	}
	d.Rows = r.Rows
	if len(d.train) == 0 || len(d.calibration) == 0 {
		return nil, errors.New("there are too few rows to train on and to calibrate with")
	}
	return d, nil
}

// Len returns the numbers of deals to train on, and of those that calibrate.
func (d *Deals) Len() (train, calibration int) { return len(d.train), len(d.calibration) }

// TreesOptions are the options of GrowTrees.
type TreesOptions struct {
	Kind    model.Kind
	Trees   int // of a forest
	Version string
	Seed    uint64
	Workers int    // 0 for one per core
	Grown   func() // called after each tree, by several goroutines; may be nil
}

// Grown is a model that was grown, and what it takes.
type Grown struct {
	File []byte `json:"-"`
	// Of the model.
	Kind   model.Kind `json:"kind"`
	Rows   int        `json:"rows"` // trained on
	Trees  int        `json:"trees"`
	Nodes  int        `json:"nodes"`
	Depth  int        `json:"depth"`
	Bytes  int        `json:"bytes"`
	Memory int        `json:"memory"`
	SHA256 string     `json:"sha256"`
	// Microseconds is the time of a prediction on this machine, on one core, alone and in a list of a thousand. It is not in the file,
	// which is the same on every machine.
	Microseconds       float64          `json:"microseconds"`
	MicrosecondsInList float64          `json:"microseconds_in_list"`
	Measured           []model.Measured `json:"measured"`
	// Uncalibrated is the expected calibration error of the share of the trees itself, on each measured set.
	Uncalibrated []float64 `json:"ece_uncalibrated"`
}

// GrowTrees grows a model with the settings of the paper, calibrates it and measures it, and the network beside it, on the sets that were
// held out. Equal rows and options give the same file.
func GrowTrees(ctx context.Context, d *Deals, o TreesOptions) (*Grown, error) {
	settings := forest.Single(o.Seed)
	if o.Kind == model.Forest {
		settings = forest.Paper(o.Seed)
		settings.Trees = o.Trees
	}
	settings.Workers, settings.Grown = o.Workers, o.Grown
	columns, err := matrix.Extract(ctx, len(d.train), o.Workers, func(row int) [4]piquet.Set { return model.Hands(d.train[row].Deal()) })
	if err != nil {
		return nil, err
	}
	won := make([]bool, len(d.train))
	for i := range won {
		won[i] = d.train[i].Won
	}
	grown, err := forest.Train(ctx, columns.Forest(), won, settings)
	if err != nil {
		return nil, err
	}
	about := model.About{
		Kind: o.Kind, Name: "klaverjas-" + string(o.Kind), Version: o.Version, Rules: klaverjas.RulesJSON(d.Rules),
		LeaderDeclares: d.LeaderDeclares, Solver: d.Solver, Seed: strconv.FormatUint(o.Seed, 10),
		Calibration: model.Calibration{Scale: 1}, Data: d.Data, HeldOut: d.HeldOut,
	}
	shape := trees.Shape{Inputs: model.Inputs, Levels: trees.MaxLevels}
	finish := func() (*model.Model, *trees.Forest, error) {
		if shape.Training, err = json.Marshal(about); err != nil {
			return nil, nil, err
		}
		served, err := grown.Served(shape)
		if err != nil {
			return nil, nil, err
		}
		m, err := model.New(served)
		return m, served, err
	}
	m, _, err := finish()
	if err != nil {
		return nil, err
	}
	about.Calibration = calibrateTrees(m, d.calibration)
	if m, _, err = finish(); err != nil {
		return nil, err
	}
	out := &Grown{Kind: o.Kind, Rows: len(d.train)}
	if err := out.measure(ctx, m, d.heldOut); err != nil {
		return nil, err
	}
	about.Measured = out.Measured
	m, served, err := finish()
	if err != nil {
		return nil, err
	}
	if out.File, err = served.Encode(); err != nil {
		return nil, err
	}
	out.Trees, out.Nodes, out.Depth, out.Memory = served.Trees(), served.Nodes(), served.Depth(), served.Bytes()
	out.Bytes, out.SHA256 = len(out.File), weightfile.Checksum(out.File)
	out.Microseconds, out.MicrosecondsInList = speed(m, d.calibration)
	return out, nil
}

// calibrateTrees fits the correction of a model's share on rows that were not used in training.
func calibrateTrees(m *model.Model, rows []dataset.Row) model.Calibration {
	won := make([]bool, len(rows))
	for i, row := range rows {
		won[i] = row.Won
	}
	logits := m.Logits(dealsOf(rows))
	c := model.Calibration{Scale: 1, Rows: len(rows)}
	if scale, shift, ok := fitLogit(logits, won); ok {
		c.Scale, c.Shift = scale, shift
	}
	return c
}

// measure measures a model and the network on sets.
func (g *Grown) measure(ctx context.Context, m *model.Model, dirs []string) error {
	network, err := deal.Default()
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		set, err := dataset.Open(dir)
		if err != nil {
			return err
		}
		rows, deals, err := readRows(ctx, set)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		raw := m.Logits(deals)
		for i, p := range m.PredictAll(deals) {
			rows[i].WinProbability, raw[i] = p, share(raw[i])
		}
		g.Measured = append(g.Measured, measuredTrees(set, rows, false))
		g.Uncalibrated = append(g.Uncalibrated, calibrationError(rows, raw))
		if predict(network, set, rows, deals) {
			g.Measured = append(g.Measured, measuredTrees(set, rows, true))
		}
	}
	return nil
}

func share(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

// calibrationError returns the expected calibration error of other probabilities of rows.
func calibrationError(rows []judged, p []float64) float64 {
	var t tally
	for i := range rows {
		it := item{p: p[i], bin: min(int(p[i]*eceBins), eceBins-1)}
		if rows[i].won {
			it.won = 1
		}
		t.add(&it)
	}
	return t.figures()[ece]
}

func measuredTrees(set *dataset.Set, rows []judged, network bool) model.Measured {
	var report deal.SetReport
	measure(&report, rows)
	won := 0
	for i := range rows {
		if rows[i].won {
			won++
		}
	}
	return model.Measured{
		Network: network, Sampling: string(set.Manifest.Sampling), Seed: set.Manifest.Seed, Rows: len(rows),
		ShareWon: float64(won) / float64(len(rows)), Accuracy: report.Accuracy, LogLoss: report.LogLoss, Brier: report.Brier,
		ECE: report.ECE, ByConfidence: byConfidence(rows),
	}
}

func dealsOf(rows []dataset.Row) []klaverjas.Deal {
	out := make([]klaverjas.Deal, len(rows))
	for i, row := range rows {
		out[i] = row.Deal()
	}
	return out
}

// speed returns the microseconds of a prediction: one by one, and of a deal of a thousand together.
func speed(m *model.Model, rows []dataset.Row) (one, many float64) {
	deals := dealsOf(rows)
	perDeal := func(d time.Duration, n int) float64 { return float64(d) / float64(time.Microsecond) / float64(n) }
	start := time.Now()
	for _, d := range deals {
		m.Predict(d)
	}
	one = perDeal(time.Since(start), len(deals))
	start = time.Now()
	for part := range slices.Chunk(deals, 1000) {
		m.PredictAll(part)
	}
	return one, perDeal(time.Since(start), len(deals))
}
