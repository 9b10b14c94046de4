package computation

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Waiters receive the progress in their own goroutine. Bounds only become narrower and nodes only increase, for any sequence of
// reports.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1})
		reports := []Progress{
			{Done: 1, Of: 4, Nodes: 10, Lower: new(-5)},
			{Done: 2, Of: 4, Nodes: 30, Lower: new(-9), Upper: new(7)}, // a lower bound that is worse
			{Done: 3, Of: 4, Nodes: 20, Upper: new(3)},                 // fewer nodes
			{Done: 3, Of: 4, Nodes: 40, Lower: new(-2), Upper: new(8)}, // an upper bound that is worse
		}
		next, end := make(chan Progress), make(chan struct{})
		spec := Spec{Key: "a", Slot: true, Run: func(_ context.Context, task *Task) (any, error) {
			for p := range next {
				task.Report(p)
			}
			task.Report(Progress{Done: 4, Of: 4, Nodes: 50})
			close(end)
			return "result", nil
		}}
		var told, toldLate []Progress
		got := make(chan answer, 2)
		wait := func(w *Waiter, told *[]Progress) {
			result, err := w.Wait(t.Context(), func(p Progress) { *told = append(*told, p) })
			got <- answer{result, err}
		}
		go wait(joins(t, s, spec, Urgent), &told)
		for _, p := range reports {
			next <- p
			synctest.Wait()
		}
		late := joins(t, s, spec, Urgent)
		go wait(late, &toldLate) // receives the current progress immediately
		synctest.Wait()
		close(next)
		<-end
		for range 2 {
			(<-got).is(t, "a waiter", "result", nil)
		}
		want := []Progress{
			{Done: 1, Of: 4, Nodes: 10, Lower: new(-5)},
			{Done: 2, Of: 4, Nodes: 30, Lower: new(-5), Upper: new(7)},
			{Done: 3, Of: 4, Nodes: 30, Lower: new(-5), Upper: new(3)},
			{Done: 3, Of: 4, Nodes: 40, Lower: new(-2), Upper: new(3)},
			{Done: 4, Of: 4, Nodes: 50, Lower: new(-2), Upper: new(3)},
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if diff := cmp.Diff(want[3:], toldLate); diff != "" {
			t.Errorf("the late waiter (-want +got)\n%s", diff)
		}
	})
}

// The deadline of a run is the latest deadline of its waiters.
func TestDeadlineOfARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1})
		h := newHeld()
		join := func(d time.Duration) *Waiter {
			ctx := t.Context()
			if d > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, d)
				t.Cleanup(cancel)
			}
			w, err := s.Join(ctx, h.spec("a"), Urgent)
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		began := time.Now()
		first := join(time.Hour)
		run := <-h.begun
		deadline := func(want time.Duration) {
			t.Helper()
			at, ok := run.Deadline()
			if ok != (want > 0) || ok && at.Sub(began) != want {
				t.Errorf("deadline after %v, %v; want %v", at.Sub(began), ok, want)
			}
		}
		deadline(time.Hour)
		second := join(2 * time.Hour)
		deadline(2 * time.Hour)
		join(time.Minute).Leave()
		deadline(2 * time.Hour)
		third := join(0)
		deadline(0)
		third.Leave()
		deadline(2 * time.Hour)
		// A derived context ends with the context of the run and may have an earlier deadline.
		short, cancel := context.WithTimeout(run, time.Second)
		defer cancel()
		if at, ok := short.Deadline(); !ok || at.Sub(began) != time.Second {
			t.Errorf("deadline %v, %v", at, ok)
		}
		second.Leave()
		first.Leave()
		if !errors.Is(short.Err(), context.Canceled) {
			t.Errorf("the context derived from a cancelled run: %v", short.Err())
		}
	})
}

// looksAtTheClock is work that checks its deadline regularly and stops at it.
func looksAtTheClock(needs time.Duration) func(context.Context, *Task) (any, error) {
	return func(ctx context.Context, _ *Task) (any, error) {
		for began := time.Now(); time.Since(began) < needs; time.Sleep(time.Millisecond) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if at, ok := ctx.Deadline(); ok && !time.Now().Before(at) {
				return "partial", context.DeadlineExceeded
			}
		}
		return "result", nil
	}
}

