package queuekit

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
)

// Attempt is a running attempt at a task. A queue embeds it with what else it knows of the attempt.
type Attempt struct {
	Task     jobs.Task
	Failures int  // of earlier attempts
	Local    bool // it was started by Submit, and uses no slot
	Alone    bool // it must be the only one in slots

	ctx    context.Context
	cancel context.CancelCauseFunc
	began  time.Time

	mu       sync.Mutex
	progress []byte
}

func (a *Attempt) attempt() *Attempt { return a }

// Context returns the context of the handler.
func (a *Attempt) Context() context.Context { return a.ctx }

// Lose ends the handler, whose task was cancelled or taken over.
func (a *Attempt) Lose() { a.cancel(ErrTaken) }

// Progress returns the last report of the handler.
func (a *Attempt) Progress() []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.progress
}

// Working is a running call of Work.
type Working struct {
	Ctx         context.Context
	Concurrency int
	handler     jobs.Handler
	runs        sync.WaitGroup

	// Guarded by Workers.mu.
	active    int       // attempts in slots, and beyond them
	aloneTill time.Time // until then the active attempt must be the only one
}

// Leave ends what Join began.
func (w *Working) Leave() { w.runs.Done() }

// Hooks are what a queue does about its attempts.
type Hooks[R any] struct {
	Works    func(ctx context.Context) (end func())          // Work has begun; end is called after the last handler. Nil for nothing
	Stopped  func()                                          // no waiting task is started any more; nil for nothing
	Claim    func(ctx context.Context, room Room) (R, error) // starts an attempt at the first waiting task that has room; nil for none
	Began    func(r R) (ended func())                        // the attempt is registered; ended is called after the handler
	Holds    func(r R) bool                                  // whether the attempt still has its task; true after an error
	Reported func(r R)                                       // there is progress
	// Save stores the state of an attempt. If the room has takers, it reports whether the task of another one waits.
	Save func(r R, state []byte, room Room) (waits bool, err error)
	// End stores the end of an attempt, unless it does not have its task any more.
	End func(ctx context.Context, r R, end decide.End) (held bool, err error)

	Log       *zap.Logger
	MaxResult int
	Leaving   time.Duration   // how long a process that stops tries to store an end again
	Closed    <-chan struct{} // is closed with the queue
}

type anAttempt interface {
	comparable
	attempt() *Attempt
}

// Workers runs the attempts of a queue in this process. R is a pointer to a struct that embeds Attempt.
type Workers[R anAttempt] struct {
	hooks           Hooks[R]
	wake            chan struct{} // receives when there may be a task to start
	claimingStopped chan struct{}
	stopClaiming    func()

	mu      sync.Mutex
	runs    map[string]R // by ID of the task
	working *Working     // nil while no Work is running
}

// NewWorkers returns the workers of a queue.
func NewWorkers[R anAttempt](hooks Hooks[R]) *Workers[R] {
	ws := &Workers[R]{hooks: hooks, wake: make(chan struct{}, 1), claimingStopped: make(chan struct{}), runs: map[string]R{}}
	ws.stopClaiming = sync.OnceFunc(func() { close(ws.claimingStopped) })
	return ws
}

// StopClaiming makes Work start no more waiting tasks.
func (ws *Workers[R]) StopClaiming() { ws.stopClaiming() }

// Wake makes Work look for a task to start.
func (ws *Workers[R]) Wake() { Signal(ws.wake) }

// Offer is Wake for what all processes are told at once. One without a free slot looks at its next interval: then it has to look for a
// task of another owner, which takes longer.
func (ws *Workers[R]) Offer() {
	ws.mu.Lock()
	free := ws.working != nil && ws.working.active < ws.working.Concurrency
	ws.mu.Unlock()
	if free {
		ws.Wake()
	}
}

// Work is Work of a Queue.
func (ws *Workers[R]) Work(ctx context.Context, handler jobs.Handler, concurrency int) error {
	w := &Working{Ctx: ctx, handler: handler, Concurrency: max(0, concurrency)}
	ws.mu.Lock()
	switch {
	case Closed(ws.hooks.Closed):
		ws.mu.Unlock()
		return jobs.ErrClosed
	case ws.working != nil:
		ws.mu.Unlock()
		return jobs.ErrWorking
	}
	ws.working = w
	ws.mu.Unlock()
	if ws.hooks.Works != nil {
		defer ws.hooks.Works(ctx)()
	}

	err := ws.claim(w)

	ws.mu.Lock()
	ws.working = nil // so that Join returns nil
	ws.mu.Unlock()
	w.runs.Wait()
	return err
}

// pollInterval is how often Work looks for tasks without a notification, and whether an attempt has had its turn.
const pollInterval = 250 * time.Millisecond

// claim starts tasks whenever one waits and has room, until the context ends.
func (ws *Workers[R]) claim(w *Working) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	var none R
	stopped := ws.claimingStopped
	for {
		r, err := none, error(nil)
		if room := ws.Room(w); !room.Full() && !Closed(ws.claimingStopped) && w.Ctx.Err() == nil {
			r, err = ws.hooks.Claim(w.Ctx, room)
		}
		if r != none {
			ws.Start(w, r) // if the context has ended at the last moment, it is given back
			continue
		}
		if err != nil && w.Ctx.Err() == nil && !Closed(ws.hooks.Closed) {
			ws.hooks.Log.Warn("looking for tasks", zap.Error(err))
		}
		select {
		case <-w.Ctx.Done():
			return nil
		case <-ws.hooks.Closed:
			return jobs.ErrClosed
		case <-stopped: // Submit still starts local tasks
			if stopped = nil; ws.hooks.Stopped != nil {
				ws.hooks.Stopped()
			}
		case <-ws.wake:
		case <-tick.C:
		}
	}
}

