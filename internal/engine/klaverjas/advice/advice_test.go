package advice_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/standing"
)

// counting is a solver that counts, and fails from a call on.
type counting struct {
	solver  *search.Solver
	calls   int
	failAt  int // 0 for never
	failure error
}

func (c *counting) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	c.calls++
	if c.failAt > 0 && c.calls >= c.failAt {
		return search.Result{Nodes: 1}, c.failure
	}
	return c.solver.Solve(ctx, q)
}

func TestNewQuestion(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	h := randomHand(t, rng, 5)
	for _, seat := range piquet.Seats() {
		_, err := advice.NewQuestion(knowsOf(t, worlds.ViewOf(h.at, h.played, seat)))
		if want := seat != h.at.Turn(); errors.Is(err, advice.ErrNotTurn) != want {
			t.Errorf("%v, %v to play: %v", seat, h.at.Turn(), err)
		}
	}
	h = randomHand(t, rng, 32)
	if _, err := advice.NewQuestion(h.knows(t)); !errors.Is(err, advice.ErrFinished) {
		t.Errorf("a finished hand: %v", err)
	}
	if _, _, err := advice.Choose(t.Context(), h.knows(t), rng, 10, newSolver()); !errors.Is(err, advice.ErrFinished) {
		t.Errorf("a finished hand: %v", err)
	}
}

func TestOneLegalCardIsNotSearched(t *testing.T) {
	forced := 0
	for i := range 40 {
		h := randomHand(t, rand.New(rand.NewPCG(2, uint64(i))), 21)
		k := h.knows(t)
		if k.Legal().Len() > 1 {
			continue
		}
		forced++
		s := &counting{}
		card, a, err := advice.Choose(t.Context(), k, rand.New(rand.NewPCG(1, 1)), 100, s)
		want := advice.Advice{
			Card: k.Legal().First(), Cards: []advice.Value{{
				Card: k.Legal().First(), BestIn: 1,
				Equal: true,
			}}, Of: k.Worlds(), Confidence: advice.Clear,
		}
		if diff := cmp.Diff(want, a); diff != "" || err != nil || card != want.Card || s.calls != 0 {
			t.Errorf("%v, %d searches, %v\n%s", card, s.calls, err, diff)
		}
	}
	if forced == 0 {
		t.Error("no such hand")
	}
}

// The same seed gives the same advice, another seed other worlds.
func TestSeeds(t *testing.T) {
	k := randomHand(t, rand.New(rand.NewPCG(3, 3)), 12).knows(t)
	solver := newSolver()
	choose := func(seed uint64) advice.Advice {
		_, a, err := advice.Choose(t.Context(), k, rand.New(rand.NewPCG(seed, 0)), 30, solver)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := choose(1)
	if diff := cmp.Diff(first, choose(1)); diff != "" {
		t.Errorf("the same seed, another advice:\n%s", diff)
	}
	if cmp.Equal(first.Cards, choose(2).Cards) {
		t.Error("another seed, the same figures")
	}
	if first.Used != 30 || first.All || first.Of != k.Worlds() {
		t.Errorf("%+v", first)
	}
}

// The deadline ends the search with what there is. Any other error is an error.
func TestDeadline(t *testing.T) {
	k := randomHand(t, rand.New(rand.NewPCG(4, 4)), 12).knows(t)
	broken := errors.New("broken")
	for _, tt := range []struct {
		name    string
		failAt  int
		failure error
		used    int
		want    error
	}{
		{"after five worlds", 6, context.DeadlineExceeded, 5, nil},
		{"before the first", 1, context.DeadlineExceeded, 0, context.DeadlineExceeded},
		{"cancelled", 6, context.Canceled, 0, context.Canceled},
		{"fault", 6, broken, 0, broken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &counting{solver: newSolver(), failAt: tt.failAt, failure: tt.failure}
			_, a, err := advice.Choose(t.Context(), k, rand.New(rand.NewPCG(1, 1)), 20, s)
			if !errors.Is(err, tt.want) || a.Used != tt.used {
				t.Errorf("%d worlds, %v", a.Used, err)
			}
		})
	}
}

