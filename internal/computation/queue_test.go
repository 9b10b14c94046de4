package computation

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSlotsAreLentAndQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 2, Queue: 1})
		var made atomic.Int64
		h := newHeld()
		spec := func(key Key) Spec {
			return Spec{Key: key, Slot: true, Run: func(ctx context.Context, task *Task) (any, error) {
				Tool(task.Slot(), "tool", func() int64 { return made.Add(1) })
				return h.run(ctx, task)
			}}
		}
		a, b := joins(t, s, spec("a"), Urgent), joins(t, s, spec("b"), Urgent)
		joins(t, s, spec("c"), Urgent).Leave()
		c := joins(t, s, spec("c"), Urgent)
		time.Sleep(time.Second)
		if l, want := s.Load(), (Load{Slots: 2, Busy: 2, Queue: 1, Waiting: 1, Oldest: time.Second}); l != want {
			t.Errorf("load %+v, want %+v", l, want)
		}
		_, err := s.Join(t.Context(), spec("d"), Urgent)
		if busy, ok := errors.AsType[*BusyError](err); !ok || busy.RetryAfter < MinRetry || busy.Slots != 2 || busy.Queue != 1 {
			t.Errorf("with a full queue: %v", err)
		}
		shared, background := joins(t, s, spec("c"), Urgent), joins(t, s, spec("d"), Background) // joining is not refused
		for range 4 {
			h.end <- returned{value: 1}
		}
		synctest.Wait()
		for _, w := range []*Waiter{a, b, c, shared, background} {
			if result, err := w.Result(); result.Value != 1 || err != nil {
				t.Errorf("%+v, %v", result, err)
			}
		}
		if made.Load() != 2 {
			t.Errorf("%d tools made, want 2", made.Load())
		}
	})
}

// Load returns the waiting time of the oldest urgent computation, at any place in the queue.
func TestTheOldestThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1, Queue: 2})
		h := newHeld()
		all := []*Waiter{joins(t, s, h.spec("runs"), Urgent), joins(t, s, h.spec("background"), Background)}
		time.Sleep(time.Second)
		all = append(all, joins(t, s, h.spec("urgent"), Urgent))
		time.Sleep(time.Second)
		oldest := func(want time.Duration) {
			t.Helper()
			if got := s.Load().Oldest; got != want {
				t.Errorf("the oldest has waited %v, want %v", got, want)
			}
		}
		oldest(time.Second)
		all = append(all, joins(t, s, h.spec("background"), Urgent)) // it is moved to the end of the queue
		oldest(2 * time.Second)
		for _, w := range all {
			w.Leave()
		}
		oldest(0)
	})
}

// Urgent computations get a slot before background ones, but a background computation does not wait forever.
func TestUrgentComputationsGoFirst(t *testing.T) {
	const urgent = 2*maxPassed + 3
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1, Queue: urgent})
		var order []string
		named := func(name string, i int) Spec {
			return Spec{Key: Key(fmt.Sprint(name, i)), Slot: true, Run: func(context.Context, *Task) (any, error) {
				if n := len(order); n > 0 {
					var count int
					if _, err := fmt.Sscanf(order[n-1], name+" %d", &count); err == nil {
						order[n-1] = fmt.Sprint(name, " ", count+1)
						return nil, nil
					}
				}
				order = append(order, name+" 1")
				return nil, nil
			}}
		}
		h := newHeld()
		first := joins(t, s, h.spec("first"), Urgent)
		joins(t, s, named("background", 0), Background)
		joins(t, s, named("background", 1), Background)
		joins(t, s, named("hurried", 0), Background)
		left := joins(t, s, named("left to a job", 0), Urgent)
		for i := range urgent - 1 {
			joins(t, s, named("urgent", i), Urgent)
		}
		left.SetBackground()
		left.SetBackground()
		joins(t, s, named("urgent", urgent), Urgent) // this one starts before the background
		joins(t, s, named("hurried", 0), Urgent)     // a client joins it, so it is moved to the end of the queue
		if l := s.Load(); l.Waiting != urgent+1 {
			t.Errorf("load %+v", l)
		}
		if _, err := s.Join(t.Context(), named("urgent", urgent+1), Urgent); !same(err, &BusyError{}) {
			t.Errorf("with a full queue: %v", err)
		}
		first.Leave()
		synctest.Wait()
		want := []string{
			fmt.Sprint("urgent ", maxPassed), "background 1", fmt.Sprint("urgent ", maxPassed), "background 1", "urgent 3", "hurried 1",
			"left to a job 1",
		}
		if diff := cmp.Diff(want, order); diff != "" {
			t.Errorf("order (-want +got)\n%s", diff)
		}
	})
}

func TestRetryAfterFollowsTheLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 2, Queue: 100})
		if got := s.RetryAfter(); got != MinRetry {
			t.Errorf("idle: %v", got)
		}
		var all []*Waiter
		h := newHeld()
		for i := range 12 {
			all = append(all, joins(t, s, h.spec(Key(fmt.Sprint(i))), Urgent))
		}
		for i := range 10 { // urgent computations that pass the background ones
			all = append(all, joins(t, s, h.spec(Key(fmt.Sprint("background", i))), Background))
		}
		s.mean = 2 * time.Second
		if got := s.RetryAfter(); got != 12*time.Second {
			t.Errorf("12 ahead, 2 at a time, 2 s each: %v, want 12s", got)
		}
		s.mean = time.Hour
		if got := s.RetryAfter(); got != MaxRetry {
			t.Errorf("at most: %v", got)
		}
		for _, w := range all {
			w.Leave()
		}
		synctest.Wait()
		s.mean = time.Second
		for range 200 {
			_, _ = s.Do(t.Context(), Spec{Slot: true, Run: looksAtTheClock(3 * time.Second)}, Urgent, nil, 0)
			if err := s.Check(t.Context()); err != nil { // a check does not change the mean time of a slot
				t.Error(err)
			}
		}
		if s.mean < 2900*time.Millisecond || s.mean > 3*time.Second {
			t.Errorf("the mean of 3 s each is %v", s.mean)
		}
	})
}

// Check gets the next free slot, before all waiting computations, even if the queue is full.
func TestCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1, Queue: 1})
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("idle: %v", err)
		}
		h := newHeld()
		first, second := joins(t, s, h.spec("first"), Urgent), joins(t, s, h.spec("second"), Urgent)
		third := joins(t, s, h.spec("third"), Background)
		<-h.begun
		checked := make(chan error, 1)
		go func() { checked <- s.Check(WithClient(t.Context(), "ann")) }()
		synctest.Wait()
		h.end <- returned{}
		synctest.Wait()
		select {
		case err := <-checked:
			if err != nil {
				t.Errorf("busy: %v", err)
			}
		default:
			t.Error("Check waits behind the others")
		}
		// If no slot becomes free, Check returns and leaves nothing in the queue.
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errFailure)
		defer cancel()
		if err := s.Check(ctx); !errors.Is(err, errFailure) {
			t.Errorf("stuck: %v", err)
		}
		synctest.Wait()
		if l, want := s.Load(), (Load{Slots: 1, Busy: 1, Queue: 1}); l != want {
			t.Errorf("load %+v, want %+v", l, want)
		}
		first.Leave()
		second.Leave()
		third.Leave()
	})
}

// Check returns even if the lock is never released. The test uses the real clock, because synctest does not advance time while a
// goroutine waits for a lock.
func TestCheckWithoutTheLock(t *testing.T) {
	s := New(Options{Slots: 1})
	ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Millisecond, errFailure)
	defer cancel()
	s.mu.Lock()
	err := s.Check(ctx)
	s.mu.Unlock()
	if !errors.Is(err, errFailure) {
		t.Errorf("%v", err)
	}
}
