package paper

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/match"
	"roem/lab/klaverjas/dataset"
)

// valueShare is the share of rows whose outcome is determined too. The paper's Figure 3 also shows 1 %.
const valueShare = 0.01

// drawn reports whether a row is in the sample.
func drawn(row int, seed uint64) bool {
	h := fnv.New64a()
	key := binary.LittleEndian.AppendUint64([]byte("values"), seed)
	_, _ = h.Write(binary.LittleEndian.AppendUint64(key, uint64(row))) // Write never fails
	return float64(h.Sum64()>>11) < valueShare*(1<<53)
}

// values determines the outcome of some rows, as the paper's search does, instead of only the winner. It returns the rows and the nodes
// of each search.
func (e *experiment) values(ctx context.Context, rules klaverjas.Rules, tableBytes int) (rows []int, nodes []uint64, err error) {
	for row := range e.owners {
		if drawn(row, e.options.Seed) {
			rows = append(rows, row)
		}
	}
	solvers := make([]*search.Solver, max(e.options.Workers, 1))
	err = match.Run(ctx, len(rows), e.options.Workers, func(ctx context.Context, worker, i int) (nodes uint64, err error) {
		if solvers[worker] == nil {
			solvers[worker] = search.New(search.Options{TableBytes: tableBytes})
		}
		defer e.options.Told(valuesShare / float64(len(rows)))
		return e.value(ctx, solvers[worker], rules, rows[i])
	}, func(_ int, one uint64) error {
		nodes = append(nodes, one)
		return nil
	})
	return rows, nodes, err
}

func (e *experiment) value(ctx context.Context, solver *search.Solver, rules klaverjas.Rules, row int) (nodes uint64, err error) {
	start, err := klaverjas.NewPosition(rules, dataset.Row{Owners: e.owners[row]}.Deal())
	if err != nil {
		return 0, err
	}
	result, err := solver.Solve(ctx, search.Query{Position: start, Goal: search.Value})
	if err != nil {
		return 0, err
	}
	if result.Won != e.won[row] {
		return 0, fmt.Errorf("row %d of the data set says won %t, its outcome is %d", row, e.won[row], result.Outcome)
	}
	return result.Nodes, nil
}
