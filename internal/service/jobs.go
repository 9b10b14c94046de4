package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"roem/internal/api"
	"roem/internal/jobs"
	"roem/internal/solvecache"
)

// Patience is for whom work is done, and how long they wait for it.
type Patience struct {
	Owner string          // whose the job is, should it become one
	Wait  time.Duration   // how long to wait for the answer; 0 takes it only if it is known already
	Hurry <-chan struct{} // closed when nobody should wait any longer; may be nil
}

// Do answers the work, or makes a job of it when its time is up: a search that has begun goes on as that of the job. Just
// one of answer and job is set where there is no error. When ctx ends before, so does the work, and the error is that of ctx.
func (s *Service) Do(ctx context.Context, w *Work, p Patience) (answer any, job *api.Job, err error) {
	// What is known needs none of what follows, and is most of what is asked for.
	ctx = solvecache.Once(ctx)
	answer, err = s.do(withRun(ctx, run{runState: &runState{knownOnly: true}}), w)
	if !errors.Is(err, errNotKnown) {
		return answer, nil, err
	}
	if p.Wait <= 0 {
		return s.later(ctx, w, p.Owner, nil)
	}
	o := s.begin(ctx, w)
	patience := time.NewTimer(p.Wait)
	defer patience.Stop()
	select {
	case <-o.done:
		return o.answer, nil, o.err
	case <-ctx.Done():
		o.abandon()
		return nil, nil, ctx.Err()
	case <-patience.C:
	case <-p.Hurry:
	}
	return s.later(ctx, w, p.Owner, o)
}

// later makes a job of the work, which carries on with the operation if there is one and its search has begun.
func (s *Service) later(ctx context.Context, w *Work, owner string, o *operation) (answer any, job *api.Job, err error) {
	spec, err := s.spec(w, owner, "")
	if err != nil {
		if o != nil {
			o.abandon()
		}
		return nil, nil, err
	}
	offered := false
	if o != nil && o.state.searching.Load() {
		spec.Local = true
		offered = s.carried.offer(spec.Key, o)
	}
	accepted, err := s.submit(ctx, spec)
	if o != nil {
		select {
		case <-o.done: // at the last moment
			s.carried.withdraw(spec.Key, o)
			if o.err == nil {
				return o.answer, nil, nil
			}
		default:
		}
	}
	switch {
	case o == nil:
	case !offered || err != nil || accepted.Status == jobs.Queued || accepted.Status.Final():
		s.carried.withdraw(spec.Key, o)
		if !offered {
			o.abandon()
		}
	default:
		// It has a moment to be taken over. The job may be running elsewhere already and not need it.
		time.AfterFunc(takeoverLimit, func() { s.carried.withdraw(spec.Key, o) })
	}
	if err != nil {
		return nil, nil, s.tooSlow(err)
	}
	out := s.outJob(ctx, accepted)
	return nil, &out, nil
}

// tooSlow is the error for work that is not done in time and cannot become a job, for the reason given.
func (s *Service) tooSlow(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	out := &Error{
		Kind: TooSlow, RetryAfter: max(e.RetryAfter, s.pool.retryAfter()), Cause: err,
		Detail: "The search did not finish in the time that the request allowed, and cannot become a job: " + lowerFirst(e.Detail),
	}
	switch e.Kind {
	case QueueFull, JobsUnavailable:
		return out
	case Limited: // it is the client's to mend, and stays so
		out.Kind, out.Limit = Limited, e.Limit
		return out
	default:
		return err
	}
}

func lowerFirst(s string) string {
	if s == "" || s[0] < 'A' || s[0] > 'Z' {
		return s
	}
	return string(s[0]+'a'-'A') + s[1:]
}

// CreateJob makes a job of the work, or finds the one that the owner has of equal work or under the same key. It says
// whether the job has finished.
func (s *Service) CreateJob(ctx context.Context, w *Work, owner, idempotencyKey string) (job api.Job, finished bool, err error) {
	spec, err := s.spec(w, owner, idempotencyKey)
	if err != nil {
		return api.Job{}, false, err
	}
	accepted, err := s.submit(ctx, spec)
	if err != nil {
		return api.Job{}, false, err
	}
	return s.outJob(ctx, accepted), accepted.Status.Final(), nil
}

