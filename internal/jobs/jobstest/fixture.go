package jobstest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"roem/internal/jobs"
	"roem/internal/testkit"
)

// timeLimit is how long the suite waits for an expected event.
const timeLimit = testkit.Patience

// fixture is the test and its store.
type fixture struct {
	t *testing.T
	Store
	empty func(tb testing.TB) Store // returns another store
}

func (f *fixture) open(o jobs.Options) jobs.Queue {
	f.t.Helper()
	q := f.Open(f.t, o)
	f.t.Cleanup(func() {
		if err := q.Close(); err != nil {
			f.t.Errorf("Close: %v", err)
		}
	})
	return q
}

// work works the queue with Handler. It returns a function that ends Work and waits for it.
func (f *fixture) work(q jobs.Queue, slots int) (stop func()) {
	f.t.Helper()
	return f.workWith(q, Handler, slots)
}

func (f *fixture) workWith(q jobs.Queue, handler jobs.Handler, slots int) (stop func()) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	before, err := q.Stats(ctx)
	if err != nil {
		f.t.Fatal(err)
	}
	go func() { done <- q.Work(ctx, handler, slots) }()
	want := slots
	if slots > 0 {
		want += before.Slots // of other processes
	}
	f.until("Work begins", func() bool { return begun(ctx, q, want) })
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				f.t.Errorf("Work: %v", err)
			}
		case <-time.After(timeLimit):
			f.t.Error("Work does not end")
		}
	})
	f.t.Cleanup(stop)
	return stop
}

func (f *fixture) until(what string, is func() bool) {
	f.t.Helper()
	testkit.Until(f.t, what, is)
}

func (f *fixture) submit(q jobs.Queue, spec jobs.Spec) jobs.Job {
	f.t.Helper()
	if spec.Kind == "" {
		spec.Kind = "script"
	}
	job, created, err := q.Submit(context.Background(), spec)
	if err != nil || !created {
		f.t.Fatalf("Submit(%+v): created %v, %v", spec, created, err)
	}
	return job
}

// same checks that a submit returns the existing job.
func (f *fixture) same(q jobs.Queue, spec jobs.Spec, id string) {
	f.t.Helper()
	if spec.Kind == "" {
		spec.Kind = "script"
	}
	job, created, err := q.Submit(context.Background(), spec)
	if err != nil || created || job.ID != id {
		f.t.Fatalf("Submit(%+v): job %s, created %v, %v; want job %s and false", spec, job.ID, created, err, id)
	}
}

func (f *fixture) get(q jobs.Queue, id string) jobs.Job {
	f.t.Helper()
	job, err := q.Get(context.Background(), id)
	if err != nil {
		f.t.Fatalf("Get(%s): %v", id, err)
	}
	return job
}

// result returns the whole result of a succeeded job, read in parts of a few bytes.
func (f *fixture) result(q jobs.Queue, id string) string {
	f.t.Helper()
	whole, err := wholeResult(context.Background(), q, id, 3)
	if err != nil {
		f.t.Fatalf("ReadResult(%s): %v", id, err)
	}
	return string(whole)
}

// wholeResult reads a result in parts of at most some size.
func wholeResult(ctx context.Context, q jobs.Queue, id string, size int) (whole []byte, err error) {
	for {
		part, err := q.ReadResult(ctx, id, len(whole), size)
		whole = append(whole, part...)
		if err != nil || len(part) < size {
			return whole, err
		}
	}
}

func (f *fixture) cancel(q jobs.Queue, id string) jobs.Job {
	f.t.Helper()
	job, err := q.Cancel(context.Background(), id)
	if err != nil {
		f.t.Fatalf("Cancel(%s): %v", id, err)
	}
	return job
}

// reaches waits until the job has the status, and returns it.
func (f *fixture) reaches(q jobs.Queue, id string, status jobs.Status) jobs.Job {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	watch, err := q.Watch(ctx, id)
	if err != nil {
		f.t.Fatalf("Watch(%s): %v", id, err)
	}
	var last jobs.Job
	for job := range watch {
		if last = job; job.Status == status {
			return job
		}
	}
	f.t.Fatalf("job %s is %s after %v, want %s: %+v", id, last.Status, timeLimit, status, last)
	return last
}

// count returns how many lines of the log are equal to the line.
func (f *fixture) count(log, line string) int {
	f.t.Helper()
	text, err := os.ReadFile(log) //nolint:gosec // of this test
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		f.t.Fatal(err)
	}
	n := 0
	for l := range strings.Lines(string(text)) {
		if strings.TrimSpace(l) == line {
			n++
		}
	}
	return n
}

func (f *fixture) log() string { return filepath.Join(f.t.TempDir(), "log") }

// gate returns a file for Script.Until, and a function that creates it.
func (f *fixture) gate() (path string, open func()) {
	f.t.Helper()
	return Gate(f.t)
}

// Gate returns a file for Script.Until, and a function that creates it.
func Gate(tb testing.TB) (path string, open func()) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "gate")
	return path, func() {
		tb.Helper()
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			tb.Error(err)
		}
	}
}

func spec(s Script) jobs.Spec { return jobs.Spec{Kind: "script", Payload: s.Bytes()} }
