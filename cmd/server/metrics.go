package main

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/handlers"
	"roem/internal/metrics"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

// newMetrics creates the metrics of this server.
func (a *app) newMetrics(context.Context) error {
	a.metrics = metrics.New(build(a.version, a.models))
	return nil
}

func build(v api.Version, models klaverjas.Predictor) metrics.Build {
	b := metrics.Build{Version: v.Version, Go: v.Go, Contract: v.Contract, Solver: v.Solver}
	if v.Revision != nil {
		b.Revision = *v.Revision
	}
	described, _ := models.Card()
	names := make([]string, len(described))
	for i, m := range described {
		names[i] = m.Name + " " + m.Version
	}
	b.Model = strings.Join(names, ", ")
	return b
}

// observer returns an observer that counts events of the service and logs faults in items of lists.
func (a *app) observer() service.Observer {
	limited := map[service.Limit]string{
		service.LimitSearches: metrics.LimitedBySearches, service.LimitTime: metrics.LimitedByTime, service.LimitJobs: metrics.LimitedByJobs,
		service.LimitJobTime: metrics.LimitedByJobTime, service.LimitSessions: metrics.LimitedBySessions,
		service.LimitRequests: metrics.LimitedByRequests,
	}
	return service.Observer{
		Waited:  a.metrics.Waited,
		Limited: func(limit service.Limit) { a.metrics.Limited(limited[limit]) },
		Fault:   func(err error) { a.log.Error("one item of a list could not be answered", zap.Error(err)) },
	}
}

// observeSearches counts searches of Klaverjas.
func observeSearches(m *metrics.Metrics) func(goal search.Goal, nodes uint64, took time.Duration, err error) {
	count := observeStates(m)
	return func(goal search.Goal, nodes uint64, took time.Duration, err error) {
		count(goal.String(), nodes, took, err)
	}
}

// observeStates counts searches.
func observeStates(m *metrics.Metrics) func(goal string, nodes uint64, took time.Duration, err error) {
	return func(goal string, nodes uint64, took time.Duration, err error) {
		end := metrics.SearchFound
		switch {
		case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
			end = metrics.SearchStopped
		case err != nil:
			end = metrics.SearchFailed
		}
		m.Search(goal, end, nodes, took)
	}
}

// searchers returns a function that returns the load of the slots for the metrics.
func searchers(s *service.Service) func() metrics.Searchers {
	return func() metrics.Searchers {
		l := s.Load()
		return metrics.Searchers{Searchers: l.Slots, Busy: l.Busy, Queue: l.Queue, Waiting: l.Waiting, Oldest: l.Oldest.Seconds()}
	}
}

// serveMetrics serves only the metrics, at an address of their own.
func (a *app) serveMetrics(ctx context.Context) (err error) {
	if a.config.Metrics.Addr == "" {
		return nil
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", handlers.MetricsHandler(a.metrics))
	a.metricsServer, err = a.newListening(ctx, "metrics.addr", "ROEM_METRICS_ADDR", a.config.Metrics.Addr, mux, connections{})
	if err == nil {
		a.metricsServer.serve("listening for metrics")
	}
	return err
}

func (a *app) stopMetrics(ctx context.Context) error { return a.metricsServer.drain(ctx) }
