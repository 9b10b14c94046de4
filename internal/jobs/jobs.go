// Package jobs runs asynchronous requests. A Queue accepts jobs, has their tasks run by this process or another one, and
// keeps the results for a while. It stores bytes and does not interpret them.
//
// A Job is one owner's request; a Task is what has to be done for it. Equal requests (the same Kind and Key) share one
// task, which is run once. Each owner has a Job of their own, with its own ID, place in their list, and end, and one for each
// IdempotencyKey. Cancelling a job does not affect others; cancelling the last job of a task stops the task.
//
// An accepted job ends exactly once, as succeeded, failed or cancelled, whichever processes die. Its task may be started
// more than once: a process may die before it has stored the result.
package jobs

import (
	"cmp"
	"context"
	"time"
)

// Status is the state of a job. Queued and Running alternate while attempts are made; the others are final.
type Status string

// The states of a job.
const (
	Queued    Status = "queued"    // waits for a worker slot
	Running   Status = "running"   // its task is running
	Succeeded Status = "succeeded" // has a Result
	Failed    Status = "failed"    // has a Failure
	Cancelled Status = "cancelled" // by its owner
)

// Final reports whether the job has ended: a final status never changes.
func (s Status) Final() bool { return s == Succeeded || s == Failed || s == Cancelled }

// Valid reports whether the status is one of the five above.
func (s Status) Valid() bool { return s == Queued || s == Running || s.Final() }

// Failure is the reason why a job failed.
type Failure string

// The reasons.
const (
	FailedForGood     Failure = "permanent" // the handler returned an error marked by Permanent
	FailedTooOften    Failure = "attempts"  // the handler failed MaxAttempts times
	FailedWithProcess Failure = "died"      // its processes died too often while its task was running
	FailedTooLarge    Failure = "too_large" // the result is larger than Options.MaxResult
)

// DefaultCost is the Cost of a Spec without one.
const DefaultCost = time.Second

// MaxAttempts is the number of failed attempts after which a job fails.
const MaxAttempts = 3

// Limits of requests. A Spec beyond them is refused with ErrTooLarge; Options bounds payloads.
const (
	MaxName = 512  // bytes of Kind, Key, Owner and IdempotencyKey, each
	MaxPage = 1000 // jobs in a page

	MaxState = 1 << 20 // bytes of a task's state
)

// Spec describes a job to be submitted.
type Spec struct {
	// Kind is the kind of the payload, such as "klaverjas.solve". It must not be empty.
	Kind string
	// Key identifies the task within its Kind. Specs with equal Kind and Key share a task and its Result, so the key must
	// hold everything that the result depends on, including versions. With an empty key the task is not shared.
	Key string
	// Owner is the scope of lists, idempotency keys and jobs with equal Key. Clients that must not see or cancel each
	// other's jobs need different owners.
	Owner string
	// Network says that the owner is one of many that one client may have, such as the addresses of a network. All owners of a network take
	// turns as one, and the bounds of one owner hold for them together too. Empty for none.
	Network string
	// IdempotencyKey makes Submit repeatable: a second call of the owner with the same key returns the same job, whatever
	// its status. No other call returns that job. Empty for none.
	IdempotencyKey string
	// Cost is how long the task is expected to take, 0 for DefaultCost. It says where the task waits, until an attempt has shown the time.
	Cost time.Duration
	// Payload is the handler's input. Of jobs that share a task, it is the payload of the first.
	Payload []byte
	// Local says that this process already runs the computation, for a request that takes long. The job starts as Running,
	// outside the worker slots and without counting as queued. The handler of this process's Work is called and should
	// join the computation. If an equal task is queued, this process runs it now; if it is running or has ended, Local has
	// no effect. If no Work of this process is running, the job is queued as any other.
	//
	// If the process dies, the task is queued again as after any death of a worker.
	Local bool
	// NoNewTask says that the job is only accepted if it exists or shares a task. It has no effect with Local.
	NoNewTask bool
	// Unlisted says that many clients have the Owner, who must not meet each other's jobs. The job is in no list, and no equal request finds
	// it. Like the job of another owner, an equal one shares its task; while that is unfinished, Options.MaxOwned holds for it too. The
	// IdempotencyKey counts together with Kind and Payload, because strangers may choose the same key.
	Unlisted bool
}

// Taker returns who takes turns for the task: the network, or the owner without one.
func (s *Spec) Taker() string { return cmp.Or(s.Network, s.Owner) }

