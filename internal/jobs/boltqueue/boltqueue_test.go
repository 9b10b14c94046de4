package boltqueue_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"
	"go.uber.org/goleak"

	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/jobs/jobstest"
	"roem/internal/testkit"
)

func TestMain(m *testing.M) {
	jobstest.Main(m, func(path string) (jobs.Queue, error) { return boltqueue.Open(path, jobs.Options{}) })
}

func store(tb testing.TB) jobstest.Store {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "jobs.db")
	return jobstest.Store{
		Target: path,
		Open: func(tb testing.TB, options jobs.Options) jobs.Queue {
			tb.Helper()
			q, err := boltqueue.Open(path, options)
			if err != nil {
				tb.Fatal(err)
			}
			return q
		},
	}
}

func TestConformance(t *testing.T) {
	defer testkit.NoLeaks(t, goleak.IgnoreCurrent())
	jobstest.Run(t, store)
}

func TestStorm(t *testing.T) {
	defer testkit.NoLeaks(t, goleak.IgnoreCurrent())
	jobstest.StormFromEnvironment(t, 1).Run(t, store(t))
}

// Only the counters of expired jobs remain.
func TestExpiredJobsAreRemoved(t *testing.T) {
	clock := jobstest.NewClock()
	q, err := boltqueue.Open(filepath.Join(t.TempDir(), "jobs.db"), jobs.Options{Now: clock.Now, Retention: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	go func() { worked <- q.Work(ctx, jobstest.Handler, 2) }()
	jobstest.SubmitVarious(ctx, t, q)
	clock.Advance(time.Minute)
	var left map[string][]string
	for end := time.Now().Add(timeLimit); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if left, err = q.Dump(); err != nil {
			t.Fatal(err)
		}
		delete(left, "meta")
		if len(left) == 0 {
			break
		}
	}
	if diff := cmp.Diff(map[string][]string{}, left); diff != "" {
		t.Errorf("remaining keys (-want +got):\n%s", diff)
	}
	cancel()
	if err := errors.Join(<-worked, q.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	newer, foreign := filepath.Join(dir, "newer.db"), filepath.Join(dir, "foreign.db")
	for path, key := range map[string]string{newer: "schema", foreign: "something"} {
		db, err := bolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(db.Update(func(tx *bolt.Tx) error {
			meta, err := tx.CreateBucket([]byte("meta"))
			if err != nil {
				return err
			}
			return meta.Put([]byte(key), []byte("99"))
		}), db.Close())
		if err != nil {
			t.Fatal(err)
		}
	}
	used := filepath.Join(dir, "used.db")
	q, err := boltqueue.Open(used, jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = q.Close() }()
	for _, test := range []struct {
		name, path string
		options    jobs.Options
		want       string
	}{
		{"no folder", filepath.Join(dir, "no", "such"), jobs.Options{}, "no such file"},

		{"a newer schema", newer, jobs.Options{}, newer + ": it has schema 99: this program supports schema 2 only"},
		{"another program's file", foreign, jobs.Options{}, foreign + ": it has no schema number: expected schema 2"},
		{"in use", used, jobs.Options{}, "in use by another process"},
		{"options", filepath.Join(dir, "x"), jobs.Options{Retention: -1}, "Retention is -1ns"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := boltqueue.Open(test.path, test.options); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v\nwant it to contain %s", err, test.want)
			}
		})
	}
}

// BenchmarkList lists the newest jobs of an owner who has 10,000, and the jobs of one who has 10.
func BenchmarkList(b *testing.B) {
	q, err := boltqueue.Open(filepath.Join(b.TempDir(), "jobs.db"), jobs.Options{MaxQueued: 1 << 20})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = q.Close() }()
	var all sync.WaitGroup
	for i := range 10_000 {
		owner := "many"
		if i%1000 == 0 {
			owner = "few"
		}
		all.Go(func() {
			if _, _, err := q.Submit(b.Context(), jobs.Spec{
				Kind: "script", Owner: owner, Key: fmt.Sprint(i), Payload: jobstest.Script{Name: fmt.Sprint(i)}.Bytes(),
			}); err != nil {
				b.Error(err)
			}
		})
	}
	all.Wait()
	for _, owner := range []string{"many", "few"} {
		for _, limit := range []int{10, 100} {
			b.Run(fmt.Sprintf("%s, %d", owner, limit), func(b *testing.B) {
				for b.Loop() {
					if _, err := q.List(b.Context(), jobs.ListOptions{Owner: owner, Limit: limit}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkThroughput(b *testing.B) { jobstest.Throughput(b, store(b), 1, 16) }
