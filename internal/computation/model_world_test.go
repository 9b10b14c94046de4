package computation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// world is a Scheduler with its callers, and what the test knows of them without looking into the Scheduler.
type world struct {
	config  configuration
	s       *Scheduler
	callers []callerState
	shadows map[*computation]*shadow
	order   []*shadow // in the order in which they were made
	runs    int       // runs that have begun
	spawned int       // goroutines that the Scheduler began
	closed  bool
	outcome outcome           // of the run that ends
	value   int               // what it returns
	spoiled []*Slot           // those whose work panicked
	lines   [2][]*computation // the queues before the last step: background, urgent
	passed  int               // how many urgent computations had passed those in the background before it
}

// callerState is what became of a caller.
type callerState struct {
	tried      bool
	refused    error
	w          *Waiter // nil before it joined, and where it was refused
	of         *shadow
	shared     bool // it joined a computation that was there
	executes   bool // its goroutine executes the computation, so that it can do nothing else
	background bool
	left       bool
	done       bool // it must have the result
	result     Result
	err        error // compared by errors.Is, or by its text where it is a *PanicError or a *LimitedError
}

func (c *callerState) live() bool { return c.w != nil && !c.left && !c.done }

// shadow is what the test knows of a computation.
type shadow struct {
	c       *computation
	key     Key
	slot    bool
	client  string
	charged bool
	begun   bool
	members []int      // callers that wait, in the order in which they joined
	execute *execution // nil where it does not run
	last    *run
}

// execution is what the test knows of a run.
type execution struct {
	r         *run
	slot      *Slot
	moved     bool // the deadline has moved since it began
	abandoned bool
}

// until is a context with a deadline that does not end it.
type until struct {
	context.Context //nolint:containedctx // it is a context
	at              time.Time
}

func (u until) Deadline() (time.Time, bool) { return u.at, true }

var (
	passedTime = time.Now().Add(-time.Hour)
	farTime    = time.Now().Add(time.Hour)
)

func newWorld(c configuration) *world {
	w := &world{config: c, s: New(c.options), callers: make([]callerState, len(c.callers)), shadows: map[*computation]*shadow{}}
	w.s.spawn = func(func()) { w.spawned++ } // the test calls execute itself
	return w
}

// run is the Run of every computation.
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

func (w *world) failure() error {
	switch w.outcome {
	case returnsDeadline:
		return fmt.Errorf("wrapped: %w", context.DeadlineExceeded)
	case returnsBusy:
		return fmt.Errorf("wrapped: %w", &BusyError{})
	case returnsLimitedA:
		return fmt.Errorf("wrapped: %w", &LimitedError{Client: "a", Searches: 1})
	case returnsLimitedB:
		return fmt.Errorf("wrapped: %w", &LimitedError{Client: "b", Searches: 1})
	default:
		return errFailure
	}
}

// enabled returns the steps that can follow.
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

// parentOf returns the computation that runs and joins as the caller, nil where it does not run.
func (w *world) parentOf(c caller) *shadow {
	if h := w.callers[c.parent-1].of; h != nil && h.execute != nil {
		return h
	}
	return nil
}

