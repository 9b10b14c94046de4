package main

import (
	"context"
	"os"
	"runtime/debug"

	"go.uber.org/zap"

	belote "roem/internal/engine/belote/search"
)

const (
	// pendingMemory is the most memory of results that wait to be written (internal/solvecache).
	pendingMemory = 8 << 20
	// programMemory is for everything else: the program with its models, open requests, results of jobs, sessions, and garbage.
	programMemory = 96 << 20
	// includedSessions is how many sessions programMemory includes, and sessionMemory the most memory of one.
	includedSessions = 5000
	sessionMemory    = 4 << 10
)

// memoryBound returns the most memory that the server should take, in bytes, as in docs/how-to/size-a-deployment.md.
func (a *app) memoryBound() int64 {
	c := a.config
	bound := int64(c.Search.Searchers)*(int64(c.Search.Table)+belote.DefaultTableBytes) + int64(c.Cache.Memory) + pendingMemory + programMemory
	for _, m := range a.trees {
		bound += int64(m.Trees().Bytes())
	}
	if a.ginForest != nil {
		bound += int64(a.ginForest.Bytes())
	}
	if c.Redis.URL == "" {
		bound += int64(max(0, c.Sessions.Keep-includedSessions)) * sessionMemory
	}
	return bound
}

// boundMemory sets the memory limit of the garbage collector. Without it the heap grows to twice the memory in use. Tables and the
// cache are always in use, so half of the memory would be garbage.
//
// A GOMEMLIMIT in the environment stays as it is.
func (a *app) boundMemory(context.Context) error {
	if os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	bound := a.memoryBound()
	debug.SetMemoryLimit(bound)
	a.log.Info("memory", zap.Int64("bound", bound))
	return nil
}
