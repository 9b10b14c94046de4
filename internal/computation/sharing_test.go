package computation

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Equal work is done once for all waiters. Other work does not wait for it.
func TestEqualWorkIsDoneOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 2})
		h := newHeld()
		var got []<-chan answer
		for range 200 {
			got = append(got, do(t.Context(), s, h.spec("a"), Urgent))
		}
		synctest.Wait()
		other, err := s.Do(t.Context(), Spec{Key: "b", Slot: true, Run: value("other")}, Urgent, nil, 0)
		answer{other, err}.is(t, "another key", "other", nil)
		h.end <- returned{value: "once"}
		shared := 0
		for _, one := range got {
			a := <-one
			a.is(t, "one of many", "once", nil)
			if a.result.Shared {
				shared++
			}
		}
		if shared != 199 || s.Shared() != 199 || len(h.begun) != 1 {
			t.Errorf("%d shared, %d counted, %d runs", shared, s.Shared(), len(h.begun))
		}
	})
}

// A computation continues when a caller leaves, also the first one, and is cancelled when the last caller leaves. Later callers get a
// new computation.
func TestAComputationEndsWithItsLastWaiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 2})
		h := newHeld()
		wait := func() (leave func() answer) {
			ctx, cancel := context.WithCancel(t.Context())
			got := do(ctx, s, h.spec("a"), Urgent)
			synctest.Wait()
			return func() answer { cancel(); synctest.Wait(); return <-got }
		}
		leaveFirst, leaveSecond := wait(), wait()
		run := <-h.begun
		leaveFirst().is(t, "the first", nil, context.Canceled)
		if run.Err() != nil {
			t.Error("cancelled although a caller waits")
		}
		leaveSecond().is(t, "the second", nil, context.Canceled)
		if run.Err() == nil {
			t.Error("not cancelled")
		}
		leaveThird := wait()
		if again := <-h.begun; again.Err() != nil {
			t.Error("the third caller got a cancelled computation")
		}
		leaveThird().is(t, "the third", nil, context.Canceled)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.Do(gone, h.spec("a"), Urgent, nil, 0)
		answer{err: err}.is(t, "one that has gone already", nil, context.Canceled)
		if len(h.begun) != 0 {
			t.Error("a run without a waiter")
		}
	})
}

// A caller that disconnects gets the error of its context immediately, in every state of its computation.
func TestHangUp(t *testing.T) {
	for _, tt := range []struct {
		name   string
		queued bool
	}{{"queued", true}, {"running", false}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScheduler(t, Options{Slots: 1, Queue: 1})
				blocks, h := newHeld(), newHeld()
				var first *Waiter
				if tt.queued {
					first = joins(t, s, blocks.spec("first"), Urgent)
				}
				ctx, cancel := context.WithCancel(t.Context())
				got := do(ctx, s, h.spec("a"), Urgent)
				synctest.Wait()
				if want := map[bool]int{true: 1}[tt.queued]; s.Load().Waiting != want {
					t.Errorf("%+v", s.Load())
				}
				cancel()
				(<-got).is(t, "the caller", nil, context.Canceled)
				if tt.queued {
					if l := s.Load(); l.Waiting != 0 || len(h.begun) != 0 {
						t.Errorf("%+v, %d runs", l, len(h.begun))
					}
					first.Leave()
				}
			})
		})
	}
}

// A result that exists when the caller disconnects is returned to the caller.
func TestHangUpAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1})
		for range 200 { // select in Wait chooses at random
			w := joins(t, s, Spec{Key: "a", Slot: true, Run: value("result")}, Urgent)
			synctest.Wait()
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			result, err := w.Wait(ctx, nil)
			answer{result, err}.is(t, "the caller", "result", nil)
			w.Leave()
		}
	})
}

// A cancelled run keeps its slot until it returns, and Load counts it. No caller waits for it.
func TestACancelledRunKeepsItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1, Queue: 1})
		slow := Spec{Key: "a", Slot: true, Run: func(ctx context.Context, _ *Task) (any, error) {
			<-ctx.Done()
			time.Sleep(time.Second)
			return nil, ctx.Err()
		}}
		joins(t, s, slow, Urgent).Leave()
		next := do(t.Context(), s, Spec{Key: "a", Slot: true, Run: value("next")}, Urgent)
		time.Sleep(600 * time.Millisecond)
		want := Load{
			Slots: 1, Busy: 1, Queue: 1, Waiting: 1, Oldest: 600 * time.Millisecond, Abandons: 1, Overdue: 600 * time.Millisecond,
		}
		if l := s.Load(); l != want {
			t.Errorf("%+v, want %+v", l, want)
		}
		(<-next).is(t, "the next", "next", nil)
	})
}

