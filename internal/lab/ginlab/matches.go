package ginlab

import (
	"context"
	"fmt"
	"strings"

	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
)

// MatchSettings are those of Matches.
type MatchSettings struct {
	Estimate advice.Estimate
	Against  players.Kind
	Pairs    int
	Variants int // how many of the variants play, in their order
	Seed     uint64
	Workers  int
	Progress func(name string, pairs int)
}

// variants are the player, and the same with equally likely hands of the opponent.
func variants(e advice.Estimate) []players.Kind {
	return []players.Kind{advice.Kind("playout", advice.Default(e)), advice.Kind("uniform hands", advice.Default(advice.Uniform))}
}

// Matches lets the variants of the player play against another, on the same deals, and returns a Markdown table.
func Matches(ctx context.Context, s MatchSettings) (string, error) {
	var b strings.Builder
	b.WriteString("| player | games | won | points a game | knocks, gins, undercut | time of a decision |\n|---|---|---|---|---|---|\n")
	var first, firstWon []float64
	var differences strings.Builder
	for i, kind := range variants(s.Estimate)[:s.Variants] {
		var margins, won []float64
		c := players.Contest{A: kind, B: s.Against, Pairs: s.Pairs, Seed: s.Seed, Workers: s.Workers, Progress: func(n int) { s.Progress(kind.Name(), n) }}
		c.Each = func(share, margin float64) { won, margins = append(won, share), append(margins, margin) }
		r, err := c.Run(ctx)
		if err != nil {
			return "", err
		}
		side := &r.Sides[0]
		fmt.Fprintf(&b, "| %s | %d | %.2f %% (%.2f to %.2f) | %+.2f ± %.2f | %d, %d, %d | %s |\n", kind.Name(), r.Games, 100*r.Share.Mean, 100*r.Share.Low,
			100*r.Share.High, r.Margin.Mean, r.Margin.High-r.Margin.Mean, side.Knocks, side.Gins, side.Undercuts, side.Decision.Mean())
		if i == 0 {
			first, firstWon = margins, won
			continue
		}
		points, share := make([]float64, len(first)), make([]float64, len(first))
		for k := range first {
			points[k], share[k] = first[k]-margins[k], firstWon[k]-won[k]
		}
		p, w := match.MeanOf(points), match.MeanOf(share)
		fmt.Fprintf(&differences, "| %s | %+.2f (%+.2f to %+.2f) | %+.2f %% (%+.2f to %+.2f) |\n", kind.Name(), p.Mean, p.Low, p.High, 100*w.Mean, 100*w.Low, 100*w.High)
	}
	if differences.Len() > 0 {
		b.WriteString("\n| playout above | points a game | share of games |\n|---|---|---|\n" + differences.String())
	}
	return b.String(), nil
}
