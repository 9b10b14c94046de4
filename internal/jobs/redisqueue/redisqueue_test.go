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

// lease is short, so that what has died is soon taken over, and long for a machine that is busy with other tests.
const lease = 1500 * time.Millisecond

func open(target string, options jobs.Options) (*redisqueue.Queue, error) {
	url, name, _ := strings.Cut(target, " ")
	return redisqueue.Open(context.Background(), redisqueue.Options{Options: options, URL: url, Name: name, Lease: lease})
}

func TestMain(m *testing.M) {
	jobstest.Main(m, func(target string) (jobs.Queue, error) { return open(target, jobs.Options{}) })
}

// stores returns a function that makes stores of their own in the server.
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
	t.Cleanup(func() { goleak.VerifyNone(t) }) // after the server has gone
	server := redistest.Start(t, redistest.Options{Durable: true, MaxMemoryPolicy: "noeviction"})
	jobstest.Run(t, stores(server.URL()))
	jobstest.RunShared(t, stores(server.URL()))
}

// Workers are killed, and so is the server, which keeps what it has confirmed.
func TestStorm(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) }) // after the server has gone
	server := redistest.Start(t, redistest.Options{Durable: true, MaxMemoryPolicy: "noeviction"})
	storm := jobstest.StormFromEnvironment(t, 2)
	storm.Restart = func() {
		server.Kill()
		server.Restart()
	}
	storm.Run(t, stores(server.URL())(t))
}
