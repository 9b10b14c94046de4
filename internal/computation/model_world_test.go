package computation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// world is a Scheduler with its callers, and the state that the test tracks separately.
type world struct {
	config  configuration
	s       *Scheduler
	callers []callerState
	shadows map[*computation]*shadow
	order   []*shadow // in the order of creation
	runs    int       // number of runs that have started
	spawned int       // number of goroutines that the Scheduler started
	closed  bool
	outcome outcome           // of the run that ends in this step
	value   int               // the value that it returns
	clock   time.Time         // moves on by longRun when a run ends
	spent   map[string]bool   // the clients that have no time left
	spoiled []*Slot           // slots whose work panicked
	lines   [2][]*computation // the queues before the last step: background, urgent
	passed  int               // how many urgent computations passed the background ones before the last step
}

// callerState is the state of a caller.
type callerState struct {
	tried      bool
	w          *Waiter // nil before it joined, and if it was refused
	of         *shadow
	shared     bool // it joined an existing computation
	executes   bool // its goroutine executes the computation and is blocked
	background bool
	left       bool
	done       bool // it must have the result
	result     Result
	err        error // see same
}

func (c *callerState) live() bool { return c.w != nil && !c.left && !c.done }

// shadow is the state of a computation that the test tracks.
type shadow struct {
	c       *computation
	key     Key
	slot    bool
	request *shadowRequest
	whole   bool // it is the whole request
	first   bool // it was the first of the request that needs a slot
	charged bool
	begun   bool
	members []int      // waiting callers, in the order in which they joined
	execute *execution // nil if it does not run
	last    *run
}

// shadowRequest is the state of a request that the test tracks.
type shadowRequest struct {
	payer    payer
	admitted bool
	counted  bool // by the account of its client
}

// execution is the state of a run that the test tracks.
type execution struct {
	r         *run
	slot      *Slot
	moved     bool // the deadline has moved since the start
	abandoned bool
}

// until is a context whose deadline does not end it.
type until struct {
	context.Context
	at time.Time
}

func (u until) Deadline() (time.Time, bool) { return u.at, true }

// longRun is longer than any burst in the configurations, so that a client with a limit of time has none left after a run.
const longRun = time.Minute

var (
	passedTime = time.Unix(1e9, 0).Add(-time.Hour)
	farTime    = time.Unix(1e9, 0).Add(24 * time.Hour)
)

func newWorld(c configuration) *world {
	w := &world{
		config: c, s: New(c.options), callers: make([]callerState, len(c.callers)), shadows: map[*computation]*shadow{},
		spent: map[string]bool{}, clock: time.Unix(1e9, 0),
	}
	w.s.spawn = func(func()) { w.spawned++ } // the test calls execute
	w.s.now = func() time.Time { return w.clock }
	return w
}

// run is the Run function of every computation.
func (w *world) run(context.Context, *Task) (any, error) {
	switch w.outcome {
	case returnsValue:
		return w.value, nil
	case panics:
		panic("a bug")
	default:
		return w.value, w.failure()
	}
}

// enabled returns the possible next steps.
func (w *world) enabled() []step {
	var steps []step
	for i, c := range w.config.callers {
		st := &w.callers[i]
		switch {
		case !st.tried:
			if c.parent == 0 || w.parentOf(c) != nil {
				steps = append(steps, step{action: doJoin, caller: i})
			}
		case st.live() && !st.executes:
			steps = append(steps, step{action: doLeave, caller: i})
			if c.background && !st.background {
				steps = append(steps, step{action: doSetBackground, caller: i})
			}
		}
	}
	for _, h := range w.order {
		if w.canEnd(h) {
			for _, o := range w.config.outcomes {
				steps = append(steps, step{action: doEnd, caller: w.nameOf(h), outcome: o})
			}
		}
	}
	if !w.closed && len(w.order) > 0 {
		steps = append(steps, step{action: doClose})
	}
	return steps
}

// parentOf returns the running computation that joins as the caller, or nil if it does not run.
func (w *world) parentOf(c caller) *shadow {
	if h := w.callers[c.parent-1].of; h != nil && h.execute != nil {
		return h
	}
	return nil
}

// canEnd reports whether the computation runs and does not wait for another.
func (w *world) canEnd(h *shadow) bool {
	if h.execute == nil {
		return false
	}
	for i := range w.callers {
		if st := &w.callers[i]; st.w != nil && st.w.parent == h.c && (st.live() || st.executes) {
			return false
		}
	}
	return true
}

