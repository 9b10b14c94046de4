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
	"roem/internal/metrics/metricstest"
)

// Names and help texts follow the conventions of Prometheus.
func TestLint(t *testing.T) {
	problems, err := testutil.GatherAndLint(metricstest.Full().Gatherer())
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
	m := metricstest.Full()
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
