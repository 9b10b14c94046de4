package computation

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// ErrClosed is the error of a computation that the Scheduler ended because it was closed.
var ErrClosed = errors.New("the scheduler is closed")

// errWaitsWithSlot is the error of a Run that has a slot and joins another computation: if every slot waited for another, none would end.
var errWaitsWithSlot = errors.New("a computation with a slot must not wait for another")

// BusyError is the error of a new urgent computation where the queue is full.
type BusyError struct {
	Slots, Queue int
	RetryAfter   time.Duration // when the present queue will have been worked off, by the mean of lately
}

// Error returns the numbers.
func (e *BusyError) Error() string {
	return fmt.Sprintf("no slot is free, of %d, and the queue of %d is full", e.Slots, e.Queue)
}

// LimitedError is the error of a new computation whose client has reached one of its Limits.
type LimitedError struct {
	Client     string
	Searches   int // how many the client has, where it reached Limits.Searches; 0 where it reached Limits.Time
	RetryAfter time.Duration
}

// Error names the limit.
func (e *LimitedError) Error() string {
	if e.Searches > 0 {
		return fmt.Sprintf("the client has %d computations already", e.Searches)
	}
	return "the client has used up its time on slots"
}

// PanicError is the error of a computation that panicked.
type PanicError struct {
	Value any
	Stack []byte
}

// Error returns the value of the panic and where it happened. It is for the log, not for clients.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Protect calls work and returns a panic of it as a *PanicError. It is for goroutines: a panic there ends the process.
func Protect(work func() (any, error)) (value any, err error) {
	defer func() {
		if p := recover(); p != nil {
			value, err = nil, &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return work()
}
