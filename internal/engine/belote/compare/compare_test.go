package compare

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
)

// What section 3.1 of the paper says about its figures holds for the drawn deals: without pruning minimax makes the same states for both
// utilities, and alpha-beta makes no more than minimax, for the contract fewer than for points, and fewer again with forward pruning.
func TestShapeOfTheFigures(t *testing.T) {
	e := Experiment{Suits: []int{1, 2}, Deals: 2, Seed: 1}
	searches := 0
	rows, err := e.Run(t.Context(), search.New(search.Options{}), nil, func(done, _ int, _ uint64) { searches = done })
	if err != nil {
		t.Fatal(err)
	}
	for suits := 1; suits <= 2; suits++ {
		mean := map[Way]float64{}
		for _, r := range rows {
			if r.Suits == suits {
				mean[r.Way] = r.Mean
			}
		}
		if mean[Way{search.Minimax, search.Points, false}] != mean[Way{search.Minimax, search.Contract, false}] {
			t.Errorf("%d suits: minimax differs: %v", suits, mean)
		}
		order := []Way{
			{search.Minimax, search.Points, false},
			{search.AlphaBeta, search.Points, false},
			{search.AlphaBeta, search.Contract, false},
			{search.AlphaBeta, search.Contract, true},
		}
		for i := 1; i < len(order); i++ {
			if mean[order[i]] >= mean[order[i-1]] {
				t.Errorf("%d suits: %v makes %.1f states, %v %.1f", suits, order[i], mean[order[i]], order[i-1], mean[order[i-1]])
			}
		}
	}
	if want := 2 * 12 * e.Deals; searches != want || len(rows) != 24 {
		t.Errorf("%d searches and %d rows, want %d and 24", searches, len(rows), want)
	}
}

// What is counted is what minimax makes, for each utility, with and without forward pruning.
func TestTrees(t *testing.T) {
	s := search.New(search.Options{})
	for suits := 1; suits <= 2; suits++ {
		for number := range 6 {
			d := Draw(5, suits, number)
			d.Declarer = belote.Player(number & 1)
			p, err := belote.NewPosition(d)
			if err != nil {
				t.Fatal(err)
			}
			for _, way := range Ways(suits) {
				if way.Algorithm != search.Minimax {
					continue
				}
				want, err := s.Solve(t.Context(), search.Query{
					Position: p, Utility: way.Utility, Algorithm: search.Minimax, NoPruning: !way.Pruning, NoLine: true,
				})
				if err != nil {
					t.Fatal(err)
				}
				if got, err := countTree(t.Context(), way, p, nil); got != want.Generated || err != nil {
					t.Errorf("%d suits, deal %d, %v: %d states, want %d (%v)", suits, number, way, got, want.Generated, err)
				}
			}
		}
	}
}

// A count ends with the error of pause, and is not among the states of the searches.
func TestCounted(t *testing.T) {
	e := Experiment{Suits: []int{3}, Deals: 1, Seed: 1, Limit: 10}
	var searched uint64
	rows, err := e.Run(t.Context(), search.New(search.Options{}), nil, func(_, _ int, n uint64) { searched = n })
	if err != nil || searched != 8*10 || rows[0].Limited != 0 || rows[0].Min < 1_000_000 || rows[4].Limited != 1 {
		t.Errorf("%+v, %d states of searches, error %v", rows, searched, err)
	}
	stop := errors.New("stop")
	if _, err := e.Run(t.Context(), search.New(search.Options{}), func() error { return stop }, nil); !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
}

// A share of the deals is the smallest count that reaches it.
func TestSummary(t *testing.T) {
	for _, tt := range []struct{ n, median, p90 uint64 }{{1, 1, 1}, {2, 1, 2}, {5, 3, 5}, {10, 5, 9}, {31, 16, 28}} {
		var counts []uint64
		for i := range tt.n {
			counts = append(counts, tt.n-i)
		}
		var r Row
		r.summarise(counts)
		if r.Min != 1 || r.Median != tt.median || r.P90 != tt.p90 || r.Max != tt.n {
			t.Errorf("%d counts: %+v", tt.n, r)
		}
	}
}

// A limit ends a search and is its count, and an error of pause ends the experiment.
func TestLimitAndPause(t *testing.T) {
	s := search.New(search.Options{})
	rows, err := Experiment{Suits: []int{4}, Deals: 2, Limit: 10_000}.Run(t.Context(), s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Algorithm == search.AlphaBeta && (r.Limited != 2 || r.Min != 10_000 || r.Max != 10_000 || r.BelowPaper != 0) {
			t.Errorf("%+v", r)
		}
	}
	stop := errors.New("stop")
	_, err = Experiment{Suits: []int{4}, Deals: 1}.Run(t.Context(), s, func() error { return stop }, nil)
	if !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff([]int{12, 8}, []int{len(Ways(3)), len(Ways(4))}); diff != "" {
		t.Error(diff)
	}
}
