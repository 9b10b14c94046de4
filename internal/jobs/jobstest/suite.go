package jobstest

import (
	"testing"

	"roem/internal/jobs"
)

// Store is where a queue lies, empty at first.
type Store struct {
	// Open opens the queue. Before it is opened again, it is closed, unless the store is Shared.
	Open func(tb testing.TB, options jobs.Options) jobs.Queue
	// Target is what Main's function opens the same queue with in another process.
	Target string
	// Shared says that several processes can have the queue open.
	Shared bool
}

// Run runs the suite. The function makes an empty store.
func Run(t *testing.T, store func(tb testing.TB) Store) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(f *fixture)
	}{
		{"what Submit returns", submitted},
		{"a job succeeds", succeeds},
		{"first in, first out", inOrder},
		{"failures", failures},
		{"a poison job blocks nobody", poison},
		{"cancel what waits", cancelQueued},
		{"cancel what runs", cancelRunning},
		{"cancel what has ended", cancelFinal},
		{"idempotency keys", idempotency},
		{"equal work, one owner", equalOneOwner},
		{"equal work, two owners", equalTwoOwners},
		{"equal work asked for at once", equalAtOnce},
		{"a full queue", full},
		{"an owner with too many jobs", tooManyOwned},
		{"parallel submits keep the bounds", parallelSubmits},
		{"lists and pages", lists},
		{"retention", retention},
		{"too many to keep", tooMany},
		{"too large to keep", tooLarge},
		{"a restart between", restart},
		{"a stop gives work back", giveBack},
		{"claiming stops before the work", stopClaiming},
		{"local jobs", local},
		{"local jobs without a worker", localUnworked},
		{"stats", stats},
		{"what is refused", refused},
		{"watches end", watchesEnd},
		{"many at once", many},
		{"a process is killed over a job", killed},
		{"a job that kills", killer},
		{"a process is killed over a local job", killedLocal},
		{"a process stops in order", stopped},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&fixture{t: t, Store: store(t), empty: store}) })
	}
}

// RunShared runs what a queue for several processes must do beside.
func RunShared(t *testing.T, store func(tb testing.TB) Store) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(f *fixture)
	}{
		{"submitted here, worked there", elsewhere},
		{"each job is worked by one", oneEach},
		{"a process stands still", standsStill},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&fixture{t: t, Store: store(t), empty: store}) })
	}
}
