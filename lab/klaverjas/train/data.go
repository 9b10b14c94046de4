package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	dealmodel "roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/network"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/floatnet"
)

// calibrationParts is the number of parts of the deals. One part is used for the calibration.
const calibrationParts = 32

// Rows holds the rows of data sets, split for training and calibration.
type Rows struct {
	Train          []floatnet.Example
	Calibration    []floatnet.Example
	Data           []dealmodel.Data // of each set, with the rows in Train
	HeldOut        []dealmodel.Data // of each set that was held out
	Dropped        int              // rows that are also in a held-out set
	Rules          klaverjas.Rules
	LeaderDeclares bool
	Solver         string
	// of the search, in the set that was made fastest, since other machines may have been busy; 0 if no time is known
	NodesPerMillisecond float64
}

// Read reads data sets to train on, without the deals of the held-out sets. It reads the first limit rows of each set, or all if limit is
// 0. All sets must have the same rules and declarers.
func Read(ctx context.Context, dirs, heldOut []string, limit int) (*Rows, error) {
	r := newReading(limit)
	r.keep = func(row dataset.Row, goal search.Goal, calibrates bool) {
		to := &r.Train
		if calibrates {
			to = &r.Calibration
		}
		*to = append(*to, example(row, goal))
	}
	if err := r.all(ctx, dirs, heldOut); err != nil {
		return nil, err
	}
	if len(r.Train) == 0 {
		return nil, errors.New("there are no rows to train on")
	}
	return r.Rows, nil
}

// reading is the state of Read.
type reading struct {
	*Rows
	held  map[uint64]struct{} // the canonical indices of the deals that are held out
	first *dataset.Set
	limit int
	keep  func(row dataset.Row, goal search.Goal, calibrates bool) // takes the rows to train on, and those for the calibration
}

func newReading(limit int) *reading {
	return &reading{Rows: new(Rows), held: make(map[uint64]struct{}), limit: limit}
}

// all reads all sets.
func (r *reading) all(ctx context.Context, dirs, heldOut []string) error {
	for _, dir := range heldOut {
		if err := r.holdOut(dir); err != nil {
			return err
		}
	}
	for _, dir := range dirs {
		if err := r.read(ctx, dir); err != nil {
			return err
		}
	}
	if r.first == nil {
		return errors.New("there are no rows to train on")
	}
	r.Rules, r.Solver, r.LeaderDeclares = r.first.Settings.Rules, r.first.Manifest.Solver, leads(r.first.Settings)
	return nil
}

// holdOut reads a set that is held out.
func (r *reading) holdOut(dir string) error {
	set, err := open(dir, &r.first)
	if err != nil {
		return err
	}
	for row, err := range set.Rows() {
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		canonical, _ := index.Canonical(row.Deal())
		r.held[canonical] = struct{}{}
	}
	r.HeldOut = append(r.HeldOut, describe(set, 0))
	return nil
}

// read reads a set to train on.
func (r *reading) read(ctx context.Context, dir string) error {
	set, err := open(dir, &r.first)
	if err != nil {
		return err
	}
	used, read := 0, 0
	var nodes, milliseconds float64
	for row, err := range set.Rows() {
		if err == nil && read&0xffff == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		if r.limit > 0 && read == r.limit {
			break
		}
		read++
		if row.Took > 0 && set.Settings.Goal == search.Win {
			nodes += float64(row.Nodes)
			milliseconds += float64(row.Took) / 1e6
		}
		if r.add(row, set.Settings) {
			used++
		}
	}
	d := describe(set, used)
	d.Limit = r.limit
	r.Data = append(r.Data, d)
	if milliseconds > 0 {
		r.NodesPerMillisecond = max(r.NodesPerMillisecond, nodes/milliseconds)
	}
	return nil
}

// add adds a row to the part that it belongs to, and reports whether it is trained on.
func (r *reading) add(row dataset.Row, s dataset.Settings) bool {
	canonical, _ := index.Canonical(row.Deal())
	if _, ok := r.held[canonical]; ok {
		r.Dropped++
		return false
	}
	if scramble(canonical)%calibrationParts == 0 {
		// The calibration is for deals that were not chosen, and does not use outcomes. Deals of this part that were chosen, or that have a
		// value as label, are not used for training either, since a twin may be in the calibration.
		if s.Goal == search.Win && s.Choice == nil {
			r.keep(row, s.Goal, true)
		}
		return false
	}
	r.keep(row, s.Goal, false)
	return true
}

