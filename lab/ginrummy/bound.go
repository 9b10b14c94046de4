package ginrummy

import (
	"context"
	"fmt"
	"math"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/worlds"
	"roem/internal/engine/match"
	"roem/internal/random"
)

// BoundSettings configure RunBound.
type BoundSettings struct {
	Rows   int // measured on about this number of rows, evenly spread over the held-out rows
	Seed   uint64
	Deals  uint64 // that the rows are taken from
	Steps  int    // proposals of each ladder
	Checks int    // how often the number of proposals is doubled until then
	// Propose are odds with which cards are proposed. They change how fast the answer is reached, but not the answer.
	Propose  Proposal
	Network  Estimator
	Progress func(done, rows int)
}

// boundSteps is the number of proposals of each chain of a ladder between two looks at its hand.
const boundSteps = 4

// Bound is how well an estimate can do at best: the exact distribution by Bayes over what was dealt and drawn, computed by Markov chains
// from two different starts. One start is what was really dealt and drawn, and the other has nothing to do with it. Chains that have not
// run long enough favour their start, so that the first start errs to low log losses and the second to high ones.
type Bound struct {
	Base   *Score // of the network, on the same rows
	Checks []BoundCheck
}

// BoundCheck is a bound with a number of proposals, of which the second half counts.
type BoundCheck struct {
	Steps    int
	Starts   [2]*Score // of each start
	Both     *Score    // of the mean of both
	Entropy  []float64 // the log loss a card that the mean of both expects of itself, by deal: its sum over the deal's rows
	Gain     []float64 // the gain over the network that it expects of itself: its divergence from the network, likewise
	Top      []float64 // the share of the ten most probable cards that it expects, likewise
	Distance float64   // the mean squared difference of the starts, summed over the cards of a row
	empty    int       // ladders without a possible history
	rows     float64
}

// RunBound computes the bound.
func RunBound(ctx context.Context, s BoundSettings) (b Bound, err error) {
	all, err := Held(ctx, s.Seed, s.Deals)
	if err != nil {
		return b, err
	}
	rows := make([]Row, 0, s.Rows)
	for i := range min(s.Rows, len(all)) {
		rows = append(rows, all[i*len(all)/min(s.Rows, len(all))])
	}
	b.Base = Measure(s.Network, rows)
	for check := range s.Checks {
		b.Checks = append(b.Checks, BoundCheck{
			Steps: s.Steps >> (s.Checks - 1 - check), Starts: [2]*Score{new(Score), new(Score)},
			Both: new(Score),
		})
	}
	ladder := worlds.NewLadder(worlds.Penalties()...)
	for i := range rows {
		if err := ctx.Err(); err != nil {
			return b, err
		}
		b.row(&s, ladder, &rows[i], uint64(i))
		if s.Progress != nil {
			s.Progress(i+1, len(rows))
		}
	}
	return b, nil
}

// row adds a row.
func (b *Bound) row(s *BoundSettings, ladder *worlds.Ladder, r *Row, number uint64) {
	var d worlds.Distribution
	s.Propose(&r.View, &d)
	for c := range d.Odds {
		d.Odds[c] = math.Sqrt(d.Odds[c])
	}
	network := s.Network.Of(r)
	answers := make([][2]Estimate, len(b.Checks))
	for start := range 2 {
		ladder.Set(&r.View, true, &d.Odds, random.New(s.Seed, boundStream, number, uint64(start)))
		if start == 0 {
			ladder.Restart(Truth(s.Seed, r))
		}
		done := 0
		for k := range b.Checks {
			rounds := b.Checks[k].Steps / (boundSteps * len(worlds.Penalties()))
			var p Estimate
			n := 0.0
			ladder.Run(rounds-done, boundSteps, func(hand ginrummy.Set) {
				n++
				for ; hand != 0; hand &= hand - 1 {
					p[hand.First()]++
				}
			})
			done = rounds
			if n == 0 {
				b.Checks[k].empty++
			}
			// The network counts as one hand: what was not seen yet is not impossible.
			for c := range p {
				p[c] = (p[c] + network[c]) / (n + 1)
			}
			answers[k][start] = p
		}
	}
	for k := range b.Checks {
		b.Checks[k].add(r, &network, &answers[k])
	}
}

