package computation

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"
)

// Options are the options of a Scheduler.
type Options struct {
	Slots  int // maximum number of running computations with a slot, at least 1
	Queue  int // maximum number of urgent computations that wait for a slot
	Limits Limits
}

// Scheduler owns all computations. It is safe for concurrent use.
type Scheduler struct {
	slots, queueLimit int
	running           sync.WaitGroup
	spawn             func(func()) // starts a goroutine; tests replace it to control when it runs
	now               func() time.Time

	mu         sync.Mutex // guards the fields below, and the fields of computations and waiters that are not documented as constant
	free       []*Slot    // the last element was used last
	urgent     list.List  // of *computation, the oldest first
	background list.List  // in order of arrival; turns says which one starts next
	turns      turns      // of the clients in the background
	passed     int        // urgent computations started in a row while background ones waited
	byKey      map[Key]*computation
	all        map[*computation]struct{} // computations with waiters
	abandoned  map[*run]time.Time        // cancelled runs that have not returned, with the times of their cancellation
	accounts   accounts
	mean       time.Duration // moving mean of the time of a computation on its slot
	shared     uint64
	closed     bool
}

// The moving mean of the time on a slot starts at firstMean, an estimate for a deal, and each computation changes it with weight
// 1/meanWeight.
const (
	firstMean  = 50 * time.Millisecond
	meanWeight = 16
)

// maxPassed is the maximum number of urgent computations that start before a waiting background one.
const maxPassed = 16

// New returns a scheduler.
func New(o Options) *Scheduler {
	s := &Scheduler{
		slots: max(o.Slots, 1), queueLimit: max(o.Queue, 0), spawn: func(work func()) { go work() }, now: time.Now,
		byKey: make(map[Key]*computation), all: make(map[*computation]struct{}), abandoned: make(map[*run]time.Time),
		accounts: newAccounts(o.Limits), mean: firstMean, turns: turns{next: make(map[string]time.Duration)},
	}
	for range s.slots {
		s.free = append(s.free, &Slot{})
	}
	return s
}

// Slots returns the number of slots.
func (s *Scheduler) Slots() int { return s.slots }

// Share returns how many computations with a slot the work with this context should have at a time. A job may use every slot.
func (s *Scheduler) Share(ctx context.Context) int {
	p := payerOf(ctx)
	if most := s.accounts.limits.Of(p.client).Searches; most > 0 && p.client != "" && !p.job {
		return min(s.slots, most)
	}
	return s.slots
}

// HasTime returns a *LimitedError if new requests of the client are refused because it has used up its time on slots.
func (s *Scheduler) HasTime(client string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one, ok := s.accounts.byClient[client]; ok {
		return one.hasTime(s.now())
	}
	return nil
}

// Join makes the caller a waiter of the computation with the key. If there is none, it starts or queues one. If ctx is the context of a
// Run, the waiter is the running computation, and its priority is the priority of the running computation.
//
// The caller must call Wait or Leave. The error is the error of ctx, ErrClosed, a *LimitedError or a *BusyError. The last two occur only
// for a new computation that needs a slot, and only for the first one of a request: a computation that the caller joins from outside,
// together with all that it waits for, is one request. So a request is refused before it has used any slot, or not at all.
func (s *Scheduler) Join(ctx context.Context, spec Spec, priority Priority) (*Waiter, error) {
	w, _, err := s.join(ctx, spec, priority, false)
	return w, err
}

// Do joins a computation and waits for it. progress, unless nil, is called with its progress. If ctx ends and no other caller waits, Do
// waits up to linger for the partial result.
//
// If a slot is free, a computation without a key runs in the caller's goroutine with the caller's context.
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

// TryDo runs work with a slot in the caller's goroutine if a slot is free, and reports whether it did. It is not charged to a client.
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

