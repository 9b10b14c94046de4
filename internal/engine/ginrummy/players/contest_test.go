package players_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
	"roem/internal/engine/match/matchtest"
	"roem/internal/engine/table"
)

func kind(t *testing.T, name string) players.Kind {
	t.Helper()
	k, err := match.ParseKind(name, players.Kinds())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The result depends on the seed, and not on the number of workers or on how decisions are run.
func TestContest(t *testing.T) {
	simple, random := kind(t, "simple"), kind(t, "random")
	run := func(workers int, slow bool) players.Result {
		t.Helper()
		c := players.Contest{A: simple, B: random, Pairs: 20, Seed: 3, Workers: workers}
		if slow {
			c.A = match.NewKind("simple", true, players.NewSimple)
			c.Do = func(ctx context.Context, work func(context.Context) error) error { return work(ctx) }
		}
		r, err := c.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := run(1, false)
	times := cmpopts.IgnoreFields(players.Side{}, "Decision")
	for _, workers := range []int{1, 3} {
		if diff := cmp.Diff(want, run(workers, true), times); diff != "" {
			t.Errorf("%d workers\n%s", workers, diff)
		}
	}
	again := matchtest.Interrupted(t, 7, func(k match.Keeping) (players.Result, error) {
		return players.Contest{A: simple, B: random, Pairs: 20, Seed: 3, Workers: 2, Keeping: k}.Run(t.Context())
	})
	if diff := cmp.Diff(want, again, times); diff != "" {
		t.Errorf("after an interruption (-one +two)\n%s", diff)
	}
	if want.Won < 38 || want.Games != 40 || want.Share.Mean != float64(want.Won)/40 || want.Sides[0].Decision.Len() == 0 {
		t.Errorf("simple against random: %+v", want)
	}
	knocks := want.Sides[0].Knocks + want.Sides[1].Knocks
	if knocks+want.Voids != want.Deals || want.Deals < 40 {
		t.Errorf("%d knocks, %d voids and %d deals", knocks, want.Voids, want.Deals)
	}
}

// A player against itself wins half of the games, within four standard errors, and the two games of a pair depend on each other: the cards
// matter.
func TestContestOfEquals(t *testing.T) {
	c := players.Contest{A: kind(t, "simple"), B: kind(t, "simple"), Pairs: 1000, Seed: 4}
	r, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.4f +- %.4f, margin %.2f +- %.2f, duplication %.3f", r.Share.Mean, r.Share.Error, r.Margin.Mean, r.Margin.Error, r.Duplication)
	if math.Abs(r.Share.Mean-0.5) > 4*r.Share.Error || math.Abs(r.Margin.Mean) > 4*r.Margin.Error {
		t.Errorf("share %+v, margin %+v", r.Share, r.Margin)
	}
	if math.Abs(r.Share.Low-(r.Share.Mean-match.Z*r.Share.Error)) > 1e-3 || r.Duplication > 0.95 || r.Duplication <= 0 {
		t.Errorf("interval %+v, duplication %v", r.Share, r.Duplication)
	}
}

// Both games of a pair have the same deals and the same starter of the first, and other pairs have others.
func TestContestDeals(t *testing.T) {
	type first struct {
		starter ginrummy.Seat
		own     ginrummy.Set
		upcard  ginrummy.Card
	}
	var seen []map[ginrummy.Seat]first
	spy := match.NewKind("spy", false, func(rng *rand.Rand) players.Player {
		return spyPlayer{players.NewSimple(rng), func(v ginrummy.View) {
			at := seen[len(seen)-1]
			if _, ok := at[v.Seat]; !ok {
				own := v.Own
				for _, e := range v.Events { // none of the first decision but what the other did
					if e.Seat == v.Seat {
						t.Errorf("%+v", e)
					}
				}
				at[v.Seat] = first{v.Starter, own, v.Upcard}
			}
		}}
	})
	made := 0
	counted := match.NewKind("counted", false, func(rng *rand.Rand) players.Player {
		if made%2 == 0 {
			seen = append(seen, map[ginrummy.Seat]first{})
		}
		made++
		return spy.New(rng)
	})
	c := players.Contest{A: counted, B: counted, Pairs: 10, Seed: 5}
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 20 {
		t.Fatalf("%d games", len(seen))
	}
	starters := map[ginrummy.Seat]int{}
	for i := 0; i < len(seen); i += 2 {
		for seat, one := range seen[i] {
			if two, ok := seen[i+1][seat]; ok && one != two {
				t.Errorf("pair %d: %+v and %+v", i/2, one, two)
			}
			starters[one.starter]++
		}
		if i > 0 && cmp.Equal(seen[i][0].own, seen[i-1][0].own) {
			t.Errorf("pair %d has the deal of the one before it", i/2)
		}
	}
	if len(starters) != 2 {
		t.Errorf("starters %v", starters)
	}
}

type spyPlayer struct {
	players.Player
	see func(ginrummy.View)
}

func (s spyPlayer) Choose(ctx context.Context, v ginrummy.View) (ginrummy.Action, error) {
	s.see(v)
	return s.Player.Choose(ctx, v)
}

// An action that is not allowed is the fault of its player.
func TestFault(t *testing.T) {
	bad := match.NewKind("bad", false, func(*rand.Rand) players.Player { return badPlayer{} })
	_, err := players.Contest{A: kind(t, "simple"), B: bad, Pairs: 1}.Run(t.Context())
	fault, ok := errors.AsType[*table.Fault](err)
	if !ok || fault.Seat != 1 {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (players.Contest{A: kind(t, "simple"), B: kind(t, "simple"), Pairs: 1}).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := match.ParseKind("best", players.Kinds()); err == nil ||
		err.Error() != `"best" is not one of random, simple, ohe` {
		t.Errorf("%v", err)
	}
}

type badPlayer struct{}

func (badPlayer) Choose(context.Context, ginrummy.View) (ginrummy.Action, error) {
	return ginrummy.Action{Kind: ginrummy.Discard}, nil
}