// Join returns the running Work, or nil. The Work does not return before the caller has called Leave.
func (ws *Workers[R]) Join() *Working {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.working != nil {
		ws.working.runs.Add(1)
	}
	return ws.working
}

// Slots returns how many tasks this process runs at a time, as far as it starts waiting ones.
func (ws *Workers[R]) Slots() int {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.working == nil || Closed(ws.claimingStopped) {
		return 0
	}
	return ws.working.Concurrency
}

// aloneFor is how long a task that must run alone keeps others from its process. One that has run for longer may have hours before it.
const aloneFor = time.Minute

// beyond is how many attempts a process runs beyond its slots. It bounds the memory.
const beyond = 8

// Room is what a process may start beside its running attempts.
type Room struct {
	Active int  // attempts in slots, and beyond them
	Free   bool // a slot is free: any task may start
	// Takers has, if it is not nil, those whose tasks run. No slot is free, but a task of another one may start in place of one that has had
	// its turn.
	Takers map[string]bool
}

// Full reports whether nothing may start.
func (r Room) Full() bool { return !r.Free && r.Takers == nil }

// Fits reports whether a task may start that a taker waits for and that was running at as many deaths. If the first waiting task must run
// alone, and others run, it waits, and so do the tasks behind it: stop.
func (r Room) Fits(taker string, deaths int) (fits, stop bool) {
	alone := deaths >= decide.AloneFrom && r.Active > 0
	if r.Free {
		return !alone, alone
	}
	return !alone && !r.Takers[taker], false
}

// Room returns what the process may start.
func (ws *Workers[R]) Room(w *Working) Room {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	room, now := Room{Active: w.active}, time.Now()
	if now.Before(w.aloneTill) || w.active >= w.Concurrency+beyond {
		return room
	}
	if room.Free = w.active < w.Concurrency; room.Free {
		return room
	}
	turns := 0 // that are not over
	for _, r := range ws.runs {
		if a := r.attempt(); !a.Local && now.Sub(a.began) < jobs.Turn {
			turns++
		}
	}
	if turns < w.Concurrency {
		room.Takers = ws.takers()
	}
	return room
}

// takers returns those whose tasks run in slots or beyond them. The caller holds the lock.
func (ws *Workers[R]) takers() map[string]bool {
	takers := map[string]bool{}
	for _, r := range ws.runs {
		if a := r.attempt(); !a.Local {
			takers[a.Task.Taker()] = true
		}
	}
	return takers
}

// save stores the state of an attempt. If no more attempts may run beyond the slots, it asks whether this one is in the way of others.
func (ws *Workers[R]) save(w *Working, r R, state []byte) error {
	a := r.attempt()
	if err := context.Cause(a.ctx); err != nil || len(state) > jobs.MaxState {
		return err
	}
	ws.mu.Lock()
	room := Room{Active: w.active}
	if !a.Local && w.active >= w.Concurrency+beyond {
		room.Takers = ws.takers()
	}
	ws.mu.Unlock()
	waits, err := ws.hooks.Save(r, state, room)
	if err == nil && waits {
		err = jobs.ErrYield
	}
	return err
}

// All returns the running attempts.
func (ws *Workers[R]) All() []R {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	all := make([]R, 0, len(ws.runs))
	for _, r := range ws.runs {
		all = append(all, r)
	}
	return all
}

// Find returns the running attempt at a task.
func (ws *Workers[R]) Find(task string) (r R, ok bool) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	r, ok = ws.runs[task]
	return r, ok
}

// Stop ends the handler of a cancelled task.
func (ws *Workers[R]) Stop(task string) {
	if r, ok := ws.Find(task); ok {
		r.attempt().Lose()
	}
}

// Start runs the handler. The caller must keep Work from returning in the meantime.
func (ws *Workers[R]) Start(w *Working, r R) {
	a := r.attempt()
	a.ctx, a.cancel = context.WithCancelCause(w.Ctx)
	a.Task.Save = func(state []byte) error { return ws.save(w, r, state) }
	a.began = time.Now()
	ws.mu.Lock()
	ws.runs[a.Task.ID] = r
	if !a.Local {
		w.active++
		if a.Alone {
			w.aloneTill = time.Now().Add(aloneFor)
		}
	}
	ws.mu.Unlock()
	ended := ws.hooks.Began(r)
	w.runs.Go(func() {
		defer ws.Wake()
		defer a.cancel(nil)
		if !ws.hooks.Holds(r) { // cancelled before Stop could find the attempt
			a.Lose()
		}
		var result []byte
		err := context.Cause(a.ctx)
		if err == nil {
			result, err = Perform(a.ctx, w.handler, a.Task, func(progress []byte) { ws.report(r, progress) })
		}
		ended()
		ws.settle(w, r, result, err)
		ws.mu.Lock()
		defer ws.mu.Unlock()
		if other, ok := ws.runs[a.Task.ID]; ok && other.attempt() == a {
			delete(ws.runs, a.Task.ID)
		}
		if !a.Local {
			w.active--
			w.aloneTill = time.Time{}
		}
	})
}

// report keeps a handler's progress report.
func (ws *Workers[R]) report(r R, progress []byte) {
	if len(progress) > decide.MaxDetail {
		return
	}
	a := r.attempt()
	a.mu.Lock()
	a.progress = progress
	a.mu.Unlock()
	ws.hooks.Reported(r)
}

// Sweep calls sweep, which removes old jobs, at intervals of at most a minute until done is closed.
func Sweep(done <-chan struct{}, interval time.Duration, log *zap.Logger, sweep func() error) {
	tick := time.NewTicker(min(interval, time.Minute))
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		if err := sweep(); err != nil && !Closed(done) {
			log.Warn("removing old jobs", zap.Error(err))
		}
	}
}
