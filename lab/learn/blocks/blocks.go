// Package blocks processes rows in blocks, by several goroutines. What belongs to a block does not depend on their number.
package blocks

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each divides n rows into blocks of a size, which several workers process. Each worker calls a function of its own. The error is the
// error of ctx.
func Each(ctx context.Context, n, size, workers int, worker func() func(from, to int)) error {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(workers, (n+size-1)/size) {
		all.Go(func() {
			do := worker()
			for ctx.Err() == nil {
				from := int(next.Add(int64(size))) - size
				if from >= n {
					return
				}
				do(from, min(from+size, n))
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// One is Each for things that are processed one by one, by workers that need nothing of their own.
func One(ctx context.Context, n, workers int, do func(i int)) error {
	return Each(ctx, n, 1, workers, func() func(from, to int) { return func(i, _ int) { do(i) } })
}
