package service

import (
	"context"
	"errors"
	"time"

	"roem/internal/api"
	"roem/internal/engine/violation"
	"roem/internal/jobs"
)

// job returns the owner's job with the id.
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

// Job returns the owner's job with the id. If the job has not finished, it waits until the job finishes, the wait of the policy is
// over, or Cancel is closed.
func (s *Service) Job(ctx context.Context, id string, p WaitPolicy) (Job, error) {
	job, err := s.job(ctx, p.Owner, id)
	if err != nil {
		return Job{}, err
	}
	if p.Wait > 0 && !job.Status.Final() {
		if job, err = s.await(ctx, job, p); err != nil {
			return Job{}, err
		}
	}
	return s.outJob(ctx, job), nil
}

func (s *Service) await(ctx context.Context, job jobs.Job, p WaitPolicy) (jobs.Job, error) {
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
		case <-p.Cancel:
			return job, nil
		}
	}
}

// ReadResult returns a part of the result of a job that Job has returned: at most limit bytes from offset on.
func (s *Service) ReadResult(ctx context.Context, id string, offset, limit int) ([]byte, error) {
	part, err := s.queue.ReadResult(ctx, id, offset, limit)
	return part, s.queueError(ctx, err)
}

// listOptions returns the options of the request for a list of jobs.
func listOptions(owner string, in api.ListJobsParams) (jobs.ListOptions, error) {
	options := jobs.ListOptions{Owner: owner, Limit: DefaultPage}
	var vs []Violation
	if in.Id != nil {
		options.IDs = *in.Id
		if n := len(options.IDs); n > MaxPage {
			vs = append(vs, violation.New(violation.TooMany, "has %d ids, expected at most %d", n, MaxPage).Of(n).Between(1, MaxPage).In("id"))
		}
		const both = "is given together with id, which returns one page: give only one of them"
		for _, other := range []struct {
			name  string
			given bool
		}{{"limit", in.Limit != nil}, {"page_token", in.PageToken != nil}} {
			if other.given {
				vs = append(vs, violation.New(violation.OnlyOneOf, both).In(other.name))
			}
		}
	}
	if in.Status != nil {
		options.Status = jobs.Status(*in.Status)
		if !options.Status.Valid() {
			vs = append(vs, violation.Word(string(*in.Status), "queued", "running", "succeeded", "failed", "cancelled").In("status"))
		}
	}
	if in.Limit != nil {
		options.Limit = *in.Limit
		if *in.Limit < 1 || *in.Limit > MaxPage {
			vs = append(vs, violation.Number(*in.Limit, 1, MaxPage).In("limit"))
		}
	}
	if in.PageToken != nil {
		options.Token = *in.PageToken
	}
	if len(vs) > 0 {
		return options, Refused(vs...)
	}
	return options, nil
}

// Jobs returns a page of the owner's jobs, or those whose ids are asked for. If many clients have the owner, it returns only the latter.
func (s *Service) Jobs(ctx context.Context, owner string, in api.ListJobsParams) (api.JobList, error) {
	options, err := listOptions(owner, in)
	if err != nil {
		return api.JobList{}, err
	}
	out := api.JobList{Jobs: []api.Job{}}
	if s.queue == nil {
		return out, nil
	}
	page, err := s.queue.List(ctx, options)
	if errors.Is(err, jobs.ErrBadToken) {
		return api.JobList{}, Refused(violation.New(violation.WrongForm, "%.40q is not the next_page_token of a page", options.Token).
			Of(options.Token).In("page_token"))
	}
	if err != nil {
		return api.JobList{}, s.queueError(ctx, err)
	}
	if options.IDs == nil && shared(owner) {
		page = jobs.Page{} // the queue may list jobs of an earlier version
	}
	stats := s.lazyStats(ctx)
	for _, job := range page.Jobs {
		out.Jobs = append(out.Jobs, outJobWith(ctx, job, stats))
	}
	if page.Next != "" {
		out.NextPageToken = &page.Next
	}
	return out, nil
}

// The default and the maximum number of jobs on a page.
const (
	DefaultPage = 20
	MaxPage     = 100
)

// CancelJob ends the owner's job and returns it.
func (s *Service) CancelJob(ctx context.Context, owner, id string) (Job, error) {
	job, err := s.job(ctx, owner, id)
	if err != nil {
		return Job{}, err
	}
	if !job.Status.Final() {
		if job, err = s.queue.Cancel(ctx, id); err != nil {
			return Job{}, s.queueError(ctx, err)
		}
	}
	return s.outJob(ctx, job), nil
}

// FollowJob calls tell with the owner's job, without its result, immediately and after each change, until the job has finished, tell
// returns an error, or ctx ends. It returns that error. While nothing changes, it calls idle after each pause.
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
			if err := tell(outJobWith(ctx, job, s.lazyStats(ctx)), job.Status.Final()); err != nil || job.Status.Final() {
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
