package redisqueue_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/jobs"
	"roem/internal/jobs/jobstest"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
)

const timeLimit = 30 * time.Second

// fixture is a queue that is worked, and its server.
type fixture struct {
	*redisqueue.Queue
	t      *testing.T
	server *redistest.Server
	logs   *observer.ObservedLogs
	stop   func() // ends Work
}

// durable returns options for a server that loses no confirmed change.
func durable() redistest.Options {
	return redistest.Options{Durable: true, MaxMemoryPolicy: "noeviction"}
}

func newFixture(t *testing.T, o redistest.Options, slots int) *fixture {
	t.Helper()
	t.Cleanup(func() { goleak.VerifyNone(t) })
	server := redistest.Start(t, o)
	core, logs := observer.New(zap.DebugLevel)
	q, err := open(server.URL()+" t", jobs.Options{Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	go func() { worked <- q.Work(ctx, jobstest.Handler, slots) }()
	stop := sync.OnceFunc(func() {
		cancel()
		if err := <-worked; err != nil {
			t.Errorf("Work: %v", err)
		}
	})
	t.Cleanup(func() {
		stop()
		if err := q.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	f := &fixture{Queue: q, t: t, server: server, logs: logs, stop: stop}
	f.until("Work begins", func() bool {
		s, err := q.Stats(context.Background())
		return err == nil && s.Slots == slots
	})
	return f
}

func (f *fixture) until(what string, is func() bool) {
	f.t.Helper()
	for end := time.Now().Add(timeLimit); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("%s: not within %v", what, timeLimit)
		}
	}
}

func (f *fixture) submit(s jobstest.Script) string {
	f.t.Helper()
	job, _, err := f.Submit(context.Background(), jobs.Spec{Kind: "script", Payload: s.Bytes()})
	if err != nil {
		f.t.Fatal(err)
	}
	return job.ID
}

func (f *fixture) reaches(id string, status jobs.Status) jobs.Job {
	f.t.Helper()
	var job jobs.Job
	f.until(fmt.Sprintf("job %s becomes %s", id, status), func() bool {
		var err error
		job, err = f.Get(context.Background(), id)
		return err == nil && job.Status == status
	})
	return job
}

func lines(t *testing.T, log, line string) int {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count(string(text), line+"\n")
}

// Tasks that run while Redis is down are not started a second time, and their results are written when Redis is back. This
// also holds if Redis is down for longer than a lease: live processes have time to renew their leases.
func TestRedisAway(t *testing.T) {
	f := newFixture(t, durable(), 2)
	log := filepath.Join(t.TempDir(), "log")
	during := f.submit(jobstest.Script{Log: log, Name: "during", Sleep: 500 * time.Millisecond})
	beyond := f.submit(jobstest.Script{Log: log, Name: "beyond", Sleep: 3 * time.Second})
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
	time.Sleep(lease + 500*time.Millisecond) // the first ends meanwhile, the second does not
	f.server.Restart()

	for _, id := range []string{during, beyond, waits} {
		if job := f.reaches(id, jobs.Succeeded); job.Attempts != 1 {
			t.Errorf("it ended as %+v", job)
		}
	}
	for _, name := range []string{"during", "beyond", "waits"} {
		if n := lines(t, log, "begin "+name); n != 1 {
			t.Errorf("%s was begun %d times", name, n)
		}
	}
	var last jobs.Job
	for last = range watch {
	}
	if last.Status != jobs.Succeeded {
		t.Errorf("the watch ended with %+v", last)
	}
}

// While Redis loads its data it answers every call with an error. The outcomes of attempts are written after that, and the
// failed tries are no errors in the log.
func TestRedisLoads(t *testing.T) {
	o := durable()
	o.LoadDelay = 100 * time.Microsecond
	const slots = 8
	f := newFixture(t, o, slots)
	client := newClient(t, f.server)
	_, err := client.Pipelined(t.Context(), func(p redis.Pipeliner) error { // at least 1.6 s of loading
		for i := range 16 << 10 {
			p.Set(t.Context(), fmt.Sprint("filler", i), "", 0)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i := range slots { // at different times, so that some write while the server accepts requests
		ids = append(ids, f.submit(jobstest.Script{Sleep: time.Duration(3+i) * 100 * time.Millisecond}))
	}
	f.reaches(ids[slots-1], jobs.Running)
	f.server.Kill()
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

// Without Redis, a process that stops tries to give its tasks back for a while, and then logs an error.
func TestStopWithoutRedis(t *testing.T) {
	f := newFixture(t, durable(), 1)
	f.reaches(f.submit(jobstest.Script{Block: true}), jobs.Running)
	f.server.Kill()
	f.stop()
	if n := f.logs.FilterLevelExact(zap.ErrorLevel).FilterMessageSnippet("is not written").Len(); n != 1 {
		t.Errorf("%d errors in the log, want 1: %+v", n, f.logs.All())
	}
}

// While the server hangs, calls fail at their deadlines. After that the queue works as before.
func TestRedisHangs(t *testing.T) {
	f := newFixture(t, durable(), 1)
	f.server.Pause()
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := f.Stats(ctx); err == nil {
		t.Error("Stats of a server that hangs: no error")
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	f.server.Resume()
	f.reaches(f.submit(jobstest.Script{}), jobs.Succeeded)
}

// If Redis has lost all data, the old jobs do not exist, and new ones are run.
func TestRedisLosesData(t *testing.T) {
	f := newFixture(t, durable(), 1)
	id := f.submit(jobstest.Script{Sleep: 100 * time.Millisecond})
	f.reaches(id, jobs.Running)
	options, err := redis.ParseURL(f.server.URL())
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
	f.reaches(f.submit(jobstest.Script{}), jobs.Succeeded)
}

// Of expired jobs only the counters and empty streams remain.
func TestExpiredJobsAreRemoved(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	server := redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction"})
	clock := jobstest.NewClock()
	q, err := open(server.URL()+" t", jobs.Options{Now: clock.Now, Retention: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	go func() { worked <- q.Work(ctx, jobstest.Handler, 2) }()
	jobstest.SubmitVarious(ctx, t, q)
	clock.Advance(time.Minute)
	options, err := redis.ParseURL(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	var left []string
	f := &fixture{t: t}
	f.until("old jobs are removed", func() bool {
		left, err = client.Keys(ctx, "*").Result()
		return err == nil && len(left) <= 5
	})
	cancel()
	if err := errors.Join(<-worked, q.Close()); err != nil {
		t.Fatal(err)
	}
	if left, err = client.Keys(context.Background(), "*").Result(); err != nil {
		t.Fatal(err)
	}
	for _, key := range left {
		switch key {
		case "{t}:jobs:meta", "{t}:jobs:tickets", "{t}:jobs:local": // counters and two empty streams
		default:
			t.Errorf("the key %s remains", key)
		}
	}
	for _, stream := range []string{"{t}:jobs:tickets", "{t}:jobs:local"} {
		if n, err := client.XLen(context.Background(), stream).Result(); err != nil || n != 0 {
			t.Errorf("%s holds %d entries, %v", stream, n, err)
		}
	}
}

func TestOpen(t *testing.T) {
	for _, test := range []struct {
		name    string
		options redistest.Options
		want    []string // what the log says
	}{
		{"as it should be", redistest.Options{Durable: true, MaxMemoryPolicy: "noeviction"}, nil},
		{"evicts", redistest.Options{Durable: true, MaxMemoryPolicy: "allkeys-lru"}, []string{
			"Redis will lose jobs when its memory is full: set its maxmemory-policy to noeviction",
		}},
		{"in memory alone", redistest.Options{MaxMemoryPolicy: "noeviction"}, []string{
			"jobs do not survive a restart of Redis: set appendonly yes",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := redistest.Start(t, test.options)
			core, logs := observer.New(zap.WarnLevel)
			q, err := open(server.URL(), jobs.Options{Log: zap.New(core)})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = q.Close() }()
			var got []string
			for _, entry := range logs.All() {
				got = append(got, entry.Message)
			}
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("the log says %q, want %q", got, test.want)
			}
		})
	}
	for name, o := range map[string]redisqueue.Options{
		"no server":    {URL: "redis://127.0.0.1:1/0"},
		"no URL":       {URL: "::secret::"},
		"short lease":  {URL: "redis://127.0.0.1:1/0", Lease: time.Millisecond},
		"a bad name":   {URL: "redis://127.0.0.1:1/0", Name: "{a}"},
		"a bad option": {URL: "redis://127.0.0.1:1/0", Options: jobs.Options{MaxQueued: -1}},
	} {
		if _, err := redisqueue.Open(context.Background(), o); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
