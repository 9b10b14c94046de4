package klaverjas

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/random"
	"roem/internal/service"
)

// worldsRun is the work of one AdviseQuery. It has several parts, each of which has several worlds.
type worldsRun struct {
	q      *AdviseQuery
	drawn  []advice.Sampled // the worlds to search; none with playouts, which draw theirs
	worlds int              // their number
	size   int              // the number of worlds in a part
	sum    *service.Parts
	until  time.Time // when the budget is over; zero for never

	next atomic.Int64 // the first world of the next part

	mu    sync.Mutex
	tally advice.Tally
	ended bool // enough worlds have been searched
}

// run searches the worlds, in several parts at a time, until all are searched or the budget is over. The first world is always
// searched to its end.
func (q *AdviseQuery) run(ctx context.Context, sum *service.Parts) (*advice.Tally, error) {
	r := &worldsRun{q: q, sum: sum, worlds: q.worlds, size: roundWorlds}
	began := time.Now()
	share := q.game.service.ShareOf(ctx)
	switch {
	case q.method != playoutMethod:
		var err error
		if r.drawn, err = q.draw(); err != nil {
			return nil, err
		}
		r.size = min(max(r.worlds/(partsEach*share), 1), partWorlds<<(len(q.question.Knowledge().View().Played)/trickSize))
	case q.all:
		r.size = q.worlds
	}
	var first int
	r.tally, first = q.before()
	r.next.Store(int64(first))
	limited := ctx
	if q.budget != nil {
		r.until = began.Add(*q.budget)
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(ctx, r.until)
		defer cancel()
	}
	var all sync.WaitGroup
	var whole atomic.Pointer[error]
	for range min(share, (r.worlds-first+r.size-1)/r.size) {
		all.Go(func() {
			for {
				first := int(r.next.Add(int64(r.size))) - r.size
				if first >= r.worlds || r.over() || whole.Load() != nil {
					return
				}
				wait := limited
				if first == 0 {
					wait = ctx
				}
				if _, err := computation.Protect(func() (any, error) { return nil, r.part(wait, first) }); err != nil {
					if !r.late(err) {
						whole.CompareAndSwap(nil, &err)
					}
				}
			}
		})
	}
	all.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := whole.Load(); err != nil {
		return nil, *err
	}
	t := r.tally
	return &t, nil
}

// draw returns the worlds to search.
func (q *AdviseQuery) draw() ([]advice.Sampled, error) {
	k, rng := q.question.Knowledge(), index.NewRand(q.seed)
	if q.method == searchMethod {
		return q.question.Uniform(rng, q.worlds), nil
	}
	w, _, err := q.game.guesses.believe(k)
	if err != nil {
		return nil, err
	}
	drawn := players.Draw(k, w, rng, q.worlds)
	if q.all { // a budget may end the searches, so that each beginning of the list must be like the whole
		random.Shuffle(rng, drawn)
	}
	return drawn, nil
}

// A part has at most partWorlds worlds in the first trick, and twice as many in each trick after it: a search of a part keeps its slot for
// some tens of milliseconds. Where there are fewer worlds, each slot gets partsEach parts, so that all slots end at about the same time.
const (
	partWorlds = 8
	partsEach  = 16
)

// part does some worlds with one slot.
func (r *worldsRun) part(ctx context.Context, first int) error {
	last := min(first+r.size, r.worlds)
	return r.q.game.service.Part(ctx, func(ctx context.Context, task *computation.Task) error {
		if r.q.method == playoutMethod {
			return r.playOut(ctx, task.Slot(), first, last)
		}
		return r.search(ctx, task.Slot(), r.drawn[first:last], first == 0)
	})
}

// search searches worlds with the searcher of a slot. must says that the first of them is searched even if the budget is over.
func (r *worldsRun) search(ctx context.Context, slot *computation.Slot, worlds []advice.Sampled, must bool) error {
	q := r.q
	ctx, endSpan := service.StartSpan(ctx, "worlds")
	limited, cancel := ctx, context.CancelFunc(func() {})
	if !r.until.IsZero() {
		limited, cancel = context.WithDeadline(ctx, r.until)
	}
	defer cancel()
	var failed error
	var nodes uint64
	done := 0
	for i, w := range worlds {
		under := limited
		if must && i == 0 {
			under = ctx
		}
		if failed = under.Err(); failed != nil {
			break
		}
		row, n, err := q.question.Solve(under, slotSolver{q.game, slot}, w.World)
		nodes += n
		if failed = err; err != nil || !r.add(row, w.Weight, n) {
			break
		}
		done++
	}
	endSpan(failed)
	r.sum.Add(done, nodes)
	if r.late(failed) {
		return nil
	}
	return failed
}

// late reports whether an error says that the budget is over. A searcher can say so before the timer of its context does.
func (r *worldsRun) late(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && !r.until.IsZero() && !time.Now().Before(r.until)
}

// slotSolver searches with the searcher of a slot.
type slotSolver struct {
	game *Game
	slot *computation.Slot
}

// Solve searches a position and records the effort.
func (s slotSolver) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	return s.game.search(ctx, s.slot, q)
}

// add adds the result of a world. It reports whether more are wanted.
func (r *worldsRun) add(row advice.Row, weight float64, nodes uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return false
	}
	r.tally.Add(r.q.question, row, weight)
	r.tally.Nodes += nodes
	if n := r.tally.Worlds; r.q.budget != nil && r.worlds > fewWorlds && n%advice.StopEvery == 0 {
		r.ended = r.q.question.Separated(&r.tally, r.q.objective, budgetErrors, r.q.distinct())
	}
	return !r.ended
}

// Playouts are done in rounds, which are the parts. A round draws its candidates by a stream of random numbers of its own, so that the
// result does not depend on which slot does which round.
const (
	roundWorlds     = 100
	roundCandidates = advice.CandidatesEach * roundWorlds
)

// playOut does a round: it weighs candidates by what was played and plays worlds out. The round that begins with the first world is always
// done whole; another one that the budget ends counts for nothing.
func (r *worldsRun) playOut(ctx context.Context, slot *computation.Slot, first, last int) error {
	q := r.q
	ctx, endSpan := service.StartSpan(ctx, "playouts")
	var err error
	defer func() { endSpan(err) }()
	if first > 0 && !r.until.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, r.until)
		defer cancel()
	}
	o := advice.DefaultPlayouts(last - first)
	if q.all {
		o.Worlds, o.Candidates = q.worlds, q.worlds
	}
	o.Weights.Prior = q.prior
	t, err := q.game.guesses.playOut(ctx, slot, q, first, o)
	if err != nil {
		if r.late(err) {
			err = nil
		}
		return err
	}
	r.merge(t)
	r.sum.Add(last-first, 0)
	return nil
}

// playoutStream names the random numbers of playouts among the streams of a seed.
const playoutStream = 0x706c6179

// merge adds the tally of a round.
func (r *worldsRun) merge(t *advice.Tally) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.tally.Merge(t)
	r.ended = r.q.budget != nil && r.q.question.Separated(&r.tally, r.q.objective, budgetErrors, false)
}

func (r *worldsRun) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}
