package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"go.uber.org/zap"

	"roem/internal/config"
	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/jobs/redisqueue"
	"roem/internal/metrics"
)

// openJobs opens the place where jobs are kept: Redis where there is one, or else a file in the data folder. A server with
// neither does without jobs.
func (a *app) openJobs(ctx context.Context) (err error) {
	c := a.config
	options := jobs.Options{
		MaxQueued: c.Jobs.Queue, MaxOwned: c.Limits.Jobs.Of(c.Jobs.Queue), MaxPayload: int(c.HTTP.MaxBatchBody), MaxResult: int(c.Jobs.MaxResult),
		Retention: c.Jobs.Retention, MaxKept: c.Jobs.Keep, MaxBytes: int(c.Jobs.KeepBytes), Log: a.log,
	}
	if c.Redis.URL != "" {
		a.jobs, err = redisqueue.Open(ctx, redisqueue.Options{Options: options, URL: c.Redis.URL, Lease: c.Jobs.Lease})
		if err != nil {
			return fmt.Errorf("%w (the key redis.url, or ROEM_REDIS_URL)", err)
		}
	} else if c.Data != "" {
		a.jobs, err = openJobsFile(c.Data, options)
		switch {
		case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
			// As in a container whose files cannot be written. What needs no job is answered all the same.
			a.log.Warn("there are no jobs: the folder cannot be written (the key data, or ROEM_DATA)", zap.Error(err))
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

// jobsFile is where in the data folder jobs are kept.
const jobsFile = "jobs.db"

func openJobsFile(dir string, options jobs.Options) (jobs.Queue, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	queue, err := boltqueue.Open(filepath.Join(dir, jobsFile), options)
	if err != nil {
		return nil, err // and no queue, rather than an interface of a nil one
	}
	return queue, nil
}

func (a *app) closeJobs(context.Context) error {
	if a.jobs == nil {
		return nil
	}
	return a.jobs.Close()
}

// statsLimit is how long the queue may take to say how busy it is.
const statsLimit = time.Second

// jobsLoad is what the metrics tell of the jobs.
func (a *app) jobsLoad() (metrics.Jobs, error) {
	ctx, cancel := context.WithTimeout(context.Background(), statsLimit)
	defer cancel()
	s, err := a.jobs.Stats(ctx)
	return metrics.Jobs{
		Queued: s.Queued, Running: s.Running, MaxQueued: s.MaxQueued, Slots: s.Slots,
		Oldest: s.Oldest.Seconds(), MeanRun: s.MeanRun.Seconds(),
	}, err
}

// working is the work on jobs that goes on.
type working struct {
	stop context.CancelFunc
	done chan struct{} // closed when no job is at work any more
}

// workJobs works jobs, as many at a time as there are searchers. A server of the role api takes none from the queue, but
// carries on with the searches of its own requests.
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

// stopClaiming leaves the jobs that wait to others, or for after a restart. Those that are at work go on.
func (a *app) stopClaiming() {
	if a.jobs != nil {
		a.jobs.StopClaiming()
	}
}

// stopJobs gives back the jobs that are at work, for others or for after a restart.
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
