package boltqueue_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/jobs/jobstest"
	"roem/internal/testkit"
)

// timeLimit is how long a test waits for an expected event.
const timeLimit = testkit.Patience

// within fails the test if the function does not return in time.
func within(t *testing.T, what string, f func() error) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	case <-time.After(timeLimit):
		t.Errorf("%s does not return within %v", what, timeLimit)
	}
}

// slowLog is a log that blocks when an error is written, until released is closed.
type slowLog struct {
	zapcore.LevelEnabler
	reached, released chan struct{}
	once              *sync.Once
}

func (l slowLog) With([]zapcore.Field) zapcore.Core { return l }
func (l slowLog) Sync() error                       { return nil }

func (l slowLog) Check(e zapcore.Entry, c *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	return c.AddCore(e, l)
}

func (l slowLog) Write(e zapcore.Entry, _ []zapcore.Field) error {
	if e.Level == zap.ErrorLevel {
		l.once.Do(func() { close(l.reached) })
		<-l.released
	}
	return nil
}

// A log that blocks delays only the attempt that logs.
func TestSlowLog(t *testing.T) {
	defer testkit.NoLeaks(t, goleak.IgnoreCurrent())
	log := slowLog{zap.ErrorLevel, make(chan struct{}), make(chan struct{}), new(sync.Once)}
	q, err := boltqueue.Open(filepath.Join(t.TempDir(), "jobs.db"), jobs.Options{Log: zap.New(log)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	go func() { worked <- q.Work(ctx, jobstest.Handler, 2) }()
	if _, _, err := q.Submit(ctx, jobs.Spec{Kind: "script", Payload: jobstest.Script{Final: true}.Bytes()}); err != nil {
		t.Fatal(err)
	}
	<-log.reached
	var id string
	within(t, "Submit", func() error {
		job, _, err := q.Submit(ctx, jobs.Spec{Kind: "script", Payload: jobstest.Script{}.Bytes()})
		id = job.ID
		return err
	})
	if !t.Failed() {
		within(t, "a job", func() error {
			watch, err := q.Watch(ctx, id)
			if err == nil {
				for range watch {
				}
			}
			return err
		})
	}
	close(log.released)
	cancel()
	if err := errors.Join(<-worked, q.Close()); err != nil {
		t.Fatal(err)
	}
}

// Calls without changes do not wait for a write transaction.
func TestReadersDoNotWaitForWriters(t *testing.T) {
	defer testkit.NoLeaks(t, goleak.IgnoreCurrent())
	q, err := boltqueue.Open(filepath.Join(t.TempDir(), "jobs.db"), jobs.Options{MaxQueued: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	spec := jobs.Spec{Kind: "script", Key: "k", Owner: "o"}
	job, _, err := q.Submit(ctx, spec)
	if err != nil {
		t.Fatal(err)
	}
	writing, written := make(chan struct{}), make(chan struct{})
	held := make(chan error, 1)
	go func() {
		held <- q.Write(func() {
			close(writing)
			<-written
		})
	}()
	<-writing
	for what, f := range map[string]func() error{
		"Get":   func() error { _, err := q.Get(ctx, job.ID); return err },
		"List":  func() error { _, err := q.List(ctx, jobs.ListOptions{Owner: "o", Limit: 1}); return err },
		"Watch": func() error { _, err := q.Watch(ctx, job.ID); return err },
		"Stats": func() error { _, err := q.Stats(ctx); return err },
		"Submit of a job that exists": func() error {
			_, _, err := q.Submit(ctx, spec)
			return err
		},
		"Submit to a full queue": func() error {
			_, _, err := q.Submit(ctx, jobs.Spec{Kind: "script"})
			if errors.Is(err, jobs.ErrFull) {
				return nil
			}
			return errors.Join(errors.New("not full"), err)
		},
		"Cancel of no job": func() error {
			_, err := q.Cancel(ctx, "nosuchjob")
			if errors.Is(err, jobs.ErrNotFound) {
				return nil
			}
			return errors.Join(errors.New("found"), err)
		},
	} {
		within(t, what, f)
	}
	close(written)
	cancel()
	if err := errors.Join(<-held, q.Close()); err != nil {
		t.Fatal(err)
	}
}
