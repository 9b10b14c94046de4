package jobstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/jobs"
)

// Store is where a queue lies, empty at first.
type Store struct {
	// Open opens the queue. Before it is opened again, it is closed, unless the store is Shared.
	Open func(tb testing.TB, options jobs.Options) jobs.Queue
	// Target is what Main's function opens the same queue with in another process.
	Target string
	// Shared says that several processes can have the queue open.
	Shared bool
}

// patience is how long the suite waits for what must come. It is long because machines are busy.
const patience = 30 * time.Second

// Run runs the suite. The function makes an empty store.
func Run(t *testing.T, store func(tb testing.TB) Store) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(f *fixture)
	}{
		{"what Submit returns", submitted},
		{"a job succeeds", succeeds},
		{"first in, first out", inOrder},
		{"failures", failures},
		{"a poison job blocks nobody", poison},
		{"cancel what waits", cancelQueued},
		{"cancel what runs", cancelRunning},
		{"cancel what has ended", cancelFinal},
		{"idempotency keys", idempotency},
		{"equal work, one owner", equalOneOwner},
		{"equal work, two owners", equalTwoOwners},
		{"equal work asked for at once", equalAtOnce},
		{"a full queue", full},
		{"an owner with too many jobs", tooManyOwned},
		{"lists and pages", lists},
		{"retention", retention},
		{"too many to keep", tooMany},
		{"too large to keep", tooLarge},
		{"a restart between", restart},
		{"a stop gives work back", giveBack},
		{"claiming stops before the work", stopClaiming},
		{"local jobs", local},
		{"local jobs without a worker", localUnworked},
		{"stats", stats},
		{"what is refused", refused},
		{"watches end", watchesEnd},
		{"many at once", many},
		{"a process is killed over a job", killed},
		{"a job that kills", killer},
		{"a process is killed over a local job", killedLocal},
		{"a process stops in order", stopped},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&fixture{t: t, Store: store(t)}) })
	}
}

// RunShared runs what a queue for several processes must do beside.
func RunShared(t *testing.T, store func(tb testing.TB) Store) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(f *fixture)
	}{
		{"submitted here, worked there", elsewhere},
		{"each job is worked by one", oneEach},
		{"a process stands still", standsStill},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&fixture{t: t, Store: store(t)}) })
	}
}

// fixture is what a test works with.
type fixture struct {
	t *testing.T
	Store
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

// work works the queue and returns what stops it and waits.
func (f *fixture) work(q jobs.Queue, slots int) (stop func()) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	before, err := q.Stats(ctx)
	if err != nil {
		f.t.Fatal(err)
	}
	go func() { done <- q.Work(ctx, Handler, slots) }()
	want := slots
	if slots > 0 {
		want += before.Slots // others work too
	}
	f.until("Work begins", func() bool { return begun(ctx, q, want) })
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				f.t.Errorf("Work: %v", err)
			}
		case <-time.After(patience):
			f.t.Error("Work does not end")
		}
	})
	f.t.Cleanup(stop)
	return stop
}

func (f *fixture) until(what string, is func() bool) {
	f.t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("%s: not within %v", what, patience)
		}
	}
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

// same submits what must give a job that there is.
func (f *fixture) same(q jobs.Queue, spec jobs.Spec, id string) {
	f.t.Helper()
	spec.Kind = "script"
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

func (f *fixture) cancel(q jobs.Queue, id string) jobs.Job {
	f.t.Helper()
	job, err := q.Cancel(context.Background(), id)
	if err != nil {
		f.t.Fatalf("Cancel(%s): %v", id, err)
	}
	return job
}

// reaches waits until the job has the status.
func (f *fixture) reaches(q jobs.Queue, id string, status jobs.Status) jobs.Job {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
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
	f.t.Fatalf("job %s is %s after %v, want %s: %+v", id, last.Status, patience, status, last)
	return last
}

// count returns how often the log has the line.
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

func spec(s Script) jobs.Spec { return jobs.Spec{Kind: "script", Payload: s.Bytes()} }

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
		PositionInQueue: 1, Payload: payload,
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
	job := f.submit(q, spec(Script{Name: "a", Progress: 3, Sleep: 300 * time.Millisecond}))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
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
	}
	if diff := cmp.Diff([]jobs.Status{jobs.Queued, jobs.Running, jobs.Succeeded}, seen); diff != "" {
		t.Errorf("what was seen (-want +got):\n%s", diff)
	}
	if string(last.Result) != "a ok" || last.Attempts != 1 || last.PositionInQueue != 0 || string(last.Progress) != "3" || progress != "3" {
		t.Errorf("it ended as %+v; its last progress was %q", last, progress)
	}
	if last.StartedAt.Before(last.CreatedAt) || last.FinishedAt.Before(last.StartedAt.Add(50*time.Millisecond)) {
		t.Errorf("created %v, started %v, finished %v", last.CreatedAt, last.StartedAt, last.FinishedAt)
	}
	if diff := cmp.Diff(last, f.get(q, job.ID)); diff != "" {
		t.Errorf("Get returns something else (-Watch +Get):\n%s", diff)
	}
	// A watch of what has ended sends it once.
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
		t.Errorf("a watch of what has ended sent %d jobs", n)
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

