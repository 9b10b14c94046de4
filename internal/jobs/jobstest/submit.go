package jobstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/jobs"
)

func submitted(f *fixture) {
	t := f.t
	clock := NewClock()
	q := f.open(jobs.Options{Now: clock.Now})
	payload := Script{Name: "a"}.Bytes()
	got := f.submit(q, jobs.Spec{Kind: "script", Key: "k", Owner: "o", Payload: payload})
	if !regexp.MustCompile(`^[0-9a-v]{26}$`).MatchString(got.ID) {
		t.Errorf("ID is %q", got.ID)
	}
	want := jobs.Job{
		ID: got.ID, Kind: "script", Key: "k", Owner: "o", Status: jobs.Queued, CreatedAt: clock.Now(),
		PositionInQueue: 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the job (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(got, f.get(q, got.ID)); diff != "" {
		t.Errorf("Get returns something else (-Submit +Get):\n%s", diff)
	}
	if second := f.submit(q, spec(Script{})); second.PositionInQueue != 2 || second.ID == got.ID {
		t.Errorf("the second is %+v", second)
	}
}

func succeeds(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	gate, open := f.gate()
	job := f.submit(q, spec(Script{Name: "a", Progress: 3, Until: gate, Sleep: 100 * time.Millisecond}))
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	watch, err := q.Watch(ctx, job.ID)
	if err != nil {
		t.Fatal(err)
	}
	var seen []jobs.Status
	var last jobs.Job
	seen = append(seen, (<-watch).Status)
	f.work(q, 1)
	progress := ""
	for last = range watch {
		if last.Status != seen[len(seen)-1] {
			seen = append(seen, last.Status)
		}
		if last.Status == jobs.Running {
			progress = string(last.Progress)
		}
		if progress == "3" {
			open()
		}
	}
	if diff := cmp.Diff([]jobs.Status{jobs.Queued, jobs.Running, jobs.Succeeded}, seen); diff != "" {
		t.Errorf("the statuses (-want +got):\n%s", diff)
	}
	if f.result(q, last.ID) != "a ok" || last.Attempts != 1 || last.PositionInQueue != 0 || string(last.Progress) != "3" || progress != "3" {
		t.Errorf("it ended as %+v; its last progress was %q", last, progress)
	}
	if last.StartedAt.Before(last.CreatedAt) || last.FinishedAt.Before(last.StartedAt.Add(50*time.Millisecond)) {
		t.Errorf("created %v, started %v, finished %v", last.CreatedAt, last.StartedAt, last.FinishedAt)
	}
	if diff := cmp.Diff(last, f.get(q, job.ID)); diff != "" {
		t.Errorf("Get returns something else (-Watch +Get):\n%s", diff)
	}
	// A watch of a final job sends it once.
	again, err := q.Watch(ctx, job.ID)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for job := range again {
		if n++; job.Status != jobs.Succeeded {
			t.Errorf("sent %+v", job)
		}
	}
	if n != 1 {
		t.Errorf("a watch of a final job sent %d jobs", n)
	}
}

func inOrder(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	var ids, want []string
	for i := range 6 {
		job := f.submit(q, spec(Script{Log: log, Name: fmt.Sprint(i)}))
		if job.PositionInQueue != i+1 {
			t.Errorf("job %d has position %d", i, job.PositionInQueue)
		}
		ids = append(ids, job.ID)
		want = append(want, fmt.Sprintf("begin %d\nend %d\n", i, i))
	}
	f.cancel(q, ids[2])
	want[2] = ""
	if got := f.get(q, ids[5]).PositionInQueue; got != 5 {
		t.Errorf("the last has position %d after one before it was cancelled", got)
	}
	f.work(q, 1)
	for i, id := range ids {
		if i != 2 {
			f.reaches(q, id, jobs.Succeeded)
		}
	}
	text, err := os.ReadFile(log) //nolint:gosec // of this test
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Join(want, ""), string(text)); diff != "" {
		t.Errorf("the order (-want +got):\n%s", diff)
	}
}

func invalid(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{MaxPayload: 100})
	long := strings.Repeat("x", jobs.MaxName+1)
	ctx, cancel := context.WithCancel(context.Background())
	for _, test := range []struct {
		name string
		spec jobs.Spec
		want error
	}{
		{"no kind", jobs.Spec{}, jobs.ErrNoKind},
		{"payload", jobs.Spec{Kind: "k", Payload: bytes.Repeat([]byte{'x'}, 101)}, jobs.ErrTooLarge},
		{"kind", jobs.Spec{Kind: long}, jobs.ErrTooLarge},
		{"key", jobs.Spec{Kind: "k", Key: long}, jobs.ErrTooLarge},
		{"owner", jobs.Spec{Kind: "k", Owner: long}, jobs.ErrTooLarge},
		{"idempotency key", jobs.Spec{Kind: "k", IdempotencyKey: long}, jobs.ErrTooLarge},
	} {
		if _, _, err := q.Submit(ctx, test.spec); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	for _, id := range []string{"", "nosuchjob", long, "00000000000000000000000000"} {
		if _, err := q.Get(ctx, id); !errors.Is(err, jobs.ErrNotFound) {
			t.Errorf("Get(%.30q): %v", id, err)
		}
	}
	if _, err := q.Watch(ctx, "nosuchjob"); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("Watch: %v", err)
	}
	names := jobs.Spec{Kind: long[1:], Key: long[1:], Owner: long[1:], IdempotencyKey: long[1:], Payload: make([]byte, 100)}
	if job := f.submit(q, names); job.Owner != names.Owner {
		t.Errorf("long names: %+v", job)
	}
	cancel()
	if _, _, err := q.Submit(ctx, jobs.Spec{Kind: "k"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Submit with a context that has ended: %v", err)
	}
	if _, err := q.Get(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("Get with a context that has ended: %v", err)
	}
}

func parallelJobs(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	f.work(q, 4)
	const n = 200
	ids := make([]string, n)
	var all sync.WaitGroup
	for part := range 4 {
		all.Go(func() {
			for i := part; i < n; i += 4 {
				s := Script{Log: log, Name: fmt.Sprint(i), FailTo: 0}
				if i%20 == 0 {
					s.FailTo = 2
				}
				job, _, err := q.Submit(context.Background(), spec(s))
				if err != nil {
					t.Error(err)
				}
				ids[i] = job.ID
			}
		})
	}
	all.Wait()
	for i, id := range ids {
		if got := f.reaches(q, id, jobs.Succeeded); f.result(q, got.ID) != fmt.Sprint(i, " ok") {
			t.Errorf("job %d: %+v", i, got)
		}
		if n := f.count(log, fmt.Sprint("end ", i)); n != 1 {
			t.Errorf("job %d was worked to its end %d times", i, n)
		}
	}
	if s, err := q.Stats(context.Background()); err != nil || s.Queued != 0 || s.Running != 0 || s.MeanRun <= 0 || s.Slots != 4 {
		t.Errorf("Stats: %+v, %v", s, err)
	}
}

// anyKind checks that a queue takes kinds as names: equal keys of two kinds are two tasks, and the handler gets both kinds.
func anyKind(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	var ids, want, got []string
	for _, kind := range []string{"klaverjas.solve", "belote.solve", "gin rummy/Zug: \x00\"é", "k"} {
		ids = append(ids, f.submit(q, jobs.Spec{Kind: kind, Key: "k", Owner: "o", IdempotencyKey: kind}).ID)
		want = append(want, kind+" of "+kind)
	}
	f.workWith(q, func(_ context.Context, task jobs.Task, _ func([]byte)) ([]byte, error) {
		return []byte(task.Kind), nil
	}, 1)
	for _, id := range ids {
		job := f.reaches(q, id, jobs.Succeeded)
		got = append(got, f.result(q, job.ID)+" of "+job.Kind)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results by kind (-want +got):\n%s", diff)
	}
	page, err := q.List(context.Background(), jobs.ListOptions{Owner: "o", Limit: 10})
	if err != nil || len(page.Jobs) != len(ids) || page.Jobs[0].Kind != "k" {
		t.Errorf("List: %+v, %v", page, err)
	}
}
