package computation

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"
)

// Options sets a Scheduler up.
type Options struct {
	Slots  int // how many computations with a slot run at a time, at least 1
	Queue  int // how many urgent computations may wait for a slot
	Limits Limits
}

// Scheduler owns all computations. It is safe for concurrent use.
type Scheduler struct {
	slots, queueLimit int
	running           sync.WaitGroup
	spawn             func(func()) // begins a goroutine; tests replace it to choose when it runs

	mu         sync.Mutex // guards what follows and every field of every computation and waiter that is not said to be constant
	free       []*Slot    // the one used last at the end
	urgent     list.List  // of *computation, the oldest in front
	background list.List
	passed     int // urgent computations started in a row while background ones waited
	byKey      map[Key]*computation
	all        map[*computation]struct{} // those with waiters
	abandoned  map[*run]time.Time        // runs that were cancelled and have not returned, and when they were
	accounts   accounts
	mean       time.Duration // how long a slot is kept
	shared     uint64
	closed     bool
}

// The moving mean of how long a slot is kept starts at firstMean, a guess for a full deal, and moves by a fraction of
// 1/meanWeight each time.
const (
	firstMean  = 50 * time.Millisecond
	meanWeight = 16
)

// maxPassed is how many urgent computations start before a background one that waits.
const maxPassed = 16

// New returns a scheduler.
func New(o Options) *Scheduler {
	s := &Scheduler{
		slots: max(o.Slots, 1), queueLimit: max(o.Queue, 0), spawn: func(work func()) { go work() },
		byKey: make(map[Key]*computation), all: make(map[*computation]struct{}), abandoned: make(map[*run]time.Time),
		accounts: newAccounts(o.Limits), mean: firstMean,
	}
	for range s.slots {
		s.free = append(s.free, &Slot{})
	}
	return s
}

// Slots returns how many computations with a slot run at a time.
func (s *Scheduler) Slots() int { return s.slots }

// Share returns how many computations with a slot a client may have at a time.
func (s *Scheduler) Share() int {
	if most := s.accounts.limits.Searches; most > 0 {
		return min(s.slots, most)
	}
	return s.slots
}

// Join makes the caller a waiter of the computation of that key, which it starts or queues where there is none. Under the context
// of a Run the waiter is the computation that runs, and the priority is that computation's own.
//
// The caller must call Wait or Leave. The error is that of ctx, ErrClosed, a *LimitedError, or a *BusyError; the last two only for a
// computation that is new. Once a computation that waits for others has got one of them started, it is refused no more.
func (s *Scheduler) Join(ctx context.Context, spec Spec, priority Priority) (*Waiter, error) {
	w, _, err := s.join(ctx, spec, priority, false)
	return w, err
}

// Do joins a computation and waits for it. progress, which may be nil, is told how far it is. linger is how long Do waits for a
// partial result after ctx has ended, where no other caller waits.
//
// A computation without a key that finds a slot free runs in the caller's goroutine, under the caller's context.
func (s *Scheduler) Do(ctx context.Context, spec Spec, priority Priority, progress func(Progress), linger time.Duration) (Result, error) {
	w, inline, err := s.join(ctx, spec, priority, spec.Key == "")
	if err != nil {
		return Result{}, err
	}
	if inline {
		s.execute(w.c, w.c.run)
	}
	return w.wait(ctx, progress, linger)
}

// TryDo runs work with a slot in the caller's goroutine if one is free, and reports whether it did. It is charged to no client.
func (s *Scheduler) TryDo(ctx context.Context, work func(context.Context, *Slot)) bool {
	spec := Spec{Slot: true, Run: func(ctx context.Context, t *Task) (any, error) { work(ctx, t.Slot()); return nil, nil }}
	w, _, err := s.join(WithClient(ctx, ""), spec, ifFree, true)
	if err != nil {
		return false
	}
	s.execute(w.c, w.c.run)
	_, err = w.Result()
	return err == nil
}

