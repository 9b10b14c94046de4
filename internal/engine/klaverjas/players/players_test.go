package players

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/match"
	"roem/internal/engine/match/matchtest"
	"roem/internal/engine/piquet"
)

// someRules are sets of rules that differ in every switch that concerns the play.
func someRules() map[string]klaverjas.Rules {
	forced, free := klaverjas.DefaultRules(klaverjas.Amsterdam), klaverjas.DefaultRules(klaverjas.Rotterdam)
	forced.UnderRuff, free.UnderRuff = klaverjas.Forced, klaverjas.Free
	return map[string]klaverjas.Rules{
		"rotterdam": klaverjas.DefaultRules(klaverjas.Rotterdam), "amsterdam": klaverjas.DefaultRules(klaverjas.Amsterdam),
		"logical": LogicalRules(), "forced": forced, "free": free,
	}
}

func kind(t *testing.T, text string) Kind {
	t.Helper()
	k, err := ParseKind(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func between(t *testing.T, a, b string, units int) Contest {
	t.Helper()
	return Contest{A: kind(t, a), B: kind(t, b), Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Units: units, Seed: 1, Workers: 2}
}

func run(t *testing.T, c Contest) Result {
	t.Helper()
	r, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every player plays legal cards to the end, under all rules. A card that is not legal would be a fault.
func TestPlayersPlayLegally(t *testing.T) {
	for name, rules := range someRules() {
		for _, of := range []string{"random", "simple", "logical", "logical:rules", "logical:compat", "pimc:2", "open"} {
			t.Run(name+" "+of, func(t *testing.T) {
				c := between(t, of, "random", 20)
				if strings.HasPrefix(of, "pimc") {
					c.Units = 3
				}
				c.Rules = rules
				c.Record = func(r Record) error {
					if n := len(r.Played); n != 32 || piquet.SetOf(r.Played...) != piquet.Deck {
						t.Errorf("%d cards played: %v", n, r.Played)
					}
					return nil
				}
				r := run(t, c)
				if r.Hands != 2*c.Units || r.Sides[0].Decision.Len() != 32*c.Units {
					t.Errorf("%d hands, %d decisions", r.Hands, r.Sides[0].Decision.Len())
				}
			})
		}
	}
}

// The result depends on the seed and not on the number of workers.
func TestContestRepeats(t *testing.T) {
	for _, length := range []Length{OneHand, Hands16, Points1500} {
		t.Run(length.String(), func(t *testing.T) {
			result := func(seed uint64, workers int) (Result, []Record) {
				c := between(t, "random", "logical:compat", 60/length.Hands()+2)
				c.Length, c.Workers, c.Seed, c.Declarers = length, workers, seed, RandomDeclares
				if length == OneHand {
					c.Units, c.Declarers = 10, BestDeclares
				}
				var records []Record
				c.Record = func(r Record) error { records = append(records, r); return nil }
				return run(t, c), records
			}
			times := cmpopts.IgnoreTypes(match.Times{})
			want, wantRecords := result(1, 1)
			for _, workers := range []int{1, 2, 5} {
				got, records := result(1, workers)
				if diff := cmp.Diff(want, got, times); diff != "" {
					t.Errorf("%d workers (-one +these)\n%s", workers, diff)
				}
				if diff := cmp.Diff(wantRecords, records); diff != "" {
					t.Errorf("%d workers: other hands (-one +these)\n%s", workers, diff)
				}
			}
			again := matchtest.Interrupted(t, 2, func(k match.Keeping) (Result, error) {
				c := between(t, "random", "logical:compat", 60/length.Hands()+2)
				c.Length, c.Declarers, c.Keeping = length, RandomDeclares, k
				if length == OneHand {
					c.Units, c.Declarers = 10, BestDeclares
				}
				return c.Run(t.Context())
			})
			if diff := cmp.Diff(want, again, times); diff != "" {
				t.Errorf("after an interruption (-one +two)\n%s", diff)
			}
			if other, _ := result(2, 1); cmp.Equal(want, other, times) {
				t.Error("another seed has the same result")
			}
		})
	}
}

// The deals do not depend on who plays.
func TestContestDeals(t *testing.T) {
	deals := func(a, b string, d Declarers) (out []klaverjas.Deal) {
		c := between(t, a, b, 20)
		c.Declarers = d
		c.Record = func(r Record) error {
			if !r.Swapped {
				out = append(out, r.Deal)
			} else if diff := cmp.Diff(out[len(out)-1], r.Deal); diff != "" {
				t.Errorf("the second hand has another deal (-first +second)\n%s", diff)
			}
			return nil
		}
		run(t, c)
		return out
	}
	want := deals("random", "simple", LeaderDeclares)
	for name, got := range map[string][]klaverjas.Deal{
		"other players": deals("logical", "random", LeaderDeclares), "best": deals("simple", "simple", BestDeclares),
		"random": deals("simple", "simple", RandomDeclares),
	} {
		ignore := cmp.Options{}
		if name != "other players" {
			ignore = append(ignore, cmpopts.IgnoreFields(klaverjas.Deal{}, "Declarer"))
		}
		if diff := cmp.Diff(want, got, ignore); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	solver := search.New(search.Options{TableBytes: 1 << 20})
	for _, d := range deals("random", "random", BestDeclares) {
		var outcomes [2]int
		for _, team := range piquet.Teams() {
			one := d
			one.Declarer = team
			p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), one)
			if err != nil {
				t.Fatal(err)
			}
			r, err := solver.Solve(t.Context(), search.Query{Position: p, Goal: search.Value})
			if err != nil {
				t.Fatal(err)
			}
			outcomes[team] = r.Outcome
		}
		if outcomes[d.Declarer] < outcomes[d.Declarer.Opponents()] {
			t.Errorf("%s declares, with outcome %d against %d", d.Declarer, outcomes[d.Declarer], outcomes[d.Declarer.Opponents()])
		}
	}
}

// A player against itself neither wins nor loses.
func TestContestAgainstItself(t *testing.T) {
	for _, name := range []string{"simple", "logical"} { // they draw nothing: both hands of a deal are the same
		if r := run(t, between(t, name, name, 50)); r.Difference != (match.Estimate{}) || r.Tied != 50 {
			t.Errorf("%s: %+v", name, r.Summary)
		}
	}
	r := run(t, between(t, "random", "random", 2000))
	if e := r.Difference; math.Abs(e.Mean) > 3*e.Error || e.Error == 0 {
		t.Errorf("random: the difference is %+v", e)
	}
	if e := r.Share; math.Abs(e.Mean-0.5) > 3*e.Error {
		t.Errorf("random: the share is %+v", e)
	}
}

// The order of strength: each beats the one before by more than chance.
func TestStrength(t *testing.T) {
	for _, pair := range [][2]string{{"logical", "random"}, {"simple", "logical"}, {"open", "simple"}} {
		if e := run(t, between(t, pair[0], pair[1], 200)).Difference; e.Low <= 0 {
			t.Errorf("%v: %+v", pair, e)
		}
	}
}

// Four players who see all cards reach the value of the deal.
func TestOpenReachesTheValue(t *testing.T) {
	solver := search.New(search.Options{TableBytes: 1 << 20})
	c := between(t, "open", "open", 20)
	c.Record = func(r Record) error {
		p, err := klaverjas.NewPosition(c.Rules, r.Deal)
		if err != nil {
			return err
		}
		value, err := solver.Solve(t.Context(), search.Query{Position: p, Goal: search.Value})
		if got := r.Points[r.Deal.Declarer] - r.Points[r.Deal.Declarer.Opponents()]; got != value.Outcome {
			t.Errorf("the outcome is %d, want %d", got, value.Outcome)
		}
		return err
	}
	run(t, c)
}

func TestSheet(t *testing.T) {
	for name, rules := range someRules() {
		c := between(t, "random", "random", 100)
		c.Rules = rules
		nat := 0
		c.Record = func(r Record) error {
			p, err := klaverjas.NewPosition(rules, r.Deal)
			if err == nil {
				p, err = p.Replay(r.Played)
			}
			if err != nil {
				return err
			}
			d := r.Deal.Declarer
			if got := r.Points[d] - r.Points[d.Opponents()]; got != p.Outcome() {
				t.Errorf("%s: %v on the sheet, want a difference of %d", name, r.Points, p.Outcome())
			}
			if p.Outcome() <= 0 {
				nat++
				if r.Points[d] != 0 {
					t.Errorf("%s: nat, and %v on the sheet", name, r.Points)
				}
			} else if r.Points[d] != p.Score().Sum(d) {
				t.Errorf("%s: %v on the sheet, want %d", name, r.Points, p.Score().Sum(d))
			}
			return nil
		}
		if r := run(t, c); nat != r.Sides[0].Nat+r.Sides[1].Nat || nat == 0 {
			t.Errorf("%s: %d hands are nat, and %d and %d in the result", name, nat, r.Sides[0].Nat, r.Sides[1].Nat)
		}
	}
}

// Games of 16 hands and to 1500 points end when they should, and the leaders take turns.
func TestGames(t *testing.T) {
	for _, length := range []Length{Hands16, Points1500} {
		c := between(t, "simple", "random", 10)
		c.Length = length
		totals := map[[2]int][2]int{} // by game and table
		hands := map[[2]int]int{}
		c.Record = func(r Record) error {
			at := [2]int{r.Unit, 0}
			if r.Swapped {
				at[1] = 1
			}
			before := totals[at]
			if length == Points1500 && max(before[0], before[1]) >= 1500 {
				t.Errorf("hand %d is played at %v", r.Hand, before)
			}
			if r.Hand != hands[at] || r.Deal.Leader != piquet.North.Plus(r.Hand) {
				t.Errorf("hand %d of %d, leader %s", r.Hand, hands[at], r.Deal.Leader)
			}
			totals[at] = [2]int{before[0] + r.Points[0], before[1] + r.Points[1]}
			hands[at]++
			return nil
		}
		r := run(t, c)
		won, played := 0, 0
		for at, total := range totals {
			played += hands[at]
			if length == Hands16 && hands[at] != 16 || length == Points1500 && max(total[0], total[1]) < 1500 {
				t.Errorf("a game of %d hands ends with %v", hands[at], total)
			}
			if total[at[1]] > total[1-at[1]] {
				won++
			}
		}
		if r.Games == nil || r.Games.Won != won || r.Games.Won+r.Games.Tied+r.Games.Lost != 20 || r.Hands != played || r.Games.Share.Low <= 0.5 {
			t.Errorf("%s: %+v, %d hands; want %d games won, %d hands", length, r.Games, r.Hands, won, played)
		}
	}
}

// cheat plays a card that it may not play, or none.
type cheat struct{ err error }

func (c cheat) Choose(_ context.Context, v worlds.View) (Choice, error) {
	return Choice{Card: (piquet.Deck &^ v.Hand).First()}, c.err
}

func TestFault(t *testing.T) {
	mine := errors.New("I cannot decide")
	for _, want := range []error{nil, mine} {
		c := between(t, "random", "random", 5)
		c.B = Kind{name: "cheat", make: func(Place) Player { return cheat{want} }}
		_, err := c.Run(t.Context())
		fault, ok := errors.AsType[*Fault](err)
		if !ok || fault.Player != "cheat" || fault.Seat.Team() != piquet.EastWest || fault.Deal.Hands == [4]piquet.Set{} {
			t.Fatalf("%v, want a fault of the cheat at east or west", err)
		}
		_, illegal := errors.AsType[*klaverjas.IllegalCard](err)
		if want == nil && !illegal || want != nil && !errors.Is(err, want) {
			t.Errorf("the cause is %v", fault.Cause)
		}
		for _, part := range []string{"cheat", "sits at " + fault.Seat.String(), "trump", "N: ", fault.Deal.Hands[piquet.North].String()} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %q", err, part)
			}
		}
	}
}

func TestContestStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("stopped")
	c := between(t, "random", "random", 100_000)
	c.Progress = func(int) { cancel(cause) }
	if _, err := c.Run(ctx); !errors.Is(err, cause) {
		t.Errorf("%v, want the cause", err)
	}
}

func TestParseKind(t *testing.T) {
	for text, worlds := range map[string]int{
		"random": 0, "logical": 0, "logical:rules": 0, "logical:compat": 0, "simple": 0, "pimc": 7, "pimc:1": 1, "pimc:10000": 10_000, "open": 0,
	} {
		k, err := ParseKind(text, 7)
		if err != nil || k.Worlds() != worlds || k.Name() != text {
			t.Errorf("%s: %s with %d worlds, %v, want %d", text, k.Name(), k.Worlds(), err, worlds)
		}
	}
	for text, want := range map[string]string{
		"":        "is not one of random, logical, simple, pimc, belief, policy, playout, mixture, open, beginner, casual, club, strong, master",
		"Random":  "did you mean random?; it must be one of random, logical",
		"random:": "has no option", "simple:1": "has no option",
		"logical:": "the option of logical is rules or compat", "logical:both": "the option of logical is rules or compat",
		"pimc:": "a number of worlds", "pimc:0": "a number of worlds",
		"pimc:010": "a number of worlds", "pimc:10001": "a number of worlds", "pimc:-1": "a number of worlds",
		strings.Repeat("x", 1000): "is not one of random, logical",
	} {
		if _, err := ParseKind(text, 0); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 200 {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// Near the end, where all worlds can be searched, pimc plays the card with the highest mean over all of them.
func TestPIMCWithAllWorlds(t *testing.T) {
	solver := search.New(search.Options{TableBytes: 1 << 20})
	c := between(t, "random", "random", 15)
	checked := 0
	c.Record = func(r Record) error {
		p, err := klaverjas.NewPosition(c.Rules, r.Deal)
		if err != nil {
			return err
		}
		if p, err = p.Replay(r.Played[:22]); err != nil {
			return err
		}
		v := worlds.ViewOf(p, r.Played[:22], p.Turn())
		k, err := worlds.New(v)
		if err != nil || k.Worlds() > 500 {
			return err
		}
		var sums [32]int
		for n := range k.Worlds() {
			q := search.Query{Position: k.Position(k.World(n)), Goal: search.Moves}
			s, err := solver.Solve(t.Context(), q)
			if err != nil {
				return err
			}
			for _, m := range s.Moves {
				if v.Seat.Team() == v.Declarer {
					sums[m.Card] += m.Outcome
				} else {
					sums[m.Card] -= m.Outcome
				}
			}
		}
		choice, err := kind(t, "pimc:500").New(Place{Seat: v.Seat, Rand: randFor(1, 2, v.Seat), Tools: &Tools{}}).Choose(t.Context(), v)
		for card := range k.Legal().All() {
			if sums[card] > sums[choice.Card] {
				t.Errorf("%s is played with %d, %s has %d", choice.Card, sums[choice.Card], card, sums[card])
			}
		}
		checked++
		return err
	}
	run(t, c)
	if checked < 10 {
		t.Errorf("only %d positions", checked)
	}
}