// describe returns a description of the rows used of a set.
func describe(set *dataset.Set, rows int) dealmodel.Data {
	m := set.Manifest
	d := dealmodel.Data{Sampling: string(m.Sampling), Goal: m.Goal, Seed: m.Seed, Rows: rows, SetRows: m.Rows, Shards: len(m.Shards)}
	if c := m.Choice; c != nil {
		d.Gain, d.ChosenBy = c.Gain, c.Model
	}
	return d
}

// open opens a data set, which must have the same rules and declarers as the first.
func open(dir string, first **dataset.Set) (*dataset.Set, error) {
	set, err := dataset.Open(dir)
	if err != nil {
		return nil, err
	}
	if *first == nil {
		*first = set
	}
	if have, want := set.Settings.Rules, (*first).Settings.Rules; have != want {
		return nil, fmt.Errorf("%s is of other rules than the sets before it", dir)
	}
	if leads(set.Settings) != leads((*first).Settings) {
		return nil, fmt.Errorf("in %s the other team declares than in the sets before it", dir)
	}
	return set, nil
}

// example converts a row to a training example.
func example(row dataset.Row, goal search.Goal) floatnet.Example {
	deal := row.Deal()
	e := floatnet.Example{
		Suits: dealmodel.Suits(&deal.Hands, deal.Trump, deal.Leader), Won: row.Won, Outcome: int16(row.Outcome),
		LogNodes: float32(logNodes(row.Nodes)),
	}
	if goal != search.Win {
		e.LogNodes = float32(math.NaN()) // these are the nodes of the goal value
	}
	return e
}

// logNodes returns log10(1 + nodes). A search can have 0 nodes.
func logNodes(nodes uint64) float64 { return math.Log10(float64(nodes) + 1) }

// scramble hashes an index (the end of SplitMix64: Steele, Lea and Flood 2014).
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// calibrate fits the corrections of a network's outputs on rows that were not used in training.
func calibrate(n *network.Fixed, examples []floatnet.Example) dealmodel.Calibration {
	c := dealmodel.Calibration{Scale: 1, Rows: len(examples)}
	if len(examples) == 0 {
		return c
	}
	outputs := forward(n, examples)
	logits, won := make([]float64, len(outputs)), make([]bool, len(outputs))
	for i, out := range outputs {
		logits[i], won[i] = out[network.Win], examples[i].Won
	}
	if scale, shift, ok := fitLogit(logits, won); ok {
		c.Scale, c.Shift = scale, shift
	}
	// The least shift with which 90 % of the rows are below their predicted quantile.
	over := make([]float64, 0, len(outputs))
	for i, out := range outputs {
		if e := examples[i].LogNodes; e == e {
			over = append(over, float64(e)-max(out[network.Effort], out[network.Effort90]))
		}
	}
	if len(over) > 0 {
		slices.Sort(over)
		c.Effort90Shift = over[min(len(over)-1, int(math.Ceil(0.9*float64(len(over)+1)))-1)]
	}
	return c
}

// fitLogit returns the scale and the shift of the logits of wins with the least log loss. It returns false if it finds none in a
// plausible range.
func fitLogit(logits []float64, won []bool) (scale, shift float64, ok bool) {
	// The log loss is convex, so Newton's method finds the minimum from a start that is near enough. From 1 it overshoots if the network was
	// trained for too long and is far too sure. Then it starts from 0.
	for _, scale = range []float64{1, 0} {
		shift = 0
		for range 20 {
			var g0, g1, h00, h01, h11 float64
			for i, z := range logits {
				p := 1 / (1 + math.Exp(-(scale*z + shift)))
				y := 0.0
				if won[i] {
					y = 1
				}
				w := p * (1 - p)
				g0 += (p - y) * z
				g1 += p - y
				h00 += w * z * z
				h01 += w * z
				h11 += w
			}
			det := h00*h11 - h01*h01
			if !(det > 1e-9) {
				break
			}
			scale -= (h11*g0 - h01*g1) / det
			shift -= (h00*g1 - h01*g0) / det
		}
		if scale > 0.05 && scale < 20 && math.Abs(shift) < 10 {
			return scale, shift, true
		}
	}
	return 1, 0, false
}

// forward computes the outputs of examples.
func forward(n *network.Fixed, examples []floatnet.Example) [][network.Outputs]float64 {
	const batch = 256
	sp := n.NewSpace(batch)
	suits := make([]network.Suits, 0, batch)
	out := make([][network.Outputs]float64, 0, len(examples))
	for part := range slices.Chunk(examples, batch) {
		suits = suits[:0]
		for i := range part {
			suits = append(suits, part[i].Suits)
		}
		n.Forward(sp, suits)
		for i := range part {
			out = append(out, sp.Output(i))
		}
	}
	return out
}
