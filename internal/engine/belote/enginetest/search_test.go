package enginetest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/internal/testkit"
)

const vectors = "../../../../testdata/belote/decouverte.jsonl"

func solve(tb testing.TB, s *search.Solver, q search.Query) search.Result {
	tb.Helper()
	r, err := s.Solve(tb.Context(), q)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestVectors(t *testing.T) {
	list, err := Vectors(vectors)
	if err != nil {
		t.Fatal(err)
	}
	s := search.New(search.Options{})
	for i, v := range list {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			p, err := v.Start()
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Turn().String(); got != v.Expect.Turn {
				t.Errorf("turn %s, want %s", got, v.Expect.Turn)
			}
			var legal, want piquet.Set = p.Legal(), 0
			for _, text := range v.Expect.Legal {
				c, _ := piquet.Named(text)
				want = want.With(c)
			}
			if legal != want {
				t.Errorf("legal %s, want %s", legal, want)
			}
			r := solve(t, s, search.Query{Position: p, Goal: search.Moves})
			if r.Points != v.Expect.Points || r.Won != v.Expect.Won {
				t.Errorf("points %d, won %v, want %d, %v", r.Points, r.Won, v.Expect.Points, v.Expect.Won)
			}
			moves := map[string]int{}
			for _, m := range r.Moves {
				moves[m.Card.String()] = m.Points
				if best := m.Points == r.Points; best != m.Best {
					t.Errorf("%s: best %v, want %v", m.Card, m.Best, best)
				}
			}
			if diff := cmp.Diff(v.Expect.Moves, moves); diff != "" {
				t.Error(diff)
			}
			end, err := p.Replay(r.Line)
			if err != nil || !end.Finished() || end.Points(end.Deal().Declarer) != r.Points {
				t.Errorf("the line %v ends with %d points (%v), want %d", r.Line, end.Points(end.Deal().Declarer), err, r.Points)
			}
			won := solve(t, s, search.Query{Position: p, Utility: search.Contract, Goal: search.Moves})
			if won.Won != v.Expect.Won {
				t.Errorf("contract: won %v, want %v", won.Won, v.Expect.Won)
			}
			for _, m := range won.Moves {
				if want := v.Expect.Moves[m.Card.String()] >= p.Deal().Threshold; m.Won != want {
					t.Errorf("contract: %s wins %v, want %v", m.Card, m.Won, want)
				}
			}
		})
	}
}

// TestAlgorithms compares minimax, alpha-beta and the table, with and without forward pruning, with the reference on deals of one and two
// suits, for any leader, declarer and threshold, and in the middle of hands.
func TestAlgorithms(t *testing.T) {
	t.Parallel()
	for suits := 1; suits <= 2; suits++ {
		for seed := range uint64(map[int]int{1: 200, 2: 8}[suits]) {
			t.Run(fmt.Sprintf("%d suits, seed %d", suits, seed), func(t *testing.T) {
				t.Parallel()
				rng := random.New(seed, uint64(suits))
				deck, trumps := Deals(suits)
				d := belote.Random(rng, deck, trumps[random.Below(rng, uint64(len(trumps)))])
				d.Leader, d.Declarer = belote.Player(rng.Uint64()&1), belote.Player(rng.Uint64()&1)
				d.Threshold = 1 + int(random.Below(rng, uint64(d.Total())))
				p, err := belote.NewPosition(d)
				if err != nil {
					t.Fatal(err)
				}
				game := Naive(d)
				for range random.Below(rng, uint64(deck.Len())/2) + uint64(4*suits-4) {
					list := p.Legal().Slice()
					c := list[random.Below(rng, uint64(len(list)))]
					p, _ = p.Play(c)
					game.Play(c.String())
				}
				points, states := game.Minimax()
				compareAlgorithms(t, p, points, states)
			})
		}
	}
}

// TestWholeDeals compares minimax, alpha-beta and the table on whole deals of two suits, for both utilities.
func TestWholeDeals(t *testing.T) {
	t.Parallel()
	deals := testkit.Times[uint64](3, 10, 25, 100)
	deck, trumps := Deals(2)
	s := search.New(search.Options{TableBytes: 1 << 20})
	for seed := range deals {
		rng := random.New(seed, 0x77686f6c65)
		d := belote.Random(rng, deck, trumps[random.Below(rng, uint64(len(trumps)))])
		d.Leader, d.Declarer = belote.Player(rng.Uint64()&1), belote.Player(rng.Uint64()&1)
		p, err := belote.NewPosition(d)
		if err != nil {
			t.Fatal(err)
		}
		points := solve(t, s, search.Query{Position: p, Algorithm: search.Minimax, NoPruning: true}).Points
		for _, algorithm := range []search.Algorithm{search.AlphaBeta, search.Table} {
			if got := solve(t, s, search.Query{Position: p, Algorithm: algorithm, NoPruning: true}).Points; got != points {
				t.Errorf("deal %d: %s has %d points, minimax %d", seed, algorithm, got, points)
			}
		}
		for _, algorithm := range []search.Algorithm{search.Minimax, search.AlphaBeta, search.Table} {
			for _, noPruning := range []bool{false, true} {
				won := solve(t, s, search.Query{Position: p, Utility: search.Contract, Algorithm: algorithm, NoPruning: noPruning}).Won
				if want := points >= d.Threshold; won != want {
					t.Errorf("deal %d: %s, pruning %t: won %t with %d points of %d", seed, algorithm, !noPruning, won, points, d.Threshold)
				}
			}
		}
	}
}

func compareAlgorithms(t *testing.T, p belote.Position, points, states int) {
	t.Helper()
	won := points >= p.Deal().Threshold
	s := search.New(search.Options{TableBytes: 1 << 16})
	for _, utility := range []search.Utility{search.Points, search.Contract} {
		for _, algorithm := range []search.Algorithm{search.Minimax, search.AlphaBeta, search.Table} {
			for _, pruning := range []bool{false, true} {
				for _, goal := range []search.Goal{search.Value, search.Moves} {
					name := fmt.Sprintf("%s, %s, pruning %v, %s", utility, algorithm, pruning, goal)
					r := solve(t, s, search.Query{Position: p, Utility: utility, Algorithm: algorithm, NoPruning: !pruning, Goal: goal})
					if r.Won != won {
						t.Errorf("%s: won %v, want %v", name, r.Won, won)
					}
					exact := utility == search.Points && (algorithm == search.Table || !pruning || won)
					if r.Exact != exact || exact && r.Points != points {
						t.Errorf("%s: points %d (%v), want %d (%v)", name, r.Points, r.Exact, points, exact)
					}
					if algorithm == search.Minimax && !pruning && r.Generated != uint64(states) {
						t.Errorf("%s: %d states, want %d", name, r.Generated, states)
					}
					if end, err := p.Replay(r.Line); err != nil || end.Won() != won || !end.Finished() {
						t.Errorf("%s: line %v: %v", name, r.Line, err)
					}
				}
			}
		}
	}
}
