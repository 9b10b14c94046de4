package computation

import (
	"context"
	"time"
)

// Task is the running computation, for its Run function.
type Task struct {
	scheduler *Scheduler
	c         *computation
	slot      *Slot
	queued    time.Time // when it was queued
	started   time.Time
}

// Slot returns the slot of the computation, or nil if it needs none. It must not be used after Run has returned.
func (t *Task) Slot() *Slot { return t.slot }

// Waited returns the time at which the computation was queued, and the time at which it started.
func (t *Task) Waited() (from, to time.Time) { return t.queued, t.started }

// Report reports progress to the waiters. Bounds only become narrower and nodes only increase. It does not block.
func (t *Task) Report(p Progress) {
	t.scheduler.mu.Lock()
	defer t.scheduler.mu.Unlock()
	t.c.report(p)
}

type taskKey struct{}

// taskOf returns the task whose Run has the context, or nil if there is none.
func taskOf(ctx context.Context) *Task {
	t, _ := ctx.Value(taskKey{}).(*Task)
	return t
}

type payerKey struct{}

// payer is who is charged for new computations.
type payer struct {
	client string // empty for none
	// network is set if the client is one of many that may be the same one: together they take turns as one. Empty for none.
	network string
	job     bool // for a job, which was admitted when it was created
}

// WithClient returns a context with which new computations are charged to the client. Without it they are not charged.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, payerKey{}, payer{client: client})
}

// WithJobOf returns a context with which new computations are charged to the owner of a job. They are not refused because of its limits,
// and do not count as one of its requests: the job was admitted when it was created.
func WithJobOf(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, payerKey{}, payer{client: client, job: true})
}

// WithNetwork returns a context whose client takes turns with others as a part of a network. Empty for none.
func WithNetwork(ctx context.Context, network string) context.Context {
	p := payerOf(ctx)
	p.network = network
	return context.WithValue(ctx, payerKey{}, p)
}

func payerOf(ctx context.Context) payer {
	p, _ := ctx.Value(payerKey{}).(payer)
	return p
}

// runContext is the context of a running computation.
type runContext struct {
	context.Context
	task *Task
}

// Deadline returns the current latest deadline of the waiters.
func (r runContext) Deadline() (time.Time, bool) {
	r.task.scheduler.mu.Lock()
	defer r.task.scheduler.mu.Unlock()
	return r.task.c.deadline, !r.task.c.deadline.IsZero()
}

// Value also returns the task.
func (r runContext) Value(key any) any {
	switch key.(type) {
	case taskKey:
		return r.task
	case payerKey:
		return r.task.c.request.payer // not always the first waiter's; see again
	}
	return r.Context.Value(key)
}
