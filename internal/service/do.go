package service

import (
	"context"
	"errors"
	"time"

	"roem/internal/computation"
	"roem/internal/jobs"
	"roem/internal/solvecache"
)

// WaitPolicy holds how long a client waits for an answer, and the owner of the job if the request becomes one.
type WaitPolicy struct {
	Owner  string          // the owner of the job, if the request becomes one
	Wait   time.Duration   // maximum wait; with 0 only a cached answer is returned
	Cancel <-chan struct{} // closed when clients should stop waiting; may be nil
}

// Do answers the request, or creates a job for it when the wait of the policy is over. A search that has started continues as the search
// of the job. If the error is nil, exactly one of answer and job is set. If ctx ends first, the request leaves its computation, and the
// error is the error of ctx.
func (s *Service) Do(ctx context.Context, r *Request, p WaitPolicy) (answer Answer[any], job *Job, err error) {
	ctx = solvecache.Once(ctx)
	answer, ok, err := r.query.Known(ctx)
	if ok || err != nil {
		return answer, nil, err
	}
	if p.Wait <= 0 {
		job, err = s.toJob(ctx, r, p.Owner)
		return Answer[any]{}, job, err
	}
	joined := time.Now()
	w, err := s.computations.Join(ctx, r.query.Computation(), computation.Urgent)
	if err != nil {
		return Answer[any]{}, nil, s.computationError(err)
	}
	timer := time.NewTimer(p.Wait)
	defer timer.Stop()
	select {
	case <-w.Done():
	case <-ctx.Done():
		w.Leave()
		return Answer[any]{}, nil, ctx.Err()
	case <-timer.C:
	case <-p.Cancel:
	}
	select {
	case <-w.Done(): // it may have arrived at the same moment; no job has been created yet
		answer, err = s.answer(ctx, r.query, w)
		return answer, nil, err
	default:
	}
	if w.Begun() {
		return s.handoff(ctx, r, p.Owner, w)
	}
	w.Leave()
	EffortOf(ctx).noteWait(time.Since(joined))
	job, err = s.toJob(ctx, r, p.Owner)
	return Answer[any]{}, job, err
}

// Answer answers a query without a time limit.
func (s *Service) Answer(ctx context.Context, q Query) (Answer[any], error) { return Ask(ctx, s, q) }

// Ask answers a query without a time limit. A query asks another with it.
func Ask[R any](ctx context.Context, s *Service, q TypedQuery[R]) (Answer[R], error) {
	return AskTelling(ctx, s, q, nil)
}

// answer returns the answer from the result of the waiter.
func (s *Service) answer(ctx context.Context, q Query, w *computation.Waiter) (Answer[any], error) {
	result, err := w.Result()
	if err != nil {
		return Answer[any]{}, s.computationError(err)
	}
	if _, ok := result.Value.(Value); ok {
		EffortOf(ctx).NoteValue(ValueOf(result))
	}
	return q.Answer(result)
}

// toJob creates a job for a request whose search has not started.
func (s *Service) toJob(ctx context.Context, r *Request, owner string) (*Job, error) {
	spec := s.spec(r, owner, "")
	accepted, err := s.submit(ctx, spec)
	if err != nil {
		return nil, s.tooSlow(err)
	}
	job := s.outJob(ctx, accepted)
	return &job, nil
}

// handoff converts a request whose search has started to a job. The waiter of the request becomes the waiter of the job, and the search
// continues. If a job has been accepted, the client gets the job, even if the result already exists, so that it can cancel or read the
// job. If no job can be created and the result exists, the result is the answer.
func (s *Service) handoff(ctx context.Context, r *Request, owner string, w *computation.Waiter) (Answer[any], *Job, error) {
	spec := s.spec(r, owner, "")
	spec.Local = true
	s.handoffs.offer(spec.Key, handoff{r.query, w})
	accepted, err := s.submit(ctx, spec)
	if err == nil && accepted.Status == jobs.Running {
		// A job in this process takes over the waiter. If the job already runs in another process, no job takes it over.
		w.SetBackground()
		time.AfterFunc(takeoverLimit, func() { s.handoffs.withdraw(spec.Key, w) })
	} else {
		s.handoffs.withdraw(spec.Key, w)
	}
	if err == nil {
		job := s.outJob(ctx, accepted)
		return Answer[any]{}, &job, nil
	}
	select {
	case <-w.Done():
		if answer, failed := s.answer(ctx, r.query, w); failed == nil {
			return answer, nil, nil
		}
	default:
	}
	return Answer[any]{}, nil, s.tooSlow(err)
}

// tooSlow returns the error for a request that is not answered in time and cannot become a job because of err.
func (s *Service) tooSlow(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	out := &Error{
		Kind: TooSlow, RetryAfter: max(e.RetryAfter, s.computations.RetryAfter()), Cause: err,
		Detail: "The search did not finish in the time that the request allowed, and cannot become a job: " + lowerFirst(e.Detail),
	}
	switch e.Kind {
	case QueueFull, JobsUnavailable:
		return out
	case Limited: // the client can end other jobs
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