// Job is the state of an owner's job at one moment.
type Job struct {
	ID         string // 128 random bits in 26 characters of 0-9a-v; whoever knows it can read the job
	Kind       string
	Key        string
	Owner      string
	Status     Status
	CreatedAt  time.Time // when Submit accepted it
	StartedAt  time.Time // when the last attempt at its task began; zero before; not before CreatedAt
	FinishedAt time.Time // when it became final; zero before; not before CreatedAt
	// Attempts counts the attempts at its task, including a running one. Attempts that a stopping process gave back are
	// not counted.
	Attempts int
	// PositionInQueue is 1 for the task that is started next, 0 for a job that is not queued.
	PositionInQueue int
	// Progress is the handler's last report in the running attempt, or in the last attempt of a job that has ended; nil if
	// there is none. It is lost when a process dies.
	Progress []byte
	// ResultSize is, of a succeeded job, how many bytes the handler returned. ReadResult returns them.
	ResultSize int
	Failure    Failure // of a failed job
	Error      []byte  // of a failed job, what WithDetail added to the handler's last error; nil if nothing
}

// Page is a part of a list of jobs, newest first.
type Page struct {
	Jobs []Job  // without ResultSize and Progress
	Next string // the token of the next page; empty on the last
}

// ListOptions selects the jobs that List returns.
type ListOptions struct {
	Owner  string // only jobs of this owner
	Status Status // only jobs of this status; empty for all
	Token  string // Page.Next of the previous page; empty for the first page
	Limit  int    // the most jobs to return, from 1 to MaxPage
	// IDs, if it is not nil, selects these jobs only, unlisted ones too. There is then one page, and Token and Limit have no effect.
	IDs []string
}

// Stats is the load of the queue, over all processes that share it.
type Stats struct {
	Queued    int           // waiting tasks
	Running   int           // running tasks, including local ones
	MaxQueued int           // Options.MaxQueued
	Oldest    time.Duration // how long the oldest waiting task has waited; 0 if none waits
	// MeanRun is the mean duration of the last successful attempts of all kinds; 0 if there is none yet.
	MeanRun time.Duration
	Slots   int           // worker slots of the live processes that have not stopped claiming
	Cost    time.Duration // of the waiting tasks together, by Spec.Cost; of the first 1,000, if there are more
	// Left is what the running tasks of each taker may still take together, by Task.Taker: see TaskLeft.
	Left map[string]time.Duration
}

// Turn is how long a task keeps its worker slot from other owners. After that it goes on without.
const Turn = time.Second

// TaskLeft returns how long a task may still take that was expected to take the cost and has run for some time. One that has taken longer
// may take as long again.
func TaskLeft(cost, elapsed time.Duration) time.Duration {
	if elapsed < cost {
		return cost - max(elapsed, 0)
	}
	return elapsed
}

// Wait estimates how long the job at the position still waits for a worker slot: until the running tasks and the waiting ones before it
// have ended. It returns false if there is no slot.
func (s Stats) Wait(position int) (time.Duration, bool) {
	if s.Slots <= 0 || position <= 0 {
		return 0, false
	}
	if position <= s.Slots-s.Running {
		return 0, true
	}
	var before time.Duration
	for _, left := range s.Left {
		before += left
	}
	if s.Queued > 0 {
		before += time.Duration(float64(s.Cost) * float64(position-1) / float64(s.Queued))
	}
	return before / time.Duration(s.Slots), true
}

// WaitOf is Wait for a job whose turns the taker takes: it waits for a turn, or until the taker's own tasks have ended, but not for the
// end of others' tasks.
func (s Stats) WaitOf(taker string, position int) (time.Duration, bool) {
	wait, known := s.Wait(position)
	return min(wait, max(s.Left[taker], Turn)), known
}

// Task is what a handler runs. Several jobs may share it.
type Task struct {
	ID      string // for logs; different from the IDs of its jobs
	Kind    string
	Key     string
	Owner   string // who waits for it in turn: the owner of the job that created it, or of one that shares it and whose turn is earlier
	Network string // of the owner
	Payload []byte // not to be changed
	Attempt int    // from 1
	State   []byte // what the last attempt saved, unless it failed; nil for nothing
	// Save stores a state of at most MaxState bytes, with which the next attempt goes on if this one does not end: after a stop or the death
	// of the process. A larger one is not stored. It waits for the store. Its error is ErrYield if too many tasks run for one of another owner
	// to start: the handler should then return this error. Its task waits for its next turn, and goes on from the state.
	Save func(state []byte) error `json:"-"`
}

// Taker returns who takes turns for the task: the network, or the owner without one.
func (t *Task) Taker() string { return cmp.Or(t.Network, t.Owner) }