// Check waits for a slot at the head of the queue and gives it back at once. It is for a self-check: it returns soon after ctx ends,
// with the cause of that, where there was no slot by then or the Scheduler did not answer.
func (s *Scheduler) Check(ctx context.Context) error {
	spec := Spec{Slot: true, Run: func(context.Context, *Task) (any, error) { return nil, nil }}
	done := make(chan error, 1)
	go func() { // the lock itself may be what is stuck
		w, _, err := s.join(WithClient(ctx, ""), spec, first, false)
		if err == nil {
			_, err = w.Wait(ctx, nil)
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// The priorities of the Scheduler itself. Both are urgent, and say little of how long a slot is kept.
const (
	first  Priority = Urgent + 1 + iota // ahead of all that waits, and never refused
	ifFree                              // refused where no slot is free
)

func (s *Scheduler) join(ctx context.Context, spec Spec, priority Priority, inline bool) (w *Waiter, inlined bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	w = &Waiter{
		scheduler: s, urgent: priority != Background, client: ClientOf(ctx),
		done: make(chan struct{}), changed: make(chan struct{}, 1),
	}
	w.deadline, _ = ctx.Deadline()
	if task := taskOf(ctx); task != nil {
		if task.slot != nil {
			return nil, false, errWaitsWithSlot
		}
		w.parent, w.deadline = task.c, time.Time{}
	}
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, false, ErrClosed
	}
	if c, ok := s.byKey[spec.Key]; ok && spec.Key != "" {
		w.shared = true
		s.shared++
		s.add(c, w)
		return w, false, nil
	}
	c := &computation{spec: spec, client: w.client, values: ctx, queued: now, probe: priority > Urgent}
	if spec.Slot {
		if err := s.admit(c, w, priority, now); err != nil {
			return nil, false, err
		}
	}
	if spec.Key != "" {
		s.byKey[spec.Key] = c
	}
	s.all[c] = struct{}{}
	s.add(c, w)
	switch {
	case !spec.Slot || len(s.free) > 0:
		c.inline = inline
		s.start(c, now)
	case priority == first:
		c.place = s.urgent.PushFront(c)
	default:
		s.enqueue(c)
	}
	return w, c.inline, nil
}

// admit charges a new computation that needs a slot to its client, or refuses it. The caller holds the lock.
func (s *Scheduler) admit(c *computation, w *Waiter, priority Priority, now time.Time) error {
	if len(s.free) == 0 && !s.mayQueue(w, priority) {
		return &BusyError{Slots: s.slots, Queue: s.queueLimit, RetryAfter: s.retryAfter()}
	}
	account, err := s.accounts.enter(c.client, now, s.retryAfter())
	c.account = account
	return err
}

// mayQueue reports whether a new computation of the waiter may be queued.
func (s *Scheduler) mayQueue(w *Waiter, priority Priority) bool {
	switch {
	case priority == ifFree: // not even where the computation that waits would be refused no more
		return false
	case priority == first, !w.isUrgent(), w.parent != nil && w.parent.begun:
		return true
	default:
		return s.urgent.Len() < s.queueLimit
	}
}

// execute does the work of a computation that has been started, and ends it.
func (s *Scheduler) execute(c *computation, r *run) {
	value, err := Protect(func() (any, error) { return c.spec.Run(r.ctx, r.task) })
	s.finish(c, r, value, err)
}

// Load says how busy the slots are.
func (s *Scheduler) Load() Load {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := Load{Slots: s.slots, Busy: s.slots - len(s.free), Queue: s.queueLimit, Waiting: s.urgent.Len(), Abandons: len(s.abandoned)}
	for e := s.urgent.Front(); e != nil; e = e.Next() { // not always the first: one may have come from the background
		l.Oldest = max(l.Oldest, time.Since(computationAt(e).queued))
	}
	for _, since := range s.abandoned {
		l.Overdue = max(l.Overdue, time.Since(since))
	}
	return l
}

// Shared returns how many callers have joined a computation that had been started for another.
func (s *Scheduler) Shared() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shared
}

// RetryAfter returns how long the computations that wait at present will take together, in whole seconds.
func (s *Scheduler) RetryAfter() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.retryAfter()
}

func (s *Scheduler) retryAfter() time.Duration {
	ahead := s.urgent.Len() + s.slots - len(s.free)
	return WholeSeconds(s.mean * time.Duration(ahead) / time.Duration(s.slots))
}

// Close ends every computation with ErrClosed, refuses new ones, and waits until all have returned or ctx ends.
func (s *Scheduler) Close(ctx context.Context) error {
	s.closeAll()
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errors.Join(errors.New("computations have not returned after they were cancelled"), context.Cause(ctx))
	}
}

func computationAt(place *list.Element) *computation {
	c, _ := place.Value.(*computation) // nothing else is put into the queue
	return c
}
