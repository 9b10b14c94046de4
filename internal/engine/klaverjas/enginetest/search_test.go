package enginetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

var goals = []search.Goal{search.Win, search.Value, search.Moves}

// solve solves a position and checks everything that does not depend on the value: the fields that the goal sets, the order of the
// moves, and that the line ends with the outcome.
func solve(t *testing.T, solver *search.Solver, p klaverjas.Position, goal search.Goal) search.Result {
	t.Helper()
	result, err := solver.Solve(t.Context(), search.Query{Position: p, Goal: goal})
	if err != nil {
		t.Fatal(err)
	}
	if problem := inconsistent(p, goal, result); problem != "" {
		t.Fatalf("%v of %v: %s\n%+v", goal, describePosition(p), problem, result)
	}
	return result
}

func inconsistent(p klaverjas.Position, goal search.Goal, r search.Result) string {
	if r.Goal != goal {
		return fmt.Sprintf("answers the goal %v", r.Goal)
	}
	if goal == search.Win {
		if len(r.Moves) != 0 || len(r.Line) != 0 {
			return "more than was asked for"
		}
		return ""
	}
	if r.Won != (r.Outcome > 0) {
		return "won does not agree with the outcome"
	}
	end, err := p.Replay(r.Line)
	if err != nil || !end.Finished() {
		return fmt.Sprintf("the line does not lead to the end: %v", err)
	}
	if end.Outcome() != r.Outcome {
		return fmt.Sprintf("the line ends on %d", end.Outcome())
	}
	if goal == search.Value {
		if len(r.Moves) != 0 {
			return "more than was asked for"
		}
		return ""
	}
	declarers := p.Turn().Team() == p.Deal().Declarer
	var listed piquet.Set
	for i, m := range r.Moves {
		listed = listed.With(m.Card)
		if m.Won != (m.Outcome > 0) {
			return fmt.Sprintf("%v: won does not agree with the outcome", m.Card)
		}
		if m.Best != (m.Outcome == r.Outcome) {
			return fmt.Sprintf("%v: best is %v", m.Card, m.Best)
		}
		if i > 0 && m.Outcome != r.Moves[i-1].Outcome && declarers == (m.Outcome > r.Moves[i-1].Outcome) {
			return fmt.Sprintf("%v: a better card stands behind a worse one", m.Card)
		}
	}
	if listed != p.Legal() || len(r.Moves) != p.Legal().Len() {
		return fmt.Sprintf("moves %v, legal %v", listed, p.Legal())
	}
	if !r.Moves[0].Best {
		return "no card leads to the outcome"
	}
	return ""
}

func describePosition(p klaverjas.Position) string {
	d := p.Deal()
	return fmt.Sprintf("rules %+v, trump %v, declarer %v, hands %v, %d played, trick %+v, score %+v, tricks %v",
		p.Rules(), d.Trump, d.Declarer, d.Hands, p.Played(), p.Trick(), p.Score(), p.TricksTaken())
}

// values returns the outcome of every card.
func values(moves []search.MoveValue) map[piquet.Card]int {
	out := map[piquet.Card]int{}
	for _, m := range moves {
		out[m.Card] = m.Outcome
	}
	return out
}

