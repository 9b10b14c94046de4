package klaverjas

import (
	"context"
	"testing"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
	"roem/internal/testkit"
)

// slow is a searcher whose searches have the given number of nodes and take at least a millisecond.
type slow struct{ nodes uint64 }

func (s slow) Solve(ctx context.Context, _ search.Query) (search.Result, error) {
	time.Sleep(time.Millisecond)
	return search.Result{Nodes: s.nodes}, ctx.Err()
}

// The speed is measured quickly, before the first search of a request, in a slot that is free afterwards. The observers are not called.
func TestMeasureSpeed(t *testing.T) {
	made, told := 0, 0
	g := newGame(t, service.Options{Slots: 1, Observer: service.Observer{Waited: func(time.Duration) { told++ }}}, Options{
		Searcher: func() Searcher { made++; return slow{1000} },
		Searched: func(search.Goal, uint64, time.Duration, error) { told++ },
	})
	guess := g.pace.PerSecond()
	got, ok := g.MeasureSpeed(t.Context())
	for range 20 { // on a busy machine one attempt may not be enough
		if ok {
			break
		}
		got, ok = g.MeasureSpeed(t.Context())
	}
	if !ok || got > 1e6 || got != g.pace.PerSecond() { // a thousand cards in at least a millisecond
		t.Errorf("%v cards a second, %v; the pace is %v", got, ok, g.pace.PerSecond())
	}
	if load := g.service.Load(); made != 1 || told != 0 || load.Busy != 0 {
		t.Errorf("%d searchers made, observers called %d times, %+v", made, told, load)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := g.MeasureSpeed(ended); ok || g.pace.PerSecond() != got {
		t.Errorf("measured %v cards a second after the end", g.pace.PerSecond())
	}
	g.service.TrySlot(t.Context(), func(context.Context, *computation.Slot) {
		if _, ok := g.MeasureSpeed(t.Context()); ok { // a second call from outside the slot
			t.Error("the speed was measured in a slot that is in use")
		}
	})
	if guess == got {
		t.Error("the speed was not measured")
	}
}

// MeasureSpeed ends within its limit, even if searches do not end.
func TestMeasureSpeedIsBounded(t *testing.T) {
	g := newGame(t, service.Options{Slots: 1}, Options{Searcher: func() Searcher {
		return gated{
			make(chan struct{}),
			make(chan struct{}, 10),
		}
	}})
	done := make(chan bool, 1)
	go func() {
		_, ok := g.MeasureSpeed(context.Background())
		done <- ok
	}()
	select {
	case ok := <-done:
		if ok {
			t.Error("a speed was measured of a search that does not end")
		}
	case <-time.After(testkit.Patience):
		t.Fatal("MeasureSpeed does not end")
	}
}
