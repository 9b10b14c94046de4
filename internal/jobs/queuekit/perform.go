package queuekit

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"roem/internal/jobs"
)

// Perform calls the handler and turns a panic into an error. A nil result without an error becomes an empty one.
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

// ErrTaken is the cause of a handler's context that ended because its task was cancelled or taken over by another process.
var ErrTaken = errors.New("the task was cancelled or taken over by another process")
