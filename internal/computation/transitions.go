package computation

import (
	"container/list"
	"context"
	"errors"
	"slices"
	"time"
)

// computation is the one object of a computation. The Scheduler's lock guards all of it, but spec and values, which are constant,
// and client, which changes only between two runs.
type computation struct {
	spec     Spec
	values   context.Context //nolint:containedctx // its values are for Run; its end is not
	client   string          // what it needs is charged to this client
	account  *account        // nil where nothing is charged
	waiters  []*Waiter       // in the order in which they came; none once it is abandoned or has ended
	children []*Waiter       // where it is a waiter itself
	urgent   bool            // a client waits for it
	begun    bool            // it has, or a computation that it waits for has, had a slot
	deadline time.Time       // of the waiter with the most time; zero where one has no deadline
	extended bool            // the deadline was moved while it ran
	queued   time.Time
	place    *list.Element // in the queue; nil where it does not wait
	run      *run          // nil until it runs
	inline   bool          // the first waiter's goroutine runs it
	probe    bool          // it says nothing of how long a slot is kept; constant
	progress Progress
}

// run is one execution of a computation.
type run struct {
	ctx     context.Context //nolint:containedctx // made for the goroutine that executes it
	cancel  context.CancelFunc
	task    *Task
	ended   chan struct{} // closed once partial is set
	partial any           // what it returned with an error
}

// add makes w a waiter of c.
func (s *Scheduler) add(c *computation, w *Waiter) {
	w.c = c
	c.waiters = append(c.waiters, w)
	if w.parent != nil {
		w.parent.children = append(w.parent.children, w)
		if c.begun {
			markBegun(w.parent)
		}
	}
	before := c.deadline
	s.reconsider(c)
	if len(c.waiters) > 1 && c.deadline != before {
		c.extended = true
	}
	if c.progress.Of > 0 {
		w.notify()
	}
}

// reconsider derives from its waiters what c is: whether it is urgent, and its deadline. What becomes urgent goes to the end of the
// urgent queue, which it may make longer than its limit, and back when it no longer is.
func (s *Scheduler) reconsider(c *computation) {
	urgent := false
	c.deadline = time.Time{}
	unlimited := false
	for _, w := range c.waiters {
		urgent = urgent || w.isUrgent()
		unlimited = unlimited || w.deadline.IsZero()
		if w.deadline.After(c.deadline) {
			c.deadline = w.deadline
		}
	}
	if unlimited {
		c.deadline = time.Time{}
	}
	if urgent == c.urgent {
		return
	}
	if c.place != nil {
		s.dequeue(c)
		c.urgent = urgent
		s.enqueue(c)
	}
	c.urgent = urgent
	for _, child := range c.children {
		s.reconsider(child.c)
	}
}

func (s *Scheduler) lineOf(c *computation) *list.List {
	if c.urgent {
		return &s.urgent
	}
	return &s.background
}

func (s *Scheduler) enqueue(c *computation) { c.place = s.lineOf(c).PushBack(c) }

func (s *Scheduler) dequeue(c *computation) {
	s.lineOf(c).Remove(c.place)
	c.place = nil
}

// start gives c a slot, if it needs one and there is one for it, and has it run.
func (s *Scheduler) start(c *computation, now time.Time) {
	task := &Task{scheduler: s, c: c, queued: c.queued, started: now}
	if c.spec.Slot {
		last := len(s.free) - 1
		task.slot = s.free[last]
		s.free = s.free[:last]
		markBegun(c)
	}
	r := &run{task: task, ended: make(chan struct{})}
	base := c.values
	if !c.inline {
		base = context.WithoutCancel(base)
	}
	base, r.cancel = context.WithCancel(base)
	if c.inline {
		r.ctx = context.WithValue(base, taskKey{}, task)
	} else {
		r.ctx = runContext{base, task}
	}
	c.run, c.extended = r, false
	s.running.Add(1)
	if !c.inline {
		s.spawn(func() { s.execute(c, r) })
	}
}

// markBegun notes that c has had a slot, and so those that wait for it.
func markBegun(c *computation) {
	if c.begun {
		return
	}
	c.begun = true
	for _, w := range c.waiters {
		if w.parent != nil {
			markBegun(w.parent)
		}
	}
}

