package computation

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// held is the work of a computation that ends when the test ends it.
type held struct {
	begun chan context.Context // has the context of each run
	end   chan returned
}

// returned holds the results of a run.
type returned struct {
	value any
	err   error
}

func newHeld() *held { return &held{begun: make(chan context.Context, 100), end: make(chan returned)} }

// run returns the results that the test sets. If its context ends first, it returns the error of the context and a partial value.
func (h *held) run(ctx context.Context, _ *Task) (any, error) {
	h.begun <- ctx
	select {
	case r := <-h.end:
		return r.value, r.err
	case <-ctx.Done():
		return "partial", ctx.Err()
	}
}

func (h *held) spec(key Key) Spec { return Spec{Key: key, Slot: true, Run: h.run} }

// answer is the answer to a caller.
type answer struct {
	result Result
	err    error
}

// newScheduler returns a Scheduler for a test in a bubble. At the end of the test all slots must be free and no computation may be
// left.
func newScheduler(t *testing.T, o Options) *Scheduler {
	t.Helper()
	s := New(o)
	t.Cleanup(func() {
		synctest.Wait()
		if l, want := s.Load(), (Load{Slots: s.slots, Queue: s.queueLimit}); l != want {
			t.Errorf("load %+v in the end, want %+v", l, want)
		}
		if left := len(s.all) + len(s.byKey) + s.background.Len(); left != 0 {
			t.Errorf("%d computations are left", left)
		}
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// joins fails the test if Join refuses the caller.
func joins(t *testing.T, s *Scheduler, spec Spec, priority Priority) *Waiter {
	t.Helper()
	w, err := s.Join(t.Context(), spec, priority)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// do calls Do in a goroutine.
func do(ctx context.Context, s *Scheduler, spec Spec, priority Priority) <-chan answer {
	got := make(chan answer, 1)
	go func() {
		result, err := s.Do(ctx, spec, priority, nil, 0)
		got <- answer{result, err}
	}()
	return got
}

// is fails the test unless the caller got the value or the error.
func (a answer) is(t *testing.T, who string, value any, err error) {
	t.Helper()
	if a.result.Value != value || !errors.Is(a.err, err) {
		t.Errorf("%s: %+v, %v; want %v, %v", who, a.result, a.err, value, err)
	}
}

// value is work that returns the value immediately.
func value(v any) func(context.Context, *Task) (any, error) {
	return func(context.Context, *Task) (any, error) { return v, nil }
}

// waitsFor is work that waits for computations one after the other and returns their values.
func waitsFor(s *Scheduler, specs ...Spec) func(context.Context, *Task) (any, error) {
	return func(ctx context.Context, _ *Task) (any, error) {
		var values [8]any
		for i, spec := range specs {
			result, err := s.Do(ctx, spec, Background, nil, 0)
			if err != nil {
				return nil, err
			}
			values[i] = result.Value
		}
		return values, nil
	}
}