// With Stop, a clear choice takes fewer worlds, and the advice rests on the worlds until then.
func TestStop(t *testing.T) {
	solver := newSolver()
	stopped := 0
	for i := range 20 {
		q := questionOf(t, randomHand(t, rand.New(rand.NewPCG(5, uint64(i))), 17).knows(t))
		decide := func(o advice.Options) advice.Advice {
			a, err := q.Decide(t.Context(), rand.New(rand.NewPCG(1, 1)), solver, o)
			if err != nil {
				t.Fatal(err)
			}
			a.Nodes = 0 // the table may be warm
			return a
		}
		early := decide(advice.Options{Worlds: 80, Stop: 2})
		if q.Forced() || early.Used == 80 {
			continue
		}
		stopped++
		if early.Used%advice.StopEvery != 0 || early.Confidence != advice.Clear {
			t.Errorf("stopped after %d worlds: %+v", early.Used, early)
		}
	}
	if stopped < 3 {
		t.Errorf("only %d of 20 stopped", stopped)
	}
}

// Weights count worlds: a world with weight 2 is that world twice. A common factor changes nothing.
func TestWeights(t *testing.T) {
	q := questionOf(t, randomHand(t, rand.New(rand.NewPCG(6, 6)), 16).knows(t))
	k := q.Knowledge()
	solver := newSolver()
	decide := func(list ...advice.Sampled) advice.Advice {
		a, err := q.Decide(t.Context(), nil, solver, advice.Options{Draw: func(*rand.Rand, int) []advice.Sampled { return list }})
		if err != nil {
			t.Fatal(err)
		}
		a.Nodes = 0
		return a
	}
	u, v, w := k.World(0), k.World(k.Worlds()/2), k.World(k.Worlds()-1)
	once, twice := decide(advice.Sampled{World: u, Weight: 1}, advice.Sampled{World: v, Weight: 2}, advice.Sampled{World: w, Weight: 1}),
		decide(advice.Sampled{World: u, Weight: 1}, advice.Sampled{World: v, Weight: 1}, advice.Sampled{World: v, Weight: 1},
			advice.Sampled{World: w, Weight: 1})
	scaled := decide(advice.Sampled{World: u, Weight: 0.25}, advice.Sampled{World: v, Weight: 0.5}, advice.Sampled{World: w, Weight: 0.25})
	means := func(a advice.Advice) (out [][4]float64) {
		for _, c := range a.Cards {
			out = append(out, [4]float64{c.Outcome.Mean, c.WinProbability.Mean, c.BestIn, c.Cost.Mean})
		}
		return out
	}
	if diff := cmp.Diff(means(once), means(twice)); diff != "" {
		t.Errorf("a weight of 2 is not twice a world:\n%s", diff)
	}
	if diff := cmp.Diff(once, scaled); diff != "" {
		t.Errorf("a factor changes the advice:\n%s", diff)
	}
	if once.All || once.Used != 3 {
		t.Errorf("%+v", once)
	}
	if one := decide(advice.Sampled{World: u, Weight: 3}); !math.IsInf(one.Cards[0].Outcome.Error, 1) || one.Confidence != advice.Close &&
		!allEqual(one) {
		t.Errorf("one world of %d: %+v", one.Of, one)
	}
}

func allEqual(a advice.Advice) bool {
	return !slices.ContainsFunc(a.Cards, func(v advice.Value) bool { return !v.Equal })
}

