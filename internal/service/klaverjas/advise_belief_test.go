package klaverjas

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
)

const byBelief = `, "method": "belief"`

// The answer does not depend on the number of workers, and agrees with the player belief with the same worlds.
func TestBeliefAdviceIsThatOfThePlayer(t *testing.T) {
	for _, fields := range []string{playedView + `, "worlds": 37, "seed": "5"`, lateView, lateView + `, "objective": "win", "worlds": 11`} {
		_, one := advise(t, newGame(t, service.Options{Slots: 1}, Options{TableBytes: 1 << 20}), fields+byBelief)
		q, three := advise(t, newGame(t, service.Options{Slots: 3, Cache: newCache(t)}, Options{TableBytes: 4 << 20}), fields+byBelief)
		if diff := cmp.Diff(withoutEffort(one), withoutEffort(three)); diff != "" {
			t.Errorf("%s (-one worker +three)\n%s", fields, diff)
		}
		k := q.question.Knowledge()
		w, model, err := new(embedded).believe(k)
		if err != nil {
			t.Fatal(err)
		}
		a, err := q.question.Decide(t.Context(), index.NewRand(q.seed), search.New(search.Options{}), advice.Options{
			Worlds: q.worlds, Objective: q.objective, Draw: func(rng *rand.Rand, n int) []advice.Sampled { return players.Draw(k, w, rng, n) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if a.Card.String() != one.Card || a.Used != one.Worlds.Used {
			t.Errorf("%s: a player plays %+v, the answer is %+v", fields, a, one)
		}
		if one.Method != api.KlaverjasAdviceMethodBelief || one.Basis != api.KlaverjasAdviceBasisBelief || one.Model == nil ||
			*one.Model != *model {
			t.Errorf("%s: %s, %s, %+v", fields, one.Method, one.Basis, one.Model)
		}
	}
}

// With all worlds the figures are the means over all of them, each counted with its probability. They differ from the means of worlds
// with equal weights, and have no errors.
func TestBeliefAdviceOverAllWorlds(t *testing.T) {
	g := newGame(t, service.Options{Slots: 2}, Options{})
	q, got := advise(t, g, lateView+byBelief)
	k := q.question.Knowledge()
	w, _, err := new(embedded).believe(k)
	if err != nil {
		t.Fatal(err)
	}
	best, sum := 0.0, 0.0
	s := search.New(search.Options{})
	for i := range k.Worlds() {
		world := k.World(i)
		r, err := s.Solve(t.Context(), search.Query{Position: k.Position(world), Goal: search.Moves})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Moves {
			if m.Card.String() == got.Card {
				best += math.Exp(w.LogProbability(world)) * float64(m.Outcome)
			}
		}
		sum += math.Exp(w.LogProbability(world))
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the probabilities of all worlds sum to %v", sum)
	}
	if c := got.Cards[0]; !got.Worlds.All || math.Abs(*c.Outcome-best) > 0.005+1e-9 || c.StandardErrors == nil ||
		c.StandardErrors.Outcome != 0 {
		t.Errorf("%+v of %+v, want outcome %v without an error", c, got.Worlds, best)
	}
	if _, alike := advise(t, g, lateView); cmp.Equal(alike.Cards, got.Cards) {
		t.Error("the worlds count alike")
	}
}

// The cache keeps the worlds of the belief apart from others.
func TestBeliefAdviceIsCached(t *testing.T) {
	g := newGame(t, service.Options{Slots: 2, Cache: newCache(t)}, Options{})
	for _, tt := range []struct {
		fields string
		cached bool
	}{
		{playedView + `, "worlds": 20`, false},
		{playedView + `, "worlds": 20` + byBelief, false},
		{playedView + `, "worlds": 20, "objective": "win"` + byBelief, true},
		{playedView + `, "worlds": 20, "seed": "1"` + byBelief, false},
		{playedView + `, "worlds": 20, "method": "search"`, true},
		{lateView + byBelief, false},
		{lateView + `, "seed": "9"` + byBelief, true},
		{lateView, false},
	} {
		if _, got := advise(t, g, tt.fields); (got.Source == api.SourceCache) != tt.cached {
			t.Errorf("%s: from the %s", tt.fields, got.Source)
		}
	}
}
