package jobstest

import (
	"context"
	"errors"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/jobs"
)

func lists(f *fixture) {
	t := f.t
	clock := NewClock() // all jobs have the same time: they are in the order of the submits
	q := f.open(jobs.Options{Now: clock.Now})
	var want []string
	add := func(owner string) string {
		return f.submit(q, jobs.Spec{Kind: "script", Owner: owner, Payload: []byte("{}")}).ID
	}
	for i := range 25 {
		id := add("o")
		want = append([]string{id}, want...)
		if i%5 == 0 {
			add("another")
			add("") // the empty owner is one of its own
		}
	}
	var got []string
	token := ""
	for page := range 20 {
		p, err := q.List(context.Background(), jobs.ListOptions{Owner: "o", Token: token, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, job := range p.Jobs {
			got = append(got, job.ID)
			if job.Owner != "o" || job.ResultSize != 0 || job.PositionInQueue == 0 {
				t.Errorf("listed: %+v", job)
			}
		}
		if token = p.Next; token == "" {
			break
		}
		if page == 0 {
			add("o") // newer jobs are not on later pages
			f.cancel(q, got[3])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	p, err := q.List(context.Background(), jobs.ListOptions{Owner: "o", Status: jobs.Cancelled, Limit: 5})
	if err != nil || len(p.Jobs) != 1 || p.Jobs[0].ID != got[3] || p.Next != "" {
		t.Errorf("the cancelled: %+v, %v", p, err)
	}
	p, err = q.List(context.Background(), jobs.ListOptions{Owner: "o", Status: jobs.Queued, Limit: 25})
	if err != nil || len(p.Jobs) != 25 || p.Next != "" {
		t.Errorf("the queued: %d jobs, next %q, %v", len(p.Jobs), p.Next, err)
	}
	if p, err = q.List(context.Background(), jobs.ListOptions{Owner: "nobody", Limit: 1}); err != nil || len(p.Jobs) != 0 || p.Next != "" {
		t.Errorf("no owner's: %+v, %v", p, err)
	}
	refusedLists(f, q)
}

// refusedLists asks for pages by tokens and with limits that are not allowed.
func refusedLists(f *fixture, q jobs.Queue) {
	t := f.t
	t.Helper()
	p, err := q.List(context.Background(), jobs.ListOptions{Owner: "o", Limit: 1})
	if err != nil || p.Next == "" {
		t.Fatalf("one: %+v, %v", p, err)
	}
	for _, bad := range []jobs.ListOptions{{Token: "x"}, {Token: p.Next[1:]}, {Token: p.Next, Owner: "another"}} {
		bad.Limit = 1
		if _, err := q.List(context.Background(), bad); !errors.Is(err, jobs.ErrBadToken) {
			t.Errorf("List(%+v): %v", bad, err)
		}
	}
	for _, limit := range []int{-1, 0, jobs.MaxPage + 1} {
		if _, err := q.List(context.Background(), jobs.ListOptions{Limit: limit}); err == nil {
			t.Errorf("a page of %d jobs is no error", limit)
		}
	}
}

func stats(f *fixture) {
	t := f.t
	clock := NewClock()
	q := f.open(jobs.Options{Now: clock.Now, MaxQueued: 7})
	want := func(want jobs.Stats) {
		t.Helper()
		got, err := q.Stats(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Stats (-want +got):\n%s", diff)
		}
	}
	none := map[string]time.Duration{}
	want(jobs.Stats{MaxQueued: 7, Left: none})
	a := f.submit(q, spec(Script{Block: true}))
	clock.Advance(time.Minute)
	f.submit(q, spec(Script{Block: true}))
	want(jobs.Stats{MaxQueued: 7, Queued: 2, Oldest: time.Minute, Cost: 2 * jobs.DefaultCost, Left: none})
	stop := f.work(q, 1)
	f.reaches(q, a.ID, jobs.Running)
	clock.Advance(time.Minute)
	want(jobs.Stats{
		MaxQueued: 7, Queued: 1, Running: 1, Oldest: time.Minute, Slots: 1, Cost: jobs.DefaultCost,
		Left: map[string]time.Duration{"": time.Minute},
	})
	f.cancel(q, a.ID)
	f.until("the second runs", func() bool {
		s, err := q.Stats(context.Background())
		return err == nil && s.Running == 1 && s.Queued == 0
	})
	stop()
	want(jobs.Stats{MaxQueued: 7, Queued: 1, Oldest: time.Minute, Cost: jobs.DefaultCost, Left: none})
}

func watchesEnd(f *fixture) {
	t := f.t
	q := f.Open(t, jobs.Options{})
	job := f.submit(q, spec(Script{}))
	ctx, cancel := context.WithCancel(context.Background())
	byContext, err := q.Watch(ctx, job.ID)
	if err != nil {
		t.Fatal(err)
	}
	byClose, err := q.Watch(context.Background(), job.ID)
	if err != nil {
		t.Fatal(err)
	}
	drained := func(ch <-chan jobs.Job) bool {
		for {
			select {
			case _, ok := <-ch:
				if !ok {
					return true
				}
			case <-time.After(timeLimit):
				return false
			}
		}
	}
	cancel()
	if !drained(byContext) {
		t.Error("a watch does not end with its context")
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if !drained(byClose) {
		t.Error("a watch does not end with its queue")
	}
}

// resultParts reads the result of a job from several places, and the results of jobs that have none.
func resultParts(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	ctx := context.Background()
	waiting := f.submit(q, jobs.Spec{Owner: "o", Key: "k", Payload: Script{Name: "a", Size: 5}.Bytes()})
	if _, err := q.ReadResult(ctx, waiting.ID, 0, 1); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("of a queued job: %v", err)
	}
	f.work(q, 1)
	const want = "a ok....."
	if job := f.reaches(q, waiting.ID, jobs.Succeeded); job.ResultSize != len(want) {
		t.Errorf("the size is %d, want %d", job.ResultSize, len(want))
	}
	for _, offset := range []int{0, 1, len(want) - 1, len(want), len(want) + 1, 1 << 40} {
		for _, limit := range []int{1, 2, len(want), 1 << 30} {
			first := min(offset, len(want))
			got, err := q.ReadResult(ctx, waiting.ID, offset, limit)
			if wanted := want[first:min(first+limit, len(want))]; err != nil || string(got) != wanted {
				t.Errorf("%d bytes from %d on: %q, %v, want %q", limit, offset, got, err, wanted)
			}
		}
	}
	for _, bad := range [][2]int{{-1, 1}, {0, 0}, {0, -1}} {
		if _, err := q.ReadResult(ctx, waiting.ID, bad[0], bad[1]); err == nil {
			t.Errorf("%d bytes from %d on are read", bad[1], bad[0])
		}
	}
	failed := f.submit(q, spec(Script{Final: true}))
	f.reaches(q, failed.ID, jobs.Failed)
	for what, id := range map[string]string{"a failed job": failed.ID, "no job": "00000000000000000000000000"} {
		if _, err := q.ReadResult(ctx, id, 0, 1); !errors.Is(err, jobs.ErrNotFound) {
			t.Errorf("of %s: %v", what, err)
		}
	}
}

// check tries the store while a job waits and one runs, neither of which it changes.
func check(f *fixture) {
	t := f.t
	q := f.Open(t, jobs.Options{})
	ctx := context.Background()
	running := f.submit(q, spec(Script{Block: true}))
	stop := f.work(q, 1)
	f.reaches(q, running.ID, jobs.Running)
	waiting := f.submit(q, spec(Script{Name: "a"}))
	before, err := q.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := q.Check(ctx); err != nil {
			t.Error(err)
		}
	}
	after, err := q.Stats(ctx)
	before.Oldest, after.Oldest, before.Left, after.Left = 0, 0, nil, nil // they follow the clock
	if diff := cmp.Diff(before, after); err != nil || diff != "" {
		t.Errorf("the stats, %v (-before +after):\n%s", err, diff)
	}
	if job := f.get(q, waiting.ID); job.Status != jobs.Queued || job.PositionInQueue != 1 {
		t.Errorf("the waiting job: %+v", job)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := q.Check(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	f.cancel(q, running.ID)
	f.reaches(q, waiting.ID, jobs.Succeeded) // its ticket is still there
	stop()
	if err := q.Close(); err != nil {
		t.Error(err)
	}
	if err := q.Check(ctx); !errors.Is(err, jobs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}
