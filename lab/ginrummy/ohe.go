package ginrummy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
	"roem/lab/learn/svgplot"
)

// OHEVariant is the paper's player with one source of probabilities.
type OHEVariant struct {
	Name    string
	Formula players.Formula // without alpha
	Curve   bool            // whether its win rate over alpha is measured too
}

// Viewed returns an estimator as a function of a view. It must be safe for concurrent use.
func Viewed(e Estimator) func(v *ginrummy.View) ginrummy.Probabilities {
	return func(v *ginrummy.View) ginrummy.Probabilities { return e.Of(&Row{View: *v}) }
}

// OHEVariants are the paper's player with a forest, without an estimate, and with a calibrated one. The first is the one of the paper, the
// second has every p = 0.
func OHEVariants(forest, network func(v *ginrummy.View) ginrummy.Probabilities) []OHEVariant {
	return []OHEVariant{
		{Name: "forest", Formula: players.Formula{Estimate: forest}, Curve: true},
		{Name: "none: p = 0", Formula: players.Formula{}, Curve: true},
		{Name: "uniform", Formula: players.Formula{Estimate: ginrummy.Uniform{}.Estimate}},
		{Name: "network", Formula: players.Formula{Estimate: network}, Curve: true},
	}
}

// OHEAlphas are the weights of the melds of Figure 2.
func OHEAlphas() []float64 { return []float64{0, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1} }

// OHESettings configure RunOHE.
type OHESettings struct {
	Variants   []OHEVariant
	Alphas     []float64 // of the curves
	Games      int       // of each point of a curve, even
	Tournament int       // games of each variant at its best alpha, even
	Seed       uint64    // of the curves; the tournament has the next one
	Workers    int
	Progress   func(done string)
}

// OHEPoint is the share of games that a variant won with one alpha.
type OHEPoint struct {
	Alpha float64
	Won   match.Estimate
}

// OHECurve are the points of a variant.
type OHECurve struct {
	Name   string
	Points []OHEPoint
}

// OHERow is a line of the tournament.
type OHERow struct {
	Name  string
	Alpha float64
	players.Result
	// More is how much more it won than the second row of its tournament, in pairs of the same deals: a share of the games.
	More match.Estimate
}

// OHE is Figure 2 of the paper and its tournament.
type OHE struct {
	Games, Tournament int
	Curves            []OHECurve
	Rows              []OHERow
}

// RunOHE lets variants of the paper's player play against the simple player: curves of the win rate over alpha, and two tournaments with
// other deals: of all variants at the alpha of the paper, and of the variants with a curve, each at the alpha that is best on it.
func RunOHE(ctx context.Context, s OHESettings) (o OHE, err error) {
	o.Games, o.Tournament = s.Games, s.Tournament
	var usual, best []OHERow
	for _, v := range s.Variants {
		usual = append(usual, OHERow{Name: v.Name, Alpha: players.DefaultAlpha})
		if !v.Curve || len(s.Alphas) == 0 {
			continue
		}
		curve, at := OHECurve{Name: v.Name}, 0
		for i, alpha := range s.Alphas {
			r, _, err := s.contest(ctx, v, alpha, s.Games, s.Seed)
			if err != nil {
				return o, err
			}
			curve.Points = append(curve.Points, OHEPoint{alpha, r.Share})
			if r.Share.Mean > curve.Points[at].Won.Mean {
				at = i
			}
			s.Progress(fmt.Sprintf("%s, alpha %g: %.1f %%", v.Name, alpha, 100*r.Share.Mean))
		}
		o.Curves, best = append(o.Curves, curve), append(best, OHERow{Name: v.Name, Alpha: s.Alphas[at]})
	}
	for _, rows := range [][]OHERow{usual, best} {
		if err := s.tournament(ctx, rows); err != nil {
			return o, err
		}
		o.Rows = append(o.Rows, rows...)
	}
	return o, nil
}

// tournament plays the rows, the second of which has p = 0.
func (s *OHESettings) tournament(ctx context.Context, rows []OHERow) error {
	shares := make([][]float64, len(rows))
	for i := range rows {
		row := &rows[i]
		v := s.Variants[slices.IndexFunc(s.Variants, func(v OHEVariant) bool { return v.Name == row.Name })]
		var err error
		if row.Result, shares[i], err = s.contest(ctx, v, row.Alpha, s.Tournament, s.Seed+1); err != nil {
			return err
		}
		s.Progress(fmt.Sprintf("tournament: %s, alpha %g: %.1f %%", v.Name, row.Alpha, 100*row.Share.Mean))
	}
	for i := range shares {
		rows[i].More = match.MeanOf(more(shares[i], shares[1]))
	}
	return nil
}

