package redisqueue_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/jobstest"
)

// Attempts that run while Redis is down are not repeated, and their results are written when Redis is available again. This is also
// true if Redis is down for longer than a lease: live processes have time to renew their leases.
func TestRedisAway(t *testing.T) {
	f := newFixture(t, durable(), 2)
	log := filepath.Join(t.TempDir(), "log")
	during := f.submit(jobstest.Script{Log: log, Name: "during", Sleep: 500 * time.Millisecond})
	beyond := f.submit(jobstest.Script{Log: log, Name: "beyond", Sleep: lease + 1500*time.Millisecond})
	waits := f.submit(jobstest.Script{Log: log, Name: "waits"})
	f.reaches(beyond, jobs.Running)
	watch, err := f.Watch(context.Background(), waits)
	if err != nil {
		t.Fatal(err)
	}

	f.server.Kill()
	start := time.Now()
	if _, _, err := f.Submit(context.Background(), jobs.Spec{Kind: "script"}); !errors.Is(err, jobs.ErrUnavailable) {
		t.Errorf("Submit without Redis: %v", err)
	}
	if _, err := f.Get(context.Background(), during); !errors.Is(err, jobs.ErrUnavailable) {
		t.Errorf("Get without Redis: %v", err)
	}
	t.Logf("two calls without Redis failed in %v", time.Since(start).Round(time.Millisecond))
	time.Sleep(lease + 500*time.Millisecond) // longer than the first task and shorter than the second
	f.server.Restart()

	for _, id := range []string{during, beyond, waits} {
		if job := f.reaches(id, jobs.Succeeded); job.Attempts != 1 {
			t.Errorf("it ended as %+v", job)
		}
	}
	for _, name := range []string{"during", "beyond", "waits"} {
		if n := lines(t, log, "begin "+name); n != 1 {
			t.Errorf("%s was started %d times", name, n)
		}
	}
	var last jobs.Job
	for last = range watch {
	}
	if last.Status != jobs.Succeeded {
		t.Errorf("the watch ended with %+v", last)
	}
}

// While Redis loads its data, it answers every call with an error. The outcomes of attempts are written afterwards, and the failed
// calls are not logged as errors.
func TestRedisLoads(t *testing.T) {
	o := durable()
	o.LoadDelay = 100 * time.Microsecond
	const slots = 8
	f := newFixture(t, o, slots)
	client := newClient(t, f.server)
	_, err := client.Pipelined(t.Context(), func(p redis.Pipeliner) error { // loading takes at least 1.6 s
		for i := range 16 << 10 {
			p.Set(t.Context(), fmt.Sprint("filler", i), "", 0)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	gate, open := jobstest.Gate(t)
	for i := range slots { // at different times, so that some are written while the server accepts requests
		ids = append(ids, f.submit(jobstest.Script{Until: gate, Sleep: time.Duration(3+i) * 100 * time.Millisecond}))
	}
	for _, id := range ids {
		f.reaches(id, jobs.Running)
	}
	f.server.Kill()
	open()
	f.server.Restart()
	for _, id := range ids {
		if job := f.reaches(id, jobs.Succeeded); job.Attempts != 1 {
			t.Errorf("it ended as %+v", job)
		}
	}
	loading := false // an outcome was refused with LOADING
	for _, entry := range f.logs.All() {
		text := fmt.Sprint(entry.ContextMap()["error"])
		loading = loading || entry.Message == "the end of a job is not written yet" && strings.Contains(text, "LOADING")
		if entry.Level >= zap.ErrorLevel {
			t.Errorf("%s in the log: %s: %s", entry.Level, entry.Message, text)
		}
	}
	if !loading {
		t.Errorf("no outcome was refused with LOADING: %+v", f.logs.All())
	}
}

// Without Redis, a process that stops tries to return its tasks for a while, and then logs an error.
func TestStopWithoutRedis(t *testing.T) {
	f := newFixture(t, durable(), 1)
	f.reaches(f.submit(jobstest.Script{Block: true}), jobs.Running)
	f.server.Kill()
	f.stop()
	if n := f.logs.FilterLevelExact(zap.ErrorLevel).FilterMessageSnippet("is not written").Len(); n != 1 {
		t.Errorf("%d errors in the log, want 1: %+v", n, f.logs.All())
	}
}

// While the server does not answer, calls fail at their deadlines. Afterwards the queue works as before.
func TestRedisHangs(t *testing.T) {
	f := newFixture(t, durable(), 1)
	f.server.Pause()
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := f.Stats(ctx); err == nil {
		t.Error("Stats of a server that does not answer: no error")
	}
	if took := time.Since(start); took > timeLimit {
		t.Errorf("it took %v", took)
	}
	f.server.Resume()
	f.reaches(f.submit(jobstest.Script{}), jobs.Succeeded)
}

// If Redis has lost all data, the old jobs do not exist, and new jobs are run.
func TestRedisLosesData(t *testing.T) {
	f := newFixture(t, durable(), 1)
	gate, open := jobstest.Gate(t)
	id := f.submit(jobstest.Script{Until: gate})
	f.reaches(id, jobs.Running)
	options, err := redis.ParseURL(f.server.AdminURL())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	if err := errors.Join(client.FlushAll(context.Background()).Err(), client.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Get(context.Background(), id); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("Get of a lost job: %v", err)
	}
	open()
	f.reaches(f.submit(jobstest.Script{}), jobs.Succeeded)
}
