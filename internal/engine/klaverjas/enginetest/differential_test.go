package enginetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// smallestTable is the smallest table of a solver.
const smallestTable = 256 << 10

// Solves whole deals, which are too large for minimax, in every way: with every goal, with different contents and sizes of the table,
// and after one card. All results must agree.
func TestOneDealOneAnswer(t *testing.T) {
	t.Parallel()
	repetitions := many(525, 150)
	sets := naive.RuleSets()
	classUniform := func(rng *rand.Rand, d *klaverjas.Deal) {
		d.Hands = index.RandomClassUniform(rng, d.Trump, d.Leader)
	}
	uniform := func(rng *rand.Rand, d *klaverjas.Deal) { d.Hands = index.Random(rng, d.Trump, d.Leader) }
	for _, tt := range []struct {
		name string
		deal func(*rand.Rand, *klaverjas.Deal)
		seed uint64
	}{
		{"uniform, one", uniform, 41},
		{"uniform, two", uniform, 42},
		{"class-uniform, one", classUniform, 43},
		{"class-uniform, two", classUniform, 44},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ask := newAsker()
			for i := range repetitions {
				rng := index.NewRand(tt.seed<<32 + uint64(i))
				rules := naive.RandomRules(rng)
				if i%2 == 0 {
					rules = sets[i/2%len(sets)]
				}
				r, err := Rules(rules)
				if err != nil {
					t.Fatal(err)
				}
				d := klaverjas.Deal{Trump: piquet.Suit(rng.IntN(4)), Leader: piquet.Seat(rng.IntN(4)), Declarer: piquet.Team(rng.IntN(2))}
				tt.deal(rng, &d)
				p, err := klaverjas.NewPosition(r, d)
				if err != nil {
					t.Fatal(err)
				}
				ask.all(t, rng, i, p)
			}
			t.Logf("%d of %d deals won", ask.won, repetitions)
			if share := float64(ask.won) / float64(repetitions); share < 0.2 || share > 0.8 {
				t.Errorf("%.0f %% of the deals are won: too one-sided for a test", 100*share)
			}
		})
	}
}

// asker holds the solvers that are compared.
type asker struct {
	whole, mixed, small *search.Solver
	won                 int
}

func newAsker() *asker {
	return &asker{
		whole: search.New(search.Options{}),
		mixed: search.New(search.Options{}),
		small: search.New(search.Options{TableBytes: smallestTable}),
	}
}

// all solves the i-th deal in every way.
func (a *asker) all(t *testing.T, rng *rand.Rand, i int, p klaverjas.Position) {
	t.Helper()
	moves := solve(t, a.whole, p, search.Moves).Clone() // every card, with an empty table
	if moves.Won {
		a.won++
	}
	check := func(how string, got search.Result) {
		t.Helper()
		if got.Won != moves.Won || got.Goal != search.Win && got.Outcome != moves.Outcome {
			t.Errorf("deal %d, %s\n%s: %v has won %v, outcome %d; moves with an empty table won %v, outcome %d",
				i, describePosition(p), how, got.Goal, got.Won, got.Outcome, moves.Won, moves.Outcome)
		}
		if got.Goal == search.Moves {
			if diff := gocmp.Diff(values(moves.Moves), values(got.Moves)); diff != "" {
				t.Errorf("deal %d, %s\n%s (-cold +got):\n%s", i, describePosition(p), how, diff)
			}
		}
	}
	// The same solver again. Its table has the results of moves.
	check("warm from moves", solve(t, a.whole, p, goals[i%3]))
	// An empty table, and two goals one after the other. Every ordered pair of goals occurs, and all three goals every third time.
	order := [][]search.Goal{
		{search.Win, search.Value},
		{search.Value, search.Win},
		{search.Win, search.Moves},
		{search.Value, search.Moves},
		{search.Win, search.Value, search.Moves},
		{search.Moves, search.Win},
	}[i%6]
	for k, goal := range order {
		check(fmt.Sprintf("cold, then warm: %v, number %d", order, k), solve(t, a.mixed, p, goal))
	}
	// A table that must overwrite most of its entries.
	goal := goals[i%2]
	if i%5 == 0 {
		goal = search.Moves
	}
	check("the smallest table", solve(t, a.small, p, goal))
	// The value of a card equals the value of the position after it, with tables that have all, some or the last of the results above.
	move := moves.Moves[rng.IntN(len(moves.Moves))]
	next, err := p.Play(move.Card)
	if err != nil {
		t.Fatal(err)
	}
	for how, solver := range map[string]*search.Solver{"all solves": a.whole, "some solves": a.mixed, "the last solve": a.small} {
		if got := solve(t, solver, next, search.Value); got.Outcome != move.Outcome {
			t.Errorf("deal %d, %s\n%v is worth %d; the position after it, with a table after %s, %d",
				i, describePosition(p), move.Card, move.Outcome, how, got.Outcome)
		}
	}
	check("after a later position", solve(t, a.mixed, p, search.Value))
}
