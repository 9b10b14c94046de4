package tradeoff

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service/klaverjas/hybrid"
	"roem/lab/learn/logistic"
)

// Interrupt searches a deal and interrupts the search after the given number of cards. It returns the progress of the search, or nil if
// the search finished.
type Interrupt func(d *Deal, cards uint64) (*hybrid.Interrupted, error)

// NewInterrupt returns an Interrupt that must not be called by two goroutines at a time.
func NewInterrupt(ctx context.Context, tableBytes int) Interrupt {
	solver := search.New(search.Options{TableBytes: tableBytes})
	return func(d *Deal, most uint64) (*hybrid.Interrupted, error) {
		r, err := solver.Solve(ctx, search.Query{Position: d.Position, Goal: search.Win, MaxNodes: max(most, 1)})
		if !errors.Is(err, search.ErrMaxNodes) {
			return nil, err
		}
		return interruptedOf(r, d.Position.Deal().Declarer), nil
	}
}

func interruptedOf(r search.Result, declarer piquet.Team) *hybrid.Interrupted {
	e := &hybrid.Interrupted{Cards: r.Nodes}
	for i, c := range r.Partial {
		e.Plies[i] = hybrid.Ply{Cards: int(c.Cards), Done: int(c.Done), Declarers: c.Team == declarer}
	}
	return e
}

// The searches for the regression are interrupted after a number of cards between these limits, 0.2 to 4 ms. The logarithm of the number
// is uniform.
const (
	leastNodes = 3_000
	mostNodes  = 60_000
)

// Interrupted holds the features of an interrupted search, with the label of its deal.
type Interrupted struct {
	Features hybrid.Features
	Won      bool
}

// InterruptAll interrupts the search of each deal after a number of cards that depends on the seed and the index of the deal. It returns
// the interrupted searches in the order of the deals, without those that finished before. done is called for each deal.
func InterruptAll(ctx context.Context, deals []Deal, seed uint64, workers int, done func()) ([]Interrupted, error) {
	out := make([][]Interrupted, workers)
	errs := make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			interrupt := NewInterrupt(ctx, search.DefaultTableBytes)
			for i := w * len(deals) / workers; i < (w+1)*len(deals)/workers; i++ {
				d := &deals[i]
				done()
				at := leastNodes * math.Pow(mostNodes/leastNodes, float64(mix(seed+uint64(i))>>11)/(1<<53))
				if d.Cards <= at {
					continue
				}
				e, err := interrupt(d, uint64(at))
				if err != nil {
					errs[w] = err
					return
				}
				if e != nil {
					out[w] = append(out[w], Interrupted{e.Features(d.Prediction), d.Won})
				}
			}
		})
	}
	group.Wait()
	return slices.Concat(out...), errors.Join(errs...)
}

// mix hashes a number (SplitMix64: Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// FitRegression fits a logistic regression of who wins to interrupted searches.
func FitRegression(ctx context.Context, interrupted []Interrupted) (hybrid.Regression, error) {
	var regression hybrid.Regression
	columns := make([]logistic.Column, len(regression.Weights))
	labels := make([]bool, len(interrupted))
	for i := range columns {
		columns[i] = column(interrupted, i)
	}
	for i, s := range interrupted {
		labels[i] = s.Won
	}
	m, err := logistic.Train(ctx, columns, labels, logistic.Default())
	if err != nil {
		return regression, fmt.Errorf("%d interrupted searches: %w", len(interrupted), err)
	}
	bias, slopes := m.Slopes()
	regression.Bias, regression.Rows = bias, len(interrupted)
	copy(regression.Weights[:], slopes)
	return regression, nil
}

// column returns a feature as a column, rounded to one of 256 values.
func column(interrupted []Interrupted, feature int) logistic.Column {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range interrupted {
		low, high = min(low, s.Features[feature]), max(high, s.Features[feature])
	}
	const steps = 255
	step := (high - low) / steps
	if !(step > 0) {
		step = 1
	}
	c := logistic.Column{Codes: make([]uint8, len(interrupted)), Values: make([]float64, steps+1)}
	for code := range c.Values {
		c.Values[code] = low + step*float64(code)
	}
	for i, s := range interrupted {
		c.Codes[i] = uint8(math.Round((s.Features[feature] - low) / step))
	}
	return c
}