// The search agrees with minimax on random endgames of every kind and with all rules, for every goal and every card.
func TestSearchAgainstMinimax(t *testing.T) {
	t.Parallel()
	batches := []struct{ count, all, ordinary int }{{1, 1_000, 500}, {2, 10_000, 3_000}, {3, 15_000, 4_000}, {4, 12_000, 3_000}, {5, 80, 10}}
	sets := naive.RuleSets()
	for _, b := range batches {
		t.Run(fmt.Sprintf("%d cards a hand", b.count), func(t *testing.T) {
			t.Parallel()
			// One solver for all endgames: its table must not affect the next endgame.
			solver := search.New(search.Options{TableBytes: 1 << 20})
			var wins, nodes int
			repetitions := many(b.all, b.ordinary)
			for i := range repetitions {
				rng := rand.New(rand.NewPCG(uint64(b.count), uint64(i)))
				rules := naive.RandomRules(rng)
				if i%3 == 0 {
					rules = sets[i/3%len(sets)]
				}
				s := naive.RandomEndgame(rng, rules, naive.Kind(i%int(naive.Kinds)), b.count)
				p, err := Endgame(s)
				if err != nil {
					t.Fatalf("endgame %d: %v: %v", i, s, err)
				}
				outcome, moves, n := naive.Minimax(s)
				nodes += n
				if outcome > 0 {
					wins++
				}
				want := map[piquet.Card]int{}
				for card, value := range moves {
					want[piquet.Card(card)] = value
				}
				for _, at := range rng.Perm(len(goals)) { // in any order, so that the table has results of the goals before
					goal := goals[at]
					result := solve(t, solver, p, goal)
					if result.Won != (outcome > 0) || goal != search.Win && result.Outcome != outcome {
						t.Fatalf("endgame %d (seed %d, %d), goal %v: %v\nminimax %d %v, search won %v, outcome %d",
							i, b.count, i, goal, s, outcome, moves, result.Won, result.Outcome)
					}
					if goal == search.Moves {
						if diff := gocmp.Diff(want, values(result.Moves)); diff != "" {
							t.Fatalf("endgame %d (seed %d, %d): %v\nmoves (-minimax +search):\n%s", i, b.count, i, s, diff)
						}
					}
				}
			}
			t.Logf("%d of %d endgames won, minimax visited %d positions", wins, repetitions, nodes)
			if share := float64(wins) / float64(repetitions); share < 0.2 || share > 0.8 {
				t.Errorf("%.0f %% of the endgames are won: too one-sided for a test", 100*share)
			}
		})
	}
}

// Longer endgames, which take too long for minimax, are compared with alpha-beta of the reference implementation: the value, and the
// value of one card.
func TestSearchAgainstAlphaBeta(t *testing.T) {
	t.Parallel()
	for _, b := range []struct{ count, all, ordinary int }{{5, 1_500, 300}, {6, 600, 100}, {7, 40, 8}} {
		t.Run(fmt.Sprintf("%d cards a hand", b.count), func(t *testing.T) {
			t.Parallel()
			solver := search.New(search.Options{TableBytes: 1 << 20})
			for i := range many(b.all, b.ordinary) {
				rng := rand.New(rand.NewPCG(200+uint64(b.count), uint64(i)))
				s := naive.RandomEndgame(rng, naive.RandomRules(rng), naive.Kind(i%int(naive.Kinds)), b.count)
				p, err := Endgame(s)
				if err != nil {
					t.Fatalf("endgame %d: %v: %v", i, s, err)
				}
				want := naive.AlphaBeta(s)
				if won := solve(t, solver, p, search.Win).Won; won != (want > 0) {
					t.Fatalf("endgame %d: %v: won %v, alpha-beta %d", i, s, won, want)
				}
				result := solve(t, solver, p, search.Moves)
				move := result.Moves[rng.IntN(len(result.Moves))]
				after := naive.AlphaBeta(s.Game().Play(move.Card.String()).State())
				if result.Outcome != want || move.Outcome != after {
					t.Fatalf("endgame %d: %v: search %d, %v %d; alpha-beta %d, %v %d",
						i, s, result.Outcome, move.Card, move.Outcome, want, move.Card, after)
				}
			}
		})
	}
}

// The second half of a hand, card by card with one solver, is compared with minimax: the table has entries of earlier and later
// positions, which must be valid.
func TestSearchAlongAHand(t *testing.T) {
	t.Parallel()
	solver := search.New(search.Options{})
	for i := range many(150, 150) {
		rng := rand.New(rand.NewPCG(21, uint64(i)))
		s := naive.RandomDeal(rng, naive.RandomRules(rng), naive.Kind(i%int(naive.Kinds)))
		start, g := drawn(t, s, Start)
		line := []piquet.Card{}
		games := []naive.Game{g}
		for p := start; !p.Finished(); {
			legal := p.Legal().Slice()
			card := legal[rng.IntN(len(legal))]
			line = append(line, card)
			g = g.Play(card.String())
			games = append(games, g)
			var err error
			if p, err = p.Play(card); err != nil {
				t.Fatal(err)
			}
		}
		order := []int{}
		for played := 17; played < 32; played++ {
			order = append(order, played)
		}
		if i%2 == 0 {
			slices.Reverse(order)
		}
		for _, played := range order {
			p, err := start.Replay(line[:played])
			if err != nil {
				t.Fatal(err)
			}
			_, moves, _ := naive.Minimax(games[played].State())
			want := map[piquet.Card]int{}
			for card, value := range moves {
				want[piquet.Card(card)] = value
			}
			if diff := gocmp.Diff(want, values(solve(t, solver, p, search.Moves).Moves)); diff != "" {
				t.Fatalf("hand %d, %v after %v (-minimax +search):\n%s", i, s, line[:played], diff)
			}
		}
	}
}