func failures(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{MaxResult: 1000})
	f.work(q, 2)
	for _, test := range []struct {
		name     string
		script   Script
		status   jobs.Status
		failure  jobs.Failure
		attempts int
		detail   string
	}{
		{"always", Script{Fail: true}, jobs.Failed, jobs.FailedTooOften, 3, Detail},
		{"twice", Script{FailTo: 2}, jobs.Succeeded, "", 3, ""},
		{"for good", Script{Final: true}, jobs.Failed, jobs.FailedForGood, 1, Detail},
		{"panics", Script{Panic: true}, jobs.Failed, jobs.FailedTooOften, 3, ""},
		{"large", Script{Size: 998}, jobs.Failed, jobs.FailedTooLarge, 1, ""},
		{"nearly too large", Script{Size: 997}, jobs.Succeeded, "", 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			job := f.submit(q, spec(test.script))
			got := f.reaches(q, job.ID, test.status)
			if got.Failure != test.failure || got.Attempts != test.attempts || string(got.Error) != test.detail ||
				(got.Result != nil) != (test.status == jobs.Succeeded) {
				t.Errorf("it ended as %+v", got)
			}
		})
	}
}

func poison(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	bad := f.submit(q, spec(Script{Log: log, Name: "bad", Fail: true}))
	var good []string
	for i := range 5 {
		good = append(good, f.submit(q, spec(Script{Log: log, Name: fmt.Sprint(i)})).ID)
	}
	f.work(q, 1)
	for _, id := range good {
		f.reaches(q, id, jobs.Succeeded)
	}
	f.reaches(q, bad.ID, jobs.Failed)
	text, err := os.ReadFile(log) //nolint:gosec // of this test
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if f.count(log, "begin bad") != jobs.MaxAttempts || lines[0] != "begin bad" || slices.Index(lines, "end 4") > slices.Index(lines[1:], "begin bad")+1 {
		t.Errorf("what waited did not go before the second attempt:\n%s", text)
	}
}

func cancelQueued(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	job := f.submit(q, spec(Script{Log: log, Name: "a"}))
	got := f.cancel(q, job.ID)
	if got.Status != jobs.Cancelled || got.FinishedAt.IsZero() || got.PositionInQueue != 0 {
		t.Errorf("cancelled: %+v", got)
	}
	if diff := cmp.Diff(got, f.cancel(q, job.ID)); diff != "" {
		t.Errorf("cancelled twice (-first +second):\n%s", diff)
	}
	f.work(q, 1)
	f.reaches(q, f.submit(q, spec(Script{})).ID, jobs.Succeeded)
	if n := f.count(log, "begin a"); n != 0 {
		t.Errorf("it was begun %d times", n)
	}
	if s, err := q.Stats(context.Background()); err != nil || s.Queued != 0 || s.Running != 0 {
		t.Errorf("Stats: %+v, %v", s, err)
	}
}

func cancelRunning(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	f.work(q, 1)
	var worst time.Duration
	for range 5 {
		job := f.submit(q, spec(Script{Block: true}))
		next := f.submit(q, spec(Script{Name: "next"}))
		f.reaches(q, job.ID, jobs.Running)
		start := time.Now()
		if got := f.cancel(q, job.ID); got.Status != jobs.Cancelled {
			t.Errorf("cancelled: %+v", got)
		}
		f.reaches(q, next.ID, jobs.Succeeded) // its slot is free
		worst = max(worst, time.Since(start))
		if got := f.get(q, job.ID); got.Status != jobs.Cancelled || got.Result != nil {
			t.Errorf("afterwards: %+v", got)
		}
	}
	t.Logf("from Cancel to the end of the next job in the same slot: at most %v", worst)
	if worst > 5*time.Second {
		t.Errorf("the slot was free only after %v", worst)
	}
}

