package metrics_test

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"roem/internal/metrics"
	"roem/internal/testkit"
)

// full returns metrics in which every event was recorded once.
func full() *metrics.Metrics {
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

// The page of the metrics lists exactly the existing metrics.
func TestMetricsPage(t *testing.T) {
	families, err := full().Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString("| name | type | labels | meaning |\n|---|---|---|---|\n")
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "roem_") {
			continue
		}
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, "`"+l.GetName()+"`")
		}
		sort.Strings(labels)
		kind := strings.ToLower(f.GetType().String())
		row := fmt.Sprintf("| %#q | %s | %s | %s |\n", f.GetName(), kind, strings.Join(labels, ", "), f.GetHelp())
		page.WriteString(strings.ReplaceAll(row, "|  |", "| |"))
	}
	testkit.Generated(t, "reference/metrics.md", "metrics", page.String())
}

// Names and help texts follow the conventions of Prometheus.
func TestLint(t *testing.T) {
	problems, err := testutil.GatherAndLint(full().Gatherer())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, "roem_") {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}

func TestValues(t *testing.T) {
	m := full()
	m.Request("", "BREW", 404, time.Second)
	m.Request("/v1/klaverjas/solve", "POST", 499, time.Second)
	m.Search("value", metrics.SearchStopped, 1e9, time.Hour)
	m.Ready(false)
	want := `
# HELP roem_cache_breaker_state The breaker of a layer: 0 closed, 1 half open, 2 open.
# TYPE roem_cache_breaker_state gauge
roem_cache_breaker_state{layer="redis"} 2
# HELP roem_cache_lookups_total Keys looked up in a layer of the cache, by result.
# TYPE roem_cache_lookups_total counter
roem_cache_lookups_total{layer="memory",result="hit"} 1
roem_cache_lookups_total{layer="memory",result="miss"} 2
roem_cache_lookups_total{layer="redis",result="hit"} 0
roem_cache_lookups_total{layer="redis",result="miss"} 0
# HELP roem_cache_pending_writes Values put into a layer and not yet written.
# TYPE roem_cache_pending_writes gauge
roem_cache_pending_writes{layer="memory"} 0
roem_cache_pending_writes{layer="redis"} 6
# HELP roem_cache_writes_total Values put into a layer, by result.
# TYPE roem_cache_writes_total counter
roem_cache_writes_total{layer="memory",result="dropped"} 4
roem_cache_writes_total{layer="memory",result="kept"} 5
roem_cache_writes_total{layer="redis",result="dropped"} 0
roem_cache_writes_total{layer="redis",result="kept"} 0
# HELP roem_jobs_oldest_queued_seconds How long the oldest of the jobs that wait has waited.
# TYPE roem_jobs_oldest_queued_seconds gauge
roem_jobs_oldest_queued_seconds 1.5
# HELP roem_ready 1 while the server wants requests, 0 when it is stopping.
# TYPE roem_ready gauge
roem_ready 0
# HELP roem_search_queue_oldest_seconds How long the oldest of the searches that wait has waited.
# TYPE roem_search_queue_oldest_seconds gauge
roem_search_queue_oldest_seconds 0.25
# HELP roem_searches_ended_total Searches by how they ended.
# TYPE roem_searches_ended_total counter
roem_searches_ended_total{end="failed"} 0
roem_searches_ended_total{end="found"} 1
roem_searches_ended_total{end="stopped"} 1
`
	if err := testutil.GatherAndCompare(m.Gatherer(), strings.NewReader(want), "roem_cache_breaker_state", "roem_cache_lookups_total",
		"roem_cache_pending_writes", "roem_cache_writes_total",
		"roem_jobs_oldest_queued_seconds", "roem_ready", "roem_search_queue_oldest_seconds", "roem_searches_ended_total"); err != nil {
		t.Error(err)
	}
	families, err := m.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range families {
		if f.GetName() == "roem_http_request_duration_seconds" {
			for _, series := range f.GetMetric() {
				text := ""
				for _, l := range series.GetLabel() {
					text += l.GetValue() + " "
				}
				got = append(got, fmt.Sprint(text, series.GetHistogram().GetSampleCount()))
			}
		}
	}
	sort.Strings(got)
	if diff := cmp.Diff([]string{"POST /v1/klaverjas/solve 2xx 1", "POST /v1/klaverjas/solve 499 1", "other none 4xx 1"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// If the queue is unavailable, only its metrics are missing.
func TestJobsOutOfReach(t *testing.T) {
	m := metrics.New(metrics.Build{})
	m.Jobs(func() (metrics.Jobs, error) { return metrics.Jobs{}, errors.New("no connection") })
	families, err := m.Gatherer().Gather()
	if err != nil || len(families) == 0 {
		t.Fatalf("%d families, %v", len(families), err)
	}
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), "roem_jobs_") {
			t.Error(f.GetName())
		}
	}
}
