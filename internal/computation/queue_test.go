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
	bubble(t, Options{Slots: 2, Queue: 1}, func(t *testing.T, s *Scheduler) {
		t.Helper()
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
		shared, background := joins(t, s, spec("c"), Urgent), joins(t, s, spec("d"), Background) // these are not refused
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

// Computations that a client waits for have a slot before those that none waits for, but not for ever.
func TestUrgentComputationsGoFirst(t *testing.T) {
	const urgent = 2*maxPassed + 3
	bubble(t, Options{Slots: 1, Queue: urgent}, func(t *testing.T, s *Scheduler) {
		t.Helper()
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
		joins(t, s, named("urgent", urgent), Urgent) // takes its place
		joins(t, s, named("hurried", 0), Urgent)     // a client has come to wait for it: it goes to the end of the queue
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
	bubble(t, Options{Slots: 2, Queue: 100}, func(t *testing.T, s *Scheduler) {
		t.Helper()
		if got := s.RetryAfter(); got != MinRetry {
			t.Errorf("idle: %v", got)
		}
		var all []*Waiter
		h := newHeld()
		for i := range 12 {
			all = append(all, joins(t, s, h.spec(Key(fmt.Sprint(i))), Urgent))
		}
		for i := range 10 { // these let others go first
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
			if err := s.Check(t.Context()); err != nil { // says nothing of how long a slot is kept
				t.Error(err)
			}
		}
		if s.mean < 2900*time.Millisecond || s.mean > 3*time.Second {
			t.Errorf("the mean of 3 s each is %v", s.mean)
		}
	})
}

// Check has the next slot that is free, before all that waits, however full the queue is.
func TestCheck(t *testing.T) {
	bubble(t, Options{Slots: 1, Queue: 1}, func(t *testing.T, s *Scheduler) {
		t.Helper()
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
			t.Error("it waits behind the others")
		}
		// Where no slot becomes free it gives up, and leaves nothing in the queue.
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

// Check returns where the lock is held for ever. It uses the real clock, for a goroutine that waits for a lock stops the one of synctest.
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