// boundStream is the stream of the chains of a seed.
const boundStream = 0x67696e2d62 // "gin-b"

func (c *BoundCheck) add(r *Row, network *Estimate, answers *[2]Estimate) {
	var mean Estimate
	for i := range mean {
		mean[i] = (answers[0][i] + answers[1][i]) / 2
		c.Distance += (answers[0][i] - answers[1][i]) * (answers[0][i] - answers[1][i])
	}
	c.rows++
	c.Starts[0].Add(r, &answers[0])
	c.Starts[1].Add(r, &answers[1])
	c.Both.Add(r, &mean)
	deal := len(c.Both.Deals) - 1
	if deal == len(c.Entropy) {
		c.Entropy, c.Gain, c.Top = append(c.Entropy, 0), append(c.Gain, 0), append(c.Top, 0)
	}
	for i, p := range mean {
		own := cross(p, p)
		c.Entropy[deal] += own / ginrummy.DeckSize
		c.Gain[deal] += (cross(p, network[i]) - own) / ginrummy.DeckSize
	}
	for card := range TopTen(&mean).All() {
		c.Top[deal] += mean[card] / ginrummy.HandSize
	}
}

// cross returns the expected log loss of the probability q for a card that is in the hand with the probability p.
func cross(p, q float64) (sum float64) {
	if p > 0 {
		sum -= p * math.Log(max(floor, q))
	}
	if p < 1 {
		sum -= (1 - p) * math.Log(max(floor, 1-q))
	}
	return sum
}

// Truth returns what the opponent of a row was dealt, and what it drew from the stock. The row is one of EachRow with the seed.
func Truth(seed uint64, r *Row) (dealt ginrummy.Set, drawn []ginrummy.Card) {
	d := DealOf(seed, r.Deal)
	opponent := r.View.Seat.Other()
	next := 0
	for _, e := range r.View.Events {
		if e.Kind == ginrummy.Stock {
			if e.Seat == opponent {
				drawn = append(drawn, d.Stock[next])
			}
			next++
		}
	}
	return d.Hands[opponent], drawn
}

// Markdown returns the table of the bound.
func (b *Bound) Markdown() string {
	var t strings.Builder
	l, top := b.Base.LogLoss(), b.Base.TopTen()
	fmt.Fprintf(&t, "%d rows of %d deals. The network: log loss %.4f ± %.4f, ten most probable %.4f ± %.4f.\n\n", b.Base.Rows,
		len(b.Base.Deals), l.Mean,
		l.High-l.Mean, top.Mean, top.High-top.Mean)
	t.WriteString("| proposals | log loss, from the truth | from a random history | mean of both | expected of itself | gain over the " +
		"network | expected of itself | " +
		"ten most probable | expected of itself | distance | no history |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for i := range b.Checks {
		c := &b.Checks[i]
		fmt.Fprintf(&t, "| %d | %.4f | %.4f |", c.Steps, c.Starts[0].LogLoss().Mean, c.Starts[1].LogLoss().Mean)
		for _, e := range []match.Estimate{
			c.Both.LogLoss(), ratio(c.Entropy, c.Both.Deals), c.Both.Gain(b.Base), ratio(c.Gain, c.Both.Deals), c.Both.TopTen(), ratio(c.Top,
				c.Both.Deals),
		} {
			fmt.Fprintf(&t, " %.4f ± %.4f |", e.Mean, e.High-e.Mean)
		}
		fmt.Fprintf(&t, " %.4f | %d |\n", c.Distance/c.rows, c.empty)
	}
	return t.String()
}
