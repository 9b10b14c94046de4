package service

import (
	"context"
	"errors"
	"testing"
	"time"

	"roem/internal/engine/klaverjas/search"
)

// slow plays so many cards in each search, which takes a millisecond or more.
type slow struct{ nodes uint64 }

func (s slow) Solve(ctx context.Context, _ search.Query) (search.Result, error) {
	time.Sleep(time.Millisecond)
	return search.Result{Nodes: s.nodes}, ctx.Err()
}

// The speed is measured before the first search that is asked for, quickly, on a searcher of the pool that is then free
// again, and without anybody being told of searches.
func TestMeasureSpeed(t *testing.T) {
	made, told := 0, 0
	s, err := New(Options{
		Searchers: 1,
		Searcher:  func() Searcher { made++; return slow{1000} },
		Observer: Observer{
			Waited:   func(time.Duration) { told++ },
			Searched: func(search.Goal, uint64, time.Duration, error) { told++ },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	guess, retry := s.pace.PerSecond(), s.pool.mean
	got, ok := s.MeasureSpeed(t.Context())
	for range 20 { // a machine that is held up leaves it no time
		if ok {
			break
		}
		got, ok = s.MeasureSpeed(t.Context())
	}
	if !ok || got > 1e6 || got != s.pace.PerSecond() { // a thousand cards in a millisecond or more
		t.Errorf("%v cards a second, %v; believed are %v", got, ok, s.pace.PerSecond())
	}
	if load := s.Load(); made != 1 || told != 0 || load.Busy != 0 || s.pool.mean != retry {
		t.Errorf("%d searchers made, observers told %d times, %+v, mean %v", made, told, load, s.pool.mean)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := s.MeasureSpeed(ended); ok || s.pace.PerSecond() != got {
		t.Errorf("measured %v cards a second after the end", s.pace.PerSecond())
	}
	err = s.pool.with(t.Context(), &ticket{}, func(Searcher) error {
		if _, ok := s.MeasureSpeed(t.Context()); ok {
			return errors.New("measured on a searcher that is at work")
		}
		return nil
	})
	if err != nil || guess == got {
		t.Error(err)
	}
}

// Nothing is measured for long, however slow searches are.
func TestMeasureSpeedIsBounded(t *testing.T) {
	s, err := New(Options{Searchers: 1, Searcher: func() Searcher { return gated{make(chan struct{}), make(chan struct{}, 10)} }})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool, 1)
	go func() {
		_, ok := s.MeasureSpeed(context.Background())
		done <- ok
	}()
	select {
	case ok := <-done:
		if ok {
			t.Error("there is a speed of a search that does not end")
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
}
