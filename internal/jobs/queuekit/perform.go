package queuekit

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"roem/internal/jobs"
)

// Perform calls the handler and makes a panic of it an error. A nil result without error becomes an empty one.
func Perform(ctx context.Context, handler jobs.Handler, task jobs.Task, progress func([]byte)) (result []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, fmt.Errorf("the handler panicked: %v\n%s", p, debug.Stack())
		}
	}()
	result, err = handler(ctx, task, progress)
	if err == nil && result == nil {
		result = []byte{}
	}
	return result, err
}

// ErrStopped is why the context of a handler ended when the process stops working.
var ErrStopped = errors.New("the process stops working")

// ErrTaken is why the context of a handler ended when its work was cancelled, or taken over by another process.
var ErrTaken = errors.New("the work is cancelled or has been taken over")