func cancelFinal(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	f.work(q, 1)
	done := f.reaches(q, f.submit(q, spec(Script{Name: "a"})).ID, jobs.Succeeded)
	if diff := cmp.Diff(done, f.cancel(q, done.ID)); diff != "" {
		t.Errorf("Cancel changed it (-before +after):\n%s", diff)
	}
	if _, err := q.Cancel(context.Background(), "nosuchjob"); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("Cancel of no job: %v", err)
	}
}

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

	// A key given to a job that is found by its Key holds as well.
	k := with("o", "", Script{Name: "k"})
	k.Key = "k"
	job := f.submit(q, k)
	k.IdempotencyKey = "2"
	f.same(q, k, job.ID)
	f.cancel(q, job.ID)
	f.same(q, k, job.ID)

	// Asked for at once, there is one job.
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
	f.same(q, equal, job.ID) // it is there already
	stop()

	// What was cancelled or failed is made anew.
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
	// One cancels what waits: it stays for the other.
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
	if got := f.reaches(q, b.ID, jobs.Succeeded); string(got.Result) != "1 ok" || got.Owner != "b" {
		t.Errorf("the other owner's: %+v", got)
	}
	if got := f.get(q, a.ID); got.Status != jobs.Cancelled || got.Result != nil {
		t.Errorf("the cancelled one: %+v", got)
	}
	// Who comes when it is done gets a job of their own, done.
	c := f.submit(q, equal("c", "1", Script{Name: "1"}))
	if c.Status != jobs.Succeeded || string(c.Result) != "1 ok" || c.StartedAt.Before(c.CreatedAt) || c.FinishedAt.Before(c.CreatedAt) {
		t.Errorf("a job of what is done: %+v", c)
	}
	// The owner who cancelled may ask again.
	if again := f.submit(q, equal("a", "1", Script{Name: "1"})); again.ID == a.ID || again.Status != jobs.Succeeded {
		t.Errorf("asked for again: %+v", again)
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

	// What runs goes on until the last has cancelled.
	blocking := Script{Name: "2", Block: true}
	a, b = f.submit(q, equal("a", "2", blocking)), f.submit(q, equal("b", "2", blocking))
	f.reaches(q, a.ID, jobs.Running)
	f.cancel(q, a.ID)
	if got := f.get(q, b.ID); got.Status != jobs.Running {
		t.Errorf("the other owner's: %+v", got)
	}
	f.cancel(q, b.ID)
	f.reaches(q, f.submit(q, spec(Script{})).ID, jobs.Succeeded) // the slot is free
	stop()
}

func equalAtOnce(f *fixture) {
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
		if got := f.reaches(q, id, jobs.Succeeded); string(got.Result) != "a ok" {
			t.Errorf("job %d: %+v", i, got)
		}
	}
	if n := f.count(log, "begin a"); n != 1 {
		t.Errorf("it was worked %d times", n)
	}
}

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
	f.same(q, with(0), first.ID) // what is there is no more work
	other := with(1)
	other.Owner = "p"
	f.submit(q, other) // nor is what is shared
	f.cancel(q, first.ID)
	f.submit(q, with(3))
	f.work(q, 1)
	f.until("all are worked", func() bool {
		s, err := q.Stats(context.Background())
		return err == nil && s.Queued == 0 && s.Running == 0
	})
	f.submit(q, with(4))
}

// tooManyOwned: one owner's unfinished jobs are bounded, and take no room from others; those of before a restart count.
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
	f.same(q, of("o", "a", 0), first.ID) // what is there is no more
	others := f.submit(q, of("p", "d", 0))
	f.submit(q, of("p", "a", 0))
	refuses("a third, one of them shared", of("p", "e", 0))
	f.submit(q, of("o", "d", 0)) // shared work takes no room in the queue
	f.cancel(q, others.ID)       // and counts, for each of its owners
	f.submit(q, of("p", "f", 0))
	refuses("a third of theirs that waits", of("p", "e", 0))
	f.cancel(q, first.ID)
	refuses("another, with two and not three", of("o", "c", 0))

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

	// What has ended counts no more; what runs does, also where it was begun at once, which no limit keeps from being so.
	running := f.submit(q, of("o", "r", time.Hour))
	f.reaches(q, running.ID, jobs.Running)
	for _, key := range []string{"s", "t"} {
		mine := of("o", key, time.Hour)
		mine.Local = true
		if got := f.submit(q, mine); got.Status != jobs.Running {
			t.Errorf("a local job: %+v", got)
		}
	}
	refuses("another, with three that run", of("o", "u", 0))
	f.submit(q, of("o", "a", 0)) // the work of which is done
	stop()
	refuses("another, with three given back", of("o", "u", 0))
}

