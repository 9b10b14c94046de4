package redisqueue_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"roem/internal/jobs"
	"roem/internal/jobs/jobstest"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
)

// lease is short, so that tasks of dead processes are taken over soon, but long enough for a busy machine.
const lease = 1500 * time.Millisecond

func open(target string, options jobs.Options) (*redisqueue.Queue, error) {
	url, name, _ := strings.Cut(target, " ")
	return redisqueue.Open(context.Background(), redisqueue.Options{Options: options, URL: url, Name: name, Lease: lease})
}

func TestMain(m *testing.M) {
	jobstest.Main(m, func(target string) (jobs.Queue, error) { return open(target, jobs.Options{}) })
}

// stores returns a function that returns new stores on the server.
func stores(url string) func(testing.TB) jobstest.Store {
	var n atomic.Int64
	return func(tb testing.TB) jobstest.Store {
		tb.Helper()
		target := url + fmt.Sprint(" test", n.Add(1))
		return jobstest.Store{
			Shared: true, Target: target,
			Open: func(tb testing.TB, options jobs.Options) jobs.Queue {
				tb.Helper()
				q, err := open(target, options)
				if err != nil {
					tb.Fatal(err)
				}
				return q
			},
		}
	}
}

func TestConformance(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) }) // after the end of the server
	server := redistest.Start(t, durable())
	jobstest.Run(t, stores(server.URL()))
	jobstest.RunShared(t, stores(server.URL()))
}

// Workers and the server are killed. The server keeps all confirmed changes.
func TestStorm(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) }) // after the end of the server
	server := redistest.Start(t, durable())
	storm := jobstest.StormFromEnvironment(t, 2)
	storm.Restart = func() {
		server.Kill()
		server.Restart()
	}
	storm.Run(t, stores(server.URL())(t))
}