// nameOf returns the first caller that joined the computation.
func (w *world) nameOf(h *shadow) int {
	return slices.IndexFunc(w.callers, func(st callerState) bool { return st.of == h })
}

func (w *world) apply(s step) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p}
		}
	}()
	w.lines = [2][]*computation{lineOf(&w.s.background), lineOf(&w.s.urgent)}
	w.passed = w.s.passed
	switch s.action {
	case doJoin:
		err = w.join(s.caller)
	case doLeave:
		err = w.leave(s.caller)
	case doSetBackground:
		st := &w.callers[s.caller]
		st.background = true
		st.w.SetBackground()
	case doEnd:
		w.end(w.callers[s.caller].of, s.outcome)
	case doClose:
		w.close()
	}
	if err != nil {
		return fmt.Errorf("%v: %w", s, err)
	}
	return w.observe()
}

func (w *world) join(i int) error {
	c, st := w.config.callers[i], &w.callers[i]
	ctx := WithClient(context.Background(), c.client)
	if c.job {
		ctx = WithJobOf(ctx, c.client)
	}
	if c.parent > 0 {
		// The run may have been cancelled after Join looked at its context and before Join had the lock.
		ctx = context.WithoutCancel(w.parentOf(c).execute.r.ctx)
	}
	if c.priority > Urgent {
		ctx = WithClient(ctx, "")
	}
	switch c.deadline {
	case passed:
		ctx = until{ctx, passedTime}
	case far:
		ctx = until{ctx, farTime}
	}
	joined := w.joinable(c.key)
	r, whole := w.requestOf(i)
	want := w.refusal(i, r)
	st.tried = true
	var inlined bool
	var err error
	st.w, inlined, err = w.s.join(ctx, Spec{Key: c.key, Slot: c.slot, Run: w.run}, c.priority, c.inline)
	if !same(err, want) {
		return fmt.Errorf("error %w, want %w", err, want)
	}
	if st.w == nil {
		return nil
	}
	st.executes = inlined
	if c.priority == ifFree && !inlined {
		return errors.New("no slot was free, but the caller was not refused")
	}
	h := w.shadows[st.w.c]
	if h != joined {
		return fmt.Errorf("joined %p, want %p", h, joined)
	}
	if h == nil {
		h = &shadow{c: st.w.c, key: c.key, slot: c.slot, request: r, whole: whole}
		if c.slot {
			w.admit(h)
		}
		w.shadows[st.w.c] = h
		w.order = append(w.order, h)
	} else {
		st.shared = true
	}
	before := w.latest(h)
	st.of = h
	h.members = append(h.members, i)
	if h.execute != nil && len(h.members) > 1 && w.latest(h) != before {
		h.execute.moved = true
	}
	return nil
}

func (w *world) leave(i int) error {
	st := &w.callers[i]
	h := st.of
	st.left = true
	h.members = slices.DeleteFunc(h.members, func(j int) bool { return i == j })
	var want *run
	if len(h.members) == 0 {
		if h.execute != nil {
			want = h.execute.r
		}
		w.abandon(h)
	}
	if got := st.w.leave(); got != want {
		return fmt.Errorf("cancelled %p, want %p", got, want)
	}
	return nil
}

// abandon records that the computation has no waiter any more.
func (w *world) abandon(h *shadow) {
	if h.execute != nil {
		h.execute.abandoned = true
	} else {
		w.leaves(h)
	}
}

// leaves records that the computation is charged no longer, and that its request ends with it.
func (w *world) leaves(h *shadow) {
	h.charged = false
	if h.whole {
		h.request.counted = false
	}
}

func (w *world) close() {
	w.closed = true
	for _, h := range w.order {
		if len(h.members) > 0 {
			for _, i := range h.members {
				w.tell(i, Result{}, ErrClosed)
			}
			h.members = nil
			w.abandon(h)
		}
	}
	w.s.closeAll()
}

// end lets the run of the computation return.
func (w *world) end(h *shadow, o outcome) {
	x := h.execute
	w.value++
	w.outcome = o
	h.execute = nil
	if h.charged && h.slot && w.config.options.Limits.Time > 0 {
		w.spent[h.request.payer.client] = true
	}
	w.clock = w.clock.Add(longRun)
	w.leaves(h)
	if o == panics && h.slot {
		w.spoiled = append(w.spoiled, x.slot)
	}
	for i := range w.callers {
		if st := &w.callers[i]; st.of == h {
			st.executes = false
		}
	}
	if !x.abandoned {
		w.deliver(h, x)
	}
	w.s.execute(h.c, x.r)
}
