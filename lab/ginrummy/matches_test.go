package ginrummy

import (
	"context"
	"strings"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
)

// A variant takes the decisions of one phase from another player, and all others from the player itself.
func TestMixed(t *testing.T) {
	m := &mixed{constant(ginrummy.Stock), constant(ginrummy.Take), ginrummy.ToDraw}
	for phase, want := range map[ginrummy.Phase]ginrummy.Kind{
		ginrummy.ToDraw: ginrummy.Take, ginrummy.ToDiscard: ginrummy.Stock,
		ginrummy.ToKnock: ginrummy.Stock,
	} {
		if a, err := m.Choose(t.Context(), ginrummy.View{Phase: phase}); err != nil || a.Kind != want {
			t.Errorf("phase %v: %v, %v, want %v", phase, a.Kind, err, want)
		}
	}
	simple := match.NewKind("simple", false, players.NewSimple)
	r, err := RunMatches(t.Context(), MatchSettings{
		Estimate: advice.Uniform, Against: simple, Pairs: 2, Variants: Variants, Seed: 5, Workers: 1, Progress: func(string, int) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if text := r.Markdown(); strings.Count(text, "\n| ") != 2*Variants || r.Points[0].Mean != 0 {
		t.Error(text)
	}
	// Without an estimate, the player and the variant with equally likely hands are one.
	if r.Points[1].Mean != 0 || r.Share[1].Mean != 0 || r.Results[1].Sides[0].Knocks != r.Results[0].Sides[0].Knocks {
		t.Errorf("uniform hands differ by %+v", r.Points[1])
	}
}

// constant is a player that always does the same kind of action.
type constant ginrummy.Kind

func (c constant) Choose(context.Context, ginrummy.View) (ginrummy.Action, error) {
	return ginrummy.Action{Kind: ginrummy.Kind(c)}, nil
}
