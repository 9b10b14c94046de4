package jobstest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"roem/internal/jobs"
)

func idempotency(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	with := func(owner, key string, s Script) jobs.Spec {
		return jobs.Spec{Kind: "script", Owner: owner, IdempotencyKey: key, Payload: s.Bytes()}
	}
	a := f.submit(q, with("o", "1", Script{Name: "a"}))
	f.same(q, with("o", "1", Script{Name: "a"}), a.ID)
	if _, _, err := q.Submit(context.Background(), with("o", "1", Script{Name: "b"})); !errors.Is(err, jobs.ErrIdempotencyMismatch) {
		t.Errorf("another payload: %v", err)
	}
	other := with("o", "1", Script{Name: "a"})
	other.Kind = "other"
	if _, _, err := q.Submit(context.Background(), other); !errors.Is(err, jobs.ErrIdempotencyMismatch) {
		t.Errorf("another kind: %v", err)
	}
	if b := f.submit(q, with("p", "1", Script{Name: "b"})); b.ID == a.ID {
		t.Error("another owner got the same job")
	}
	f.cancel(q, a.ID)
	f.same(q, with("o", "1", Script{Name: "a"}), a.ID)

	// Parallel submits with one key create one job.
	var ids sync.Map
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			job, created, err := q.Submit(context.Background(), with("o", "3", Script{Name: "c"}))
			if err != nil {
				t.Error(err)
			}
			if created {
				ids.Store("created "+job.ID, true)
			}
			ids.Store(job.ID, true)
		})
	}
	all.Wait()
	n := 0
	ids.Range(func(any, any) bool { n++; return true })
	if n != 2 {
		t.Errorf("%d jobs, want one, created once", n-1)
	}
}

// equalWithKeys checks that equal jobs with different idempotency keys, and one without, are different jobs of one task.
func equalWithKeys(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{MaxOwned: 3})
	log := f.log()
	with := func(key string) jobs.Spec {
		return jobs.Spec{Kind: "script", Key: "k", Owner: "o", IdempotencyKey: key, Payload: Script{Log: log, Name: "a"}.Bytes()}
	}
	one, two, none := f.submit(q, with("1")), f.submit(q, with("2")), f.submit(q, with(""))
	f.same(q, with("1"), one.ID)
	f.same(q, with("2"), two.ID)
	f.same(q, with(""), none.ID)
	if _, _, err := q.Submit(context.Background(), with("3")); !errors.Is(err, jobs.ErrTooMany) {
		t.Errorf("beyond MaxOwned: %v", err)
	}
	if got := ids(t, q, jobs.ListOptions{Owner: "o", Limit: 10}); len(got) != 3 {
		t.Errorf("the list has %d jobs, want 3", len(got))
	}
	f.cancel(q, one.ID)
	f.same(q, with("1"), one.ID)
	f.same(q, with(""), none.ID)
	f.cancel(q, none.ID)
	if got := f.get(q, two.ID); got.Status != jobs.Queued {
		t.Errorf("after the cancel of its equals: %+v", got)
	}
	again := f.submit(q, with("")) // a cancelled one without a key is not found
	f.work(q, 1)
	for _, id := range []string{two.ID, again.ID} {
		f.reaches(q, id, jobs.Succeeded)
	}
	f.same(q, with(""), again.ID)
	if later := f.submit(q, with("3")); later.Status != jobs.Succeeded {
		t.Errorf("another key, when the task has succeeded: %+v", later)
	}
	if n := f.count(log, "begin a"); n != 1 {
		t.Errorf("it was worked %d times", n)
	}
}

func equalOneOwner(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	equal := jobs.Spec{Kind: "script", Key: "k", Owner: "o", Payload: Script{Name: "a"}.Bytes()}
	job := f.submit(q, equal)
	f.same(q, equal, job.ID)
	another := equal
	another.Kind = "other"
	f.cancel(q, f.submit(q, another).ID)
	stop := f.work(q, 1)
	f.reaches(q, job.ID, jobs.Succeeded)
	f.same(q, equal, job.ID)
	stop()

	// After a cancelled or failed job, a new one is created.
	equal.Key = "c"
	cancelled := f.submit(q, equal)
	f.cancel(q, cancelled.ID)
	if again := f.submit(q, equal); again.ID == cancelled.ID || again.Status != jobs.Queued {
		t.Errorf("after a cancelled one: %+v", again)
	}
	f.work(q, 1)
	equal.Key, equal.Payload = "f", Script{Final: true}.Bytes()
	failed := f.reaches(q, f.submit(q, equal).ID, jobs.Failed)
	if again := f.submit(q, equal); again.ID == failed.ID {
		t.Errorf("after a failed one: %+v", again)
	}
}

