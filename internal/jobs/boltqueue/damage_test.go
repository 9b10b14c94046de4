package boltqueue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/boltfile"
	"roem/internal/boltfile/boltfiletest"
	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/jobs/jobstest"
	"roem/internal/testkit"
)

// filled returns a new file with jobs of all states, and their ids.
func filled(t *testing.T) (path string, ids []string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "jobs.db")
	q, err := boltqueue.Open(path, jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	go func() { worked <- q.Work(ctx, jobstest.Handler, 2) }()
	jobstest.SubmitVarious(ctx, t, q)
	cancel()
	if err := <-worked; err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		job, _, err := q.Submit(t.Context(), jobs.Spec{
			Kind: "script", Owner: fmt.Sprint(i % 3), Key: fmt.Sprint(i),
			Payload: jobstest.Script{Name: fmt.Sprint(i, string(make([]byte, 2000)))}.Bytes(),
		})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, job.ID)
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	return path, ids
}

// works fails the test unless a queue runs a job.
func works(t *testing.T, q jobs.Queue) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	worked := make(chan error, 1)
	go func() { worked <- q.Work(ctx, jobstest.Handler, 2) }()
	job, _, err := q.Submit(ctx, jobs.Spec{Kind: "script", Owner: "new", Payload: jobstest.Script{Name: "new"}.Bytes()})
	if err != nil {
		t.Fatal(err)
	}
	watch, err := q.Watch(ctx, job.ID)
	if err != nil {
		t.Fatal(err)
	}
	for job = range watch {
	}
	cancel()
	if err := <-worked; err != nil || job.Status != jobs.Succeeded {
		t.Errorf("a new job: %+v, %v", job, err)
	}
}

