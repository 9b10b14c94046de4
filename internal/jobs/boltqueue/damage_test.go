package boltqueue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/boltfile"
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

// Damage that is found while the queue is open ends no process. Every call fails until the file is opened again.
func TestDamageWhileOpen(t *testing.T) {
	defer testkit.NoLeaks(t, goleak.IgnoreCurrent())
	path, ids := filled(t)
	core, logged := observer.New(zap.ErrorLevel)
	q, err := boltqueue.Open(path, jobs.Options{Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(3*os.Getpagesize())); err != nil { // to read what is mapped beyond the end is a fault
		t.Fatal(err)
	}
	failed := 0
	for _, id := range ids {
		if _, err := q.Get(t.Context(), id); errors.Is(err, jobs.ErrUnavailable) {
			failed++
		}
	}
	_, _, err = q.Submit(t.Context(), jobs.Spec{Kind: "script"})
	if failed == 0 || !errors.Is(err, jobs.ErrUnavailable) || logged.Len() != 1 {
		t.Errorf("%d of %d jobs could not be read; a new one: %v; log: %v", failed, len(ids), err, logged.All())
	}
	_ = q.Close()
	q, err = boltqueue.Open(path, jobs.Options{Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	works(t, q)
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}

// A write that meets damage fails, with those that it is written with, and ends no process. A goroutine is left, in which bbolt waits for
// a lock that the write has left.
func TestDamageMetByAWrite(t *testing.T) {
	path, _ := filled(t)
	q, err := boltqueue.Open(path, jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	var all [8]error
	done := make(chan int)
	for i := range all {
		go func() {
			all[i] = q.Write(func() {})
			if all[i] == nil {
				_, _, all[i] = q.Submit(t.Context(), jobs.Spec{Kind: "script", Owner: fmt.Sprint(i)})
			}
			done <- i
		}()
	}
	for range all {
		<-done
	}
	for _, err := range all {
		if !errors.Is(err, jobs.ErrUnavailable) {
			t.Errorf("a write: %v", err)
		}
	}
	_ = q.Close()
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
