package redisqueue_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/jobstest"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
	"roem/internal/testkit"
)

// lease is short, so that tasks of dead processes are taken over soon, but long enough for a busy machine.
const lease = 3 * time.Second

func open(url string, options jobs.Options) (*redisqueue.Queue, error) {
	return redisqueue.Open(context.Background(), redisqueue.Options{Options: options, URL: url, Lease: lease, Clock: options.Now})
}

func TestMain(m *testing.M) {
	jobstest.Main(m, func(url string) (jobs.Queue, error) { return open(url, jobs.Options{}) })
}

// newStore returns a store on a server of its own.
func newStore(tb testing.TB) jobstest.Store {
	tb.Helper()
	return storeOn(redistest.Start(tb, durable()))
}

// storeOn returns the store of a server.
func storeOn(server *redistest.Server) jobstest.Store {
	return jobstest.Store{
		Shared: true, Target: server.URL(),
		Open: func(tb testing.TB, options jobs.Options) jobs.Queue {
			tb.Helper()
			q, err := open(server.URL(), options)
			if err != nil {
				tb.Fatal(err)
			}
			return q
		},
	}
}

func TestConformance(t *testing.T) {
	t.Cleanup(func() { testkit.NoLeaks(t) }) // after the end of the server
	jobstest.Run(t, newStore)
	jobstest.RunShared(t, newStore)
}

// Workers and the server are killed. The server keeps all confirmed changes.
func TestStorm(t *testing.T) {
	t.Cleanup(func() { testkit.NoLeaks(t) }) // after the end of the server
	server := redistest.Start(t, durable())
	storm := jobstest.StormFromEnvironment(t, 2)
	storm.Restart = func() {
		server.Kill()
		server.Restart()
	}
	storm.Run(t, storeOn(server))
}

// BenchmarkThroughput has 16 slots in one process, and in four that contend.
func BenchmarkThroughput(b *testing.B) {
	for _, queues := range []int{1, 4} {
		b.Run(fmt.Sprint("processes ", queues), func(b *testing.B) {
			jobstest.Throughput(b, storeOn(redistest.Start(b, redistest.Options{MaxMemoryPolicy: "noeviction"})), queues, 16/queues)
		})
	}
}
