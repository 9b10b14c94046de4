package handlers_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	game "roem/internal/service/klaverjas"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
)

const someDeal = `{"trump": "S", "leader": "S", "hands": ` + goodHands + `}`

// counting makes the searches of a real solver wait for the gate and counts them. Each is told to the others.
func counting(searches *atomic.Int64, gate <-chan struct{}, others ...func(search.Query)) func(*config) {
	return func(c *config) {
		c.searcher = func() game.Searcher {
			solver := search.New(search.Options{TableBytes: 4 << 20})
			return searcherFunc(func(ctx context.Context, q search.Query) (search.Result, error) {
				searches.Add(1)
				for _, tell := range others {
					tell(q)
				}
				select {
				case <-gate:
				case <-ctx.Done():
					return search.Result{}, ctx.Err()
				}
				return solver.Solve(ctx, q)
			})
		}
	}
}

func open() <-chan struct{} {
	gate := make(chan struct{})
	close(gate)
	return gate
}

// 200 concurrent equal requests make one search, and all get its answer.
func TestEqualRequestsShareOneSearch(t *testing.T) {
	const n = 200
	var searches atomic.Int64
	gate := make(chan struct{})
	s := newServer(t, counting(&searches, gate))
	answers := make([]*httptest.ResponseRecorder, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			answers[i] = httptest.NewRecorder()
			s.ServeHTTP(answers[i], request(http.MethodPost, "/v1/klaverjas/solve", someDeal))
		})
	}
	until(t, "all others to share the search", func() bool { return s.service.Shared() == n-1 })
	close(gate)
	all.Wait()
	for _, w := range answers {
		status(t, w, 200)
		if got := decodeAs[api.KlaverjasSolution](t, w); *got.Outcome != 32 {
			t.Errorf("outcome %d, want 32", *got.Outcome)
		}
	}
	if got := searches.Load(); got != 1 {
		t.Errorf("%d searches, want 1", got)
	}
}

// All twins of a deal with the same trump suit: 6 orders of the plain suits and 4 leaders. One after the other or concurrently, they
// need one search, and each answer uses the names of its request.
func TestNamesOfADealShareOneSearch(t *testing.T) {
	var hands map[string][]string
	if err := json.Unmarshal([]byte(goodHands), &hands); err != nil {
		t.Fatal(err)
	}
	const seats, suits = "NESW", "CDHS"
	var bodies, firsts []string
	for turn := range 4 {
		for _, order := range []string{"CDH", "CHD", "DCH", "DHC", "HCD", "HDC"} {
			// Spades remain trump. The vectors test the other trump suits.
			rename := strings.NewReplacer("C", order[0:1], "D", order[1:2], "H", order[2:3]).Replace
			renamed := map[string][]string{}
			for seat, hand := range hands {
				to := string(seats[(strings.Index(seats, seat)+turn)%4])
				for _, card := range hand {
					face := strings.TrimRight(card, suits)
					renamed[to] = append(renamed[to], face+rename(strings.TrimPrefix(card, face)))
				}
			}
			leader := string(seats[(strings.Index(seats, "S")+turn)%4])
			body, err := json.Marshal(map[string]any{"trump": "S", "leader": leader, "hands": renamed})
			if err != nil {
				t.Fatal(err)
			}
			bodies, firsts = append(bodies, string(body)), append(firsts, leader+rename("JH"))
		}
	}
	if len(bodies) != 24 {
		t.Fatalf("%d requests", len(bodies))
	}
	check := func(i int, w *httptest.ResponseRecorder) (canonical string) {
		t.Helper()
		status(t, w, 200)
		got := decodeAs[api.KlaverjasSolution](t, w)
		if *got.Outcome != 32 || string(*got.Turn)+(*got.Line)[0] != firsts[i] {
			t.Errorf("request %d: outcome %d, %s plays %s; want 32, %s", i, *got.Outcome, *got.Turn, (*got.Line)[0], firsts[i])
		}
		return got.Deal.CanonicalIndex
	}
	t.Run("one after the other", func(t *testing.T) {
		var searches atomic.Int64
		s := newServer(t, counting(&searches, open()))
		indices := map[string]bool{}
		for i, body := range bodies {
			indices[check(i, s.post(t, "/v1/klaverjas/solve", body))] = true
		}
		if n := searches.Load(); n != 1 || len(indices) != 1 {
			t.Errorf("%d searches, %d canonical indices, want 1 of each", n, len(indices))
		}
	})
	t.Run("all at a time", func(t *testing.T) {
		var searches atomic.Int64
		gate := make(chan struct{})
		s := newServer(t, counting(&searches, gate))
		answers := make([]*httptest.ResponseRecorder, len(bodies))
		var all sync.WaitGroup
		for i, body := range bodies {
			all.Go(func() {
				answers[i] = httptest.NewRecorder()
				s.ServeHTTP(answers[i], request(http.MethodPost, "/v1/klaverjas/solve", body))
			})
		}
		until(t, "all others to share the search", func() bool { return s.service.Shared() == uint64(len(bodies)-1) })
		close(gate)
		all.Wait()
		for i, w := range answers {
			check(i, w)
		}
		if n := searches.Load(); n != 1 {
			t.Errorf("%d searches, want 1", n)
		}
	})
}
