// Package playouts measures the program of tarok that decides by playouts: what each of its switches is worth in matches, and how its bids
// depend on the strength of the hand.
package playouts

import (
	"context"
	"fmt"
	"io"
	"math"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/random"
)

// Variant is the program with one switch changed.
type Variant struct {
	Name     string
	Settings advice.Settings
}

// Variants returns the program with few deals, with each switch changed in turn.
func Variants() []Variant {
	change := func(name string, f func(*advice.Settings)) Variant {
		v := Variant{name, advice.Quick}
		f(&v.Settings)
		return v
	}
	return []Variant{
		change("cards by searches", func(s *advice.Settings) {
			s.Playouts, s.Exact = 0, advice.QuickPaper.Exact
		}),
		change("trial games by searches", func(s *advice.Settings) { s.PlayTrials, s.Trials = false, advice.QuickPaper.Trials }),
		change("all worlds equally likely", func(s *advice.Settings) { s.Exchanges = false }),
		change("worlds weighed by bids, too", func(s *advice.Settings) { s.Bids = true }),
		change("worlds weighed by cards, too", func(s *advice.Settings) { s.Cards = true }),
		change("240 worlds for a card", func(s *advice.Settings) { s.Playouts, s.Pool = 240, 600 }),
		change("contracts above a mean score of 0", func(s *advice.Settings) { s.Bar = 0 }),
		change("kontra at a mean score of -10", func(s *advice.Settings) { s.Kontra = 10 }),
	}
}

// Switches plays one player of each variant against two of a kind, and prints what it scores above one of these in a hand.
func Switches(ctx context.Context, out io.Writer, list []Variant, against players.Kind, deals int, seed uint64) error {
	for _, v := range list {
		c := players.Contest{
			A: advice.Kind(v.Name, v.Settings), B: against, Deals: deals, Seating: players.OneAgainst, Rules: tarok.DefaultRules, Seed: seed,
		}
		r, err := c.Run(ctx)
		if err != nil {
			return err
		}
		d := r.Difference
		if _, err := fmt.Fprintf(out, "| %s | %+.2f | %+.2f to %+.2f | %.2f |\n", v.Name, d.Mean, d.Low, d.High,
			r.Sides[0].Decision.Mean().Seconds()/max(r.Sides[1].Decision.Mean().Seconds(), 1e-9)); err != nil {
			return err
		}
	}
	return nil
}

// Fit is a logistic function: 1/(1+exp(-(Intercept+Slope*x))).
type Fit struct{ Intercept, Slope float64 }

// Logistic fits the function to values of x and whether something happened, by Newton's method. A small penalty keeps it finite.
func Logistic(x []float64, happened []bool) (f Fit) {
	const penalty = 1e-3
	for range 50 {
		var g, h [2]float64
		cross := 0.0
		for i := range x {
			p := 1 / (1 + math.Exp(-f.Intercept-f.Slope*x[i]))
			r := -p
			if happened[i] {
				r++
			}
			w := p * (1 - p)
			g[0], g[1] = g[0]+r, g[1]+r*x[i]
			h[0], h[1], cross = h[0]+w, h[1]+w*x[i]*x[i], cross+w*x[i]
		}
		g[0], g[1] = g[0]-penalty*f.Intercept, g[1]-penalty*f.Slope
		h[0], h[1] = h[0]+penalty, h[1]+penalty
		det := h[0]*h[1] - cross*cross
		a, b := (h[1]*g[0]-cross*g[1])/det, (h[0]*g[1]-cross*g[0])/det
		f.Intercept, f.Slope = f.Intercept+a, f.Slope+b
		if math.Abs(a)+math.Abs(b) < 1e-9 {
			break
		}
	}
	return f
}

// Bids lets the program bid with random hands, and prints for each contract how likely it bids as high as that, by the strength of the hand
// (players.Strength).
func Bids(ctx context.Context, out io.Writer, hands int, seed uint64) error {
	rng := random.New(seed)
	a := advice.New(advice.Quick)
	var strengths []float64
	var high []tarok.Contract
	for range hands {
		d := tarok.Random(rng)
		t, err := players.NewTable(d, tarok.DefaultRules, [3]int{})
		if err != nil {
			return err
		}
		v := t.View(tarok.A)
		list, err := a.Prospects(ctx, &v, rng)
		if err != nil {
			return err
		}
		best := tarok.Klop
		for _, p := range list {
			if p.Viable {
				best = p.Contract
			}
		}
		strengths, high = append(strengths, players.Strength(d.Hands[tarok.A])), append(high, best)
	}
	for _, c := range tarok.Contracts() {
		if c == tarok.Klop {
			continue
		}
		happened, n := make([]bool, len(high)), 0
		for i, best := range high {
			if happened[i] = best >= c; happened[i] {
				n++
			}
		}
		f := Logistic(strengths, happened)
		if _, err := fmt.Fprintf(out, "%s: %d of %d hands, intercept %.2f, slope %.2f, even at a strength of %.2f\n",
			c, n, hands, f.Intercept, f.Slope, -f.Intercept/f.Slope); err != nil {
			return err
		}
	}
	return nil
}
