package service

import (
	"context"
	"iter"
	"sync"
	"time"

	"roem/internal/computation"
)

// turn is how long work keeps a slot while others may want it. To give a slot up and to take it again costs some microseconds.
const turn = 100 * time.Millisecond

// InTurns runs work that may take many seconds without keeping others from the slots for that time. work calls next before each of its
// steps, and uses the slot that next returns until it calls next again. When work has had its slot for 100 ms, next gives the slot up and
// waits at the end of the queue for one. Its error says that work must end; the context of work has then ended too.
//
// A computation whose Run calls InTurns has no slot of its own. The error is the error of work, or an *Error where the Scheduler refuses a
// slot or ends. InTurns returns after work.
func (s *Service) InTurns(ctx context.Context, work func(ctx context.Context, next func() (*computation.Slot, error)) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var (
		running sync.Mutex // held while work runs, so that stop does not meet resume
		ended   bool
		result  error
		slot    *computation.Slot // of the present turn
		until   time.Time         // the end of the present turn
	)
	resume, stop := iter.Pull(func(yield func(struct{}) bool) {
		_, result = computation.Protect(func() (any, error) {
			return nil, work(ctx, func() (*computation.Slot, error) {
				if time.Now().After(until) && !yield(struct{}{}) {
					return nil, context.Cause(ctx)
				}
				return slot, ctx.Err()
			})
		})
		ended = true
	})
	defer func() {
		cancel() // work that waits for a slot, and a part that the Scheduler has given up, end soon
		running.Lock()
		defer running.Unlock()
		stop()
	}()
	for !ended {
		if err := s.Part(ctx, func(_ context.Context, task *computation.Task) error {
			running.Lock()
			defer running.Unlock()
			if err := ctx.Err(); err != nil {
				return err
			}
			slot, until = task.Slot(), time.Now().Add(turn)
			resume()
			return result
		}); err != nil {
			return err
		}
	}
	return nil
}

// WithPause is InTurns for work that needs no slot of its own, but must give the present one up at intervals: it calls pause.
func (s *Service) WithPause(ctx context.Context, work func(ctx context.Context, pause func() error) error) error {
	return s.InTurns(ctx, func(ctx context.Context, next func() (*computation.Slot, error)) error {
		pause := func() error {
			_, err := next()
			return err
		}
		if err := pause(); err != nil {
			return err
		}
		return work(ctx, pause)
	})
}