// finish ends a run: the slot goes to the next in the queue, and the waiters have the result. An error that does not concern all of
// them is for those whom it concerns; for the others the computation runs again.
func (s *Scheduler) finish(c *computation, r *run, value any, err error) {
	defer s.running.Done()
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	r.cancel()
	if err != nil {
		r.partial = value
	}
	close(r.ended)
	took := time.Duration(0)
	if slot := r.task.slot; slot != nil {
		took = now.Sub(r.task.started)
		if !c.probe {
			s.mean += (took - s.mean) / meanWeight
		}
		if _, panicked := errors.AsType[*PanicError](err); panicked {
			slot = &Slot{} // its tools may be in any state
		}
		s.free = append(s.free, slot)
	}
	if _, ok := s.abandoned[r]; ok {
		delete(s.abandoned, r)
		s.accounts.leave(c.account, now, took)
		s.dispatch(now)
		return
	}
	c.waiters = slices.DeleteFunc(c.waiters, func(w *Waiter) bool {
		switch {
		case err == nil:
			w.settle(Result{Value: value, Shared: w.shared}, nil)
		case w.concerned(err, c.extended, now):
			w.settle(Result{Partial: value}, err)
		default:
			return false
		}
		return true
	})
	s.accounts.leave(c.account, now, took)
	c.account, c.run = nil, nil
	if len(c.waiters) == 0 {
		s.forget(c)
	} else {
		s.again(c, now)
	}
	s.dispatch(now)
}

// again queues a computation whose run has ended without a result for its remaining waiters. It is charged to the first of them.
func (s *Scheduler) again(c *computation, now time.Time) {
	c.client = c.waiters[0].client
	c.inline = false // the goroutine of the first waiter waits now
	if c.spec.Slot {
		account, err := s.accounts.enter(c.client, now, s.retryAfter())
		for err != nil { // the others are asked in turn
			c.waiters[0].settle(Result{}, err)
			if c.waiters = slices.Delete(c.waiters, 0, 1); len(c.waiters) == 0 {
				s.forget(c)
				return
			}
			c.client = c.waiters[0].client
			account, err = s.accounts.enter(c.client, now, s.retryAfter())
		}
		c.account, c.queued = account, now
		s.reconsider(c)
		s.enqueue(c)
		return
	}
	s.reconsider(c)
	s.start(c, now)
}

// dispatch gives free slots to those that wait for one.
func (s *Scheduler) dispatch(now time.Time) {
	for len(s.free) > 0 {
		line := &s.urgent
		if line.Len() == 0 || s.background.Len() > 0 && s.passed >= maxPassed {
			line = &s.background
		}
		front := line.Front()
		if front == nil {
			return
		}
		if line == &s.urgent && s.background.Len() > 0 {
			s.passed++
		} else {
			s.passed = 0
		}
		line.Remove(front)
		c := computationAt(front)
		c.place = nil
		s.start(c, now)
	}
}

// settle gives a waiter its result. The caller takes it from the waiters of its computation.
func (w *Waiter) settle(result Result, err error) {
	w.depart()
	w.result, w.err = result, err
	close(w.done)
}

// depart takes a waiter from the computation that waits.
func (w *Waiter) depart() {
	if w.parent != nil {
		w.parent.children = slices.DeleteFunc(w.parent.children, func(other *Waiter) bool { return other == w })
	}
	w.gone = true
}

// leave takes a waiter away that no longer wants the result. The last one abandons the computation, and gets the run that is being
// cancelled, if there is one.
func (s *Scheduler) leave(w *Waiter, now time.Time) *run {
	if w.gone {
		return nil
	}
	w.depart()
	w.c.waiters = slices.DeleteFunc(w.c.waiters, func(other *Waiter) bool { return other == w })
	if len(w.c.waiters) > 0 {
		s.reconsider(w.c)
		return nil
	}
	return s.abandon(w.c, now)
}

// abandon ends a computation that has no waiters. It is not joined any more; equal requests that come start a new one.
func (s *Scheduler) abandon(c *computation, now time.Time) *run {
	s.forget(c)
	if c.place != nil {
		s.dequeue(c)
		s.accounts.leave(c.account, now, 0)
		return nil
	}
	if c.run != nil {
		s.abandoned[c.run] = now
		c.run.cancel()
	}
	return c.run
}

// forget takes a computation out of the registry.
func (s *Scheduler) forget(c *computation) {
	delete(s.all, c)
	if s.byKey[c.spec.Key] == c {
		delete(s.byKey, c.spec.Key)
	}
}

// closeAll ends every computation with ErrClosed and lets no new one in.
func (s *Scheduler) closeAll() {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for c := range s.all {
		for _, w := range c.waiters {
			w.settle(Result{}, ErrClosed)
		}
		c.waiters = nil
		s.abandon(c, now)
	}
}

// report keeps the progress and tells the waiters that there is some.
func (c *computation) report(p Progress) {
	c.progress = p.merge(c.progress)
	for _, w := range c.waiters {
		w.notify()
	}
}