// Whatever has happened to the file, the queue opens and runs jobs. A file that it does not trust is moved aside.
func TestDamagedFile(t *testing.T) {
	path, _ := filled(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := os.Getpagesize()
	some := func(rng *rand.Rand) int { return (2 + rng.IntN(len(whole)/page-2)) * page }
	const times = 4
	for name, damage := range map[string]func(rng *rand.Rand, raw []byte) []byte{
		"nothing":           func(_ *rand.Rand, raw []byte) []byte { return raw },
		"cut in half":       func(_ *rand.Rand, raw []byte) []byte { return raw[:len(raw)/2] },
		"cut after a page":  func(rng *rand.Rand, raw []byte) []byte { return raw[:some(rng)] },
		"cut in the header": func(_ *rand.Rand, raw []byte) []byte { return raw[:100] },
		"a page of zeros":   func(rng *rand.Rand, raw []byte) []byte { at := some(rng); clear(raw[at : at+page]); return raw },
		"a page of noise": func(rng *rand.Rand, raw []byte) []byte {
			at := some(rng)
			for i := range page {
				raw[at+i] = byte(rng.Uint32())
			}
			return raw
		},
		"both headers": func(_ *rand.Rand, raw []byte) []byte { clear(raw[:2*page]); return raw },
		"a flipped bit in each page": func(rng *rand.Rand, raw []byte) []byte {
			for at := 2 * page; at < len(raw); at += page {
				raw[at+rng.IntN(page)] ^= 1 << rng.IntN(8)
			}
			return raw
		},
		"zeros":    func(_ *rand.Rand, raw []byte) []byte { clear(raw); return raw },
		"no queue": func(*rand.Rand, []byte) []byte { return []byte("no queue\n") },
	} {
		t.Run(name, func(t *testing.T) {
			defer testkit.NoLeaks(t, goleak.IgnoreCurrent())
			rng := rand.New(rand.NewPCG(3, 4))
			aside := 0
			for range times {
				dir := t.TempDir()
				path := filepath.Join(dir, "jobs.db")
				if err := os.WriteFile(path, damage(rng, slices.Clone(whole)), 0o600); err != nil {
					t.Fatal(err)
				}
				checked := boltqueue.Check(path)
				core, logged := observer.New(zap.ErrorLevel)
				q, err := boltqueue.Open(path, jobs.Options{Log: zap.New(core)})
				if err != nil {
					t.Fatal(err)
				}
				if logged.Len() > 0 {
					aside++
				}
				if _, damaged := errors.AsType[*boltfile.DamageError](checked); damaged != (logged.Len() > 0) {
					t.Errorf("Check: %v, and %d errors in the log: %v", checked, logged.Len(), logged.All())
				}
				works(t, q)
				if err := q.Close(); err != nil {
					t.Error(err)
				}
			}
			if name == "nothing" && aside > 0 {
				t.Errorf("a sound file was moved aside %d times", aside)
			}
			t.Logf("%d of %d were moved aside", aside, times)
		})
	}
}

// Whatever happens to the file while it is open and jobs run, the process lives, calls return, and jobs run again soon. What could be read
// of the file is there then and after a restart, and everything is if only the file was moved.
func TestDamageWhileOpen(t *testing.T) {
	sound, ids := filled(t)
	raw, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	for n, damage := range boltfiletest.All() {
		t.Run(damage.Name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			path := filepath.Join(t.TempDir(), "jobs.db")
			if err := os.WriteFile(path, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			core, logged := observer.New(zap.ErrorLevel)
			q, err := boltqueue.Open(path, jobs.Options{Log: zap.New(core), MaxQueued: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			worked := make(chan error, 1)
			go func() { worked <- q.Work(ctx, jobstest.Handler, 2) }()
			clients := useAll(ctx, q, ids)
			damage.Do(t, path, uint64(n))
			checked(ctx, t, q, logged)
			runs(ctx, t, q)
			cancel()
			within(t, "the end of all calls", func() error {
				clients.Wait()
				return <-worked
			})
			found := there(t, q, ids)
			if damage.Lasting {
				t.Logf("%d of %d jobs are there; log: %d errors", found, len(ids), logged.Len())
			} else if found != len(ids) {
				t.Errorf("%d of %d jobs are there", found, len(ids))
			}
			if err := q.Close(); err != nil {
				t.Error(err)
			}
			if err := boltqueue.Check(path); err != nil {
				t.Errorf("the file after that: %v", err)
			}
			if q, err = boltqueue.Open(path, jobs.Options{}); err != nil {
				t.Fatal(err)
			}
			if again := there(t, q, ids); again != found {
				t.Errorf("%d of %d jobs are there after a restart", again, found)
			}
			if err := q.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// useAll begins to read, submit, list and cancel jobs in four goroutines, until the context ends.
func useAll(ctx context.Context, q jobs.Queue, ids []string) *sync.WaitGroup {
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				time.Sleep(time.Millisecond)
				_, _ = q.Get(ctx, ids[n%len(ids)])
				_, _ = q.List(ctx, jobs.ListOptions{Owner: "0", Limit: 10})
				_, _ = q.Stats(ctx)
				job, _, err := q.Submit(ctx, jobs.Spec{
					Kind: "script", Owner: fmt.Sprint("client ", client), Key: fmt.Sprint(n),
					Payload: jobstest.Script{Name: "client", Size: 3000}.Bytes(),
				})
				if n%5 == 0 && err == nil {
					_, _ = q.Cancel(ctx, job.ID)
				}
			}
		})
	}
	return &clients
}

// checked waits until Check finds no damage any more. Damage that Check found is in the log.
func checked(ctx context.Context, t *testing.T, q jobs.Queue, logged *observer.ObservedLogs) {
	t.Helper()
	for failed, end := false, time.Now().Add(timeLimit); ; time.Sleep(time.Millisecond) {
		err := q.Check(ctx)
		switch {
		case err == nil:
			if failed && logged.Len() == 0 {
				t.Error("there was damage, and the log has no error")
			}
			return
		case !errors.Is(err, jobs.ErrUnavailable):
			t.Errorf("Check: %v", err)
		case time.Now().After(end):
			t.Fatalf("there is still damage: %v", err)
		}
		failed = true
	}
}

// runs fails the test unless a queue that is worked runs a job. What a call meets of damage that nobody has met before is repaired too.
func runs(ctx context.Context, t *testing.T, q jobs.Queue) {
	t.Helper()
	for end := time.Now().Add(timeLimit); time.Now().Before(end); time.Sleep(time.Millisecond) {
		job, _, err := q.Submit(ctx, jobs.Spec{Kind: "script", Owner: "new", Local: true, Payload: jobstest.Script{Name: "new"}.Bytes()})
		for err == nil && !job.Status.Final() && time.Now().Before(end) {
			time.Sleep(time.Millisecond)
			job, err = q.Get(ctx, job.ID)
		}
		if err == nil && job.Status == jobs.Succeeded {
			return
		}
	}
	t.Error("no new job has run")
}

// there returns how many of some jobs the queue has.
func there(t *testing.T, q jobs.Queue, ids []string) (n int) {
	t.Helper()
	for _, id := range ids {
		switch _, err := q.Get(t.Context(), id); {
		case err == nil:
			n++
		case !errors.Is(err, jobs.ErrNotFound):
			t.Errorf("Get: %v", err)
		}
	}
	return n
}

// Of damage to one page, a queue that is opened has nearly all jobs, unless it is the page in which all others are found.
func TestDamageBeforeOpen(t *testing.T) {
	path, ids := filled(t)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n, damage := range boltfiletest.All() {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		damage.Do(t, path, uint64(n))
		q, err := boltqueue.Open(path, jobs.Options{})
		if err != nil {
			t.Fatalf("%s: %v", damage.Name, err)
		}
		t.Logf("%s: %d of %d jobs are there", damage.Name, there(t, q, ids), len(ids))
		works(t, q)
		if err := q.Close(); err != nil {
			t.Error(err)
		}
		if err := boltqueue.Check(path); err != nil {
			t.Errorf("%s: %v", damage.Name, err)
		}
	}
}

// Of many changes that are written together, each runs three times at most, whichever of them fail.
func TestFailingChanges(t *testing.T) {
	q, err := boltqueue.Open(filepath.Join(t.TempDir(), "jobs.db"), jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	failure := errors.New("it fails")
	const n = 1000
	for name, fails := range map[string]func(i, run int) bool{
		"none": func(int, int) bool { return false }, "all": func(int, int) bool { return true },
		"every second one": func(i, _ int) bool { return i%2 == 0 }, "the last one": func(i, _ int) bool { return i == n-1 },
		"others the second time": func(i, run int) bool { return i%3 == 0 || i%3 == 1 && run == 2 },
	} {
		var runs [n]int
		changes := make([]func() error, n)
		for i := range changes {
			changes[i] = func() error {
				if runs[i]++; fails(i, runs[i]) {
					return failure
				}
				return nil
			}
		}
		for i, err := range q.WriteTogether(changes) {
			if want := fails(i, runs[i]); errors.Is(err, failure) != want || !want && err != nil {
				t.Errorf("%s: change %d: %v", name, i, err)
			}
			if runs[i] == 0 || runs[i] > 3 {
				t.Errorf("%s: change %d ran %d times", name, i, runs[i])
			}
		}
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}

// On a full disk Open fails with the reason, and works when there is room again.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	path, filler := filepath.Join(dir, "jobs.db"), filepath.Join(dir, "filler")
	for left := 0; left <= 160<<10; left += 4 << 10 { // bytes that are left on the disk
		if err := os.WriteFile(filler, make([]byte, 256<<10-left), 0o600); err != nil {
			t.Fatal(err)
		}
		q, err := boltqueue.Open(path, jobs.Options{})
		switch {
		case err == nil:
			_, _, err := q.Submit(t.Context(), jobs.Spec{Kind: "script", Payload: make([]byte, 200<<10)})
			if !errors.Is(err, jobs.ErrUnavailable) || !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%d bytes left: a job that does not fit: %v", left, err)
			}
			if err := q.Check(t.Context()); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%d bytes left: the check after that: %v", left, err)
			}
			if err := q.Close(); err != nil {
				t.Errorf("%d bytes left: %v", left, err)
			}
		case !errors.Is(err, syscall.ENOSPC):
			t.Errorf("%d bytes left: %v", left, err)
		}
		if left == 0 {
			t.Logf("a full disk: %v", err)
			if err == nil {
				t.Error("the queue was opened on a full disk")
			}
		}
		_ = os.Remove(path)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	q, err := boltqueue.Open(path, jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	works(t, q)
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}