func (s *Service) spec(w *Work, owner, idempotencyKey string) (jobs.Spec, error) {
	key, err := w.digest(s.version)
	if err != nil {
		return jobs.Spec{}, err
	}
	return jobs.Spec{Kind: string(w.kind), Key: key, Owner: owner, IdempotencyKey: idempotencyKey, Payload: w.payload}, nil
}

func (s *Service) submit(ctx context.Context, spec jobs.Spec) (jobs.Job, error) {
	if s.queue == nil {
		return jobs.Job{}, &Error{Kind: JobsUnavailable, RetryAfter: maxRetry, Detail: "This server has no place to keep jobs."}
	}
	job, _, err := s.queue.Submit(ctx, spec)
	return job, s.queueError(ctx, err)
}

// unavailableRetry is when another try makes sense after the queue could not be reached.
const unavailableRetry = 2 * time.Second

// queueError gives an error of the queue its kind.
func (s *Service) queueError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jobs.ErrFull):
		e := &Error{Kind: QueueFull, RetryAfter: s.roomAfter(ctx), Cause: err, Detail: "Too many jobs wait already."}
		if full, ok := errors.AsType[*jobs.FullError](err); ok {
			e.Detail = fmt.Sprintf("There are %d jobs waiting, of at most %d.", full.Queued, full.Max)
		}
		return e
	case errors.Is(err, jobs.ErrTooMany):
		s.pool.observe.Limited(LimitJobs)
		e := &Error{
			Kind: Limited, Limit: LimitJobs, RetryAfter: s.roomAfter(ctx), Cause: err,
			Detail: "Too many of your jobs have not finished, and more are not allowed.",
		}
		if many, ok := errors.AsType[*jobs.TooManyError](err); ok {
			e.Detail = fmt.Sprintf("%d of your jobs have not finished, of at most %d.", many.Unfinished, many.Max)
		}
		return e
	case errors.Is(err, jobs.ErrIdempotencyMismatch):
		return &Error{Kind: KeyReused, Cause: err, Detail: "The Idempotency-Key was sent before with another request."}
	case errors.Is(err, jobs.ErrNotFound):
		return &Error{Kind: NoSuchJob, Cause: err, Detail: "You have no job of this id."}
	case errors.Is(err, jobs.ErrTooLarge):
		return &Error{Kind: TooLarge, Cause: err, Detail: "The request is larger than a job may be."}
	case errors.Is(err, jobs.ErrBadToken):
		return malformed(Violation{Parameter: "page_token", Detail: "is not the next_page_token of a page"})
	case errors.Is(err, jobs.ErrUnavailable), errors.Is(err, jobs.ErrClosed):
		return &Error{
			Kind: JobsUnavailable, RetryAfter: unavailableRetry, Cause: err,
			Detail: "The place where jobs are kept cannot be reached at the moment.",
		}
	default:
		return err
	}
}

// roomAfter returns when another try to make a job makes sense: when a tenth of those that wait has begun, there is room
// for a while.
func (s *Service) roomAfter(ctx context.Context) time.Duration {
	if stats, err := s.queue.Stats(ctx); err == nil {
		if wait, known := stats.Wait(stats.Queued/10 + 1); known {
			return wholeSeconds(wait)
		}
	}
	return minRetry
}

// job returns the owner's job of the id.
func (s *Service) job(ctx context.Context, owner, id string) (jobs.Job, error) {
	if s.queue == nil {
		return jobs.Job{}, s.queueError(ctx, jobs.ErrNotFound)
	}
	job, err := s.queue.Get(ctx, id)
	if err == nil && job.Owner != owner {
		err = jobs.ErrNotFound
	}
	return job, s.queueError(ctx, err)
}

// Job returns the owner's job of the id, at once if it has finished, else as soon as it has, or as it is when the wait is
// over or hurry is closed.
func (s *Service) Job(ctx context.Context, id string, p Patience) (api.Job, error) {
	job, err := s.job(ctx, p.Owner, id)
	if err != nil {
		return api.Job{}, err
	}
	if p.Wait > 0 && !job.Status.Final() {
		if job, err = s.await(ctx, job, p); err != nil {
			return api.Job{}, err
		}
	}
	return s.outJob(ctx, job), nil
}

