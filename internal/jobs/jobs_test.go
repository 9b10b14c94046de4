package jobs_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"roem/internal/jobs"
)

func TestWait(t *testing.T) {
	const s = time.Second
	own := map[string]time.Duration{"a": 6 * s}
	for _, test := range []struct {
		name     string
		stats    jobs.Stats
		taker    string
		position int
		want     time.Duration
		known    bool
	}{
		{"no workers", jobs.Stats{Cost: s}, "a", 1, 0, false},
		{"not queued", jobs.Stats{Slots: 2}, "a", 0, 0, false},
		{"first, one slot free", jobs.Stats{Slots: 2, Running: 1, Left: own}, "a", 1, 0, true},
		{"second, one slot free", jobs.Stats{Slots: 2, Running: 1, Left: own, Queued: 2, Cost: 2 * s}, "a", 2, 7 * s / 2, true},
		{"first, no slot free", jobs.Stats{Slots: 2, Running: 2, Left: own, Queued: 4, Cost: 8 * s}, "a", 1, 3 * s, true},
		{"third, no slot free", jobs.Stats{Slots: 2, Running: 2, Left: own, Queued: 4, Cost: 8 * s}, "a", 3, 5 * s, true},
		{"its own tasks end first", jobs.Stats{Slots: 2, Running: 2, Left: own, Queued: 40, Cost: 80 * s}, "a", 40, 6 * s, true},
		{"tasks of others run", jobs.Stats{Slots: 2, Running: 2, Left: own}, "b", 1, jobs.Turn, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, known := test.stats.WaitOf(test.taker, test.position); got != test.want || known != test.known {
				t.Errorf("got %v, %v; want %v, %v", got, known, test.want, test.known)
			}
		})
	}
}

func TestTaskLeft(t *testing.T) {
	for _, test := range []struct{ cost, elapsed, want time.Duration }{{60, -1, 60}, {60, 20, 40}, {60, 60, 60}, {60, 600, 600}} {
		if got := jobs.TaskLeft(test.cost, test.elapsed); got != test.want {
			t.Errorf("%d of %d: %d, want %d", test.elapsed, test.cost, got, test.want)
		}
	}
}

func TestErrors(t *testing.T) {
	cause := errors.New("cause")
	err := fmt.Errorf("around: %w", jobs.Permanent(jobs.WithDetail(cause, []byte("detail"))))
	if !jobs.IsPermanent(err) || string(jobs.Detail(err)) != "detail" || !errors.Is(err, cause) || err.Error() != "around: cause" {
		t.Errorf("%v: permanent %v, detail %q", err, jobs.IsPermanent(err), jobs.Detail(err))
	}
	if jobs.IsPermanent(cause) || jobs.Detail(cause) != nil || jobs.Permanent(nil) != nil || jobs.WithDetail(nil, nil) != nil {
		t.Error("an unmarked error or nil is permanent or has a detail")
	}
	if full := (&jobs.FullError{Queued: 3, Max: 4}); !errors.Is(full, jobs.ErrFull) || full.Error() != "too many jobs are waiting: 3 of 4" {
		t.Error(full)
	}
}

func TestStatus(t *testing.T) {
	for status, want := range map[jobs.Status][2]bool{
		jobs.Queued: {true, false}, jobs.Running: {true, false}, jobs.Succeeded: {true, true}, jobs.Failed: {true, true},
		jobs.Cancelled: {true, true}, "": {false, false}, "done": {false, false},
	} {
		if got := [2]bool{status.Valid(), status.Final()}; got != want {
			t.Errorf("%q: valid, final %v, want %v", status, got, want)
		}
	}
}
