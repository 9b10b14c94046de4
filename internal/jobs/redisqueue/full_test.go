package redisqueue_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/jobstest"
	"roem/internal/redisconn"
	"roem/internal/redistest"
	"roem/internal/testkit"
)

// A Redis whose memory is full takes no new jobs, and the check says why. All jobs that it has are run, once each, and then it takes new
// ones: finished jobs have at most a quarter of the memory.
func TestFullRedis(t *testing.T) {
	t.Cleanup(func() { testkit.NoLeaks(t) })
	server := redistest.Start(t, redistest.Options{Durable: true, MaxMemory: "8mb", MaxMemoryPolicy: "noeviction"})
	q, err := open(server.URL(), jobs.Options{Retention: 20 * time.Second}) // swept each second
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = q.Close() }()
	log, text := filepath.Join(t.TempDir(), "log"), strings.Repeat("x", 100<<10)
	submit := func(n int, sleep time.Duration) error {
		script := jobstest.Script{Log: log, Name: fmt.Sprint("job ", n, " ", text), Sleep: sleep}
		_, _, err := q.Submit(t.Context(), jobs.Spec{Kind: "script", Payload: script.Bytes()})
		return err
	}
	accepted := 0
	for err == nil {
		sleep := time.Duration(0)
		if accepted == 0 {
			sleep = 2 * lease // its lease is renewed in a full Redis
		}
		if err = submit(accepted, sleep); err == nil {
			accepted++
		}
	}
	if !errors.Is(err, jobs.ErrUnavailable) || redisconn.Reason(err) != "its memory is full" || accepted < 10 {
		t.Fatalf("after %d jobs: %v", accepted, err)
	}
	if err := q.Check(t.Context()); redisconn.Reason(err) != "its memory is full" {
		t.Errorf("the check says %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	worked := make(chan error, 1)
	go func() { worked <- q.Work(ctx, jobstest.Handler, 2) }()
	f := &fixture{t: t}
	f.until("it takes a job again", func() bool { return submit(accepted, 0) == nil })
	f.until("all jobs have run", func() bool {
		for n := range accepted {
			if lines(t, log, fmt.Sprint("end job ", n, " ", text)) == 0 {
				return false
			}
		}
		return true
	})
	cancel()
	if err := <-worked; err != nil {
		t.Error(err)
	}
	for n := range accepted {
		begun, ended := lines(t, log, fmt.Sprint("begin job ", n, " ", text)), lines(t, log, fmt.Sprint("end job ", n, " ", text))
		if begun != 1 || ended != 1 {
			t.Errorf("job %d of %d was begun %d times and ended %d times", n, accepted, begun, ended)
		}
	}
}
