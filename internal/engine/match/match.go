// Package match compares two sides of any game over duplicate deals: each deal is played twice, with the sides swapped. It plays the deals
// with several workers, hands the results on in the order of the deals, and estimates the difference between the sides with its interval.
//
// It knows no game. A game plays the deals and says what each hand was worth.
package match

import (
	"context"
	"sync"
)

// ahead is how many deals for each worker may be finished or under way after the first that is not finished. It bounds the memory.
const ahead = 64

// Run plays the deals 0 to n-1 and calls put with the result of each, in the order of the deals. play is called from as many goroutines as
// there are workers, with the number of its worker, 0 to workers-1; put is called from one goroutine at a time.
//
// Run returns the first error, in the order of the deals, from playing a deal, from put, or from the context. The error does not depend on
// the number of workers.
func Run[R any](
	ctx context.Context, n, workers int, play func(ctx context.Context, worker, deal int) (R, error), put func(deal int, result R) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run[R]{put: put, end: n, window: ahead * max(workers, 1), cancel: cancel, waiting: map[int]R{}}
	r.room = sync.NewCond(&r.mu)
	stop := context.AfterFunc(ctx, func() {
		r.mu.Lock() // otherwise a worker could miss it between its look at the context and its wait
		defer r.mu.Unlock()
		r.room.Broadcast()
	})
	defer stop()
	var all sync.WaitGroup
	for worker := range min(max(workers, 1), max(n, 1)) {
		all.Go(func() {
			for {
				deal, ok := r.next(ctx)
				if !ok {
					return
				}
				result, err := play(ctx, worker, deal)
				r.done(deal, result, err)
			}
		})
	}
	all.Wait()
	if r.err != nil {
		return r.err
	}
	return context.Cause(ctx)
}

// run is the state of one Run.
type run[R any] struct {
	put    func(int, R) error
	window int
	cancel context.CancelFunc

	mu      sync.Mutex
	room    *sync.Cond
	started int       // the deals before it have been given out
	first   int       // the first deal whose result has not been put
	end     int       // no deal from here on is given out
	waiting map[int]R // results of later deals
	err     error     // of the deal end, or of put
	broken  bool      // put has failed
}

// next returns the next deal to play, and false if there is none. It waits while too many deals are ahead of the first unfinished one.
func (r *run[R]) next(ctx context.Context) (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.started < r.end && r.started-r.first >= r.window && ctx.Err() == nil {
		r.room.Wait()
	}
	if r.started >= r.end || ctx.Err() != nil {
		return 0, false
	}
	r.started++
	return r.started - 1, true
}

// done takes the result of a deal.
func (r *run[R]) done(deal int, result R, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.room.Broadcast()
	if err != nil {
		if deal < r.end { // the deals before it go on: one of them may fail too
			r.end, r.err = deal, err
		}
		return
	}
	r.waiting[deal] = result
	for !r.broken {
		next, ok := r.waiting[r.first]
		if !ok {
			return
		}
		delete(r.waiting, r.first)
		if err := r.put(r.first, next); err != nil {
			r.end, r.err, r.broken = r.first, err, true
			r.cancel() // what the other workers play is not needed any more
			return
		}
		r.first++
	}
}
