package jobstest

import (
	"context"
	"errors"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/jobs"
)

func restart(f *fixture) {
	t := f.t
	q := f.Open(t, jobs.Options{})
	stop := f.work(q, 1)
	done := f.reaches(q, f.submit(q, jobs.Spec{Kind: "script", Key: "k", Owner: "o", IdempotencyKey: "i", Payload: Script{Name: "a"}.Bytes()}).
		ID, jobs.Succeeded)
	stop()
	waits := f.submit(q, spec(Script{Name: "b"}))
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	closed(f, q, done.ID)
	q = f.open(jobs.Options{})
	if diff := cmp.Diff(done, f.get(q, done.ID)); diff != "" {
		t.Errorf("the final job (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(waits, f.get(q, waits.ID)); diff != "" {
		t.Errorf("the waiting job (-before +after):\n%s", diff)
	}
	f.same(q, jobs.Spec{Key: "k", Owner: "o", IdempotencyKey: "i", Payload: Script{Name: "a"}.Bytes()}, done.ID)
	if s, err := q.Stats(context.Background()); err != nil || s.MeanRun <= 0 {
		t.Errorf("Stats: %+v, %v", s, err)
	}
	f.work(q, 1)
	f.reaches(q, waits.ID, jobs.Succeeded)
}

// closed checks that calls after Close fail at once, and that Close can be repeated.
func closed(f *fixture, q jobs.Queue, id string) {
	ctx := context.Background()
	for range 2 {
		_, _, submitted := q.Submit(ctx, spec(Script{Name: "late"}))
		_, got := q.Get(ctx, id)
		_, read := q.ReadResult(ctx, id, 0, 1)
		_, listed := q.List(ctx, jobs.ListOptions{Owner: "o", Limit: 1})
		_, watched := q.Watch(ctx, id)
		_, cancelled := q.Cancel(ctx, id)
		_, counted := q.Stats(ctx)
		for name, err := range map[string]error{
			"Submit": submitted, "Get": got, "ReadResult": read, "List": listed, "Watch": watched, "Cancel": cancelled, "Stats": counted,
			"Check": q.Check(ctx), "Work": q.Work(ctx, Handler, 1),
		} {
			if !errors.Is(err, jobs.ErrClosed) {
				f.t.Errorf("%s after Close: %v", name, err)
			}
		}
		q.StopClaiming()
		if err := q.Close(); err != nil {
			f.t.Errorf("a second Close: %v", err)
		}
	}
}

func giveBack(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	gate, open := f.gate()
	first := f.submit(q, spec(Script{Log: log, Name: "first", Until: gate}))
	second := f.submit(q, spec(Script{Log: log, Name: "second"}))
	for range jobs.MaxAttempts + 1 { // giving back is no failed attempt
		stop := f.work(q, 1)
		f.reaches(q, first.ID, jobs.Running)
		stop()
		got := f.get(q, first.ID)
		if got.Status != jobs.Queued || got.Attempts != 0 || got.PositionInQueue != 1 || f.get(q, second.ID).PositionInQueue != 2 {
			t.Fatalf("given back: %+v", got)
		}
	}
	open()
	f.work(q, 1)
	if got := f.reaches(q, first.ID, jobs.Succeeded); got.Attempts != 1 {
		t.Errorf("it ended as %+v", got)
	}
	if err := q.Work(context.Background(), Handler, 1); !errors.Is(err, jobs.ErrWorking) {
		t.Errorf("a second Work: %v", err)
	}
}

// stopClaiming checks that the process finishes what runs, starts no waiting task in a slot that becomes free, and leaves
// waiting tasks to other processes.
func stopClaiming(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	stop := f.work(q, 2)
	gate, open := f.gate()
	busy := f.submit(q, spec(Script{Name: "busy", Until: gate}))
	f.reaches(q, busy.ID, jobs.Running)
	q.StopClaiming()
	q.StopClaiming() // may be repeated
	f.until("the stats show no slots", func() bool {
		s, err := q.Stats(context.Background())
		return err == nil && s.Slots == 0
	})
	waits := f.submit(q, spec(Script{Name: "waits"}))
	open()
	if got := f.reaches(q, busy.ID, jobs.Succeeded); got.Attempts != 1 {
		t.Errorf("the running job: %+v", got)
	}
	mine := f.submit(q, jobs.Spec{Kind: "script", Local: true, Payload: Script{Name: "mine"}.Bytes()})
	f.reaches(q, mine.ID, jobs.Succeeded)
	time.Sleep(300 * time.Millisecond) // longer than a claim takes
	if got := f.get(q, waits.ID); got.Status != jobs.Queued || got.PositionInQueue != 1 {
		t.Errorf("the waiting job: %+v", got)
	}
	if !f.Shared {
		stop()
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
	}
	next := f.open(jobs.Options{})
	f.work(next, 1)
	if got := f.reaches(next, waits.ID, jobs.Succeeded); got.Attempts != 1 {
		t.Errorf("the waiting job, after the next start: %+v", got)
	}
}
