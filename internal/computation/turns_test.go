package computation

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// In the background clients take turns by the time that they have used: a client with long work, and much of it, delays another one by what
// runs, and two that always want slots have them for the same time.
func TestClientsTakeTurnsInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const slots, units = 2, 40
		s := newScheduler(t, Options{Slots: slots})
		var (
			mu    sync.Mutex
			begun []string
		)
		work := func(client string, took time.Duration) *Waiter {
			w, err := s.Join(WithJobOf(t.Context(), client), Spec{Slot: true, Run: func(context.Context, *Task) (any, error) {
				mu.Lock()
				begun = append(begun, client)
				mu.Unlock()
				time.Sleep(took)
				return nil, nil
			}}, Background)
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		wait := func(ws ...*Waiter) {
			for _, w := range ws {
				if _, err := w.Wait(t.Context(), nil); err != nil {
					t.Error(err)
				}
			}
		}
		count := func(client string) (n int) {
			mu.Lock()
			defer mu.Unlock()
			for _, c := range begun {
				if c == client {
					n++
				}
			}
			return n
		}
		var long []*Waiter
		for range units {
			long = append(long, work("long", time.Second))
		}
		time.Sleep(1500 * time.Millisecond)
		before, began := count("long"), time.Now()
		for i := range 5 { // one after the other, as the parts of a small job
			wait(work("short", time.Millisecond))
			if i == 0 && time.Since(began) > time.Second {
				t.Errorf("the first small part took %v beside parts of 1 s", time.Since(began))
			}
		}
		if n := count("long") - before; n > 5*slots {
			t.Errorf("%d long parts began before the 5 small ones had ended", n)
		}
		var other []*Waiter
		for range 10 {
			other = append(other, work("other", time.Second))
		}
		before = count("long")
		wait(other...)
		if n := count("long") - before; n < 10-slots || n > 10+slots {
			t.Errorf("%d parts of one client began beside 10 equal ones of another", n)
		}
		wait(long...)
		if got := slices.Compact(begun[:3]); !slices.Equal(got, []string{"long"}) || len(s.turns.next) > keptTurns {
			t.Errorf("began with %q; %d turns", got, len(s.turns.next))
		}
	})
}

// Old turns are removed: any number of clients may come and go.
func TestTurnsAreForgotten(t *testing.T) {
	turns := turns{next: make(map[string]time.Duration)}
	for i := range 10 * keptTurns {
		client := fmt.Sprint(i)
		turns.charge(client, turns.begin(client), 0)
	}
	if n := len(turns.next); n > keptTurns+1 {
		t.Errorf("%d turns are kept", n)
	}
}
