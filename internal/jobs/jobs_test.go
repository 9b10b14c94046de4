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
	for _, test := range []struct {
		name     string
		stats    jobs.Stats
		position int
		want     time.Duration
		known    bool
	}{
		{"no workers", jobs.Stats{MeanRun: s}, 1, 0, false},
		{"no finished run", jobs.Stats{Slots: 2}, 1, 0, false},
		{"not queued", jobs.Stats{Slots: 2, MeanRun: s}, 0, 0, false},
		{"first, one slot free", jobs.Stats{Slots: 2, MeanRun: s, Running: 1}, 1, 0, true},
		{"second, one slot free", jobs.Stats{Slots: 2, MeanRun: s, Running: 1}, 2, s / 2, true},
		{"first, no slot free", jobs.Stats{Slots: 2, MeanRun: s, Running: 2}, 1, s / 2, true},
		{"fifth, no slot free", jobs.Stats{Slots: 2, MeanRun: s, Running: 2}, 5, 5 * s / 2, true},
		{"local tasks take no slot", jobs.Stats{Slots: 2, MeanRun: s, Running: 9}, 1, s / 2, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, known := test.stats.Wait(test.position); got != test.want || known != test.known {
				t.Errorf("got %v, %v; want %v, %v", got, known, test.want, test.known)
			}
		})
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
