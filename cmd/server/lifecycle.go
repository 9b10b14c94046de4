package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
)

// part is a part of the server: a store, the workers, the port. Every function may be nil.
type part struct {
	name string
	// start starts the part, after all parts before it, and returns when it runs. Its context ends if the server is stopped
	// before that. If it returns an error, it has released its resources.
	start func(ctx context.Context) error
	// leave announces the end of the server to the part. The part then accepts nothing new and continues its present work.
	leave func()
	// stop ends the part, after all parts that started later. Its context ends after limit; stop must return soon after that.
	stop  func(ctx context.Context) error
	limit time.Duration
}

// leeway is how long a part may continue to stop after its context has ended. Then the next part is stopped.
const leeway = 200 * time.Millisecond

// lifecycle starts parts one after the other and stops them in the reverse order.
type lifecycle struct {
	log   *zap.Logger
	grace time.Duration   // between leave and stop, so that load balancers notice
	first context.Context // ends when the server should stop
	last  context.Context // ends when it should stop at once
	end   context.CancelCauseFunc
}

// newLifecycle returns a lifecycle that ends in order at the first of the signals and at once at the second. The caller
// calls release when nothing runs any more.
func newLifecycle(log *zap.Logger, grace time.Duration, signals <-chan os.Signal) (l *lifecycle, release func()) {
	l = &lifecycle{log: log, grace: grace}
	var kill context.CancelCauseFunc
	l.first, l.end = context.WithCancelCause(context.Background())
	l.last, kill = context.WithCancelCause(context.Background())
	released := make(chan struct{})
	var listening sync.WaitGroup
	listening.Go(func() {
		for {
			select {
			case s := <-signals:
				if l.first.Err() != nil {
					kill(fmt.Errorf("a second signal: %v", s))
					return
				}
				l.end(signalled{s})
			case <-released:
				return
			}
		}
	})
	return l, func() {
		close(released)
		listening.Wait()
		l.end(nil)
		kill(nil)
	}
}

// signalled is the cause of a stop by a signal.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return "signal: " + s.String() }

// fail stops the server because a part has failed while it ran.
func (l *lifecycle) fail(err error) { l.end(err) }

// run starts the parts, waits until the server should stop, and stops the parts that have started. It returns nil if the server was
// stopped by a signal and every part stopped in order.
func (l *lifecycle) run(parts []part) error {
	started, err := l.start(parts)
	if err == nil {
		<-l.first.Done()
		err = l.leave(started)
	}
	errs := []error{err}
	for _, p := range slices.Backward(started) {
		errs = append(errs, l.stop(p))
	}
	return errors.Join(errs...)
}

// start starts the parts and returns those that it has started: all, if there is no error and no signal.
func (l *lifecycle) start(parts []part) ([]part, error) {
	for i, p := range parts {
		if p.start == nil {
			continue
		}
		select {
		case <-l.first.Done():
			return parts[:i], nil
		default:
		}
		if err := p.start(l.first); err != nil {
			return parts[:i], fmt.Errorf("starting the %s: %w", p.name, err)
		}
	}
	return parts, nil
}

// leave calls the leave functions of all parts. Its error is the cause of the stop, nil for a signal.
func (l *lifecycle) leave(parts []part) error {
	cause := context.Cause(l.first)
	s, told := errors.AsType[signalled](cause)
	if told {
		l.log.Info("stopping", zap.Stringer("signal", s), zap.Duration("grace", l.grace))
	}
	for _, p := range slices.Backward(parts) {
		if p.leave != nil {
			p.leave()
		}
	}
	if !told {
		return cause
	}
	select {
	case <-time.After(l.grace):
	case <-l.last.Done():
	}
	return nil
}

// stop stops one part. It does not wait for a part that takes too long.
func (l *lifecycle) stop(p part) error {
	if p.stop == nil {
		return nil
	}
	tooLong := fmt.Errorf("not done after %v", p.limit)
	ctx, cancel := context.WithTimeoutCause(l.last, p.limit, tooLong)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- p.stop(ctx) }()
	givenUp := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(leeway, func() { close(givenUp) })
	})()
	var err error
	select {
	case err = <-done:
	case <-givenUp:
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("stopping the %s: %w", p.name, err)
	}
	return nil
}
