package computation

import (
	"context"
	"time"
)

// Task is a computation as its Run sees it.
type Task struct {
	scheduler *Scheduler
	c         *computation
	slot      *Slot
	queued    time.Time // when it was queued
	started   time.Time
}

// Slot returns the slot that the computation has, nil where it needs none. It must not be used after Run has returned.
func (t *Task) Slot() *Slot { return t.slot }

// Waited returns when the computation was queued for its slot, and when it got it.
func (t *Task) Waited() (from, to time.Time) { return t.queued, t.started }

// Report tells the waiters how far the computation is. Bounds only narrow and nodes only grow. It does not block.
func (t *Task) Report(p Progress) {
	t.scheduler.mu.Lock()
	defer t.scheduler.mu.Unlock()
	t.c.report(p)
}

type taskKey struct{}

// taskOf returns the computation whose Run has the context, nil where none has.
func taskOf(ctx context.Context) *Task {
	t, _ := ctx.Value(taskKey{}).(*Task)
	return t
}

type clientKey struct{}

// WithClient returns a context under which new computations are charged to the client. Without one they are charged to none.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// ClientOf returns the client that computations are charged to, empty for none.
func ClientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}

// runContext is the context of a computation that runs.
type runContext struct {
	context.Context
	task *Task
}

// Deadline returns the deadline of the waiter with the most time, as it is now.
func (r runContext) Deadline() (time.Time, bool) {
	r.task.scheduler.mu.Lock()
	defer r.task.scheduler.mu.Unlock()
	return r.task.c.deadline, !r.task.c.deadline.IsZero()
}

// Value also finds the task.
func (r runContext) Value(key any) any {
	switch key.(type) {
	case taskKey:
		return r.task
	case clientKey:
		return r.task.c.client // which is not always that of the first waiter; see finish
	}
	return r.Context.Value(key)
}
