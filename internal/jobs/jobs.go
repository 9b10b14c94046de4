// Package jobs keeps work that clients do not wait for. A Queue accepts it, has it worked by this process or another,
// and keeps what came of it for a while. It carries bytes and knows nothing of what they mean.
//
// What is worked and what clients see are two things. Equal work (the same Kind and Key) is worked once, however many
// ask for it; each owner who asked has a Job of their own, with its own ID, place in their list, and end: who cancels a
// job leaves the work to the others, and only when the last of its jobs is cancelled does the work stop.
//
// An accepted job ends exactly once, as succeeded, failed or cancelled, whatever happens to the processes meanwhile. Its
// work may be begun more than once: the process may die before it can write down that it is done.
package jobs

import (
	"context"
	"time"
)

// Status says where a job stands. Queued and Running alternate while attempts are made; the others are final.
type Status string

// What a job can be.
const (
	Queued    Status = "queued"    // waits for a worker
	Running   Status = "running"   // a worker is at it
	Succeeded Status = "succeeded" // has a Result
	Failed    Status = "failed"    // has a Failure
	Cancelled Status = "cancelled" // its owner did not want it any more
)

// Final reports whether the job has ended: a final status never changes.
func (s Status) Final() bool { return s == Succeeded || s == Failed || s == Cancelled }

// Valid reports whether it is one of the five.
func (s Status) Valid() bool { return s == Queued || s == Running || s.Final() }

// Failure says why a job failed.
type Failure string

// Why jobs fail.
const (
	FailedForGood     Failure = "permanent" // the handler said that trying again is of no use
	FailedTooOften    Failure = "attempts"  // the handler failed MaxAttempts times
	FailedWithProcess Failure = "died"      // the processes that worked it died, again and again
	FailedTooLarge    Failure = "too_large" // the result is larger than the queue keeps
)

// MaxAttempts is how many attempts are made at work that fails.
const MaxAttempts = 3

// Limits of what a Spec may hold. Larger is ErrTooLarge; payloads are bounded by the queue's own options.
const (
	MaxName = 512 // bytes of Kind, Key, Owner and IdempotencyKey, each
	MaxPage = 1000
)

// Spec is what Submit is asked for.
type Spec struct {
	// Kind tells the handler what the payload is. It must not be empty.
	Kind string
	// Key names the work: two specs of equal Kind and Key ask for the same and get the same Result, so whatever the
	// result depends on belongs in it, versions included. Empty stands for work that nobody else asks for.
	Key string
	// Owner is whose job it is. It scopes lists, idempotency keys and jobs shared by Key, so it must tell clients
	// apart that should not see or cancel each other's jobs.
	Owner string
	// IdempotencyKey makes Submit repeatable: the owner's second call with the same key gets the same job, whatever
	// has become of it. Empty for none.
	IdempotencyKey string
	// Payload is what the handler works on.
	Payload []byte
	// Local says that this very process has begun the work already, as a request that turned out to take long. The
	// job starts as Running, at once, outside the worker slots and not counted against the queue's depth, and the
	// handler of this process's Work is called, which should join what is under way. If equal work is queued, it is
	// this process that runs it now; if it is running or done, Local changes nothing. Where this process does not
	// Work (or not yet, or not any more), the job is queued as any other.
	//
	// If the process dies, the work is queued again as after any death of a worker.
	Local bool
}

// Job is an owner's view of work, as it was at one moment.
type Job struct {
	ID         string // 128 random bits in 26 characters of 0-9a-v; whoever knows it may see the job
	Kind       string
	Key        string
	Owner      string
	Status     Status
	CreatedAt  time.Time // when Submit accepted it
	StartedAt  time.Time // when its work was last begun; zero before; not before CreatedAt
	FinishedAt time.Time // when it became final; zero before; not before CreatedAt
	// Attempts counts the attempts begun at its work, the present one included. What a stopping process gave back is
	// not counted.
	Attempts int
	// PositionInQueue is 1 for the work that is begun next, 0 for a job that is not queued.
	PositionInQueue int
	// Progress is what the handler last reported in the present attempt, or in the last one of a job that ended; nil if
	// nothing. It is not kept when a process dies.
	Progress []byte
	// Payload is that of the Spec. The handler gets that of the first of the jobs that share the work.
	Payload []byte
	Result  []byte  // of a succeeded job, what the handler returned; not nil
	Failure Failure // of a failed job, why
	Error   []byte  // of a failed job, what WithDetail gave the handler's last error; nil if nothing
}

// Page is a part of a list of jobs, the newest first.
type Page struct {
	Jobs []Job  // without Payload, Result and Progress
	Next string // the token of the next page; empty on the last
}

// ListOptions says which jobs List returns.
type ListOptions struct {
	Owner  string // whose; the jobs of no one else are returned
	Status Status // only those of this status; empty for all
	Token  string // Page.Next of the page before; empty for the first
	Limit  int    // how many at most, from 1 to MaxPage
}

