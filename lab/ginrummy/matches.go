package ginrummy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
	"roem/lab/learn/svgplot"
)

// MatchSettings configure RunMatches.
type MatchSettings struct {
	Estimate advice.Estimate
	Against  players.Kind
	Pairs    int
	Variants int // how many of the variants play, in their order
	Seed     uint64
	Workers  int
	Progress func(name string, pairs int)
}

// Variants is the number of variants of the player.
const Variants = 5

// variants are the player, the same with equally likely hands of the opponent, and the same with one kind of decision taken in a simple
// way.
func variants(e advice.Estimate) [Variants]players.Kind {
	s := advice.Default(e)
	return [Variants]players.Kind{
		advice.Kind("playout", s), advice.Kind("uniform hands", advice.Default(advice.Uniform)),
		instead("simple draw", s, ginrummy.ToDraw, players.NewSimple),
		instead("simple discard", s, ginrummy.ToDiscard, players.NewSimple),
		instead("always knock", s, ginrummy.ToKnock, func(*rand.Rand) players.Player { return knocker{} }),
	}
}

// instead returns the kind of the player in which another player takes the decisions of a phase.
func instead(name string, s advice.Settings, phase ginrummy.Phase, other func(rng *rand.Rand) players.Player) players.Kind {
	return match.NewKind(name, true, func(rng *rand.Rand) players.Player {
		return &mixed{advice.NewPlayer(s, rng), other(rng), phase}
	})
}

// mixed is a player that leaves the decisions of a phase to another.
type mixed struct {
	players.Player
	other players.Player
	phase ginrummy.Phase
}

// Choose lets one of the players choose.
func (m *mixed) Choose(ctx context.Context, v ginrummy.View) (ginrummy.Action, error) {
	if v.Phase == m.phase {
		return m.other.Choose(ctx, v)
	}
	return m.Player.Choose(ctx, v)
}

// knocker knocks whenever it is asked, also without a meld. It takes no other decisions.
type knocker struct{}

// Choose knocks.
func (knocker) Choose(_ context.Context, v ginrummy.View) (ginrummy.Action, error) {
	a := ginrummy.Action{Kind: ginrummy.Knock}
	if best := v.Own.Best(); len(best) > 0 {
		a.Melds = best[0]
	}
	return a, nil
}

// Matches are the results of variants of the player against another player, on the same deals.
type Matches struct {
	Results []players.Result
	// Share and Points are, by variant, how much more the first variant wins: the share of games, and points a game. They are paired by
	// deals. They are 0 for the first variant.
	Share, Points []match.Estimate
}

// RunMatches lets the variants of the player play against another, on the same deals.
func RunMatches(ctx context.Context, s MatchSettings) (m Matches, err error) {
	var first, firstWon []float64
	all := variants(s.Estimate)
	for _, kind := range all[:s.Variants] {
		var margins, won []float64
		c := players.Contest{
			A: kind, B: s.Against, Pairs: s.Pairs, Seed: s.Seed, LayOffs: ginrummy.ChallengeLayOffs, Workers: s.Workers,
			Progress: func(n int) { s.Progress(kind.Name(), n) },
		}
		c.Each = func(share, margin float64) { won, margins = append(won, share), append(margins, margin) }
		r, err := c.Run(ctx)
		if err != nil {
			return m, err
		}
		if first == nil {
			first, firstWon = margins, won
		}
		points, share := make([]float64, len(first)), make([]float64, len(first))
		for k := range first {
			points[k], share[k] = first[k]-margins[k], (firstWon[k]-won[k]+1)/2
		}
		more := match.ShareOf(share) // of the difference, moved from -1 to 1 to 0 to 1
		m.Results = append(m.Results, r)
		m.Share, m.Points = append(m.Share, match.Estimate{
			Mean: 2*more.Mean - 1, Error: 2 * more.Error, Low: 2*more.Low - 1, High: 2*more.High - 1,
		}), append(m.Points, match.MeanOf(points))
	}
	return m, nil
}

// Markdown returns the results as a table, and the differences as another.
func (m *Matches) Markdown() string {
	var b strings.Builder
	b.WriteString("| player | games | won | points a game | knocks, gins, undercut |\n|---|---|---|---|---|\n")
	for i := range m.Results {
		r := &m.Results[i]
		side := &r.Sides[0]
		fmt.Fprintf(&b, "| %s | %d | %.2f %% (%.2f to %.2f) | %+.2f ± %.2f | %d, %d, %d |\n", side.Name, r.Games, 100*r.Share.Mean,
			100*r.Share.Low,
			100*r.Share.High, r.Margin.Mean, r.Margin.High-r.Margin.Mean, side.Knocks, side.Gins, side.Undercuts)
	}
	for i := 1; i < len(m.Results); i++ {
		if i == 1 {
			fmt.Fprintf(&b, "\n| %s above | points a game | share of games |\n|---|---|---|\n", m.Results[0].Sides[0].Name)
		}
		p, w := m.Points[i], m.Share[i]
		fmt.Fprintf(&b, "| %s | %+.2f (%+.2f to %+.2f) | %+.2f %% (%+.2f to %+.2f) |\n", m.Results[i].Sides[0].Name, p.Mean, p.Low, p.High,
			100*w.Mean, 100*w.Low, 100*w.High)
	}
	return b.String()
}

// Plot draws how much more the first variant wins than each of the others, with intervals.
func (m *Matches) Plot() []byte {
	const width, left, right, top, step, bottom = 640, 150, 30, 60, 40, 60
	height := float64(top + step*(len(m.Results)-1) + bottom)
	from, to := 0.0, 0.05
	for _, e := range m.Share {
		from, to = min(from, e.Low), max(to, e.High)
	}
	from, to = math.Floor(20*from)/20, math.Ceil(20*to)/20
	d := svgplot.New(width, height, "What the player gains over variants of itself",
		"For each variant, the share of games against the simple player that the player wins above it, with the interval of 95 %.")
	x := svgplot.Scale{From: from, To: to, Start: left, Stop: width - right}
	for tick := math.Round(20 * from); tick <= math.Round(20*to); tick++ {
		at := x.At(tick / 20)
		d.Line(at, top, at, height-bottom, svgplot.Grid, 1, false)
		d.Text(at, height-bottom+20, svgplot.Middle, svgplot.Muted, "", fmt.Sprintf("%+.0f %%", 5*tick))
	}
	d.Line(x.At(0), top, x.At(0), height-bottom, svgplot.Muted, 1, true)
	d.Text((left+width-right)/2, height-14, svgplot.Middle, svgplot.Ink, "", "share of games that the player wins above the variant")
	for i := 1; i < len(m.Results); i++ {
		y, e := float64(top+step*(i-1)+step/2), m.Share[i]
		d.Text(left-12, y+4, svgplot.End, svgplot.Ink, "", m.Results[i].Sides[0].Name)
		d.Line(x.At(e.Low), y, x.At(e.High), y, svgplot.Blue, 2, false)
		d.Dot(svgplot.Point{X: x.At(e.Mean), Y: y}, 4, svgplot.Blue)
	}
	return d.Bytes()
}
