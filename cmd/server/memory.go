package main

import (
	"context"
	"os"
	"runtime/debug"

	"go.uber.org/zap"
)

const (
	// pendingMemory is what results that wait to be written take at most (internal/solvecache).
	pendingMemory = 8 << 20
	// programMemory is for all else: the program with its models, requests under way, results of jobs, and garbage.
	programMemory = 96 << 20
)

// memoryBound is what the server takes in memory, in bytes, as docs/operations.md states it.
func (a *app) memoryBound() int64 {
	c := a.config
	return int64(c.Search.Searchers)*int64(c.Search.Table) + int64(c.Cache.Memory) + pendingMemory + programMemory
}

// boundMemory lets the garbage collector know what the server is meant to take. By itself it lets the heap grow to twice
// of what is in use, and tables and the cache are in use for good: half of the memory would be garbage.
//
// Who sets GOMEMLIMIT gets what is set.
func (a *app) boundMemory(context.Context) error {
	if os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	bound := a.memoryBound()
	debug.SetMemoryLimit(bound)
	a.log.Info("memory", zap.Int64("bound", bound))
	return nil
}
