package jobstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"roem/internal/jobs"
)

func retention(f *fixture) {
	t := f.t
	clock := NewClock()
	q := f.open(jobs.Options{Now: clock.Now, Retention: time.Hour})
	with := jobs.Spec{Kind: "script", Key: "k", Owner: "o", IdempotencyKey: "i", Payload: Script{Name: "a"}.Bytes()}
	job := f.submit(q, with)
	clock.Advance(3 * time.Hour)
	f.get(q, job.ID) // unfinished jobs do not expire
	stop := f.work(q, 1)
	f.reaches(q, job.ID, jobs.Succeeded)
	stop()
	cancelled := f.submit(q, jobs.Spec{Kind: "script", Owner: "o"})
	f.cancel(q, cancelled.ID)
	clock.Advance(59 * time.Minute)
	f.get(q, cancelled.ID)
	late := with
	late.Owner, late.IdempotencyKey = "late", ""
	shared := f.submit(q, late) // created as succeeded, and kept for the whole retention
	clock.Advance(2 * time.Minute)

	for _, id := range []string{job.ID, cancelled.ID} {
		if _, err := q.Get(context.Background(), id); !errors.Is(err, jobs.ErrNotFound) {
			t.Errorf("Get of what is kept no longer: %v", err)
		}
		if _, err := q.Cancel(context.Background(), id); !errors.Is(err, jobs.ErrNotFound) {
			t.Errorf("Cancel of it: %v", err)
		}
		if _, err := q.Watch(context.Background(), id); !errors.Is(err, jobs.ErrNotFound) {
			t.Errorf("Watch of it: %v", err)
		}
	}
	if p, err := q.List(context.Background(), jobs.ListOptions{Owner: "o", Limit: 10}); err != nil || len(p.Jobs) != 0 {
		t.Errorf("List: %+v, %v", p, err)
	}
	if got := f.get(q, shared.ID); f.result(q, got.ID) != "a ok" {
		t.Errorf("the job that shares the result: %+v", got)
	}
	if again := f.submit(q, with); again.ID == job.ID || again.Status != jobs.Succeeded {
		t.Errorf("submitted again: %+v", again)
	}
	clock.Advance(2 * time.Hour)
	f.until("the shared result is removed", func() bool {
		_, err := q.Get(context.Background(), shared.ID)
		return errors.Is(err, jobs.ErrNotFound)
	})
	if again := f.submit(q, with); again.Status != jobs.Queued {
		t.Errorf("submitted after the removal: %+v", again)
	}
}

func maxKept(f *fixture) {
	t := f.t
	clock := NewClock() // by which no job expires; the queue sweeps every 100 ms of real time
	q := f.open(jobs.Options{MaxKept: 3, Retention: 2 * time.Second, Now: clock.Now})
	var ids []string
	for i := range 8 {
		ids = append(ids, f.submit(q, jobs.Spec{Kind: "script", Owner: "o", Key: fmt.Sprint(i)}).ID)
	}
	for _, id := range ids[:7] {
		f.cancel(q, id)
		clock.Advance(time.Millisecond)
	}
	f.until("the oldest are removed", func() bool {
		p, err := q.List(context.Background(), jobs.ListOptions{Owner: "o", Limit: 10})
		return err == nil && len(p.Jobs) == 4
	})
	for _, id := range ids[4:7] {
		f.get(q, id)
	}
	if got := f.get(q, ids[7]); got.Status != jobs.Queued {
		t.Errorf("the unfinished job: %+v", got)
	}
	if _, err := q.Get(context.Background(), ids[0]); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("the oldest: %v", err)
	}
}

// maxBytes checks the common bound of payloads and results of final jobs. The oldest jobs are removed first. A shared result
// counts once, until the last of its jobs is removed.
func maxBytes(f *fixture) {
	t := f.t
	const size = 10_000
	clock := NewClock() // by which no job expires
	q := f.open(jobs.Options{MaxBytes: 4 * size, Retention: 2 * time.Second, Now: clock.Now})
	big := func(owner string, i int) jobs.Spec {
		return jobs.Spec{Kind: "script", Owner: owner, Key: fmt.Sprint(i), Payload: Script{Size: size - 500}.Bytes()}
	}
	stop := f.work(q, 1)
	var ids []string
	for i := range 4 {
		ids = append(ids, f.reaches(q, f.submit(q, big("o", i)).ID, jobs.Succeeded).ID)
		clock.Advance(time.Millisecond)
	}
	shared := f.submit(q, big("p", 0)) // the newest job shares the oldest result
	time.Sleep(400 * time.Millisecond) // several sweeps
	for _, id := range append(ids, shared.ID) {
		f.get(q, id)
	}
	stop()
	waits := f.submit(q, jobs.Spec{Kind: "script", Owner: "o", Payload: bytes.Repeat([]byte{'1'}, 5*size)})
	time.Sleep(400 * time.Millisecond)
	f.get(q, ids[0])

	gone := func(id string) func() bool {
		return func() bool { _, err := q.Get(context.Background(), id); return errors.Is(err, jobs.ErrNotFound) }
	}
	clock.Advance(time.Millisecond)
	last := f.submit(q, jobs.Spec{Kind: "script", Owner: "o", Payload: bytes.Repeat([]byte{'1'}, size)})
	f.cancel(q, last.ID)
	f.until("the oldest are removed", gone(ids[1])) // removing ids[0] frees nothing: its result is shared
	if !gone(ids[0])() {
		t.Error("a newer job was removed first")
	}
	for _, id := range []string{ids[2], ids[3], shared.ID, last.ID, waits.ID} {
		f.get(q, id)
	}
	clock.Advance(time.Hour)
	f.until("all has expired", gone(last.ID))
	f.work(q, 1)
	f.until("a job larger than the bound is removed", gone(waits.ID)) // it fails: its payload is no script
	clock.Advance(time.Millisecond)
	again := f.reaches(q, f.submit(q, big("o", 9)).ID, jobs.Succeeded)
	time.Sleep(400 * time.Millisecond)
	f.get(q, again.ID)
}

// SubmitVarious submits jobs of several owners to a queue that is worked, and waits until all have ended. Some are equal, some
// have several idempotency keys, some fail and some are cancelled.
func SubmitVarious(ctx context.Context, tb testing.TB, q jobs.Queue) {
	tb.Helper()
	var ids []string
	for i := range 30 {
		job, _, err := q.Submit(ctx, jobs.Spec{
			Kind: "script", Key: fmt.Sprint(i % 10), Owner: fmt.Sprint(i % 3), IdempotencyKey: fmt.Sprint(i),
			Payload: Script{Final: i%10 == 4}.Bytes(),
		})
		if err != nil {
			tb.Fatal(err)
		}
		if i%7 == 0 {
			if _, err := q.Cancel(ctx, job.ID); err != nil {
				tb.Fatal(err)
			}
		}
		ids = append(ids, job.ID)
	}
	for _, id := range ids {
		watch, err := q.Watch(ctx, id)
		if err != nil {
			tb.Fatal(err)
		}
		for range watch {
		}
	}
}
