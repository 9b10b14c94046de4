package service

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/computation"
	"roem/internal/jobs"
)

// statsQueue is a queue that implements only Stats.
type statsQueue struct {
	jobs.Queue
	stats func(context.Context) (jobs.Stats, error)
}

func (q statsQueue) Stats(ctx context.Context) (jobs.Stats, error) { return q.stats(ctx) }

// watch checks a service every 10 s with a limit of 30 s, for the given time. It returns the reported changes.
func watch(t *testing.T, s *Service, long time.Duration) (told []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	s.Watch(ctx, 10*time.Second, 30*time.Second, func(failure error) {
		if failure == nil {
			told = append(told, "works")
		} else {
			told = append(told, failure.Error())
		}
	})
	return told
}

func TestWatch(t *testing.T) {
	working := func(context.Context) (jobs.Stats, error) { return jobs.Stats{}, nil }
	for _, tt := range []struct {
		name  string
		queue func(context.Context) (jobs.Stats, error)
		// block starts a computation that keeps the slot.
		block func(s *Service)
		want  []string
	}{
		{"all works", working, nil, nil},
		{"a slot in use for 25 s", working, func(s *Service) { hold(s, 25*time.Second, true) }, nil},
		{
			"a slot in use for 100 s", working, func(s *Service) { hold(s, 100*time.Second, true) },
			[]string{"no slot could be taken within 30s", "works"},
		},
		{
			"a computation that does not end when it is cancelled", working, func(s *Service) { hold(s, 100*time.Second, false) },
			[]string{"no slot could be taken within 30s", "works"},
		},
		{
			"a job queue that is unavailable",
			func(context.Context) (jobs.Stats, error) { return jobs.Stats{}, jobs.ErrUnavailable }, nil, nil,
		},
		{
			"a job queue that answers late",
			func(ctx context.Context) (jobs.Stats, error) { <-ctx.Done(); return jobs.Stats{}, ctx.Err() }, nil,
			[]string{"the job queue did not answer within 30s"},
		},
		{
			"a job queue that does not answer at all",
			func(context.Context) (jobs.Stats, error) { time.Sleep(10 * time.Minute); return jobs.Stats{}, nil }, nil,
			[]string{"asking the job queue takes longer than 30s"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := New(Options{Slots: 1, Jobs: statsQueue{stats: tt.queue}})
				if err != nil {
					t.Fatal(err)
				}
				if tt.block != nil {
					tt.block(s)
				}
				if diff := cmp.Diff(tt.want, watch(t, s, 5*time.Minute)); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				if err := s.Close(t.Context()); err != nil {
					t.Error(err)
				}
				time.Sleep(10 * time.Minute) // long enough for all goroutines to end
			})
		})
	}
}

// hold starts a computation that keeps a slot for the given time. If wanted is false, it is cancelled immediately and ignores that.
func hold(s *Service, long time.Duration, wanted bool) {
	ctx, cancel := context.WithCancel(context.Background())
	w, err := s.computations.Join(ctx, computation.Spec{Slot: true, Run: func(context.Context, *computation.Task) (any, error) {
		time.Sleep(long)
		return nil, nil
	}}, computation.Urgent)
	if err != nil {
		panic(err)
	}
	if !wanted {
		w.Leave()
	}
	go func() {
		_, _ = w.Wait(ctx, nil)
		cancel()
	}()
	if !wanted {
		cancel()
	}
}

// Even if another slot is free, the check reports a cancelled computation that does not end.
func TestWatchReportsOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Options{Slots: 2})
		if err != nil {
			t.Fatal(err)
		}
		hold(s, 100*time.Second, false)
		told := watch(t, s, 5*time.Minute)
		if len(told) != 2 || !strings.Contains(told[0], "has not ended") || told[1] != "works" {
			t.Errorf("%q", told)
		}
		if err := s.Close(t.Context()); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}
