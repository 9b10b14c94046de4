package jobstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/jobs"
)

func full(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{MaxQueued: 3})
	with := func(i int) jobs.Spec {
		return jobs.Spec{Kind: "script", Key: fmt.Sprint(i), Owner: "o", IdempotencyKey: fmt.Sprint(i), Payload: Script{Name: "a"}.Bytes()}
	}
	var first jobs.Job
	for i := range 3 {
		job := f.submit(q, with(i))
		if i == 0 {
			first = job
		}
	}
	_, _, err := q.Submit(context.Background(), with(3))
	detail, ok := errors.AsType[*jobs.FullError](err)
	if !errors.Is(err, jobs.ErrFull) || !ok || detail.Queued != 3 || detail.Max != 3 {
		t.Errorf("a fourth: %v", err)
	}
	f.same(q, with(0), first.ID) // an existing job is returned
	other := with(1)
	other.Owner = "p"
	f.submit(q, other) // a shared task takes no place
	f.cancel(q, first.ID)
	f.submit(q, with(3))
	f.work(q, 1)
	f.until("all are worked", func() bool {
		s, err := q.Stats(context.Background())
		return err == nil && s.Queued == 0 && s.Running == 0
	})
	f.submit(q, with(4))
}

// tooManyOwned checks the bound of one owner's unfinished jobs, which includes those from before a restart.
func tooManyOwned(f *fixture) {
	t := f.t
	options := jobs.Options{MaxQueued: 5, MaxOwned: 2}
	q := f.open(options)
	of := func(owner, key string, sleep time.Duration) jobs.Spec {
		return jobs.Spec{Kind: "script", Key: key, Owner: owner, Payload: Script{Name: key, Sleep: sleep}.Bytes()}
	}
	refuses := func(what string, spec jobs.Spec) {
		t.Helper()
		_, _, err := q.Submit(context.Background(), spec)
		detail, ok := errors.AsType[*jobs.TooManyError](err)
		if !errors.Is(err, jobs.ErrTooMany) || errors.Is(err, jobs.ErrFull) || !ok || detail.Unfinished < 2 || detail.Max != 2 {
			t.Errorf("%s: %v", what, err)
		}
	}
	first := f.submit(q, of("o", "a", 0))
	f.submit(q, of("o", "b", 0))
	refuses("a third", of("o", "c", 0))
	f.same(q, of("o", "a", 0), first.ID) // an existing job is returned
	others := f.submit(q, of("p", "d", 0))
	f.submit(q, of("p", "a", 0))
	refuses("a third, one of them shared", of("p", "e", 0))
	f.submit(q, of("o", "d", 0)) // a shared task takes no place in the queue
	f.cancel(q, others.ID)       // and counts for each of its owners
	f.submit(q, of("p", "f", 0))
	refuses("a third that waits", of("p", "e", 0))
	f.cancel(q, first.ID)
	refuses("another, with two unfinished after a cancel", of("o", "c", 0))

	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	q = f.open(options)
	refuses("after a restart", of("o", "c", 0))
	stop := f.work(q, 1)
	f.until("all are worked", func() bool {
		s, err := q.Stats(context.Background())
		return err == nil && s.Queued == 0 && s.Running == 0
	})

	// Final jobs do not count. Running jobs do, including local ones, which are accepted beyond the bound.
	running := f.submit(q, of("o", "r", time.Hour))
	f.reaches(q, running.ID, jobs.Running)
	for _, key := range []string{"s", "t"} {
		mine := of("o", key, time.Hour)
		mine.Local = true
		if got := f.submit(q, mine); got.Status != jobs.Running {
			t.Errorf("a local job: %+v", got)
		}
	}
	refuses("another, with three running", of("o", "u", 0))
	f.submit(q, of("o", "a", 0)) // its task has succeeded
	stop()
	refuses("another, with three given back", of("o", "u", 0))
}

