// Package bench measures the time and the nodes of the search on sets of deals that are the same on every machine.
package bench

import (
	"context"
	"slices"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/search"
)

// Goals returns every goal, in the order in which they are measured.
func Goals() []search.Goal { return []search.Goal{search.Win, search.Value, search.Moves} }

// Spread describes the distribution of a quantity over deals. Percentiles are by nearest rank: p99 is the least value that at least
// 99 % of the deals do not exceed, the largest of fewer than 100.
type Spread struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// spread sorts the values. There must be at least one.
func spread(values []float64) Spread {
	slices.Sort(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	n := len(values)
	atRank := func(percent int) float64 { return values[(n*percent+99)/100-1] }
	return Spread{Mean: sum / float64(n), P50: atRank(50), P99: atRank(99), Max: values[n-1]}
}

// Row is the measurement of one set of deals with one goal.
type Row struct {
	Set            dealstest.Set `json:"set"`
	Goal           string        `json:"goal"`
	Deals          int           `json:"deals"`
	Won            int           `json:"won"` // by the declarers; it must be the same for every goal and version
	Milliseconds   Spread        `json:"milliseconds"`
	Nodes          Spread        `json:"nodes"` // cards played by the search
	NodesPerSecond float64       `json:"nodes_per_second"`
}

// Measure solves the deals one after the other with one solver. The table is empty for every deal, since the solver resets it when the
// deal changes. A deal that is not measured is solved first, so that the memory of the table is allocated. done is called after every
// deal. The only error is the error of ctx.
func Measure(ctx context.Context, set dealstest.Set, goal search.Goal, deals []klaverjas.Position, done func()) (Row, error) {
	row := Row{Set: set, Goal: goal.String(), Deals: len(deals)}
	if len(deals) == 0 {
		return row, nil
	}
	solver := search.New(search.Options{})
	if err := warmUp(ctx, solver); err != nil {
		return Row{}, err
	}
	took, nodes := make([]float64, 0, len(deals)), make([]float64, 0, len(deals))
	var seconds, played float64
	for _, deal := range deals {
		began := time.Now()
		result, err := solver.Solve(ctx, search.Query{Position: deal, Goal: goal})
		elapsed := time.Since(began)
		if err != nil {
			return Row{}, err
		}
		if result.Won {
			row.Won++
		}
		took = append(took, float64(elapsed)/float64(time.Millisecond))
		nodes = append(nodes, float64(result.Nodes))
		seconds += elapsed.Seconds()
		played += float64(result.Nodes)
		done()
	}
	row.Milliseconds, row.Nodes = spread(took), spread(nodes)
	if seconds > 0 {
		row.NodesPerSecond = played / seconds
	}
	return row, nil
}

// warmUpSeed is an unusual seed, so that no measured deal is solved during the warm-up.
const warmUpSeed = 0x726f656d

func warmUp(ctx context.Context, solver *search.Solver) error {
	deals, err := dealstest.Deals(dealstest.ClassUniform, 1, warmUpSeed)
	if err != nil {
		return err
	}
	_, err = solver.Solve(ctx, search.Query{Position: deals[0], Goal: search.Value})
	return err
}