// Check waits for a slot at the head of the queue and releases it immediately. It is for a self-check. If no slot becomes free, or the
// Scheduler does not respond, it returns soon after ctx ends, with the cause of that.
func (s *Scheduler) Check(ctx context.Context) error {
	spec := Spec{Slot: true, Run: func(context.Context, *Task) (any, error) { return nil, nil }}
	done := make(chan error, 1)
	go func() { // the lock itself may never be released
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

// The priorities of the Scheduler's own calls. Both are urgent, and their times do not change the mean.
const (
	first  Priority = Urgent + 1 + iota // before all waiting computations; never refused
	ifFree                              // refused if no slot is free
)

func (s *Scheduler) join(ctx context.Context, spec Spec, priority Priority, inline bool) (w *Waiter, inlined bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	w = &Waiter{
		scheduler: s, urgent: priority != Background, payer: payerOf(ctx),
		done: make(chan struct{}), changed: make(chan struct{}, 1),
	}
	w.deadline, _ = ctx.Deadline()
	if task := taskOf(ctx); task != nil {
		if task.slot != nil {
			return nil, false, errWaitsWithSlot
		}
		w.parent, w.deadline = task.c, time.Time{}
	}
	now := s.now()
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
	c := &computation{spec: spec, values: ctx, queued: now, probe: priority > Urgent}
	c.belong(w)
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

// admit admits the request of a new computation that needs a slot, if it is its first one, or refuses it. The caller holds the lock.
func (s *Scheduler) admit(c *computation, w *Waiter, priority Priority, now time.Time) error {
	if len(s.free) == 0 && !s.mayQueue(c, w, priority) {
		return &BusyError{Slots: s.slots, Queue: s.queueLimit, RetryAfter: s.retryAfter()}
	}
	return s.charge(c, now)
}

// charge makes the client of its request pay for a computation. The first one of a request can be refused.
func (s *Scheduler) charge(c *computation, now time.Time) error {
	r := c.request
	if c.first = !r.admitted; c.first {
		account, err := s.accounts.admit(r.payer, now, s.retryAfter())
		if err != nil {
			return err
		}
		r.admitted, r.account = true, account
	}
	if r.account != nil {
		c.account = s.accounts.of(r.payer.client, now) // another one, if the request has ended and another one waits for this part of it
		c.account.slots++
	}
	return nil
}

// mayQueue reports whether a new computation of the waiter may be queued. The limit is for requests: only the first computation of each
// counts.
func (s *Scheduler) mayQueue(c *computation, w *Waiter, priority Priority) bool {
	switch {
	case priority == ifFree: // also for a part of an admitted request
		return false
	case priority == first, !w.isUrgent(), c.request.admitted:
		return true
	}
	requests := 0
	for e := s.urgent.Front(); e != nil; e = e.Next() {
		if computationAt(e).first {
			requests++
		}
	}
	return requests < s.queueLimit
}

// execute runs a computation that has been started, and ends it.
func (s *Scheduler) execute(c *computation, r *run) {
	value, err := Protect(func() (any, error) { return c.spec.Run(r.ctx, r.task) })
	s.finish(c, r, value, err)
}

// Load returns the state of the slots and queues.
func (s *Scheduler) Load() Load {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := Load{Slots: s.slots, Busy: s.slots - len(s.free), Queue: s.queueLimit, Waiting: s.urgent.Len(), Abandons: len(s.abandoned)}
	for e := s.urgent.Front(); e != nil; e = e.Next() { // the first one may not be the oldest: it may have become urgent later
		l.Oldest = max(l.Oldest, s.now().Sub(computationAt(e).queued))
	}
	for _, since := range s.abandoned {
		l.Overdue = max(l.Overdue, s.now().Sub(since))
	}
	return l
}

// Shared returns how many callers joined a computation that was started for another caller.
func (s *Scheduler) Shared() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shared
}

// RetryAfter returns the estimated time until the queue is empty, in whole seconds.
func (s *Scheduler) RetryAfter() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.retryAfter()
}

func (s *Scheduler) retryAfter() time.Duration {
	ahead := s.urgent.Len() + s.slots - len(s.free)
	return WholeSeconds(s.mean * time.Duration(ahead) / time.Duration(s.slots))
}

// Close ends every computation with ErrClosed and refuses new ones. It waits until all runs have returned or ctx ends.
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
	c, _ := place.Value.(*computation) // the queue contains only computations
	return c
}