func lists(f *fixture) {
	t := f.t
	clock := NewClock() // all at one moment: the order is that of arrival
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
			add("") // no owner is an owner
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
			if job.Owner != "o" || job.Payload != nil || job.PositionInQueue == 0 {
				t.Errorf("listed: %+v", job)
			}
		}
		if token = p.Next; token == "" {
			break
		}
		if page == 0 {
			add("o") // what comes meanwhile is not on later pages
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
		t.Errorf("nobody's: %+v, %v", p, err)
	}
	p, err = q.List(context.Background(), jobs.ListOptions{Owner: "o", Limit: 1})
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

func retention(f *fixture) {
	t := f.t
	clock := NewClock()
	q := f.open(jobs.Options{Now: clock.Now, Retention: time.Hour})
	with := jobs.Spec{Kind: "script", Key: "k", Owner: "o", IdempotencyKey: "i", Payload: Script{Name: "a"}.Bytes()}
	job := f.submit(q, with)
	clock.Advance(3 * time.Hour)
	f.get(q, job.ID) // what is not done stays
	stop := f.work(q, 1)
	f.reaches(q, job.ID, jobs.Succeeded)
	stop()
	cancelled := f.submit(q, jobs.Spec{Kind: "script", Owner: "o"})
	f.cancel(q, cancelled.ID)
	clock.Advance(59 * time.Minute)
	f.get(q, cancelled.ID)
	late := with
	late.Owner, late.IdempotencyKey = "late", ""
	shared := f.submit(q, late) // born succeeded, and kept for as long as any
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
	if got := f.get(q, shared.ID); string(got.Result) != "a ok" {
		t.Errorf("what shares its result: %+v", got)
	}
	if again := f.submit(q, with); again.ID == job.ID || again.Status != jobs.Succeeded {
		t.Errorf("submitted again: %+v", again)
	}
	clock.Advance(2 * time.Hour)
	f.until("nothing is left to share", func() bool {
		_, err := q.Get(context.Background(), shared.ID)
		return errors.Is(err, jobs.ErrNotFound)
	})
	if again := f.submit(q, with); again.Status != jobs.Queued {
		t.Errorf("submitted when nothing is left: %+v", again)
	}
}

func tooMany(f *fixture) {
	t := f.t
	clock := NewClock() // by which nothing expires; the sweeper comes each 100 ms of real time
	q := f.open(jobs.Options{MaxKept: 3, Retention: 2 * time.Second, Now: clock.Now})
	var ids []string
	for i := range 8 {
		ids = append(ids, f.submit(q, jobs.Spec{Kind: "script", Owner: "o", Key: fmt.Sprint(i)}).ID)
	}
	for _, id := range ids[:7] {
		f.cancel(q, id)
		clock.Advance(time.Millisecond)
	}
	f.until("the oldest are forgotten", func() bool {
		p, err := q.List(context.Background(), jobs.ListOptions{Owner: "o", Limit: 10})
		return err == nil && len(p.Jobs) == 4
	})
	for _, id := range ids[4:7] {
		f.get(q, id)
	}
	if got := f.get(q, ids[7]); got.Status != jobs.Queued {
		t.Errorf("what is not final: %+v", got)
	}
	if _, err := q.Get(context.Background(), ids[0]); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("the oldest: %v", err)
	}
}