// networks checks that the bounds of one owner hold for all owners of a network together, and that they take turns as one.
func networks(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{MaxQueued: 10, Reserved: 4, MaxOwned: 3, MaxCost: time.Minute})
	of := func(owner, network string) jobs.Spec {
		return jobs.Spec{Kind: "script", Owner: owner, Network: network}
	}
	first := f.submit(q, of("a1", "a"))
	f.submit(q, of("a2", "a"))
	if got := f.submit(q, of("b1", "b")); got.PositionInQueue != 2 {
		t.Errorf("the first task of another network has position %d", got.PositionInQueue)
	}
	f.submit(q, of("a3", "a"))
	if _, _, err := q.Submit(context.Background(), of("a4", "a")); !errors.Is(err, jobs.ErrTooMany) {
		t.Errorf("a fourth of a network: %v", err)
	}
	long := of("b2", "b")
	long.Cost = time.Hour
	if _, _, err := q.Submit(context.Background(), long); !errors.Is(err, jobs.ErrTooCostly) {
		t.Errorf("too long for a network: %v", err)
	}
	if page, err := q.List(context.Background(), jobs.ListOptions{Owner: "a1", Limit: 10}); err != nil || len(page.Jobs) != 1 {
		t.Errorf("an owner of a network has the list %+v, %v", page, err)
	}
	f.cancel(q, first.ID)
	f.submit(q, of("a4", "a"))

	// The last places are for owners and networks without a waiting task.
	f.submit(q, of("b2", "b"))
	f.submit(q, of("c1", ""))
	refuses := func(what string, spec jobs.Spec, reserved bool) {
		t.Helper()
		_, _, err := q.Submit(context.Background(), spec)
		if full, is := errors.AsType[*jobs.FullError](err); !is || full.Reserved != reserved || full.Max != 10 {
			t.Errorf("%s: %v", what, err)
		}
	}
	refuses("a third of a network, for a reserved place", of("b3", "b"), true)
	refuses("a second of an owner, for a reserved place", of("c1", ""), true)
	for i := range 4 {
		f.submit(q, of(fmt.Sprint("d", i), ""))
	}
	refuses("an eleventh", of("e", ""), false)
	s, err := q.Stats(context.Background())
	if wait, known := s.Wait(5); err != nil || known || wait != 0 || s.Cost != 10*jobs.DefaultCost {
		t.Errorf("Stats: %+v, %v", s, err)
	}
	var takers sync.Map
	f.workWith(q, func(_ context.Context, task jobs.Task, _ func([]byte)) ([]byte, error) {
		takers.Store(task.Owner+" of "+task.Taker(), true)
		return nil, nil
	}, 1)
	f.until("all are worked", func() bool {
		s, err := q.Stats(context.Background())
		return err == nil && s.Queued == 0 && s.Running == 0
	})
	for _, want := range []string{"a4 of a", "b1 of b", "c1 of c1"} {
		if _, ran := takers.Load(want); !ran {
			t.Errorf("no task was run for %s", want)
		}
	}
}

// noNewTask checks that a Spec with NoNewTask is accepted if it needs no new task, and that the handler gets the owner of a task.
func noNewTask(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	of := func(owner, key string) jobs.Spec {
		return jobs.Spec{Kind: "script", Key: key, Owner: owner, NoNewTask: true, Payload: Script{Name: key}.Bytes()}
	}
	refuses := func(what string, spec jobs.Spec) {
		t.Helper()
		if _, _, err := q.Submit(context.Background(), spec); !errors.Is(err, jobs.ErrNewTask) {
			t.Errorf("%s: %v", what, err)
		}
	}
	refuses("nothing is there", of("o", "a"))
	first := of("o", "a")
	first.NoNewTask = false
	job := f.submit(q, first)
	f.same(q, of("o", "a"), job.ID)
	shared := f.submit(q, of("p", "a"))
	refuses("another key", of("p", "b"))
	var owners []string
	f.workWith(q, func(_ context.Context, task jobs.Task, _ func([]byte)) ([]byte, error) {
		owners = append(owners, task.Owner)
		return nil, nil
	}, 1)
	f.reaches(q, job.ID, jobs.Succeeded)
	f.reaches(q, shared.ID, jobs.Succeeded)
	f.same(q, of("o", "a"), job.ID)
	refuses("another key, later", of("o", "b"))
	mine := of("p", "c")
	mine.Local = true
	f.reaches(q, f.submit(q, mine).ID, jobs.Succeeded) // its search was admitted with its request
	if !slices.Equal(owners, []string{"o", "p"}) {
		t.Errorf("tasks of %q, want o and p", owners)
	}
}

// parallelSubmits checks that the bounds hold for submits that arrive at the same time. A queue may write them together.
func parallelSubmits(f *fixture) {
	const submits, bound = 64, 5
	for _, test := range []struct {
		name    string
		options jobs.Options
		owner   func(i int) string
		want    error // of a refused submit
	}{
		{"of the queue", jobs.Options{MaxQueued: bound}, func(i int) string { return fmt.Sprint(i) }, jobs.ErrFull},
		{"of one owner", jobs.Options{MaxQueued: 2 * submits, MaxOwned: bound}, func(int) string { return "o" }, jobs.ErrTooMany},
	} {
		f.t.Run(test.name, func(t *testing.T) {
			f := &fixture{t: t, Store: f.empty(t)}
			q := f.open(test.options)
			var accepted atomic.Int64
			var all sync.WaitGroup
			start := make(chan struct{})
			for i := range submits {
				all.Go(func() {
					<-start
					_, _, err := q.Submit(context.Background(), jobs.Spec{Kind: "script", Owner: test.owner(i)})
					switch {
					case err == nil:
						accepted.Add(1)
					case !errors.Is(err, test.want):
						t.Errorf("submit %d: %v", i, err)
					}
				})
			}
			close(start)
			all.Wait()
			s, err := q.Stats(context.Background())
			if err != nil || accepted.Load() != bound || s.Queued != bound {
				t.Errorf("of %d submits %d are accepted and %d wait (%v), want %d", submits, accepted.Load(), s.Queued, err, bound)
			}
		})
	}
}