// Handler runs a task. What it returns with a nil error is the Result; nil stands for an empty one.
//
// Its context ends when all jobs of the task are cancelled, when another process has taken the task over, and when the
// process stops. The handler must then return within 50 ms. If the process stops and the handler returns an error, the task
// is given back to the queue and the attempt is not counted.
//
// An error is a failed attempt, as is a panic. After MaxAttempts of them, or one marked by Permanent, the jobs have
// Failed. Before that, the task is queued again behind all waiting tasks of its owner.
//
// progress reports how far the handler is. It keeps the bytes and never blocks. The last report counts; reports in quick
// succession may be dropped. It must not be called after the handler has returned.
type Handler func(ctx context.Context, task Task, progress func([]byte)) (result []byte, err error)

// Queue accepts jobs, runs their tasks, and keeps the results for a while. It is safe for concurrent use.
//
// Any method can return ErrClosed, the context's error, and ErrUnavailable when the store cannot be reached. Callers may keep
// jobs and their bytes and must not change them.
type Queue interface {
	// Submit accepts a job. Once Submit has returned, the job survives the death of every process.
	//
	// It returns an existing job, and false, if the owner has used the IdempotencyKey before. Without an IdempotencyKey, it also
	// does so if the owner has a job of equal Kind and Key, without an IdempotencyKey, that is unfinished or succeeded and still kept.
	// Else it creates a job. If there is another job of equal Kind and Key, the new one shares its task, and is created as succeeded
	// if the task has succeeded. An Unlisted job is found by its IdempotencyKey only.
	//
	// Errors: ErrNewTask if a new task would have to wait and NoNewTask is set; ErrTooMany (a *TooManyError) if its owner has
	// Options.MaxOwned unfinished jobs, including shared and local ones; ErrTooCostly (a *TooCostlyError) if tasks of its owner wait and
	// would with this one cost more than Options.MaxCost; otherwise ErrFull (a *FullError) if a new task would have to wait and
	// Options.MaxQueued tasks wait, or all but Options.Reserved and one of its owner; ErrIdempotencyMismatch if the IdempotencyKey was
	// used with another Kind or Payload;
	// ErrTooLarge; ErrNoKind. A job that exists or shares a task is returned even if the queue is full. ErrTooMany also holds for a
	// job that shares an unfinished task and is Unlisted or has an IdempotencyKey.
	Submit(ctx context.Context, spec Spec) (job Job, created bool, err error)

	// Get returns the job. It returns ErrNotFound if there was none or it has been removed after its end (Options.Retention).
	Get(ctx context.Context, id string) (Job, error)

	// ReadResult returns a part of the result of a succeeded job: at most limit bytes from offset on, fewer only at the end. A result
	// can be many times larger than what a reader should hold of it. ErrNotFound as for Get, and for a job that has no result.
	ReadResult(ctx context.Context, id string, offset, limit int) ([]byte, error)

	// Cancel ends the job as Cancelled and returns it. A job that has ended does not change. With the last job of a task,
	// the task is removed from the queue or its handler's context ends. ErrNotFound as for Get.
	Cancel(ctx context.Context, id string) (Job, error)

	// List returns jobs of an owner, newest first. All pages together hold each listed job once that existed when the first page
	// was read and has not been removed since, and no newer ones. ErrBadToken for a token that is no Page's Next. An ID that is no job of
	// the owner is left out.
	List(ctx context.Context, options ListOptions) (Page, error)

	// Watch sends the job as it is now and after every change of status, progress or position. A slow receiver misses
	// intermediate states, never the last one. The channel is closed after a final status was sent, and when the context
	// ends or the queue is closed. The caller must end the context when it stops receiving. ErrNotFound as for Get.
	Watch(ctx context.Context, id string) (<-chan Job, error)

	// Stats returns the load of the queue.
	Stats(ctx context.Context) (Stats, error)

	// Check tries what the queue needs of its store, and changes no job. Its error says what the store refuses, such as a write because
	// it is full, or a command that the user of the queue may not run.
	Check(ctx context.Context) error

	// Work runs tasks with the handler until the context ends, as many at a time as concurrency says, and local tasks in addition. Owners take
	// turns: the next task is the oldest of the owner whose tasks have taken the least time since it began to wait. A task that has run for a
	// Turn keeps no other owner waiting: beside it starts a task of an owner of whom none runs in this process, up to a few beyond
	// concurrency. What their handlers need, they share. With a concurrency of 0 it runs local tasks only. At the end it ends the handlers'
	// contexts, gives unfinished tasks back, and returns nil when the last handler has returned. It returns early only with ErrClosed, or with
	// ErrWorking if this process already works the queue. It continues while the store cannot be reached.
	Work(ctx context.Context, handler Handler, concurrency int) error

	// StopClaiming makes this process start no more waiting tasks, for good, so that other processes start them. Running
	// tasks continue, and local tasks are still started. A process calls it first when it is about to stop. A task that is
	// being started at that moment is still run.
	StopClaiming()

	// Close releases all resources and ends all watches. Work must have returned. The jobs remain stored.
	Close() error
}