// tooLarge: payloads and results of what has ended are bounded together, the oldest go first, and a result that several jobs
// share counts once and until the last of them goes. What has not ended does not count.
func tooLarge(f *fixture) {
	t := f.t
	const size = 10_000
	clock := NewClock() // by which nothing expires
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
	shared := f.submit(q, big("p", 0)) // the newest, of the oldest result
	time.Sleep(400 * time.Millisecond) // time for the sweeper, which comes each 100 ms
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
	f.until("the oldest are forgotten", gone(ids[1])) // for the result of the first stays, with its other job
	if !gone(ids[0])() {
		t.Error("a newer job went first")
	}
	for _, id := range []string{ids[2], ids[3], shared.ID, last.ID, waits.ID} {
		f.get(q, id)
	}
	clock.Advance(time.Hour) // and all bytes are counted off
	f.until("all has expired", gone(last.ID))
	f.work(q, 1)
	f.until("what alone is too large is not kept", gone(waits.ID)) // it fails, for its payload says nothing
	clock.Advance(time.Millisecond)
	again := f.reaches(q, f.submit(q, big("o", 9)).ID, jobs.Succeeded)
	time.Sleep(400 * time.Millisecond)
	f.get(q, again.ID)
}

// Several submits jobs to a queue that is worked, of several owners, equal ones among them, some under several idempotency
// keys, some that fail and some that are cancelled, and waits until all have ended.
func Several(ctx context.Context, tb testing.TB, q jobs.Queue) {
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

func restart(f *fixture) {
	t := f.t
	q := f.Open(t, jobs.Options{})
	stop := f.work(q, 1)
	done := f.reaches(q, f.submit(q, jobs.Spec{Kind: "script", Key: "k", Owner: "o", IdempotencyKey: "i", Payload: Script{Name: "a"}.Bytes()}).ID, jobs.Succeeded)
	stop()
	waits := f.submit(q, spec(Script{Name: "b"}))
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Get(context.Background(), done.ID); !errors.Is(err, jobs.ErrClosed) {
		t.Errorf("Get after Close: %v", err)
	}
	if err := q.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
	q = f.open(jobs.Options{})
	if diff := cmp.Diff(done, f.get(q, done.ID)); diff != "" {
		t.Errorf("what was done (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(waits, f.get(q, waits.ID)); diff != "" {
		t.Errorf("what waits (-before +after):\n%s", diff)
	}
	f.same(q, jobs.Spec{Key: "k", Owner: "o", IdempotencyKey: "i", Payload: Script{Name: "a"}.Bytes()}, done.ID)
	if s, err := q.Stats(context.Background()); err != nil || s.MeanRun <= 0 {
		t.Errorf("Stats: %+v, %v", s, err)
	}
	f.work(q, 1)
	f.reaches(q, waits.ID, jobs.Succeeded)
}

func giveBack(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	first := f.submit(q, spec(Script{Log: log, Name: "first", Sleep: 500 * time.Millisecond}))
	second := f.submit(q, spec(Script{Log: log, Name: "second"}))
	for range 4 { // more often than attempts may fail
		stop := f.work(q, 1)
		f.reaches(q, first.ID, jobs.Running)
		start := time.Now()
		stop()
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("stopping took %v", took)
		}
		got := f.get(q, first.ID)
		if got.Status != jobs.Queued || got.Attempts != 0 || got.PositionInQueue != 1 || f.get(q, second.ID).PositionInQueue != 2 {
			t.Fatalf("given back: %+v", got)
		}
	}
	f.work(q, 1)
	if got := f.reaches(q, first.ID, jobs.Succeeded); got.Attempts != 1 {
		t.Errorf("it ended as %+v", got)
	}
	if err := q.Work(context.Background(), Handler, 1); !errors.Is(err, jobs.ErrWorking) {
		t.Errorf("a second Work: %v", err)
	}
}

// stopClaiming: a process that is to stop goes on with what it has and begins nothing more that waits, whatever slots
// become free, so that another process can.
func stopClaiming(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	stop := f.work(q, 2)
	busy := f.submit(q, spec(Script{Name: "busy", Sleep: 300 * time.Millisecond}))
	f.reaches(q, busy.ID, jobs.Running)
	q.StopClaiming()
	q.StopClaiming() // as often as one likes
	f.until("its slots are gone", func() bool {
		s, err := q.Stats(context.Background())
		return err == nil && s.Slots == 0
	})
	waits := f.submit(q, spec(Script{Name: "waits"}))
	if got := f.reaches(q, busy.ID, jobs.Succeeded); got.Attempts != 1 {
		t.Errorf("what ran: %+v", got)
	}
	mine := f.submit(q, jobs.Spec{Kind: "script", Local: true, Payload: Script{Name: "mine"}.Bytes()})
	f.reaches(q, mine.ID, jobs.Succeeded)
	time.Sleep(300 * time.Millisecond) // longer than a claim takes
	if got := f.get(q, waits.ID); got.Status != jobs.Queued || got.PositionInQueue != 1 {
		t.Errorf("what waits: %+v", got)
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
		t.Errorf("what waited: %+v", got)
	}
}

func local(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{MaxQueued: 2})
	stop := f.work(q, 1)
	busy := f.submit(q, spec(Script{Block: true}))
	f.reaches(q, busy.ID, jobs.Running)
	waits := f.submit(q, jobs.Spec{Kind: "script", Key: "w", Owner: "o", Payload: Script{Name: "w", Sleep: 50 * time.Millisecond}.Bytes()})
	f.submit(q, spec(Script{Name: "x"}))

	// The slot is taken and the queue is full.
	mine := jobs.Spec{Kind: "script", Key: "m", Owner: "o", Local: true, Payload: Script{Name: "m", Sleep: 50 * time.Millisecond}.Bytes()}
	job := f.submit(q, mine)
	if job.Status != jobs.Running || job.StartedAt.IsZero() || job.Attempts != 1 {
		t.Errorf("a local job: %+v", job)
	}
	if got := f.reaches(q, job.ID, jobs.Succeeded); string(got.Result) != "m ok" {
		t.Errorf("a local job: %+v", got)
	}
	f.same(q, mine, job.ID)

	// Equal work that waits is begun here.
	taken := jobs.Spec{Kind: "script", Key: "w", Owner: "p", Local: true, Payload: Script{Name: "w", Sleep: 50 * time.Millisecond}.Bytes()}
	if got := f.submit(q, taken); got.Status != jobs.Running {
		t.Errorf("a local job of what waits: %+v", got)
	}
	if got := f.get(q, waits.ID); got.Status == jobs.Queued {
		t.Errorf("what waits: %+v", got)
	}
	f.reaches(q, waits.ID, jobs.Succeeded)

	// It can be cancelled, fails as others do, and is given back.
	gone := f.submit(q, jobs.Spec{Kind: "script", Local: true, Payload: Script{Block: true}.Bytes()})
	f.cancel(q, gone.ID)
	f.cancel(q, busy.ID)
	bad := f.submit(q, jobs.Spec{Kind: "script", Local: true, Payload: Script{Fail: true}.Bytes()})
	if got := f.reaches(q, bad.ID, jobs.Failed); got.Attempts != jobs.MaxAttempts {
		t.Errorf("a local job that fails: %+v", got)
	}
	back := f.submit(q, jobs.Spec{Kind: "script", Local: true, Payload: Script{Sleep: 200 * time.Millisecond}.Bytes()})
	stop()
	if got := f.get(q, back.ID); got.Status != jobs.Queued || got.Attempts != 0 || got.PositionInQueue != 1 {
		t.Errorf("a local job after a stop: %+v", got)
	}
	f.work(q, 1)
	f.reaches(q, back.ID, jobs.Succeeded)
}

