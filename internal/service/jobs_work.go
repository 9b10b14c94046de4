package service

import (
	"context"
	"encoding/json"
	"errors"

	"roem/internal/computation"
	"roem/internal/jobs"
	"roem/internal/solvecache"
)

// WorkJobs works jobs, so many at a time, until ctx ends; with 0, only those that go on with a search of this process. It returns
// when none runs any more.
func (s *Service) WorkJobs(ctx context.Context, concurrency int) error {
	return s.queue.Work(ctx, s.attempt, concurrency)
}

// attempt is the jobs.Handler.
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
	result, err := json.Marshal(answer.Body)
	if err != nil {
		return nil, failed(err)
	}
	return result, nil
}

// attemptAnswer goes on with the computation of the request that became the job, where this process has it. Otherwise it answers the
// payload as Do does, but in the background.
func (s *Service) attemptAnswer(ctx context.Context, task jobs.Task, tell func(computation.Progress)) (Answer, error) {
	if o, ok := s.handoffs.take(task.Key); ok {
		o.waiter.SetBackground()
		result, err := o.waiter.Wait(ctx, tell)
		if err == nil {
			return o.query.Answer(result)
		}
		if ctx.Err() != nil {
			return Answer{}, err
		}
		// What the request met, a limit of its client for example, does not concern the job.
	}
	r, err := s.Parse(task.Kind, task.Payload)
	if err != nil {
		return Answer{}, err
	}
	answer, ok, err := r.query.Known(ctx)
	if ok || err != nil {
		return answer, err
	}
	w, err := s.computations.Join(ctx, r.query.Computation(), computation.Background)
	if err != nil {
		return Answer{}, err
	}
	result, err := w.Wait(ctx, tell)
	if err != nil {
		return Answer{}, err
	}
	return r.query.Answer(result)
}

// failed gives an error the problem that the job shows, and marks one that another attempt cannot mend.
func failed(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, computation.ErrClosed) {
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
