package computation

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// ErrClosed is the error of computations that ended because the Scheduler was closed.
var ErrClosed = errors.New("the scheduler is closed")

// errWaitsWithSlot is the error of a Run with a slot that joins another computation. If every slot waited for another computation, none
// would end.
var errWaitsWithSlot = errors.New("a computation with a slot must not wait for another")

// BusyError is the error of a new urgent computation if the queue is full.
type BusyError struct {
	Slots, Queue int
	RetryAfter   time.Duration // estimated time until the queue is empty, from the mean time of recent computations
}

// Error returns the numbers.
func (e *BusyError) Error() string {
	return fmt.Sprintf("no slot is free, of %d, and the queue of %d is full", e.Slots, e.Queue)
}

// LimitedError is the error of a new computation whose client is at one of its Limits.
type LimitedError struct {
	Client     string
	Searches   int // number of requests of the client, if it is at Limits.Searches; 0 if it is at Limits.Time
	RetryAfter time.Duration
}

// Error returns a text with the limit.
func (e *LimitedError) Error() string {
	if e.Searches > 0 {
		return fmt.Sprintf("the client has %d requests already", e.Searches)
	}
	return "the client has used up its time on slots"
}

// PanicError is the error of a computation whose Run panicked.
type PanicError struct {
	Value any
	Stack []byte
}

// Error returns the value and the stack of the panic. It is for the log, not for clients.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Protect calls work and returns a panic as a *PanicError. It is for goroutines, in which a panic ends the process.
func Protect(work func() (any, error)) (value any, err error) {
	defer func() {
		if p := recover(); p != nil {
			value, err = nil, &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return work()
}