func equalTwoOwners(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	equal := func(owner, key string, s Script) jobs.Spec {
		s.Log = log
		return jobs.Spec{Kind: "script", Key: key, Owner: owner, Payload: s.Bytes()}
	}
	// One owner cancels a queued job. The job of the other stays.
	a, b := f.submit(q, equal("a", "1", Script{Name: "1"})), f.submit(q, equal("b", "1", Script{Name: "1"}))
	if a.ID == b.ID || b.PositionInQueue != 1 {
		t.Errorf("two owners: %+v and %+v", a, b)
	}
	if got := f.cancel(q, a.ID); got.Status != jobs.Cancelled {
		t.Errorf("cancelled: %+v", got)
	}
	if got := f.get(q, b.ID); got.Status != jobs.Queued {
		t.Errorf("the other owner's: %+v", got)
	}
	stop := f.work(q, 1)
	if got := f.reaches(q, b.ID, jobs.Succeeded); f.result(q, got.ID) != "1 ok" || got.Owner != "b" {
		t.Errorf("the other owner's: %+v", got)
	}
	if got := f.get(q, a.ID); got.Status != jobs.Cancelled || got.ResultSize != 0 {
		t.Errorf("the cancelled one: %+v", got)
	}
	// A third owner gets a job that has already succeeded.
	c := f.submit(q, equal("c", "1", Script{Name: "1"}))
	if c.Status != jobs.Succeeded || f.result(q, c.ID) != "1 ok" || c.StartedAt.Before(c.CreatedAt) || c.FinishedAt.Before(c.CreatedAt) {
		t.Errorf("a job of a task that has succeeded: %+v", c)
	}
	// So does the owner who cancelled.
	if again := f.submit(q, equal("a", "1", Script{Name: "1"})); again.ID == a.ID || again.Status != jobs.Succeeded {
		t.Errorf("submitted again: %+v, after a cancelled job", again)
	}
	if n := f.count(log, "begin 1"); n != 1 {
		t.Errorf("it was worked %d times", n)
	}
	for _, owner := range []string{"a", "b", "c"} {
		page, err := q.List(context.Background(), jobs.ListOptions{Owner: owner, Limit: 10})
		want := map[string]int{"a": 2, "b": 1, "c": 1}[owner]
		if err != nil || len(page.Jobs) != want {
			t.Errorf("owner %s has %d jobs, %v; want %d", owner, len(page.Jobs), err, want)
		}
	}

	// A running task continues until both owners have cancelled.
	blocking := Script{Name: "2", Block: true}
	a, b = f.submit(q, equal("a", "2", blocking)), f.submit(q, equal("b", "2", blocking))
	f.reaches(q, a.ID, jobs.Running)
	f.cancel(q, a.ID)
	if got := f.get(q, b.ID); got.Status != jobs.Running {
		t.Errorf("the other owner's: %+v", got)
	}
	f.cancel(q, b.ID)
	f.reaches(q, f.submit(q, spec(Script{})).ID, jobs.Succeeded) // in the same slot
	stop()
}

func equalParallel(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	f.work(q, 2)
	var all sync.WaitGroup
	ids := make([]string, 40)
	for i := range ids {
		all.Go(func() {
			job, _, err := q.Submit(context.Background(), jobs.Spec{
				Kind: "script", Key: "k", Owner: fmt.Sprint(i % 8), Payload: Script{Log: log, Name: "a", Sleep: 50 * time.Millisecond}.Bytes(),
			})
			if err != nil {
				t.Error(err)
			}
			ids[i] = job.ID
		})
	}
	all.Wait()
	for i, id := range ids {
		if id != ids[i%8] {
			t.Errorf("owner %d has two jobs", i%8)
		}
		if got := f.reaches(q, id, jobs.Succeeded); f.result(q, got.ID) != "a ok" {
			t.Errorf("job %d: %+v", i, got)
		}
	}
	if n := f.count(log, "begin a"); n != 1 {
		t.Errorf("it was worked %d times", n)
	}
}