// deals calls f with whole deals, half of them with the default rules, and with a random generator for each deal.
func deals(t *testing.T, seed uint64, n int, f func(rng *rand.Rand, p klaverjas.Position)) {
	t.Helper()
	for i := range many(n, n) {
		rng := index.NewRand(seed + uint64(i)<<32)
		rules := klaverjas.DefaultRules(klaverjas.System(i / 2 & 1))
		if i&1 == 1 {
			var err error
			if rules, err = Rules(naive.RandomRules(rng)); err != nil {
				t.Fatal(err)
			}
		}
		d := klaverjas.Deal{Trump: piquet.Suit(rng.IntN(4)), Leader: piquet.Seat(rng.IntN(4)), Declarer: piquet.Team(rng.IntN(2))}
		d.Hands = index.Random(rng, d.Trump, d.Leader)
		p, err := klaverjas.NewPosition(rules, d)
		if err != nil {
			t.Fatal(err)
		}
		f(rng, p)
	}
}

// On whole deals the goals agree: the value agrees with the best card, and the deal is won if and only if the goal win returns so.
func TestGoalsAgree(t *testing.T) {
	solver := search.New(search.Options{})
	deals(t, 31, 60, func(rng *rand.Rand, p klaverjas.Position) {
		results := map[search.Goal]search.Result{}
		for _, at := range rng.Perm(len(goals)) {
			results[goals[at]] = solve(t, solver, p, goals[at]).Clone()
		}
		value, moves := results[search.Value], results[search.Moves]
		if results[search.Win].Won != value.Won || value.Outcome != moves.Outcome || value.Won != moves.Won {
			t.Errorf("%s: win %v, value %d, moves %d", describePosition(p), results[search.Win].Won, value.Outcome, moves.Outcome)
		}
		byOutcome := func(a, b search.MoveValue) int { return cmp.Compare(a.Outcome, b.Outcome) }
		best := slices.MaxFunc(moves.Moves, byOutcome)
		if p.Turn().Team() != p.Deal().Declarer {
			best = slices.MinFunc(moves.Moves, byOutcome)
		}
		if best.Outcome != value.Outcome {
			t.Errorf("%s: value %d, best card %+v", describePosition(p), value.Outcome, best)
		}
		if value.Outcome%2 != 0 || value.Outcome > -162 && value.Outcome < 2 {
			t.Errorf("%s: outcome %d", describePosition(p), value.Outcome)
		}
	})
}

// Renaming suits and seats does not change the value of any card.
func TestRelabellingChangesNothing(t *testing.T) {
	solver := search.New(search.Options{})
	deals(t, 32, 60, func(rng *rand.Rand, p klaverjas.Position) {
		want := values(solve(t, solver, p, search.Moves).Moves)
		d := p.Deal()
		suits, turn := rng.Perm(4), rng.IntN(4)
		other := klaverjas.Deal{
			Trump: piquet.Suit(suits[d.Trump]), Leader: d.Leader.Plus(turn), Declarer: piquet.Seat(d.Declarer).Plus(turn).Team(),
		}
		relabel := func(c piquet.Card) piquet.Card { return piquet.Of(piquet.Suit(suits[c.Suit()]), c.Face()) }
		for seat, hand := range d.Hands {
			for c := range hand.All() {
				to := piquet.Seat(seat).Plus(turn)
				other.Hands[to] = other.Hands[to].With(relabel(c))
			}
		}
		number, re := index.Canonical(d)
		canonical := re.Deal(d)
		if again, _ := index.Canonical(other); again != number {
			t.Fatalf("canonical indices %d and %d", number, again)
		}
		for name, twin := range map[string]struct {
			deal klaverjas.Deal
			card func(piquet.Card) piquet.Card
		}{"relabelled": {other, relabel}, "canonical": {canonical, re.Card}} {
			q, err := klaverjas.NewPosition(p.Rules(), twin.deal)
			if err != nil {
				t.Fatal(err)
			}
			relabelled := map[piquet.Card]int{}
			for card, value := range want {
				relabelled[twin.card(card)] = value
			}
			if diff := gocmp.Diff(relabelled, values(solve(t, solver, q, search.Moves).Moves)); diff != "" {
				t.Errorf("%s\n%s deal (-deal +twin):\n%s", describePosition(p), name, diff)
			}
		}
	})
}

