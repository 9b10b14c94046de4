package klaverjas

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/service/servicetest"
)

// Bodies that come again are answered as the first time, but for the time that it took, and no body gets the answer of another one.
func TestRepeatedSolves(t *testing.T) {
	g := New(servicetest.New(t, true), Options{})
	want := map[string]api.KlaverjasSolution{}
	for i := range 24 {
		for _, goal := range []string{"win", "value", "moves"} {
			body := fmt.Sprintf(`{"trump": "%c", "leader": "%c", "deal": "%d", "goal": %q}`, "CDHS"[i%4], "NESW"[i/4%4], 1_000_003*i, goal)
			for again := range 4 {
				q, err := g.ParseSolve(t.Context(), []byte(body))
				if err != nil {
					t.Fatal(err)
				}
				if got := q.found != nil; got != (again >= 2) { // the first is searched, and the second has the cache's answer
					t.Fatalf("%s, time %d: repeats has it: %v", body, again+1, got)
				}
				answer, err := g.Answer(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				solution, ok := answer.Result.(api.KlaverjasSolution)
				if !ok {
					t.Fatalf("answered a %T", answer.Result)
				}
				solution.Stats.ElapsedUs = 0
				if again == 0 {
					continue
				}
				if again == 1 {
					want[body] = solution
				}
				if diff := cmp.Diff(want[body], solution); diff != "" {
					t.Fatalf("%s, time %d (-want +got)\n%s", body, again+1, diff)
				}
			}
		}
	}
	var all sync.WaitGroup
	for body := range want {
		all.Go(func() {
			for range 20 {
				q, err := g.ParseSolve(context.Background(), []byte(body))
				if err != nil {
					t.Error(err)
					return
				}
				answer, err := g.Answer(context.Background(), q)
				if err != nil {
					t.Error(err)
					return
				}
				solution, _ := answer.Result.(api.KlaverjasSolution)
				solution.Stats.ElapsedUs = 0
				if diff := cmp.Diff(want[body], solution); diff != "" {
					t.Errorf("%s (-want +got)\n%s", body, diff)
					return
				}
			}
		})
	}
	all.Wait()
}

// Long bodies, wrong ones, and all bodies of a service without a cache are decoded each time.
func TestNotRepeated(t *testing.T) {
	with, without := New(servicetest.New(t, true), Options{}), New(servicetest.New(t, false), Options{})
	const short = `{"trump": "C", "leader": "N", "deal": "438344008127"}`
	for _, tt := range []struct {
		name string
		game *Game
		body string
	}{
		{"long", with, short + strings.Repeat(" ", maxRepeated)},
		{"no cache", without, short},
		{"wrong", with, `{"trump": "C", "leader": "N", "deal": "x"}`},
	} {
		for range 4 {
			q, err := tt.game.ParseSolve(t.Context(), []byte(tt.body))
			if err != nil {
				continue
			}
			if q.found != nil {
				t.Errorf("%s: the body was kept", tt.name)
			}
			if _, err := tt.game.Answer(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		}
		if _, kept := tt.game.repeats.find([]byte(tt.body)); kept {
			t.Errorf("%s: the body was kept", tt.name)
		}
	}
}

// What is kept stays within its bound.
func TestRepeatsAreBounded(t *testing.T) {
	r := newRepeats()
	for i := range 5000 {
		r.keep(&SolveQuery{body: fmt.Appendf(nil, "%0900d", i)}, result{})
	}
	r.answered.CleanUp()
	if got := r.answered.WeightedSize(); got > repeatsBytes || got < repeatsBytes/2 {
		t.Errorf("%d bytes are kept, expected at most %d", got, repeatsBytes)
	}
}
