package players

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/match"
	"roem/internal/engine/match/matchtest"
)

func between(t *testing.T, a, b string, deals int) Contest {
	t.Helper()
	c := Contest{Deals: deals, Seed: 3, Suits: 1}
	var err error
	if c.A, err = ParseKind(a, 5); err != nil {
		t.Fatal(err)
	}
	if c.B, err = ParseKind(b, 5); err != nil {
		t.Fatal(err)
	}
	return c
}

func run(t *testing.T, c Contest) Result {
	t.Helper()
	r, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The result depends on the seed only. A kind against itself makes no difference, and swapping the kinds turns the sign.
func TestContest(t *testing.T) {
	c := between(t, "sampling:3", "simple", 30)
	one := run(t, c)
	c.Workers = 3
	three := run(t, c)
	times := cmpopts.IgnoreTypes(match.Times{})
	if diff := cmp.Diff(one, three, times); diff != "" {
		t.Errorf("with three workers (-one +three)\n%s", diff)
	}
	again := matchtest.Interrupted(t, 7, func(k match.Keeping) (Result, error) { c.Keeping = k; return c.Run(t.Context()) })
	if diff := cmp.Diff(one, again, times); diff != "" {
		t.Errorf("after an interruption (-one +two)\n%s", diff)
	}
	if one.Hands != 60 || one.Sides[0].Declared != 30 || one.Sides[1].Declared != 30 || one.Sides[0].Decision.Len() != 60*4 {
		t.Errorf("%+v", one)
	}
	if sum := one.Sides[0].Points + one.Sides[1].Points; sum != 60*72 {
		t.Errorf("%d points, want %d", sum, 60*72)
	}
	if same := run(t, between(t, "simple", "simple", 30)); same.Difference.Mean != 0 || same.Tied != 30 {
		t.Errorf("simple against itself: %+v", same.Summary)
	}
	swapped := run(t, between(t, "simple", "exact", 30))
	straight := run(t, between(t, "exact", "simple", 30))
	if swapped.Difference.Mean != -straight.Difference.Mean || swapped.Won != straight.Lost {
		t.Errorf("%+v, swapped %+v", straight.Summary, swapped.Summary)
	}
}

// Each kind plays better than the one before it, and nobody beats the player that sees all cards.
func TestStrength(t *testing.T) {
	for _, pair := range [][2]string{
		{"simple", "random"},
		{"sampling:5", "random"},
		{"exact", "simple"},
		{"exact", "sampling:5"},
		{"exact", "expectimax:5"},
	} {
		c := between(t, pair[0], pair[1], 150)
		c.Suits = 2
		if pair[1] == "expectimax:5" {
			c.Suits = 1
		}
		if r := run(t, c); r.Points.Low <= 0 {
			t.Errorf("%v: %+v points a hand", pair, r.Points)
		}
	}
}

// If both see all cards, both tables of a deal end with its exact value.
func TestExact(t *testing.T) {
	c := between(t, "exact", "exact", 20)
	made := 0
	var s Tools
	for i := range c.Deals {
		p, err := belote.NewPosition(c.Deal(i))
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Solve(t.Context(), search.Query{Position: p, NoLine: true})
		if err != nil {
			t.Fatal(err)
		}
		if v.Won {
			made++
		}
	}
	r := run(t, c)
	if r.Points.Mean != 0 || r.Tied != 20 || r.Sides[0].Made != made || r.Sides[1].Made != made {
		t.Errorf("%+v, want %d contracts made by each", r, made)
	}
}

func TestParseKind(t *testing.T) {
	for text, want := range map[string]struct {
		worlds int
		bad    bool
	}{
		"random": {}, "sampling": {worlds: 7}, "sampling:20": {worlds: 20}, "expectimax:2": {worlds: 2}, "exact": {},
		"": {bad: true}, "pimc": {bad: true}, "simple:2": {bad: true}, "sampling:1": {bad: true}, "sampling:": {bad: true},
		"sampling:020": {bad: true}, "sampling:10001": {bad: true},
	} {
		kind, err := ParseKind(text, 7)
		if (err != nil) != want.bad || kind.Worlds() != want.worlds {
			t.Errorf("%q: %d worlds, error %v", text, kind.Worlds(), err)
		}
	}
}

// A contest ends with the error of its pause, or of its context.
func TestContestStops(t *testing.T) {
	stop := errors.New("no slot")
	c := between(t, "sampling:5", "simple", 50)
	c.Do = func(ctx context.Context, play func(context.Context, func() error) error) error {
		return play(ctx, func() error { return stop })
	}
	if _, err := c.Run(t.Context()); !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := between(t, "random", "simple", 50).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