// The standard errors are right for samples without replacement: the means of many samples vary by as much.
func TestStandardErrors(t *testing.T) {
	h := randomHand(t, rand.New(rand.NewPCG(8, 2)), 20)
	q := questionOf(t, h.knows(t))
	k := q.Knowledge()
	if k.Worlds() < 200 || len(q.Cards()) < 2 {
		t.Fatalf("%d worlds, %d cards: choose another hand", k.Worlds(), len(q.Cards()))
	}
	solver := newSolver()
	rows := make([]advice.Row, k.Worlds())
	for i := range rows {
		var err error
		if rows[i], _, err = q.Solve(t.Context(), solver, k.World(uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(9, 9))
	size := len(rows) / 3
	const samples = 3000
	means, stated := map[piquet.Card][]float64{}, map[piquet.Card]float64{}
	for range samples {
		var tally advice.Tally
		for _, i := range q.Draw(rng, size) {
			tally.Add(q, rows[i], 1)
		}
		for _, v := range q.Advise(&tally, advice.Score, true).Cards {
			means[v.Card] = append(means[v.Card], v.Outcome.Mean)
			stated[v.Card] += v.Outcome.Error * v.Outcome.Error / samples
		}
	}
	for c, list := range means {
		mean, square := 0.0, 0.0
		for _, x := range list {
			mean += x / samples
		}
		for _, x := range list {
			square += (x - mean) * (x - mean) / (samples - 1)
		}
		if got, want := math.Sqrt(stated[c]), math.Sqrt(square); math.Abs(got-want) > 0.06*want+1e-9 {
			t.Errorf("%v: stated %.3f, the means vary by %.3f", c, got, want)
		}
	}
}

// Sums do not depend on how the worlds are divided among workers, and survive being stored.
func TestTally(t *testing.T) {
	q := questionOf(t, randomHand(t, rand.New(rand.NewPCG(10, 1)), 17).knows(t))
	solver := newSolver()
	var whole, even, odd advice.Tally
	for i, number := range q.Draw(rand.New(rand.NewPCG(1, 1)), 41) {
		row, nodes, err := q.Solve(t.Context(), solver, q.Knowledge().World(number))
		if err != nil {
			t.Fatal(err)
		}
		part := &even
		if i%2 == 1 {
			part = &odd
		}
		for _, one := range []*advice.Tally{&whole, part} {
			one.Add(q, row, 1)
			one.Nodes += nodes
		}
	}
	odd.Merge(&even)
	if odd != whole {
		t.Errorf("the parts add up to %+v, the whole is %+v", odd, whole)
	}
	stored, err := whole.AppendBinary([]byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	stored = stored[len("before"):]
	var read advice.Tally
	if err := read.UnmarshalBinary(stored); err != nil || read != whole {
		t.Errorf("read %+v, %v", read, err)
	}
	for name, b := range map[string][]byte{
		"empty": nil, "short": stored[:len(stored)-1], "long": append(slices.Clone(stored), 0), "no worlds": append([]byte{0}, stored[1:]...),
		"not a number": append(slices.Clone(stored[:len(stored)-8]), 0x7f, 0xf8, 0, 0, 0, 0, 0, 1),
	} {
		before := read
		if err := read.UnmarshalBinary(b); err == nil || read != before {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestObjective(t *testing.T) {
	for _, o := range []advice.Objective{advice.Score, advice.Win} {
		if got, err := advice.ParseObjective(o.String()); got != o || err != nil {
			t.Errorf("%v: %v, %v", o, got, err)
		}
	}
	if _, err := advice.ParseObjective("points"); err == nil {
		t.Error("points is accepted")
	}
}

// A card that may cost five points or more is never called as good, and one that may cost nothing is never called worse.
func TestStandings(t *testing.T) {
	solver := newSolver()
	seen := map[standing.Kind]int{}
	for i := range 30 {
		k := randomHand(t, rand.New(rand.NewPCG(12, uint64(i))), 12).knows(t)
		_, a, err := advice.Choose(t.Context(), k, rand.New(rand.NewPCG(1, 1)), 40, solver)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range a.Cards {
			seen[v.Standing]++
			low, high := v.Cost.Mean-2*v.Cost.Error, v.Cost.Mean+2*v.Cost.Error
			if v.Standing == standing.Best != (v.Card == a.Card) && len(a.Cards) > 1 ||
				v.Standing == standing.AsGood && high >= 5 || v.Standing == standing.Worse && (low < 0 || v.Equal) ||
				v.Standing == standing.Uncertain && (low >= 0 || high < 5) {
				t.Errorf("%v costs %+v and is %s", v.Card, v.Cost, v.Standing)
			}
		}
	}
	for s := standing.Best; s <= standing.Worse; s++ {
		if seen[s] == 0 {
			t.Errorf("no card is %s: %v", s, seen)
		}
	}
}