// canEnd reports whether the computation runs and waits for nothing.
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
	want := w.refusal(i)
	st.tried = true
	var inlined bool
	var err error
	st.w, inlined, err = w.s.join(ctx, Spec{Key: c.key, Slot: c.slot, Run: w.run}, c.priority, c.inline)
	if !same(err, want) {
		return fmt.Errorf("error %v, want %v", err, want) //nolint:errorlint // shown, not unwrapped
	}
	if err != nil {
		st.refused = err
		return nil //nolint:nilerr // the refusal was expected
	}
	st.executes = inlined
	if c.priority == ifFree && !inlined {
		return errors.New("no slot was free, and it was not refused")
	}
	h := w.shadows[st.w.c]
	if h != joined {
		return fmt.Errorf("joined %p, want %p", h, joined)
	}
	if h == nil {
		h = &shadow{c: st.w.c, key: c.key, slot: c.slot, client: w.clientOf(i)}
		h.charged = c.slot && w.limited(h.client)
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

// joinable returns the computation of the key that someone waits for.
func (w *world) joinable(key Key) *shadow {
	for _, h := range w.order {
		if key != "" && h.key == key && len(h.members) > 0 {
			return h
		}
	}
	return nil
}

// refusal returns the error that the caller must get that joins.
func (w *world) refusal(i int) error {
	c := w.config.callers[i]
	free := w.s.slots
	for _, h := range w.order {
		if h.execute != nil && h.slot {
			free--
		}
	}
	switch {
	case w.closed:
		return ErrClosed
	case w.joinable(c.key) != nil, !c.slot:
		return nil
	case free > 0, c.priority == first:
	case c.priority == ifFree:
		return &BusyError{}
	case !w.urgent(i), c.parent > 0 && w.callers[c.parent-1].of.begun:
	case len(w.lines[1]) >= w.s.queueLimit:
		return &BusyError{}
	}
	return w.charge(w.clientOf(i))
}

// charge returns the error of a client that has as many computations as it may have.
func (w *world) charge(client string) error {
	n := 0
	for _, h := range w.order {
		if h.charged && h.client == client {
			n++
		}
	}
	if w.limited(client) && n >= w.config.options.Limits.Searches {
		return &LimitedError{Client: client, Searches: n}
	}
	return nil
}

func (w *world) limited(client string) bool {
	return client != "" && w.config.options.Limits.Searches > 0
}

// clientOf returns the client that a new computation of the caller is charged to.
func (w *world) clientOf(i int) string {
	c := w.config.callers[i]
	switch {
	case c.priority > Urgent:
		return ""
	case c.parent > 0:
		return w.callers[c.parent-1].of.client
	default:
		return c.client
	}
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

// abandon notes that no one waits any more.
func (w *world) abandon(h *shadow) {
	if h.execute != nil {
		h.execute.abandoned = true
	} else {
		h.charged = false
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

// tell notes the result that the caller must have.
func (w *world) tell(i int, result Result, err error) {
	st := &w.callers[i]
	st.done, st.result, st.err = true, result, err
}

// end has the run of the computation return.
func (w *world) end(h *shadow, o outcome) {
	x := h.execute
	w.value++
	w.outcome = o
	h.execute, h.charged = nil, false
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

// deliver notes who must have which result of the run.
func (w *world) deliver(h *shadow, x *execution) {
	var rest []int
	for _, i := range h.members {
		switch {
		case w.outcome == returnsValue:
			w.tell(i, Result{Value: w.value, Shared: w.callers[i].shared}, nil)
		case !w.concerned(i, x):
			rest = append(rest, i)
		case w.outcome == panics:
			w.tell(i, Result{}, &PanicError{Value: "a bug"})
		default:
			w.tell(i, Result{Partial: w.value}, w.failure())
		}
	}
	h.members = rest
	for len(h.members) > 0 { // it runs again, if one of them is not limited
		h.client = w.waiterClient(h.members[0])
		if !h.slot {
			break
		}
		err := w.charge(h.client)
		if err == nil {
			h.charged = w.limited(h.client)
			break
		}
		w.tell(h.members[0], Result{}, err)
		h.members = h.members[1:]
	}
}

// concerned reports whether the error of a run is for the caller, before any of the callers has left because of it.
func (w *world) concerned(i int, x *execution) bool {
	switch w.outcome {
	case returnsLimitedA:
		return w.waiterClient(i) == "a"
	case returnsLimitedB:
		return w.waiterClient(i) == "b"
	case returnsBusy:
		return w.urgent(i)
	case returnsDeadline:
		return !x.moved || w.config.callers[i].deadline == passed && w.config.callers[i].parent == 0
	default:
		return true
	}
}

// waiterClient returns the client that a computation which the caller waits for may be charged to.
func (w *world) waiterClient(i int) string {
	if c := w.config.callers[i]; c.priority > Urgent {
		return ""
	}
	return w.clientOf(i)
}

// urgent reports whether a client waits for what the caller waits for.
func (w *world) urgent(i int) bool {
	c := w.config.callers[i]
	if c.parent == 0 {
		return c.priority != Background && !w.callers[i].background
	}
	h := w.callers[c.parent-1].of
	if len(h.members) == 0 {
		return h.c.urgent // it was abandoned and leaves soon: what it waits for stays as urgent as it was
	}
	return w.anyUrgent(h)
}

func (w *world) anyUrgent(h *shadow) bool { return slices.ContainsFunc(h.members, w.urgent) }

// latest returns the deadline of the member with the most time; noDeadline where one has none.
func (w *world) latest(h *shadow) deadline {
	last := passed
	for _, i := range h.members {
		c := w.config.callers[i]
		if c.parent > 0 || c.deadline == noDeadline {
			return noDeadline
		}
		last = max(last, c.deadline)
	}
	return last
}

func same(got, want error) bool {
	switch want := want.(type) { //nolint:errorlint // expected errors are never wrapped
	case nil:
		return got == nil
	case *PanicError:
		p, ok := errors.AsType[*PanicError](got)
		return ok && p.Value == want.Value
	case *BusyError:
		_, ok := errors.AsType[*BusyError](got)
		return ok
	case *LimitedError:
		l, ok := errors.AsType[*LimitedError](got)
		return ok && l.Client == want.Client && l.Searches == want.Searches
	default:
		return got != nil && (errors.Is(got, want) || got.Error() == want.Error())
	}
}
