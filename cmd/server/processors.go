package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"go.uber.org/automaxprocs/maxprocs"
	"go.uber.org/zap"

	"roem/internal/service"
)

// setProcessors sets the number of searchers, where the configuration leaves it open, and GOMAXPROCS, the number of threads
// that Go runs at a time. docs/how-to/size-a-deployment.md describes the choice, and lab/docs/service.md has the measurements.
//
// A GOMAXPROCS that is set in the environment stays as it is.
func (a *app) setProcessors(context.Context) error {
	if os.Getenv("GOMAXPROCS") != "" {
		if a.config.Search.Searchers == 0 {
			a.config.Search.Searchers = service.DefaultSlots(runtime.GOMAXPROCS(0))
		}
		return nil
	}
	quota, err := cpuQuota()
	if err != nil {
		a.log.Warn("the CPU quota is unknown, none is assumed", zap.Error(err))
	}
	limited := quota > 0 && quota < float64(runtime.NumCPU())
	before := runtime.GOMAXPROCS(0)
	searchers, processors := shareProcessors(before, limited, a.config.Search.Searchers)
	a.config.Search.Searchers = searchers
	if processors != before {
		runtime.GOMAXPROCS(processors)
	}
	a.log.Info("processors", zap.Int("searchers", searchers), zap.Int("gomaxprocs", processors), zap.Float64("cpu_quota", quota))
	return nil
}

// shareProcessors returns how many searches run at a time and what GOMAXPROCS becomes. Before is GOMAXPROCS as Go sets it: the
// number of cores or, if that is less, the CPU quota rounded up, at least 2. Limited says whether a quota gives the process
// less time than its cores have. Configured is the number of searchers in the configuration, 0 for none.
//
// A search never waits. Where searches hold each of Go's processors, a request of 50 µs waits for one for 10 ms or more. So at
// least one processor is kept free of searches. Without a quota each searcher adds a processor, and the operating system shares
// the cores among more threads than there are cores. With a quota that would stop all threads for tens of milliseconds as soon
// as they have used their time, so that a searcher is left out instead.
func shareProcessors(before int, limited bool, configured int) (searchers, processors int) {
	searchers = configured
	if !limited {
		if searchers == 0 {
			searchers = service.DefaultSlots(before)
		}
		return searchers, before + searchers
	}
	if searchers == 0 {
		searchers = max(before-1, 1)
	}
	return searchers, max(before, searchers+1)
}

// cpuQuota returns the CPU quota of the cgroup of the process, in CPUs, 0 for no limit. The runtime exposes only its GOMAXPROCS, which
// is rounded up and at least 2.
func cpuQuota() (quota float64, err error) {
	_, err = maxprocs.Set(maxprocs.RoundQuotaFunc(func(q float64) int {
		quota = q
		return runtime.GOMAXPROCS(0) // unchanged
	}))
	if err != nil {
		return 0, fmt.Errorf("reading the CPU quota of the cgroup: %w", err)
	}
	return quota, nil
}