func (s *Service) await(ctx context.Context, job jobs.Job, p Patience) (jobs.Job, error) {
	watching, cancel := context.WithTimeout(ctx, p.Wait)
	defer cancel()
	changes, err := s.queue.Watch(watching, job.ID)
	if err != nil {
		if watching.Err() != nil && ctx.Err() == nil {
			return job, nil
		}
		return jobs.Job{}, s.queueError(ctx, err)
	}
	for {
		select {
		case next, more := <-changes:
			if !more {
				return job, ctx.Err()
			}
			job = next
		case <-p.Hurry:
			return job, nil
		}
	}
}

// Jobs returns a page of the owner's jobs.
func (s *Service) Jobs(ctx context.Context, owner string, in api.ListJobsParams) (api.JobList, error) {
	options := jobs.ListOptions{Owner: owner, Limit: DefaultPage}
	var vs []Violation
	if in.Status != nil {
		options.Status = jobs.Status(*in.Status)
		if !options.Status.Valid() {
			vs = append(vs, Violation{Parameter: "status", Detail: fmt.Sprintf("%.40q is not one of queued, running, succeeded, failed, cancelled", *in.Status)})
		}
	}
	if in.Limit != nil {
		options.Limit = *in.Limit
		if *in.Limit < 1 || *in.Limit > MaxPage {
			vs = append(vs, Violation{Parameter: "limit", Detail: fmt.Sprintf("is %d: expected 1 to %d", *in.Limit, MaxPage)})
		}
	}
	if in.PageToken != nil {
		options.Token = *in.PageToken
	}
	if len(vs) > 0 {
		return api.JobList{}, malformed(vs...)
	}
	out := api.JobList{Jobs: []api.Job{}}
	if s.queue == nil {
		return out, nil
	}
	page, err := s.queue.List(ctx, options)
	if err != nil {
		return api.JobList{}, s.queueError(ctx, err)
	}
	stats := s.lazyStats(ctx)
	for _, job := range page.Jobs {
		one := outJobWith(job, stats)
		one.Result = nil
		out.Jobs = append(out.Jobs, one)
	}
	if page.Next != "" {
		out.NextPageToken = &page.Next
	}
	return out, nil
}

// How many jobs a page has, unless the client says, and at most.
const (
	DefaultPage = 20
	MaxPage     = 100
)

// CancelJob ends the owner's job and returns it.
func (s *Service) CancelJob(ctx context.Context, owner, id string) (api.Job, error) {
	job, err := s.job(ctx, owner, id)
	if err != nil {
		return api.Job{}, err
	}
	if !job.Status.Final() {
		if job, err = s.queue.Cancel(ctx, id); err != nil {
			return api.Job{}, s.queueError(ctx, err)
		}
	}
	return s.outJob(ctx, job), nil
}

