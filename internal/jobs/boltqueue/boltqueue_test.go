package boltqueue_test

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/jobs/jobstest"
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
	defer goleak.VerifyNone(t)
	jobstest.Run(t, store)
}

func TestStorm(t *testing.T) {
	defer goleak.VerifyNone(t)
	jobstest.StormFromEnvironment(t, 1).Run(t, store(t))
}
