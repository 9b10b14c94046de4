package paper

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"sync"
	"sync/atomic"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/lab/klaverjas/dataset"
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
	nodes = make([]uint64, len(rows))
	var (
		next  atomic.Int64
		all   sync.WaitGroup
		mu    sync.Mutex
		first error
	)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range min(e.options.Workers, len(rows)) {
		all.Go(func() {
			solver := search.New(search.Options{TableBytes: tableBytes})
			for {
				i := int(next.Add(1)) - 1
				if i >= len(rows) {
					return
				}
				err := e.value(ctx, solver, rules, rows[i], &nodes[i])
				e.options.Told(valuesShare / float64(len(rows)))
				if err != nil {
					mu.Lock()
					if first == nil {
						first = err
					}
					mu.Unlock()
					cancel()
					return
				}
			}
		})
	}
	all.Wait()
	return rows, nodes, first
}

func (e *experiment) value(ctx context.Context, solver *search.Solver, rules klaverjas.Rules, row int, nodes *uint64) error {
	start, err := klaverjas.NewPosition(rules, dataset.Row{Owners: e.owners[row]}.Deal())
	if err != nil {
		return err
	}
	result, err := solver.Solve(ctx, search.Query{Position: start, Goal: search.Value})
	if err != nil {
		return err
	}
	if result.Won != e.won[row] {
		return fmt.Errorf("row %d of the data set says won %t, its outcome is %d", row, e.won[row], result.Outcome)
	}
	*nodes = result.Nodes
	return nil
}