// FollowJob calls tell with the owner's job as it is now and whenever it has changed, until it has finished, tell returns
// an error, or ctx ends; it returns that error. While nothing changes, it calls idle after each pause.
func (s *Service) FollowJob(
	ctx context.Context, owner, id string, pause time.Duration, tell func(job api.Job, finished bool) error, idle func() error,
) error {
	if _, err := s.job(ctx, owner, id); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes, err := s.queue.Watch(ctx, id)
	if err != nil {
		return s.queueError(ctx, err)
	}
	beat := time.NewTicker(pause)
	defer beat.Stop()
	for {
		select {
		case job, more := <-changes:
			if !more {
				if err := ctx.Err(); err != nil {
					return err
				}
				return s.queueError(ctx, jobs.ErrClosed)
			}
			if err := tell(s.outJob(ctx, job), job.Status.Final()); err != nil || job.Status.Final() {
				return err
			}
			beat.Reset(pause)
		case <-beat.C:
			if err := idle(); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *Service) outJob(ctx context.Context, job jobs.Job) api.Job {
	return outJobWith(job, s.lazyStats(ctx))
}

// lazyStats asks the queue how busy it is, once, and only if somebody wants to know.
func (s *Service) lazyStats(ctx context.Context) func() jobs.Stats {
	var (
		stats jobs.Stats
		asked bool
	)
	return func() jobs.Stats {
		if !asked {
			asked = true
			if now, err := s.queue.Stats(ctx); err == nil {
				stats = now
			}
		}
		return stats
	}
}

// JobPath is the start of the path of every job; its id follows.
const JobPath = "/v1/jobs/"

func outJobWith(job jobs.Job, stats func() jobs.Stats) api.Job {
	out := api.Job{
		Id: job.ID, Kind: api.JobKind(job.Kind), Status: api.JobStatus(job.Status), CreatedAt: job.CreatedAt.UTC(),
		StartedAt: outTime(job.StartedAt), FinishedAt: outTime(job.FinishedAt),
		Attempts: job.Attempts, PositionInQueue: job.PositionInQueue,
		Links: api.JobLinks{Self: JobPath + job.ID, Events: JobPath + job.ID + "/events"},
	}
	result := json.RawMessage("null")
	switch job.Status {
	case jobs.Queued:
		if wait, known := stats().Wait(job.PositionInQueue); known {
			ms := wait.Milliseconds()
			out.EstimatedWaitMs = &ms
		}
	case jobs.Succeeded:
		result = job.Result
	case jobs.Failed:
		problem := failure(job)
		out.Error = &problem
	default:
	}
	out.Result = &result
	var p progress
	if len(job.Progress) > 0 && json.Unmarshal(job.Progress, &p) == nil {
		out.Progress = &api.JobProgress{
			Done: p.Done, Of: p.Of, Nodes: int64(p.Nodes), Lower: p.Lower, Upper: p.Upper,
			ElapsedUs: elapsed(job.StartedAt, job.FinishedAt, time.Now()).Microseconds(),
		}
	}
	return out
}

func outTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// failure is why a job failed, as a problem.
func failure(job jobs.Job) api.Problem {
	var problem api.Problem
	if len(job.Error) > 0 && json.Unmarshal(job.Error, &problem) == nil {
		return problem
	}
	info := Internal.Info()
	problem = api.Problem{Type: ProblemType + info.Slug, Title: info.Title, Status: info.Status}
	switch job.Failure {
	case jobs.FailedWithProcess:
		problem.Detail = "The server ended while it was at work on this, again and again."
	case jobs.FailedTooLarge:
		problem.Detail = "The result is larger than the server keeps. Ask for less at a time."
	default:
		problem.Detail = "The server failed to do this. The fault is in its log."
	}
	return problem
}

// WorkJobs works jobs, so many at a time, until ctx ends; with 0, only those that carry on with a search of this process. It
// returns when none is left at work.
func (s *Service) WorkJobs(ctx context.Context, concurrency int) error {
	return s.queue.Work(ctx, s.workTask, concurrency)
}

// workTask is the jobs.Handler.
func (s *Service) workTask(ctx context.Context, task jobs.Task, report func([]byte)) ([]byte, error) {
	tell := func(p progress) {
		if text, err := json.Marshal(p); err == nil {
			report(text)
		}
	}
	answer, ok := s.carryOn(ctx, task.Key, tell)
	if !ok {
		work, err := s.Decoder.Work(api.JobKind(task.Kind), task.Payload)
		if err != nil {
			return nil, failed(err)
		}
		state := &runState{}
		state.background.Store(true)
		answer, err = protected(func() (any, error) { return s.do(withRun(ctx, run{state, tell}), work) })
		if err != nil {
			return nil, failed(err)
		}
	}
	result, err := json.Marshal(answer)
	if err != nil {
		return nil, failed(err)
	}
	return result, nil
}

// carryOn takes over the operation that is offered for the key, if there is one, and returns its answer.
func (s *Service) carryOn(ctx context.Context, key string, tell func(progress)) (answer any, ok bool) {
	o := s.carried.takeOver(key)
	if o == nil {
		return nil, false
	}
	o.take(tell)
	select {
	case <-o.done:
	case <-ctx.Done():
		o.abandon()
	}
	return o.answer, o.err == nil
}

// failed gives an error the problem that the job shows, and marks one that trying again cannot mend.
func failed(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	detail, encodeErr := json.Marshal(Problem(err, ""))
	if encodeErr != nil {
		return err
	}
	switch KindOf(err) {
	case Malformed, Impossible, TooLarge:
		err = jobs.Permanent(err)
	default: // another attempt may go better
	}
	return jobs.WithDetail(err, detail)
}

// protected turns a panic into an error: work has nobody above it who could recover.
func protected(work func() (any, error)) (answer any, err error) {
	defer func() {
		if p := recover(); p != nil {
			answer, err = nil, &solvecache.PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return work()
}
