package ginrummy

import (
	"context"
	"fmt"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
)

// MatchSettings configure RunMatches.
type MatchSettings struct {
	Estimate advice.Estimate
	Against  players.Kind
	Pairs    int
	Seed     uint64
	Workers  int
	Progress func(name string, pairs int)
}

// Matches are the results of the player with an estimate, and with equally likely hands, against another player, on the same deals.
type Matches struct {
	Results [2]players.Result
	// Share and Points are how much more the player wins with the estimate: the share of games, and points a game, paired by deals.
	Share, Points match.Estimate
}

// RunMatches lets the player play against another, with an estimate and without.
func RunMatches(ctx context.Context, s MatchSettings) (m Matches, err error) {
	var shares, margins [2][]float64
	for i, kind := range [2]players.Kind{
		advice.Kind("playout", advice.Default(s.Estimate)), advice.Kind("uniform hands", advice.Default(advice.Uniform)),
	} {
		m.Results[i], err = players.Contest{
			A: kind, B: s.Against, Pairs: s.Pairs, Seed: s.Seed, LayOffs: ginrummy.ChallengeLayOffs, Workers: s.Workers,
			Progress: func(n int) { s.Progress(kind.Name(), n) },
			Each: func(share, margin float64) {
				shares[i], margins[i] = append(shares[i], share), append(margins[i], margin)
			},
		}.Run(ctx)
		if err != nil {
			return m, err
		}
	}
	m.Share, m.Points = match.MeanOf(more(shares[0], shares[1])), match.MeanOf(more(margins[0], margins[1]))
	return m, nil
}

// more returns the differences of two lists.
func more(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

// Markdown returns the results as a table, and the differences below it.
func (m *Matches) Markdown() string {
	var b strings.Builder
	b.WriteString("| player | games | won | points a game | knocks, gins, undercut |\n|---|---|---|---|---|\n")
	for i := range m.Results {
		r := &m.Results[i]
		side := &r.Sides[0]
		fmt.Fprintf(&b, "| %s | %d | %.2f %% (%.2f to %.2f) | %+.2f ± %.2f | %d, %d, %d |\n", side.Name, r.Games, 100*r.Share.Mean,
			100*r.Share.Low, 100*r.Share.High, r.Margin.Mean, r.Margin.High-r.Margin.Mean, side.Knocks, side.Gins, side.Undercuts)
	}
	fmt.Fprintf(&b, "\nThe estimate earns %+.2f points a game (%+.2f to %+.2f), and %+.2f %% of the games (%+.2f to %+.2f).\n",
		m.Points.Mean, m.Points.Low, m.Points.High, 100*m.Share.Mean, 100*m.Share.Low, 100*m.Share.High)
	return b.String()
}