// contest plays a variant against the simple player. It also returns the share of each pair.
func (s *OHESettings) contest(ctx context.Context, v OHEVariant, alpha float64, games int, seed uint64) (
	r players.Result, shares []float64, err error,
) {
	f := v.Formula
	f.Alpha = alpha
	c := players.Contest{
		A:     match.NewKind(v.Name, false, func(rng *rand.Rand) players.Player { return players.NewOHE(f, rng) }),
		B:     match.NewKind("simple", false, players.NewSimple),
		Pairs: games / 2, Seed: seed, LayOffs: ginrummy.ChallengeLayOffs, Workers: s.Workers,
		Each: func(share, _ float64) { shares = append(shares, share) },
	}
	r, err = c.Run(ctx)
	return r, shares, err
}

// Markdown returns the curves and the tournament as tables.
func (o *OHE) Markdown() string {
	var b strings.Builder
	if len(o.Curves) > 0 {
		fmt.Fprintf(&b, "Share of games that the player won against the simple player, %d games each:\n\n| alpha |", o.Games)
		for _, c := range o.Curves {
			fmt.Fprintf(&b, " %s |", c.Name)
		}
		b.WriteString("\n|---|" + strings.Repeat("---|", len(o.Curves)) + "\n")
		for i, p := range o.Curves[0].Points {
			fmt.Fprintf(&b, "| %g |", p.Alpha)
			for _, c := range o.Curves {
				w := c.Points[i].Won
				fmt.Fprintf(&b, " %.1f %% (%.1f to %.1f) |", 100*w.Mean, 100*w.Low, 100*w.High)
			}
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "Tournament, %d games each, on the same deals:\n\n"+
		"| p | alpha | won | points a game | more than with p = 0, same deals |\n"+
		"|---|---|---|---|---|\n", o.Tournament)
	for i := range o.Rows {
		r := &o.Rows[i]
		fmt.Fprintf(&b, "| %s | %g | %.2f %% (%.2f to %.2f) | %+.2f ± %.2f |", r.Name, r.Alpha, 100*r.Share.Mean, 100*r.Share.Low,
			100*r.Share.High, r.Margin.Mean, r.Margin.High-r.Margin.Mean)
		if r.More.Error > 0 {
			fmt.Fprintf(&b, " %+.2f points of %% (%+.2f to %+.2f)", 100*r.More.Mean, 100*r.More.Low, 100*r.More.High)
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// Plot draws the curves: Figure 2 of the paper.
func (o *OHE) Plot() []byte {
	const width, height, left, right, top, bottom = 620, 400, 70, 30, 60, 60
	d := svgplot.New(width, height, "Win rate over alpha",
		fmt.Sprintf("The share of %d games that the paper's player won against the simple player, "+
			"for each weight of the melds, by source of p.", o.Games))
	x := svgplot.Scale{From: 0, To: 1, Start: left, Stop: width - right}
	y := svgplot.Scale{From: 0, To: 0.7, Start: height - bottom, Stop: top}
	for tick := range 6 {
		at := float64(tick) / 5
		d.Text(x.At(at), height-bottom+20, svgplot.Middle, svgplot.Muted, "", fmt.Sprintf("%g", at))
	}
	for tick := range 8 {
		at := float64(tick) / 10
		d.Line(left, y.At(at), width-right, y.At(at), svgplot.Grid, 1, false)
		d.Text(left-8, y.At(at)+4, svgplot.End, svgplot.Muted, "", fmt.Sprintf("%d %%", 10*tick))
	}
	d.Line(left, y.At(0.61), width-right, y.At(0.61), svgplot.Muted, 1, true)
	d.Text(width-right, y.At(0.61)-5, svgplot.End, svgplot.Muted, "", "the paper's 61.0 % at 0.1")
	tones := []svgplot.Tone{svgplot.Orange, svgplot.Muted, svgplot.Blue, svgplot.Ink}
	for i, c := range o.Curves {
		tone := tones[i%len(tones)]
		points := make([]svgplot.Point, len(c.Points))
		for k, p := range c.Points {
			points[k] = svgplot.Point{X: x.At(p.Alpha), Y: y.At(p.Won.Mean)}
			d.Dot(points[k], 2.5, tone)
		}
		d.Polyline(points, tone, 1.5)
		at := float64(height - bottom - 20 - 20*(len(o.Curves)-1-i))
		d.Line(left+16, at-4, left+40, at-4, tone, 2, false)
		d.Text(left+48, at, svgplot.Start, svgplot.Ink, "", c.Name)
	}
	d.Text((left+width-right)/2, height-14, svgplot.Middle, svgplot.Ink, "", "alpha, the weight of the melds")
	return d.Bytes()
}