func localUnworked(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	mine := jobs.Spec{Kind: "script", Local: true, Payload: Script{Name: "m"}.Bytes()}
	if got := f.submit(q, mine); got.Status != jobs.Queued || got.PositionInQueue != 1 {
		t.Errorf("without Work: %+v", got)
	}
	stop := f.work(q, 0)
	got := f.submit(q, mine)
	if got.Status != jobs.Running && got.Status != jobs.Succeeded {
		t.Errorf("with Work in no slots: %+v", got)
	}
	f.reaches(q, got.ID, jobs.Succeeded)
	if s, err := q.Stats(context.Background()); err != nil || s.Queued != 1 || s.Slots != 0 {
		t.Errorf("Stats: %+v, %v", s, err)
	}
	stop()
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
	want(jobs.Stats{MaxQueued: 7})
	a := f.submit(q, spec(Script{Block: true}))
	clock.Advance(time.Minute)
	f.submit(q, spec(Script{Block: true}))
	want(jobs.Stats{MaxQueued: 7, Queued: 2, Oldest: time.Minute})
	stop := f.work(q, 1)
	f.reaches(q, a.ID, jobs.Running)
	clock.Advance(time.Minute)
	want(jobs.Stats{MaxQueued: 7, Queued: 1, Running: 1, Oldest: time.Minute, Slots: 1})
	f.cancel(q, a.ID)
	f.until("the second runs", func() bool {
		s, err := q.Stats(context.Background())
		return err == nil && s.Running == 1 && s.Queued == 0
	})
	stop()
	want(jobs.Stats{MaxQueued: 7, Queued: 1, Oldest: time.Minute})
}

