// Package metrics defines the metrics that the server exports to Prometheus. docs/reference/metrics.md lists the names, on which
// dashboards and alerts rely. The package does not depend on HTTP, the search or the stores: its callers report events or
// provide a function that returns the current state.
package metrics

import (
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Metrics is a registry with the metrics of a server. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	requests *prometheus.HistogramVec
	inFlight prometheus.Gauge
	problems *prometheus.CounterVec
	ready    prometheus.Gauge
	stores   *prometheus.GaugeVec

	searches *prometheus.HistogramVec
	nodes    *prometheus.HistogramVec
	ended    *prometheus.CounterVec
	waited   prometheus.Histogram
	limited  *prometheus.CounterVec
}

// Build describes the running program. Revision and Model may be empty.
type Build struct{ Version, Revision, Go, Contract, Solver, Model string }

// durations are the bucket bounds of all times, in seconds. Cached answers take some hundred microseconds, the hardest
// searches many seconds.
var durations = []float64{
	.0001, .00025, .0005, .001, .0025, .005, .01, .02, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60,
}

// Settings of native histograms, for a Prometheus that requests them: bounds grow by a tenth, and memory is bounded.
const (
	nativeFactor     = 1.1
	nativeMaxBuckets = 100
	nativeMinReset   = time.Hour
)

func histogram(name, help string, buckets []float64) prometheus.HistogramOpts {
	return prometheus.HistogramOpts{
		Name: name, Help: help, Buckets: buckets, NativeHistogramBucketFactor: nativeFactor,
		NativeHistogramMaxBucketNumber: nativeMaxBuckets, NativeHistogramMinResetDuration: nativeMinReset,
	}
}

// New returns the metrics of a server.
func New(b Build) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(
			histogram("roem_http_request_duration_seconds", "Time to answer requests, by status class.", durations),
			[]string{"route", "method", "status"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "roem_http_requests_in_flight", Help: "Requests being answered now.",
		}),
		problems: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "roem_http_problems_total", Help: "Problem documents sent, by kind.",
		}, []string{"kind"}),
		ready: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "roem_ready", Help: "1 while the server wants requests, 0 when it is stopping.",
		}),
		stores: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "roem_store_up", Help: "1 if the last check of a store succeeded, 0 if it failed.",
		}, []string{"store"}),
		searches: prometheus.NewHistogramVec(
			histogram("roem_search_duration_seconds", "Duration of searches that ended with an answer.", durations), []string{"goal"}),
		nodes: prometheus.NewHistogramVec(
			histogram("roem_search_nodes", "Nodes visited by searches that ended with an answer.", prometheus.ExponentialBuckets(100, 4, 11)),
			[]string{"goal"}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "roem_searches_ended_total", Help: "Searches by how they ended.",
		}, []string{"end"}),
		waited: prometheus.NewHistogram(
			histogram("roem_search_wait_seconds", "Time that searches waited for a searcher.", durations)),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "roem_limited_total", Help: "Searches, jobs, event streams, answers and sessions refused by a limit per client, by limit.",
		}, []string{"reason"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "roem_build_info", Help: "Always 1; the labels describe the running program.",
		ConstLabels: prometheus.Labels{
			"version": b.Version, "revision": b.Revision, "go": b.Go, "contract": b.Contract, "solver": b.Solver, "model": b.Model,
		},
	})
	build.Set(1)
	m.registry.MustRegister(
		build, m.requests, m.inFlight, m.problems, m.ready, m.stores, m.searches, m.nodes, m.ended, m.waited, m.limited,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	// Create all counters with the value 0. Otherwise rates and alerts would miss the first increment of a counter.
	for _, end := range []string{SearchFound, SearchStopped, SearchFailed} {
		m.ended.WithLabelValues(end)
	}
	for _, reason := range []string{
		LimitedBySearches, LimitedByTime, LimitedByJobs, LimitedByJobTime, LimitedByStreams, LimitedBySessions, LimitedBySending, LimitedByBodies,
		LimitedByRequests,
	} {
		m.limited.WithLabelValues(reason)
	}
	return m
}

// Gatherer returns a gatherer of all metrics, for an HTTP handler.
func (m *Metrics) Gatherer() prometheus.Gatherer { return m.registry }

// noRoute is the label of requests for paths that do not exist.
const noRoute = "none"

// otherMethod is the label of unknown methods. A client may send any word as a method.
const otherMethod = "other"

var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE"}

// clientGone is the status of requests whose client disconnected. It has its own class.
const clientGone = 499

// Request counts a finished request. The route is the pattern of its path, empty if there is none.
func (m *Metrics) Request(route, method string, status int, took time.Duration) {
	if route == "" {
		route = noRoute
	}
	if !slices.Contains(methods, method) {
		method = otherMethod
	}
	class := strconv.Itoa(status/100) + "xx"
	if status == clientGone {
		class = strconv.Itoa(clientGone)
	}
	m.requests.WithLabelValues(route, method, class).Observe(took.Seconds())
}

// Begin counts a request as in flight until end is called.
func (m *Metrics) Begin() (end func()) {
	m.inFlight.Inc()
	return m.inFlight.Dec
}

// Problem counts a problem document of the kind.
func (m *Metrics) Problem(kind string) { m.problems.WithLabelValues(kind).Inc() }

// Ready sets whether the server accepts requests.
func (m *Metrics) Ready(ready bool) {
	value := 0.0
	if ready {
		value = 1
	}
	m.ready.Set(value)
}

// Store sets whether the last check of a store succeeded.
func (m *Metrics) Store(name string, up bool) {
	value := 0.0
	if up {
		value = 1
	}
	m.stores.WithLabelValues(name).Set(value)
}

// DataFree adds the free bytes of the disk with the data folder, which are read at each scrape.
func (m *Metrics) DataFree(read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "roem_data_free_bytes", Help: "Free bytes of the disk with the data folder.",
	}, read))
}

// How searches end.
const (
	SearchFound   = "found"   // with an answer
	SearchStopped = "stopped" // no caller was left, or the search ran out of time
	SearchFailed  = "failed"
)

// Search counts a finished search. Its nodes and time are recorded only if it has an answer.
func (m *Metrics) Search(goal, end string, nodes uint64, took time.Duration) {
	m.ended.WithLabelValues(end).Inc()
	if end != SearchFound {
		return
	}
	m.searches.WithLabelValues(goal).Observe(took.Seconds())
	m.nodes.WithLabelValues(goal).Observe(float64(nodes))
}

// Waited records how long a search waited for its searcher.
func (m *Metrics) Waited(took time.Duration) { m.waited.Observe(took.Seconds()) }

// The limits by which requests of a client are refused.
const (
	LimitedBySearches = "searches"  // too many searches running and waiting
	LimitedByTime     = "time"      // too much searcher time used
	LimitedByJobs     = "jobs"      // too many unfinished jobs
	LimitedByJobTime  = "jobs_time" // waiting jobs that would take too much searcher time
	LimitedByStreams  = "streams"   // too many event streams
	LimitedBySessions = "sessions"  // too many new sessions
	LimitedBySending  = "sending"   // too many bytes of answers that the client has not received
	LimitedByRequests = "requests"  // too many requests with a publishable key
	LimitedByBodies   = "bodies"    // too many bytes of large bodies that have not been answered
)

// Limited counts a request that was refused for the reason.
func (m *Metrics) Limited(reason string) { m.limited.WithLabelValues(reason).Inc() }
