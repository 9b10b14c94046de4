package service

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"roem/internal/computation"
)

var errWork = errors.New("work")

// steps works in turns: n steps of 10 ms each. It counts the steps that it has done in done, and ends with err.
func steps(ctx context.Context, s *Service, n int, done *atomic.Int64, err error) error {
	return s.InTurns(ctx, func(_ context.Context, next func() (*computation.Slot, error)) error {
		for range n {
			slot, err := next()
			if err != nil {
				return err
			}
			uses := computation.Tool(slot, "uses", func() *int { return new(int) })
			if *uses++; *uses != 1 {
				return errors.New("the slot has two users")
			}
			time.Sleep(10 * time.Millisecond)
			*uses--
			done.Add(1)
		}
		return err
	})
}

func newTurns(t *testing.T) *Service {
	t.Helper()
	s, err := New(Options{Slots: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Work of a minute lets the self-check have the only slot after a turn, and so it does other work in turns.
func TestInTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTurns(t)
		var first, second atomic.Int64
		ended := make(chan error, 2)
		go func() { ended <- steps(t.Context(), s, 6000, &first, nil) }()
		go func() { ended <- steps(t.Context(), s, 10, &second, errWork) }()
		time.Sleep(55 * time.Millisecond)
		began := time.Now()
		if err := s.computations.Check(t.Context()); err != nil || time.Since(began) > 2*turn {
			t.Errorf("error %v after %v", err, time.Since(began))
		}
		if err := <-ended; !errors.Is(err, errWork) || second.Load() != 10 || first.Load() > 50 {
			t.Errorf("error %v, %d and %d steps: the short work waited for the long one", err, first.Load(), second.Load())
		}
		if err := <-ended; err != nil || first.Load() != 6000 {
			t.Errorf("error %v, %d steps", err, first.Load())
		}
	})
}

// Work ends soon after its context, while it has a slot and while it waits for one. A panic becomes an error, and the slot is replaced.
func TestInTurnsEnds(t *testing.T) {
	for _, waits := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newTurns(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			var done atomic.Int64
			if waits {
				time.AfterFunc(50*time.Millisecond, func() { hold(s, time.Minute, true) })
			}
			began := time.Now()
			err := steps(ctx, s, 6000, &done, nil)
			if KindOf(err) != TooSlow && !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 1200*time.Millisecond ||
				done.Load() > 101 {
				t.Errorf("error %v after %v, %d steps", err, time.Since(began), done.Load())
			}
			if waits && done.Load() > 11 {
				t.Errorf("%d steps while the slot was in use", done.Load())
			}
			time.Sleep(2 * time.Minute)
			if err := s.computations.Check(t.Context()); err != nil {
				t.Errorf("after it: %v", err)
			}
		})
	}
	s := newTurns(t)
	err := s.InTurns(t.Context(), func(_ context.Context, next func() (*computation.Slot, error)) error {
		slot, err := next()
		computation.Tool(slot, "tool", func() *int { return new(int) })
		panic(err)
	})
	if _, panicked := errors.AsType[*computation.PanicError](err); !panicked {
		t.Errorf("error %v", err)
	}
	if err := s.WithSlot(t.Context(), func(_ context.Context, slot *computation.Slot) error {
		if tool := computation.Tool(slot, "tool", func() *int { return nil }); tool != nil {
			t.Error("the slot was kept after a panic")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// WithSlot returns when its work has ended, also if the caller's context ends while the work is under way. Work that has not begun then
// never begins.
func TestWithSlotEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTurns(t)
		use := func(ctx context.Context, work func()) error {
			return s.WithSlot(ctx, func(context.Context, *computation.Slot) error { work(); return nil })
		}
		inUse := make(chan error, 1)
		go func() { inUse <- use(t.Context(), func() { time.Sleep(time.Second) }) }()
		synctest.Wait()

		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		worked := 0 // the race detector looks at it
		began := time.Now()
		err := use(ctx, func() { time.Sleep(5 * time.Second); worked++ })
		if took := time.Since(began); worked != 1 || took != 6*time.Second || err == nil {
			t.Errorf("after %v the work had ended %d times, error %v", took, worked, err)
		}
		if err := <-inUse; err != nil {
			t.Error(err)
		}

		go func() { inUse <- use(t.Context(), func() { time.Sleep(time.Minute) }) }()
		synctest.Wait()
		short, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := use(short, func() { worked++ }); err == nil {
			t.Error("no error of a context that ended in the queue")
		}
		if err := <-inUse; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if worked != 1 {
			t.Error("work began after its caller had left")
		}
	})
}
