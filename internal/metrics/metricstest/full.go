// Package metricstest has metrics for tests.
package metricstest

import (
	"time"

	"roem/internal/metrics"
)

// Full returns metrics in which every event was recorded once.
func Full() *metrics.Metrics {
	m := metrics.New(metrics.Build{Version: "v1.2.3", Go: "go1.26", Contract: "1.0.0", Solver: "7", Model: "3"})
	m.Ready(true)
	m.Store("jobs", true)
	m.DataFree(func() float64 { return 1 << 30 })
	m.Begin()()
	m.Request("/v1/klaverjas/solve", "POST", 200, 3*time.Millisecond)
	m.Problem("busy")
	m.Search("value", metrics.SearchFound, 4711, 5*time.Millisecond)
	m.Waited(0)
	m.Limited(metrics.LimitedBySearches)
	m.Searchers(func() metrics.Searchers {
		return metrics.Searchers{Searchers: 2, Busy: 1, Queue: 64, Waiting: 3, Oldest: 0.25}
	})
	m.Jobs(func() (metrics.Jobs, error) {
		return metrics.Jobs{Queued: 5, Running: 2, MaxQueued: 100, Slots: 2, Oldest: 1.5, MeanRun: 0.5}, nil
	})
	m.Sessions(func() metrics.Sessions {
		return metrics.Sessions{Sessions: new(4), Created: 9, Deleted: 3, DisplacedByOwner: 2, DisplacedByAll: 5, Expired: new(uint64(1))}
	})
	m.Cache(func() []metrics.Layer {
		return []metrics.Layer{
			{Name: "memory", Hits: 1, Misses: 2, Puts: 5, Dropped: 4, Bytes: 300},
			{Name: "redis", Errors: 3, Pending: 6, Corrupt: 7, Breaker: "open"},
		}
	})
	return m
}