// A waiter with a later deadline gets the result although the deadlines of the others have passed.
func TestAWaiterWithMoreTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1})
		spec := Spec{Key: "a", Slot: true, Run: looksAtTheClock(3 * time.Second)}
		short, cancelShort := context.WithTimeout(t.Context(), time.Second)
		defer cancelShort()
		long, cancelLong := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancelLong()
		first := do(short, s, spec, Urgent)
		time.Sleep(500 * time.Millisecond)
		second := do(long, s, spec, Urgent)
		(<-first).is(t, "the first", nil, context.DeadlineExceeded)
		(<-second).is(t, "the second", "result", nil)
	})
}

// If a run ends at its deadline while a waiter with a later deadline joins, the computation runs again for that waiter only.
func TestARunThatEndedBeforeTheDeadlineMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1})
		h := newHeld()
		short, cancelShort := context.WithTimeout(t.Context(), time.Second)
		defer cancelShort()
		first, err := s.Join(short, h.spec("a"), Urgent)
		if err != nil {
			t.Fatal(err)
		}
		<-h.begun
		long, cancelLong := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancelLong()
		second, third := do(long, s, h.spec("a"), Urgent), do(t.Context(), s, h.spec("a"), Urgent)
		time.Sleep(time.Second)
		h.end <- returned{"partial", context.DeadlineExceeded}
		<-first.Done()
		result, err := first.Result()
		answer{result, err}.is(t, "the first", nil, context.DeadlineExceeded)
		if result.Partial != "partial" {
			t.Errorf("%+v", result)
		}
		<-h.begun
		h.end <- returned{"result", nil}
		(<-second).is(t, "the second", "result", nil)
		(<-third).is(t, "the third", "result", nil)

		// If no waiter with a later deadline joins, all waiters get the error.
		both := []<-chan answer{do(t.Context(), s, h.spec("a"), Urgent), do(t.Context(), s, h.spec("a"), Urgent)}
		synctest.Wait()
		h.end <- returned{nil, context.DeadlineExceeded}
		for _, one := range both {
			(<-one).is(t, "one of two", nil, context.DeadlineExceeded)
		}
	})
}

// Close ends all computations that wait, run or wait for others, with ErrClosed.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Slots: 1, Queue: 1})
		slow := Spec{Key: "a", Slot: true, Run: func(ctx context.Context, _ *Task) (any, error) {
			<-ctx.Done()
			time.Sleep(time.Second)
			return nil, ctx.Err()
		}}
		got := []<-chan answer{do(t.Context(), s, slow, Urgent)}
		synctest.Wait()
		var partErr error
		got = append(got,
			do(t.Context(), s, Spec{Key: "queued", Slot: true, Run: value(1)}, Urgent),
			do(t.Context(), s, Spec{Key: "background", Slot: true, Run: value(1)}, Background),
			do(t.Context(), s, Spec{Key: "waits", Run: func(ctx context.Context, _ *Task) (any, error) {
				_, partErr = s.Do(ctx, Spec{Key: "background", Slot: true, Run: value(1)}, Background, nil, 0)
				return nil, partErr
			}}, Background))
		synctest.Wait()
		hurried, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, errFailure)
		defer cancel()
		if err := s.Close(hurried); !errors.Is(err, errFailure) {
			t.Errorf("while a run has not returned: %v", err)
		}
		for i, one := range got {
			select {
			case a := <-one:
				a.is(t, []string{"runs", "queued", "background", "waits"}[i], nil, ErrClosed)
			default:
				t.Errorf("waiter %d still waits", i)
			}
		}
		if _, err := s.Join(t.Context(), slow, Urgent); !errors.Is(err, ErrClosed) {
			t.Errorf("joining: %v", err)
		}
		if err := s.Check(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("checking: %v", err)
		}
		if s.TryDo(t.Context(), func(context.Context, *Slot) {}) {
			t.Error("TryDo got a slot after Close")
		}
		began := time.Now()
		if err := s.Close(t.Context()); err != nil || time.Since(began) != 900*time.Millisecond {
			t.Errorf("closed after %v: %v", time.Since(began), err)
		}
		if partErr == nil {
			t.Error("the computation that waited for others did not end")
		}
		if l, want := s.Load(), (Load{Slots: 1, Queue: 1}); l != want {
			t.Errorf("load %+v, want %+v", l, want)
		}
	})
}
