package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"roem/internal/config"
	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/jobs/redisqueue"
	"roem/internal/metrics"
)

// reserved returns how many places of the queue are for clients of whom no job waits: a quarter, unless one client may fill the queue.
func reserved(jobs config.Jobs, limits config.Limits) int {
	if limits.Jobs <= 0 || limits.Jobs >= 1 {
		return 0
	}
	return jobs.Queue / 4
}

// openJobs opens the store of the jobs: Redis if it is configured, else a file in the data folder. A server with neither has no
// jobs.
func (a *app) openJobs(ctx context.Context) (err error) {
	c := a.config
	options := jobs.Options{
		MaxQueued: c.Jobs.Queue, Reserved: reserved(c.Jobs, c.Limits), MaxOwned: c.Limits.Jobs.Of(c.Jobs.Queue), MaxCost: c.Limits.JobsTime,
		MaxPayload: int(c.HTTP.MaxBatchBody), MaxResult: int(c.Jobs.MaxResult),
		Retention: c.Jobs.Retention, MaxKept: c.Jobs.Keep, MaxBytes: int(c.Jobs.KeepBytes), Log: a.log,
	}
	if c.Redis.URL != "" {
		a.jobs, err = redisqueue.Open(ctx, redisqueue.Options{Options: options, URL: c.Redis.URL, Lease: c.Jobs.Lease, Replicas: c.Jobs.Replicas})
		if err != nil {
			return fmt.Errorf("%w (the key redis.url, or ROEM_REDIS_URL)", err)
		}
	} else if c.Data != "" {
		a.jobs, err = openJobsFile(c.Data, options)
		switch {
		case unwritable(err):
			a.lack("jobs", "there are no jobs", err)
			return nil
		case err != nil:
			return fmt.Errorf("the folder %q (the key data, or ROEM_DATA): %w", c.Data, err)
		}
	}
	if a.jobs != nil {
		a.metrics.Jobs(a.jobsLoad)
	}
	return nil
}

// jobsFile is the file of the jobs in the data folder.
const jobsFile = "jobs.db"

func openJobsFile(dir string, options jobs.Options) (jobs.Queue, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	queue, err := boltqueue.Open(filepath.Join(dir, jobsFile), options)
	if err != nil {
		return nil, err // queue would be an interface that holds nil
	}
	return queue, nil
}

func (a *app) closeJobs(context.Context) error {
	if a.jobs == nil {
		return nil
	}
	return a.jobs.Close()
}

// statsLimit is how long the queue may take to return its statistics.
const statsLimit = time.Second

// jobsLoad returns the statistics of the jobs for the metrics.
func (a *app) jobsLoad() (metrics.Jobs, error) {
	ctx, cancel := context.WithTimeout(context.Background(), statsLimit)
	defer cancel()
	s, err := a.jobs.Stats(ctx)
	return metrics.Jobs{
		Queued: s.Queued, Running: s.Running, MaxQueued: s.MaxQueued, Slots: s.Slots,
		Oldest: s.Oldest.Seconds(), MeanRun: s.MeanRun.Seconds(),
	}, err
}

// working is the goroutine that runs jobs.
type working struct {
	stop context.CancelFunc
	done chan struct{} // closed when no job runs any more
}

// workJobs runs jobs, as many at a time as there are slots. A server of the role api takes no jobs from the queue, but continues the
// searches of its own requests as jobs.
func (a *app) workJobs(ctx context.Context) error {
	if a.jobs == nil {
		return nil
	}
	concurrency := a.service.Slots()
	if a.config.Role == config.RoleAPI {
		concurrency = 0
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	a.working = &working{stop: stop, done: make(chan struct{})}
	go func() {
		defer close(a.working.done)
		if err := a.service.WorkJobs(ctx, concurrency); err != nil {
			a.fail(fmt.Errorf("working jobs: %w", err))
		}
	}()
	return nil
}

// stopClaiming takes no more jobs from the queue: other servers run them, or this one after a restart. Running jobs continue.
func (a *app) stopClaiming() {
	if a.jobs != nil {
		a.jobs.StopClaiming()
	}
}

// stopJobs stops the running jobs and returns them to the queue: other servers run them, or this one after a restart.
func (a *app) stopJobs(ctx context.Context) error {
	if a.working == nil {
		return nil
	}
	a.working.stop()
	select {
	case <-a.working.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("jobs did not stop: %w", context.Cause(ctx))
	}
}
