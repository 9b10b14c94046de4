package jobstest

import (
	"testing"

	"roem/internal/jobs"
)

// Store is an empty store for a queue.
type Store struct {
	// Open opens the queue. Unless the store is Shared, the suite closes it before it opens it again.
	Open func(tb testing.TB, options jobs.Options) jobs.Queue
	// Target is the argument with which the function of Main opens the same queue in another process.
	Target string
	// Shared says that several processes can have the queue open at the same time.
	Shared bool
}

// Run runs the suite. The function must return a new store.
func Run(t *testing.T, store func(tb testing.TB) Store) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(f *fixture)
	}{
		{"submit", submitted},
		{"a job succeeds", succeeds},
		{"first in, first out", inOrder},
		{"owners take turns", turns},
		{"turns by time", turnsByTime},
		{"an owner does not wait for another's long tasks", beyondSlots},
		{"an owner whose jobs take too long", tooCostly},
		{"any kind", anyKind},
		{"failed attempts", failures},
		{"a failing task is queued behind others", failingTask},
		{"cancel a queued job", cancelQueued},
		{"cancel a running job", cancelRunning},
		{"cancel a final job", cancelFinal},
		{"idempotency keys", idempotency},
		{"equal jobs of one owner", equalOneOwner},
		{"equal jobs with idempotency keys", equalWithKeys},
		{"equal jobs of two owners", equalTwoOwners},
		{"equal jobs submitted in parallel", equalParallel},
		{"unlisted jobs", unlisted},
		{"idempotency keys of unlisted jobs", unlistedIdempotency},
		{"too many unlisted jobs", unlistedBound},
		{"a full queue", full},
		{"an owner with too many jobs", tooManyOwned},
		{"owners of one network", networks},
		{"no new task", noNewTask},
		{"parallel submits keep the bounds", parallelSubmits},
		{"lists and pages", lists},
		{"results in parts", resultParts},
		{"retention", retention},
		{"MaxKept", maxKept},
		{"MaxBytes", maxBytes},
		{"restart", restart},
		{"Work gives tasks back", giveBack},
		{"an attempt goes on from the state of the last one", state},
		{"a killed process leaves the state of its task", stateOfDead},
		{"tasks make room for those of other owners", yields},
		{"StopClaiming", stopClaiming},
		{"local jobs", local},
		{"local jobs without Work", localWithoutWork},
		{"stats", stats},
		{"check", check},
		{"invalid calls", invalid},
		{"watches end", watchesEnd},
		{"200 parallel jobs", parallelJobs},
		{"a process is killed while it runs a job", killed},
		{"a job kills its process", killer},
		{"a process is killed while it runs a local job", killedLocal},
		{"a process stops in order", stopped},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&fixture{t: t, Store: store(t), empty: store}) })
	}
}

// RunShared runs the additional tests of a queue for several processes.
func RunShared(t *testing.T, store func(tb testing.TB) Store) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(f *fixture)
	}{
		{"submitted by one process, run by another", remote},
		{"each task is run once", oneEach},
		{"a paused process loses its task", paused},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&fixture{t: t, Store: store(t), empty: store}) })
	}
}
