package boltqueue_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
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
