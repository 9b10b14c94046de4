package ginrummy

import (
	"strings"
	"testing"

	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
)

// Without an estimate, the player is the player with equally likely hands.
func TestMatches(t *testing.T) {
	r, err := RunMatches(t.Context(), MatchSettings{
		Estimate: advice.Uniform, Against: match.NewKind("simple", false, players.NewSimple), Pairs: 2, Seed: 5, Workers: 1,
		Progress: func(string, int) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if text := r.Markdown(); strings.Count(text, "\n| ") != 2 || !strings.Contains(text, "earns +0.00 points") ||
		r.Results[1].Sides[0].Knocks != r.Results[0].Sides[0].Knocks || r.Results[0].Games != 4 {
		t.Error(text)
	}
}
