package computation

import (
	"container/list"
	"context"
	"errors"
	"slices"
	"time"
)

// computation is the one object of a computation. The Scheduler's lock guards its fields, except spec and values, which are constant,
// and request, which changes only between two runs.
type computation struct {
	spec     Spec
	values   context.Context // its values are for Run; its end is ignored
	request  *request        // what it is computed for
	whole    bool            // it is the whole request, with all that it waits for, and not a part
	first    bool            // it is the first of its request that needs a slot
	account  *account        // is charged for its slot; nil if nobody is, and between two runs
	waiters  []*Waiter       // in order of arrival; empty after the computation was abandoned or has ended
	children []*Waiter       // its own waits for other computations
	urgent   bool            // a client waits for it
	begun    bool            // it, or a computation that it waits for, has had a slot
	deadline time.Time       // latest deadline of the waiters; zero if a waiter has none
	extended bool            // the deadline was moved during the run
	queued   time.Time
	turn     time.Duration // at which it was started in the background
	place    *list.Element // its element in the queue; nil if it is not queued
	run      *run          // nil unless it runs
	inline   bool          // it runs in the goroutine of the first waiter
	probe    bool          // its time does not change the mean; constant
	progress Progress
}

// request is what a client or a job waits for: a computation, with all computations that this one waits for. The Scheduler's lock guards
// its fields.
type request struct {
	payer    payer    // constant
	admitted bool     // a computation that needs a slot was admitted, so that no other one is refused
	account  *account // that admitted it, until it ends; nil if nobody is charged
}

// run is one execution of a computation.
type run struct {
	ctx     context.Context // created for the goroutine that executes the run
	cancel  context.CancelFunc
	task    *Task
	ended   chan struct{} // closed after partial is set
	partial any           // the value that was returned with an error
}

// belong makes c a part of the request of the waiter, or a request of its own.
func (c *computation) belong(w *Waiter) {
	c.whole = w.parent == nil || c.probe
	if !c.whole {
		c.request = w.parent.request
		return
	}
	c.request = &request{payer: w.payer}
}

// endRequest ends the request of c, if c is the whole request.
func (s *Scheduler) endRequest(c *computation, now time.Time) {
	if c.whole {
		s.accounts.leave(c.request.account, c.request.payer, now)
	}
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

// reconsider updates the urgency and the deadline of c from its waiters. If c becomes urgent, it is moved to the end of the urgent
// queue, which may then exceed its limit. If c is no longer urgent, it is moved back.
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

// start assigns a slot to c if it needs one and one is free, and then runs it.
func (s *Scheduler) start(c *computation, now time.Time) {
	task := &Task{scheduler: s, c: c, queued: c.queued, started: now}
	if c.spec.Slot {
		last := len(s.free) - 1
		task.slot = s.free[last]
		s.free = s.free[:last]
		markBegun(c)
		if !c.urgent {
			c.turn = s.turns.begin(c.taker())
		}
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

// markBegun records that c, and the computations that wait for it, have had a slot.
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

// finish ends a run. The slot is assigned to the next computation in the queue, and the waiters get the result. An error that concerns
// only some waiters is the result of these, and the computation runs again for the others.
func (s *Scheduler) finish(c *computation, r *run, value any, err error) {
	defer s.running.Done()
	now := s.now()
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
		if !c.urgent {
			s.turns.charge(c.taker(), c.turn, took)
		}
		if _, panicked := errors.AsType[*PanicError](err); panicked {
			slot = &Slot{} // its tools may be in any state
		}
		s.free = append(s.free, slot)
	}
	s.accounts.charge(c.account, now, took)
	s.endRequest(c, now)
	c.account = nil
	if _, ok := s.abandoned[r]; ok {
		delete(s.abandoned, r)
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
	c.run = nil
	if len(c.waiters) == 0 {
		s.forget(c)
	} else {
		s.again(c, now)
	}
	s.dispatch(now)
}

// again runs a computation again for the remaining waiters after a run without a result for them. It is charged to the first of them that
// is not at its limit.
func (s *Scheduler) again(c *computation, now time.Time) {
	c.inline = false // the goroutine of the first waiter is waiting
	if !c.spec.Slot {
		c.belong(c.waiters[0])
		s.reconsider(c)
		s.start(c, now)
		return
	}
	for len(c.waiters) > 0 {
		c.belong(c.waiters[0])
		err := s.charge(c, now)
		if err == nil {
			c.queued = now
			s.reconsider(c)
			s.enqueue(c)
			return
		}
		c.waiters[0].settle(Result{}, err)
		c.waiters = slices.Delete(c.waiters, 0, 1)
	}
	s.forget(c)
}

// dispatch assigns free slots to queued computations: urgent ones in order of arrival, and in the background by the turns of the clients.
func (s *Scheduler) dispatch(now time.Time) {
	for len(s.free) > 0 {
		line := &s.urgent
		if line.Len() == 0 || s.background.Len() > 0 && s.passed >= maxPassed {
			line = &s.background
		}
		front := line.Front()
		if line == &s.background {
			front = s.turns.front(line)
		}
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

// settle sets the result of a waiter. The caller removes it from the waiters of its computation.
func (w *Waiter) settle(result Result, err error) {
	w.depart()
	w.result, w.err = result, err
	close(w.done)
}

// depart removes a waiter from the children of the computation that waits.
func (w *Waiter) depart() {
	if w.parent != nil {
		w.parent.children = slices.DeleteFunc(w.parent.children, func(other *Waiter) bool { return other == w })
	}
	w.gone = true
}

// leave removes a waiter before it has a result. If it was the last one, the computation is abandoned, and leave returns the run that
// is being cancelled, if there is one.
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

// abandon ends a computation without waiters. It can no longer be joined; later equal requests start a new one.
func (s *Scheduler) abandon(c *computation, now time.Time) *run {
	s.forget(c)
	if c.place != nil {
		s.dequeue(c)
		s.accounts.charge(c.account, now, 0)
		s.endRequest(c, now)
		return nil
	}
	if c.run != nil {
		s.abandoned[c.run] = now
		c.run.cancel()
	}
	return c.run
}

// forget removes a computation from the registry.
func (s *Scheduler) forget(c *computation) {
	delete(s.all, c)
	if s.byKey[c.spec.Key] == c {
		delete(s.byKey, c.spec.Key)
	}
}

// closeAll ends every computation with ErrClosed and refuses new ones.
func (s *Scheduler) closeAll() {
	now := s.now()
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

// report records the progress and notifies the waiters.
func (c *computation) report(p Progress) {
	c.progress = p.merge(c.progress)
	for _, w := range c.waiters {
		w.notify()
	}
}
