package redisqueue_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/jobs"
	"roem/internal/jobs/jobstest"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
	"roem/internal/testkit"
)

const timeLimit = testkit.Patience

// fixture is a queue with a worker, and its server.
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
	t.Cleanup(func() { testkit.NoLeaks(t) })
	server := redistest.Start(t, o)
	core, logs := observer.New(zap.DebugLevel)
	q, err := open(server.URL(), jobs.Options{Log: zap.New(core)})
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
	testkit.Until(f.t, what, is)
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
