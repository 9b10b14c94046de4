package main

import (
	"context"
	"fmt"
	"math"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/config"
	"roem/internal/handlers"
	"roem/internal/jobs"
	"roem/internal/metrics"
	ginforest "roem/internal/model/ginrummy/forest"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/service"
	"roem/internal/service/belote"
	"roem/internal/service/ginrummy"
	"roem/internal/service/klaverjas"
	"roem/internal/service/records"
	"roem/internal/service/tarok"
	"roem/internal/sessions"
	"roem/internal/solvecache"
)

// app is the state that the parts of the server share. Each field is set by the part that owns it.
type app struct {
	config  config.Config
	log     *zap.Logger
	version api.Version
	fail    func(error) // stops the server because a part has failed while it ran

	traces        *sdk.TracerProvider // nil for no traces
	models        klaverjas.Predictor
	hands         *hand.Model
	trees         []*forest.Model
	ginForest     *ginforest.Forest // nil for none
	metrics       *metrics.Metrics
	metricsServer *listening // nil if metrics have no address of their own
	cache         *solvecache.Cache
	jobs          jobs.Queue // nil for none
	sessions      sessions.Store
	lacking       map[string]error // why a store could not be opened, by its name
	service       *service.Service
	klaverjas     *klaverjas.Game
	working       *working // nil if no jobs are run
	handlers      *handlers.Handlers
	http          *listening
	watching      func() // ends the self-check
}

// closeLimit is how long a store may take to close.
const closeLimit = 5 * time.Second

// parts returns the parts of the server in the order in which they start. They stop in the reverse order: first the server stops
// accepting requests, last the stores are closed.
func (a *app) parts() []part {
	return []part{
		{name: "traces", start: a.startTraces, stop: a.stopTraces, limit: exportLimit},
		{name: "models", start: a.loadModels},
		{name: "metrics", start: a.newMetrics},
		{name: "cache", start: a.openCache, stop: a.closeCache, limit: closeLimit},
		{name: "jobs", start: a.openJobs, stop: a.closeJobs, limit: closeLimit},
		{name: "sessions", start: a.openSessions, stop: a.closeSessions, limit: closeLimit},
		{name: "processors", start: a.setProcessors},
		{name: "memory", start: a.boundMemory},
		{name: "service", start: a.newService, stop: a.closeService, limit: closeLimit},
		{name: "speed of searches", start: a.measureSpeed},
		{name: "work on jobs", start: a.workJobs, leave: a.stopClaiming, stop: a.stopJobs, limit: closeLimit},
		{name: "metrics server", start: a.serveMetrics, stop: a.stopMetrics, limit: closeLimit},
		{name: "http server", start: a.listen, leave: a.notReady, stop: a.drain, limit: a.config.Shutdown.Drain},
		{name: "self-check", start: a.watch, stop: a.stopWatch, limit: closeLimit},
	}
}

// loadModels reads the weights that are part of the program.
func (a *app) loadModels(context.Context) (err error) {
	if a.models, err = klaverjas.DefaultPredictor(); err != nil {
		return err
	}
	if a.hands, err = hand.Embedded(); err != nil {
		return err
	}
	if a.trees, err = openTrees(a.config.Models); err != nil {
		return err
	}
	a.ginForest, err = openGinForest(a.config.Models)
	return err
}

// openTrees reads the files of models that the configuration names.
func openTrees(c config.Models) (all []*forest.Model, err error) {
	for _, file := range []struct {
		path string
		kind forest.Kind
	}{{c.Forest, forest.Forest}, {c.Tree, forest.Tree}} {
		models, err := klaverjas.OpenForest(file.path, file.kind)
		if err != nil {
			return nil, fmt.Errorf("models.%s: %w", file.kind, err)
		}
		all = append(all, models...)
	}
	return all, nil
}

// openGinForest reads the forest of Gin Rummy that the configuration names, if it names one.
func openGinForest(c config.Models) (*ginforest.Forest, error) {
	f, err := ginrummy.OpenForest(c.GinRummyForest)
	if err != nil {
		return nil, fmt.Errorf("models.gin_rummy_forest: %w", err)
	}
	return f, nil
}

func (a *app) newService(context.Context) (err error) {
	queue := a.config.Search.Queue
	if queue == 0 {
		queue = service.NoQueue
	}
	a.service, err = service.New(service.Options{
		Version: a.version.Version, Slots: a.config.Search.Searchers, Queue: queue, Cache: a.cache, Jobs: a.jobs, Observer: a.observer(),
		JobTime: a.config.Limits.JobsTime,
		Sessions: service.SessionRates{
			Client: a.config.Limits.SessionsPerMinute, Network: a.config.Limits.NetworkSessionsPerMinute,
		},
		Limits: limitsOf(a.config),
	})
	if err != nil {
		return err
	}
	a.klaverjas = klaverjas.New(a.service, klaverjas.Options{
		TableBytes: int(a.config.Search.Table), Predictor: a.models, HandModel: a.hands, Trees: a.trees,
		Searched: observeSearches(a.metrics), Sessions: a.sessions,
	})
	belote.New(a.service, belote.Options{Searched: observeStates(a.metrics), Sessions: a.sessions})
	learned, err := ginrummy.Learned(a.ginForest)
	if err != nil {
		return err
	}
	learned.Sessions = a.sessions
	ginrummy.New(a.service, learned)
	tarok.New(a.service, tarok.Options{Searched: observeStates(a.metrics), Sessions: a.sessions})
	records.New(a.service, a.service.Records())
	a.metrics.Searchers(searchers(a.service))
	if _, ok := freeBytes(a.config.Data); ok && a.config.Data != "" && a.config.Redis.URL == "" {
		a.metrics.DataFree(func() float64 {
			free, _ := freeBytes(a.config.Data)
			return float64(free)
		})
	}
	return nil
}

// closeService ends the remaining computations.
func (a *app) closeService(ctx context.Context) error { return a.service.Close(ctx) }

// measureSpeed measures the speed of searches before the first prediction of a duration. If it has no result, the first searches
// measure the speed.
func (a *app) measureSpeed(ctx context.Context) error {
	if a.config.Role == config.RoleWorker { // a worker makes no predictions
		return nil
	}
	if perSecond, ok := a.klaverjas.MeasureSpeed(ctx); ok {
		a.log.Info("speed of searches", zap.Float64("nodes_per_ms", math.Round(perSecond/1000)))
	}
	return nil
}