// The last caller that leaves may wait for the partial result.
func TestLinger(t *testing.T) {
	for _, tt := range []struct {
		name    string
		linger  time.Duration
		others  bool
		partial any
		took    time.Duration
	}{
		{"long enough", 3 * time.Millisecond, false, "partial", 2 * time.Millisecond},
		{"too short", time.Millisecond, false, nil, time.Millisecond},
		{"none", 0, false, nil, 0},
		{"another caller waits", time.Hour, true, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScheduler(t, Options{Slots: 1})
				spec := Spec{Key: "a", Slot: true, Run: func(ctx context.Context, _ *Task) (any, error) {
					<-ctx.Done()
					time.Sleep(2 * time.Millisecond)
					return "partial", ctx.Err()
				}}
				var other *Waiter
				if tt.others {
					other = joins(t, s, spec, Urgent)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				began := time.Now()
				result, err := s.Do(ctx, spec, Urgent, nil, tt.linger)
				if took := time.Since(began) - time.Second; result.Partial != tt.partial || took != tt.took ||
					!errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%+v, %v after %v", result, err, took)
				}
				if tt.others {
					other.Leave()
				}
				time.Sleep(time.Second)
			})
		})
	}
}

// A panic is returned as an error to all waiters. The slot gets new tools, since the old ones may be in any state.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1})
		made := 0
		use := func(task *Task) int { return Tool(task.Slot(), "tool", func() int { made++; return made }) }
		for _, key := range []Key{"a", ""} {
			_, err := s.Do(t.Context(), Spec{Key: key, Slot: true, Run: func(_ context.Context, task *Task) (any, error) {
				use(task)
				panic("a bug")
			}}, Urgent, nil, 0)
			if p, ok := errors.AsType[*PanicError](err); !ok || p.Value != "a bug" || len(p.Stack) == 0 {
				t.Errorf("%v", err)
			}
			for range 2 {
				result, err := s.Do(t.Context(), Spec{Key: key, Slot: true, Run: func(_ context.Context, task *Task) (any, error) {
					return use(task), nil
				}}, Urgent, nil, 0)
				answer{result, err}.is(t, "the next", made, nil)
			}
		}
		if made != 3 {
			t.Errorf("%d tools made, want 3: the first, and one after each panic", made)
		}
	})
}

// Work without a key runs in the caller's goroutine if a slot is free, and is queued otherwise.
func TestWorkOfOneCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1, Queue: 2})
		spawned := 0
		s.spawn = func(work func()) { spawned++; go work() }
		type key struct{}
		ctx := context.WithValue(t.Context(), key{}, "of the caller")
		alone := Spec{Slot: true, Run: func(ctx context.Context, _ *Task) (any, error) { return ctx.Value(key{}), nil }}
		result, err := s.Do(ctx, alone, Urgent, nil, 0)
		answer{result, err}.is(t, "alone", "of the caller", nil)
		// A computation that waits for others also runs them in its own goroutine, with its own context.
		result, err = s.Do(ctx, Spec{Run: waitsFor(s, alone, alone)}, Urgent, nil, 0)
		answer{result, err}.is(t, "two parts", [8]any{"of the caller", "of the caller"}, nil)
		if spawned != 0 {
			t.Errorf("%d goroutines", spawned)
		}
		h := newHeld()
		first := joins(t, s, h.spec("first"), Urgent)
		got := []<-chan answer{do(ctx, s, alone, Urgent), do(ctx, s, alone, Urgent)}
		synctest.Wait()
		if l := s.Load(); l.Waiting != 2 {
			t.Errorf("%+v", l)
		}
		first.Leave()
		for _, one := range got {
			(<-one).is(t, "queued", "of the caller", nil)
		}
	})
}

// TryDo runs optional work if a slot is free.
func TestTryDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1, Queue: 5})
		ran := 0
		work := func(context.Context, *Slot) { ran++ }
		if !s.TryDo(t.Context(), work) || ran != 1 {
			t.Errorf("ran %d times with a free slot", ran)
		}
		result, err := s.Do(t.Context(), Spec{Key: "a", Slot: true, Run: func(ctx context.Context, _ *Task) (any, error) {
			return s.TryDo(ctx, work), nil // the only slot is used by the caller itself
		}}, Urgent, nil, 0)
		answer{result, err}.is(t, "from a run", false, nil)
		if s.TryDo(t.Context(), func(context.Context, *Slot) { panic("a bug") }) {
			t.Error("TryDo succeeded after a panic")
		}
		if ran != 1 {
			t.Errorf("ran %d times", ran)
		}
	})
}

// A computation with a slot cannot be the waiter of another: if every slot waited for another computation, none would end.
func TestSlotsDoNotWait(t *testing.T) {
	s := New(Options{Slots: 2})
	inner := Spec{Slot: true, Run: func(context.Context, *Task) (any, error) { return "inner", nil }}
	for _, slot := range []bool{true, false} {
		_, err := s.Do(t.Context(), Spec{Key: "outer", Slot: slot, Run: func(ctx context.Context, _ *Task) (any, error) {
			return s.Do(ctx, inner, Urgent, nil, 0)
		}}, Urgent, nil, 0)
		if refused := errors.Is(err, errWaitsWithSlot); refused != slot || !slot && err != nil {
			t.Errorf("slot %t: error %v", slot, err)
		}
	}
}
