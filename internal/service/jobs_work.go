package service

import (
	"context"
	"encoding/json"
	"errors"

	"roem/internal/computation"
	"roem/internal/jobs"
	"roem/internal/solvecache"
)

// WorkJobs runs jobs until ctx ends, at most concurrency at the same time. With 0 it runs only jobs that continue a computation of a
// request of this process. It returns when no job is running.
func (s *Service) WorkJobs(ctx context.Context, concurrency int) error {
	return s.queue.Work(ctx, s.attempt, concurrency)
}

// attempt makes one attempt to run a job. It is the jobs.Handler.
func (s *Service) attempt(ctx context.Context, task jobs.Task, report func([]byte)) ([]byte, error) {
	tell := func(p computation.Progress) {
		if text, err := json.Marshal(p); err == nil {
			report(text)
		}
	}
	answer, err := s.attemptAnswer(solvecache.Once(ctx), task, tell)
	if err != nil {
		return nil, failed(err)
	}
	tell(answer.Progress)
	result, err := json.Marshal(answer.Result)
	if err != nil {
		return nil, failed(err)
	}
	return result, nil
}

// attemptAnswer continues the computation of the request that became the job, if this process runs it. Otherwise it answers the
// payload as Do does, with background priority.
func (s *Service) attemptAnswer(ctx context.Context, task jobs.Task, tell func(computation.Progress)) (Answer[any], error) {
	if o, ok := s.handoffs.take(task.Key); ok {
		o.waiter.SetBackground()
		result, err := o.waiter.Wait(ctx, tell)
		if err == nil {
			return o.query.Answer(result)
		}
		if ctx.Err() != nil {
			return Answer[any]{}, err
		}
		// An error of the request, for example a limit of its client, is not an error of the job.
	}
	r, err := s.Parse(ctx, task.Kind, task.Payload)
	if err != nil {
		return Answer[any]{}, err
	}
	answer, ok, err := r.query.Known(ctx)
	if ok || err != nil {
		return answer, err
	}
	ctx = withSaving(ctx, task)
	ctx = computation.WithNetwork(computation.WithJobOf(ctx, task.Owner), task.Network)
	w, err := s.computations.Join(ctx, r.query.Computation(), computation.Background)
	if err != nil {
		return Answer[any]{}, err
	}
	result, err := w.Wait(ctx, tell)
	if err != nil {
		return Answer[any]{}, err
	}
	return r.query.Answer(result)
}

// failed adds to an error the problem that the job shows, and marks errors that another attempt would repeat.
func failed(err error) error {
	for _, interrupted := range []error{context.Canceled, context.DeadlineExceeded, computation.ErrClosed, jobs.ErrYield} {
		if errors.Is(err, interrupted) {
			return err
		}
	}
	detail, encodeErr := json.Marshal(Problem(err, ""))
	if encodeErr != nil {
		return err
	}
	switch KindOf(err) {
	case Malformed, Impossible, TooLarge:
		err = jobs.Permanent(err)
	default: // another attempt may succeed
	}
	return jobs.WithDetail(err, detail)
}