func refused(f *fixture) {
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
	if job := f.submit(q, names); job.Owner != names.Owner || !bytes.Equal(job.Payload, names.Payload) {
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
			case <-time.After(patience):
				return false
			}
		}
	}
	cancel()
	if !drained(byContext) {
		t.Error("a watch outlives its context")
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if !drained(byClose) {
		t.Error("a watch outlives its queue")
	}
}

func many(f *fixture) {
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
		if got := f.reaches(q, id, jobs.Succeeded); string(got.Result) != fmt.Sprint(i, " ok") {
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

// finish opens the queue and works it until the job has the status, after a process has died.
func (f *fixture) finish(id string, status jobs.Status) jobs.Job {
	f.t.Helper()
	q := f.open(jobs.Options{})
	f.work(q, 2)
	return f.reaches(q, id, status)
}

func killed(f *fixture) {
	t := f.t
	log := f.log()
	p := StartProcess(t, f.Target, 1)
	first, err := p.Submit(spec(Script{Log: log, Name: "first", Sleep: 300 * time.Millisecond}))
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.Submit(spec(Script{Log: log, Name: "second"}))
	if err != nil {
		t.Fatal(err)
	}
	f.until("it begins", func() bool { return f.count(log, "begin first") == 1 })
	p.Kill()
	q := f.open(jobs.Options{})
	start := time.Now()
	f.work(q, 2)
	got := f.reaches(q, first.ID, jobs.Succeeded)
	t.Logf("back and done %v after the next process began", time.Since(start).Round(time.Millisecond))
	if string(got.Result) != "first ok" || got.Attempts != 2 {
		t.Errorf("it ended as %+v", got)
	}
	f.reaches(q, second.ID, jobs.Succeeded)
	if f.count(log, "begin first") != 2 || f.count(log, "end first") != 1 || f.count(log, "end second") != 1 {
		t.Error("what was worked is not what should have been")
	}
}

func killer(f *fixture) {
	t := f.t
	log := f.log()
	p := StartProcess(t, f.Target, 2)
	// Beside it runs innocent work, which must not be blamed.
	var innocent []string
	for i := range 2 {
		job, err := p.Submit(spec(Script{Log: log, Name: fmt.Sprint(i), Sleep: 400 * time.Millisecond}))
		if err != nil {
			t.Fatal(err)
		}
		innocent = append(innocent, job.ID)
		if i == 0 {
			if job, err = p.Submit(spec(Script{Log: log, Name: "bad", Sleep: 50 * time.Millisecond, Die: true})); err != nil {
				t.Fatal(err)
			}
			innocent = append([]string{job.ID}, innocent...)
		}
	}
	bad, innocent := innocent[0], innocent[1:]
	deaths := 0
	for p := p; ; p = StartProcess(t, f.Target, 2) {
		done := false
		f.until("it dies, or all is done", func() bool {
			select {
			case <-p.Gone():
				return true
			default:
			}
			job, err := p.Get(bad)
			done = err == nil && job.Status == jobs.Failed
			return done
		})
		if done {
			for _, id := range innocent {
				f.until("the innocent are worked", func() bool {
					job, err := p.Get(id)
					return err == nil && job.Status == jobs.Succeeded
				})
			}
			job, err := p.Get(bad)
			if err != nil || job.Failure != jobs.FailedWithProcess || job.Attempts != jobs.MaxAttempts {
				t.Errorf("it ended as %+v, %v", job, err)
			}
			p.Stop(t)
			break
		}
		if deaths++; deaths > 10 {
			t.Fatal("it goes on killing")
		}
	}
	if deaths != jobs.MaxAttempts || f.count(log, "begin bad") != jobs.MaxAttempts {
		t.Errorf("%d processes died, %d attempts; want %d", deaths, f.count(log, "begin bad"), jobs.MaxAttempts)
	}
}

func killedLocal(f *fixture) {
	t := f.t
	log := f.log()
	p := StartProcess(t, f.Target, 0)
	job, err := p.Submit(jobs.Spec{
		Kind: "script", Key: "k", Owner: "o", Local: true,
		Payload: Script{Log: log, Name: "a", Sleep: 300 * time.Millisecond}.Bytes(),
	})
	if err != nil || job.Status != jobs.Running {
		t.Fatalf("a local job: %+v, %v", job, err)
	}
	f.until("it begins", func() bool { return f.count(log, "begin a") == 1 })
	p.Kill()
	if got := f.finish(job.ID, jobs.Succeeded); string(got.Result) != "a ok" || got.Attempts != 2 {
		t.Errorf("it ended as %+v", got)
	}
}

func stopped(f *fixture) {
	t := f.t
	log := f.log()
	p := StartProcess(t, f.Target, 1)
	job, err := p.Submit(spec(Script{Log: log, Name: "a", Sleep: time.Second}))
	if err != nil {
		t.Fatal(err)
	}
	f.until("it begins", func() bool { return f.count(log, "begin a") == 1 })
	p.Stop(t)
	q := f.open(jobs.Options{})
	if got := f.get(q, job.ID); got.Status != jobs.Queued || got.Attempts != 0 {
		t.Errorf("given back: %+v", got)
	}
	f.work(q, 1)
	f.reaches(q, job.ID, jobs.Succeeded)
}

func elsewhere(f *fixture) {
	t := f.t
	here, there := f.open(jobs.Options{}), f.open(jobs.Options{})
	log := f.log()
	f.work(there, 1)
	job := f.submit(here, spec(Script{Log: log, Name: "a", Progress: 2, Sleep: 200 * time.Millisecond}))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	watch, err := here.Watch(ctx, job.ID)
	if err != nil {
		t.Fatal(err)
	}
	progress := ""
	for job = range watch {
		if job.Status == jobs.Running && job.Progress != nil {
			progress = string(job.Progress)
		}
	}
	if job.Status != jobs.Succeeded || string(job.Result) != "a ok" || progress != "2" {
		t.Errorf("it ended as %+v; its last progress was %q", job, progress)
	}
	if s, err := here.Stats(ctx); err != nil || s.Slots != 1 {
		t.Errorf("Stats: %+v, %v", s, err)
	}
	long := f.submit(here, spec(Script{Log: log, Name: "long", Block: true}))
	f.reaches(here, long.ID, jobs.Running)
	start := time.Now()
	f.cancel(here, long.ID)
	f.reaches(here, f.submit(here, spec(Script{})).ID, jobs.Succeeded)
	t.Logf("from Cancel here to the end of the next job there: %v", time.Since(start))
}

func oneEach(f *fixture) {
	t := f.t
	log := f.log()
	front := f.open(jobs.Options{})
	for range 3 {
		f.work(f.open(jobs.Options{}), 2)
	}
	var ids []string
	for i := range 60 {
		ids = append(ids, f.submit(front, spec(Script{Log: log, Name: fmt.Sprint(i), Sleep: 5 * time.Millisecond})).ID)
	}
	for i, id := range ids {
		f.reaches(front, id, jobs.Succeeded)
		if n := f.count(log, fmt.Sprint("begin ", i)); n != 1 {
			t.Errorf("job %d was begun %d times", i, n)
		}
	}
}

// standsStill: who was not heard of for too long has lost its work, and what it says of it later is not heard.
func standsStill(f *fixture) {
	t := f.t
	log := f.log()
	p := StartProcess(t, f.Target, 1)
	job, err := p.Submit(spec(Script{Log: log, Name: "a", Sleep: 300 * time.Millisecond}))
	if err != nil {
		t.Fatal(err)
	}
	f.until("it begins", func() bool { return f.count(log, "begin a") == 1 })
	p.Pause()
	q := f.open(jobs.Options{})
	f.work(q, 1)
	done := f.reaches(q, job.ID, jobs.Succeeded)
	if done.Attempts != 2 || f.count(log, "begin a") != 2 {
		t.Errorf("it ended as %+v", done)
	}
	p.Resume()
	next := f.submit(q, spec(Script{Name: "next"}))
	f.reaches(q, next.ID, jobs.Succeeded)
	time.Sleep(500 * time.Millisecond) // in which the process would end it once more
	if diff := cmp.Diff(done, f.get(q, job.ID)); diff != "" {
		t.Errorf("it changed after its end (-then +now):\n%s", diff)
	}
	p.Stop(t)
}