// Stats says how busy the queue is, over all processes that share it.
type Stats struct {
	Queued    int           // work that waits
	Running   int           // work that a worker is at, local work included
	MaxQueued int           // how much may wait
	Oldest    time.Duration // how long the oldest of what waits has waited; 0 if nothing does
	// MeanRun is how long work took lately, from the start of the attempt that ended it; 0 if nothing has ended yet.
	MeanRun time.Duration
	Slots   int // worker slots of the processes that live and have not stopped claiming
}

// Wait estimates how long the job at the position has still to wait for a worker, when it takes the mean of lately for
// each job before it and for what is running. It is false where nothing is known: no worker lives or nothing has ended.
func (s Stats) Wait(position int) (time.Duration, bool) {
	if s.Slots <= 0 || s.MeanRun <= 0 || position <= 0 {
		return 0, false
	}
	busy := min(s.Running, s.Slots)
	ahead := position - 1 - (s.Slots - busy) // work that must end before this one begins, less that which is running
	if ahead < 0 {
		return 0, true
	}
	// What runs is half done in the mean; then a worker becomes free every MeanRun / Slots.
	return s.MeanRun/2 + s.MeanRun*time.Duration(ahead)/time.Duration(s.Slots), true
}

// Task is work as the handler sees it. It belongs to no owner: several jobs may wait for it.
type Task struct {
	ID      string // of the work, for logs; no job has it
	Kind    string
	Key     string
	Payload []byte // not to be changed
	Attempt int    // from 1
}

// Handler works a task. What it returns with a nil error is the Result; nil stands for an empty one.
//
// Its context ends when all jobs of the task are cancelled, when another process has taken the task over, and when the
// process stops working; it must return within 50 ms then, whatever it returns. Of a process that stops, the task is
// given back and the attempt not counted, unless the handler finished it nevertheless.
//
// An error is a failed attempt, as is a panic. After MaxAttempts of them, or one marked by Permanent, the jobs are
// Failed. What waits meanwhile goes first.
//
// progress says how far it is; it keeps the bytes, never blocks, and may be called often: the latest wins, and changes
// in quick succession may be left out. It must not be called after the handler has returned.
type Handler func(ctx context.Context, task Task, progress func([]byte)) (result []byte, err error)

// Queue accepts work, has it worked, and keeps the results for a while. It is safe for concurrent use.
//
// Any method can return ErrClosed, the context's error, and ErrUnavailable, where what the queue lies in cannot be
// reached. Jobs and their bytes are the caller's to keep, not to change.
type Queue interface {
	// Submit accepts a job. Once it has returned, the job survives the death of every process.
	//
	// It returns a job that exists already, and false, when the owner has used the IdempotencyKey before, or, failing
	// that, when the owner has a job of equal Kind and Key that is unfinished or succeeded and still kept. Else it
	// makes a job; where other owners have such a job, the new one shares its work, or is born succeeded.
	//
	// Errors: ErrFull (a *FullError) when new work had to wait and too much waits already, or, before that, ErrTooMany (a
	// *TooManyError) when its owner has too many unfinished jobs already, shared and local ones included;
	// ErrIdempotencyMismatch when the IdempotencyKey was used with another Kind or Payload; ErrTooLarge; ErrNoKind. A
	// job that exists or shares work is returned however full the queue is.
	Submit(ctx context.Context, spec Spec) (job Job, created bool, err error)

	// Get returns the job, or ErrNotFound: there was none, or it ended longer ago than the retention.
	Get(ctx context.Context, id string) (Job, error)

	// Cancel ends the job as Cancelled, at once, and returns it. A job that has ended stays as it is, so it can be
	// repeated. Work of which no job is left is taken out of the queue, or its handler's context ends. ErrNotFound as Get.
	Cancel(ctx context.Context, id string) (Job, error)

	// List returns jobs of an owner, the newest first. Following Next shows every job once that existed when the first
	// page was made and has not expired since; newer ones are not among them. ErrBadToken for a token that is no Page's Next.
	List(ctx context.Context, options ListOptions) (Page, error)

	// Watch sends the job as it is now and then after every change of status, progress or position. A slow receiver
	// misses what has been overtaken, never the newest. The channel is closed after the final status was sent, and
	// when the context ends or the queue is closed. The context must be ended once nobody receives any more. ErrNotFound
	// as Get.
	Watch(ctx context.Context, id string) (<-chan Job, error)

	// Stats returns how busy the queue is.
	Stats(ctx context.Context) (Stats, error)

	// Work has tasks worked by the handler, so many at a time beside local ones, the oldest first, until the context
	// ends; with 0 it works local ones alone. Then it ends the handlers' contexts, gives back what they leave, and
	// returns nil when the last has returned. It returns early only with ErrClosed or ErrWorking: a queue is worked by
	// one Work at a time. It survives that what the queue lies in cannot be reached for a while.
	Work(ctx context.Context, handler Handler, concurrency int) error

	// StopClaiming makes Work of this process begin nothing more of what waits, from now on and for good, so that others
	// do. What runs goes on, and local work is still begun. It is what a process that is to stop says first. Of what is
	// being begun at that very moment, the beginning is not taken back.
	StopClaiming()

	// Close lets go of everything that the queue holds and ends all watches. Work must have returned. Jobs stay.
	Close() error
}
