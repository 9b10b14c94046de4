package tradeoff

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/hybrid"
	"roem/internal/lab/logistic"
)

// Stop is a search that is stopped after so many cards. It returns what it has found out, or nil if it has found the answer.
type Stop func(d *Deal, cards uint64) (*hybrid.Evidence, error)

// NewStop returns searches that are stopped, one at a time.
func NewStop(ctx context.Context, tableBytes int) Stop {
	solver := search.New(search.Options{TableBytes: tableBytes})
	return func(d *Deal, most uint64) (*hybrid.Evidence, error) {
		r, err := solver.Solve(ctx, search.Query{Position: d.Position, Goal: search.Win, MaxNodes: max(most, 1)})
		if !errors.Is(err, search.ErrMaxNodes) {
			return nil, err
		}
		return evidenceOf(r, d.Position.Deal().Declarer), nil
	}
}

func evidenceOf(r search.Result, declarer cards.Team) *hybrid.Evidence {
	e := &hybrid.Evidence{Cards: r.Nodes}
	for i, c := range r.Partial {
		e.Plies[i] = hybrid.Ply{Cards: int(c.Cards), Done: int(c.Done), Declarers: c.Team == declarer}
	}
	return e
}

// Searches that evidence is learned from are stopped somewhere between these numbers of cards, each power of ten as often
// as another: 0.2 and 4 ms.
const (
	leastStop = 3_000
	mostStop  = 60_000
)

// Stopped is a search that was stopped, with what is to be learned from it.
type Stopped struct {
	Signs hybrid.Signs
	Won   bool
}

// StopAll stops the searches of those deals that are long enough, each at a number of cards that depends on the seed and its place, and
// returns them in the order of the deals.
func StopAll(ctx context.Context, deals []Deal, seed uint64, workers int, done func()) ([]Stopped, error) {
	out := make([][]Stopped, workers)
	errs := make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			stop := NewStop(ctx, search.DefaultTableBytes)
			for i := w * len(deals) / workers; i < (w+1)*len(deals)/workers; i++ {
				d := &deals[i]
				done()
				at := leastStop * math.Pow(mostStop/leastStop, float64(mix(seed+uint64(i))>>11)/(1<<53))
				if d.Cards <= at {
					continue
				}
				e, err := stop(d, uint64(at))
				if err != nil {
					errs[w] = err
					return
				}
				if e != nil {
					out[w] = append(out[w], Stopped{e.Signs(d.Prediction), d.Won})
				}
			}
		})
	}
	group.Wait()
	return slices.Concat(out...), errors.Join(errs...)
}

// mix makes a number that looks random of another (SplitMix64: Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// FitScale finds what the signs weigh, by logistic regression.
func FitScale(ctx context.Context, stopped []Stopped) (hybrid.Scale, error) {
	var scale hybrid.Scale
	columns := make([]logistic.Column, len(scale.Weights))
	labels := make([]bool, len(stopped))
	for i := range columns {
		columns[i] = column(stopped, i)
	}
	for i, s := range stopped {
		labels[i] = s.Won
	}
	m, err := logistic.Train(ctx, columns, labels, logistic.Default())
	if err != nil {
		return scale, fmt.Errorf("%d stopped searches: %w", len(stopped), err)
	}
	bias, slopes := m.Slopes()
	scale.Bias, scale.Rows = bias, len(stopped)
	copy(scale.Weights[:], slopes)
	return scale, nil
}

// column rounds a sign to one of 256 values.
func column(stopped []Stopped, sign int) logistic.Column {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range stopped {
		low, high = min(low, s.Signs[sign]), max(high, s.Signs[sign])
	}
	const steps = 255
	step := (high - low) / steps
	if !(step > 0) {
		step = 1
	}
	c := logistic.Column{Codes: make([]uint8, len(stopped)), Values: make([]float64, steps+1)}
	for code := range c.Values {
		c.Values[code] = low + step*float64(code)
	}
	for i, s := range stopped {
		c.Codes[i] = uint8(math.Round((s.Signs[sign] - low) / step))
	}
	return c
}
