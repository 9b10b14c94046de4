package jobstest

import (
	"context"
	"errors"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/jobs"
)

func cancelQueued(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	job := f.submit(q, spec(Script{Log: log, Name: "a"}))
	got := f.cancel(q, job.ID)
	if got.Status != jobs.Cancelled || got.FinishedAt.IsZero() || got.PositionInQueue != 0 {
		t.Errorf("cancelled: %+v", got)
	}
	if diff := cmp.Diff(got, f.cancel(q, job.ID)); diff != "" {
		t.Errorf("cancelled twice (-first +second):\n%s", diff)
	}
	f.work(q, 1)
	f.reaches(q, f.submit(q, spec(Script{})).ID, jobs.Succeeded)
	if n := f.count(log, "begin a"); n != 0 {
		t.Errorf("it was begun %d times", n)
	}
	if s, err := q.Stats(context.Background()); err != nil || s.Queued != 0 || s.Running != 0 {
		t.Errorf("Stats: %+v, %v", s, err)
	}
}

func cancelRunning(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	f.work(q, 1)
	var worst time.Duration
	for range 5 {
		job := f.submit(q, spec(Script{Block: true}))
		next := f.submit(q, spec(Script{Name: "next"}))
		f.reaches(q, job.ID, jobs.Running)
		start := time.Now()
		if got := f.cancel(q, job.ID); got.Status != jobs.Cancelled {
			t.Errorf("cancelled: %+v", got)
		}
		f.reaches(q, next.ID, jobs.Succeeded) // in the same slot
		worst = max(worst, time.Since(start))
		if got := f.get(q, job.ID); got.Status != jobs.Cancelled || got.ResultSize != 0 {
			t.Errorf("afterwards: %+v", got)
		}
	}
	t.Logf("from Cancel to the end of the next job in the same slot: at most %v", worst)
}

func cancelFinal(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	f.work(q, 1)
	done := f.reaches(q, f.submit(q, spec(Script{Name: "a"})).ID, jobs.Succeeded)
	if diff := cmp.Diff(done, f.cancel(q, done.ID)); diff != "" {
		t.Errorf("Cancel changed it (-before +after):\n%s", diff)
	}
	if _, err := q.Cancel(context.Background(), "nosuchjob"); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("Cancel of no job: %v", err)
	}
}
