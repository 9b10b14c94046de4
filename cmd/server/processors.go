package main

import (
	"context"
	"os"
	"runtime"

	"roem/internal/service"
)

// spareProcessors lets Go run as many threads at a time as there are searches, beside one for each core.
//
// A search never waits for anything. Where searches hold every processor of Go's scheduler, a request that takes 50 µs
// waits until the scheduler looks at the network and takes a processor away, which is 10 ms or more each time. With
// processors to spare the request gets a thread at once, and the operating system, which shares the cores among threads
// with much less delay, lets it run before a search that has had its share. docs/operations.md has what it brings.
//
// Who sets GOMAXPROCS gets what is set.
func (a *app) spareProcessors(context.Context) error {
	searchers := a.config.Search.Searchers
	if searchers == 0 {
		searchers = service.DefaultSlots()
		a.config.Search.Searchers = searchers // it is counted in processors, of which there are more from here on
	}
	if os.Getenv("GOMAXPROCS") != "" {
		return nil
	}
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + searchers)
	return nil
}