// Along a random line with one solver, whose table has entries of earlier positions: each position has the value of its card one card
// before, and a new solver and a solver with the smallest table return the same.
func TestWarmAndCold(t *testing.T) {
	warm, small := search.New(search.Options{}), search.New(search.Options{TableBytes: 1})
	deals(t, 33, 40, func(rng *rand.Rand, p klaverjas.Position) {
		cold := search.New(search.Options{TableBytes: 8 << 20})
		expected, known := 0, false
		for !p.Finished() {
			result := solve(t, warm, p, search.Moves)
			if known && result.Outcome != expected {
				t.Fatalf("%s: value %d, but the card before had the value %d", describePosition(p), result.Outcome, expected)
			}
			moves := values(result.Moves)
			if p.Played()%5 == 0 {
				if diff := gocmp.Diff(moves, values(solve(t, small, p, search.Moves).Moves)); diff != "" {
					t.Fatalf("%s (-warm +small table):\n%s", describePosition(p), diff)
				}
			}
			if p.Played() == 3 || p.Played() == 10 {
				if diff := gocmp.Diff(moves, values(solve(t, cold, p, search.Moves).Moves)); diff != "" {
					t.Fatalf("%s (-warm +cold):\n%s", describePosition(p), diff)
				}
			}
			legal := p.Legal().Slice()
			card := legal[rng.IntN(len(legal))]
			expected, known = moves[card], true
			var err error
			if p, err = p.Play(card); err != nil {
				t.Fatal(err)
			}
		}
		if p.Outcome() != expected {
			t.Fatalf("%s: outcome %d, but the last card had the value %d", describePosition(p), p.Outcome(), expected)
		}
	})
}

// The bounds of the progress only become narrower and always include the value.
func TestProgress(t *testing.T) {
	solver := search.New(search.Options{})
	reports := 0
	deals(t, 34, 40, func(_ *rand.Rand, p klaverjas.Position) {
		var seen []search.Progress
		result, err := solver.Solve(t.Context(), search.Query{Position: p, Goal: search.Value, Progress: func(at search.Progress) {
			seen = append(seen, at)
		}})
		if err != nil {
			t.Fatal(err)
		}
		for i, at := range seen {
			if at.Lower > result.Outcome || at.Upper < result.Outcome {
				t.Errorf("%s: progress %+v, value %d", describePosition(p), seen, result.Outcome)
			}
			if i > 0 && (at.Lower < seen[i-1].Lower || at.Upper > seen[i-1].Upper || at.Nodes < seen[i-1].Nodes) {
				t.Errorf("%s: bounds became wider: %+v", describePosition(p), seen)
			}
		}
		reports += len(seen)
	})
	if reports == 0 {
		t.Error("no progress was reported")
	}
}

// A cancelled solve returns an error and leaves no wrong entries in the solver, at any time of the cancellation.
func TestCancelledSolveLeavesTheSolverClean(t *testing.T) {
	solver, fresh := search.New(search.Options{}), search.New(search.Options{})
	cancelled := 0
	deals(t, 35, 60, func(rng *rand.Rand, p klaverjas.Position) {
		done, stop := context.WithCancel(t.Context())
		stop()
		if _, err := solver.Solve(done, search.Query{Position: p, Goal: search.Value}); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: solved with a cancelled context: error = %v", describePosition(p), err)
		}
		for range 3 {
			ctx, stop := context.WithTimeout(t.Context(), time.Duration(rng.IntN(4_000))*time.Microsecond)
			_, err := solver.Solve(ctx, search.Query{Position: p, Goal: goals[rng.IntN(3)]})
			stop()
			if err != nil {
				cancelled++
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("%s: error = %v, want the context's", describePosition(p), err)
				}
			}
		}
		want, got := solve(t, fresh, p, search.Moves), solve(t, solver, p, search.Moves)
		if diff := gocmp.Diff(values(want.Moves), values(got.Moves)); diff != "" {
			t.Errorf("%s (-fresh +after a cancelled solve):\n%s", describePosition(p), diff)
		}
	})
	t.Logf("%d solves cancelled before their end", cancelled)
	if cancelled == 0 {
		t.Error("no solve was cancelled before its end")
	}
}
