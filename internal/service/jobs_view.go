package service

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/jobs"
)

// Job is a job as its owner gets it. The member result of the embedded job is null where the job has a result: a result can be large,
// so that ReadResult reads it in parts.
type Job struct {
	api.Job
	ResultSize int // bytes of the result, 0 for none
}

func (s *Service) outJob(ctx context.Context, job jobs.Job) Job {
	out := outJobWith(ctx, job, s.lazyStats(ctx))
	if job.ResultSize > 0 {
		out.Result = new(json.RawMessage("null"))
	}
	return Job{Job: out, ResultSize: job.ResultSize}
}

// lazyStats returns a function that reads the statistics of the queue in its first call.
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

// outJobWith returns a job without its result, as it is in lists and events.
func outJobWith(ctx context.Context, job jobs.Job, stats func() jobs.Stats) api.Job {
	out := api.Job{Kind: api.JobKind(job.Kind), JobState: api.JobState{
		Id: job.ID, Status: api.JobStatus(job.Status), CreatedAt: job.CreatedAt.UTC(),
		StartedAt: outTime(job.StartedAt), FinishedAt: outTime(job.FinishedAt),
		Attempts: job.Attempts, PositionInQueue: job.PositionInQueue,
		Links: api.JobLinks{Self: Link(ctx, JobPath+job.ID), Events: Link(ctx, JobPath+job.ID+"/events")},
	}}
	switch job.Status {
	case jobs.Queued:
		if wait, known := stats().WaitOf(cmp.Or(NetworkOf(job.Owner), job.Owner), job.PositionInQueue); known {
			out.EstimatedWaitMs = new(wait.Milliseconds())
		}
	case jobs.Failed:
		out.Error = new(failure(job))
	default:
	}
	var p computation.Progress
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

// failure returns the problem of a failed job.
func failure(job jobs.Job) api.Problem {
	var problem api.Problem
	if len(job.Error) > 0 && json.Unmarshal(job.Error, &problem) == nil {
		return problem
	}
	info := Internal.Info()
	problem = api.Problem{Type: ProblemType + info.Slug, Code: string(codeOfKind(Internal)), Title: info.Title, Status: info.Status}
	switch job.Failure {
	case jobs.FailedWithProcess:
		problem.Detail = "The server ended during each attempt at this job."
	case jobs.FailedTooLarge:
		problem.Detail = "The result is larger than the server stores. Request less at a time."
	default:
		problem.Detail = "The job failed because of a fault of the server. The server's log has the cause."
	}
	return problem
}

// elapsed returns the time from began to ended, or to now if ended is zero. It is never negative: the clocks of two machines may
// differ.
func elapsed(began, ended, now time.Time) time.Duration {
	switch {
	case began.IsZero():
		return 0
	case ended.IsZero():
		ended = now
	}
	return max(ended.Sub(began), 0)
}
