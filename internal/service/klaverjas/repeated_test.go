package klaverjas

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/service/servicetest"
)

// Bodies that come again are answered as the first time, but for the time that it took, and no body gets the answer of another one.
func TestRepeatedSolves(t *testing.T) {
	g := New(servicetest.New(t, true), Options{})
	answer := func(body string) (solution api.KlaverjasSolution) {
		r, err := g.service.Parse(t.Context(), KindSolve, []byte(body))
		if err != nil {
			t.Error(err)
			return solution
		}
		a, err := g.service.Answer(t.Context(), r.Query())
		solution, ok := a.Result.(api.KlaverjasSolution)
		if err != nil || !ok {
			t.Errorf("a %T, error %v", a.Result, err)
		}
		solution.Stats.ElapsedUs = 0
		return solution
	}
	want := map[string]api.KlaverjasSolution{}
	for i := range 24 {
		for _, goal := range []string{"win", "value", "moves"} {
			body := fmt.Sprintf(`{"trump": "%c", "leader": "%c", "deal": "%d", "goal": %q}`, "CDHS"[i%4], "NESW"[i/4%4], 1_000_003*i, goal)
			answer(body) // by a search
			want[body] = answer(body)
		}
	}
	var all sync.WaitGroup
	for body := range want {
		all.Go(func() {
			for range 20 {
				if diff := cmp.Diff(want[body], answer(body)); diff != "" {
					t.Errorf("%s (-want +got)\n%s", body, diff)
					return
				}
			}
		})
	}
	all.Wait()
}
