package tarokist

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"roem/internal/engine/match"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/random"
)

// Clustering compares worlds that are chosen by clusters with worlds drawn independently (the paper, section 3.1). For each decision, the
// card is chosen that has the best mean value over the worlds of a sample, where the value of a card in a world is that of a search to a
// limited depth with open cards. The regret of a card is how much less its mean value is over a large independent sample, the reference,
// than that of the best card there. Samples of both kinds are judged by the same reference, so that its noise is no difference between them.
type Clustering struct {
	Decisions int
	Repeats   int   // samples of each kind and size for each decision
	Sizes     []int // how many worlds a sample has
	Base      int   // how many worlds are clustered
	Reference int   // how many worlds the reference has
	Depth     int   // cards, a multiple of 3
	Tricks    int   // decisions are of the first so many tricks
	Seed      uint64
	Workers   int
}

// Comparison is the result for samples of one size, in thirds of a point of the search's discounted value for each decision.
type Comparison struct {
	Size             int
	Plain, Clustered match.Estimate // the mean regret
	Difference       match.Estimate // that of plain samples less that of clustered ones; positive if clusters are better
	Disagree         float64        // the share of samples after which the two kinds choose different cards
	PerDisagreement  float64        // Difference for each decision on which they choose different cards
	Better, Worse    float64        // the share of all decisions on which the clustered choice has less regret, or more
}

// decision is what the samples of one decision have led to, in the order of the sizes.
type decision struct {
	plain, clustered        []float64 // mean regret
	disagree, better, worse []float64
}

// Run makes the comparison. progress is called after each decision; it may be nil.
func (c *Clustering) Run(ctx context.Context, progress func(done int)) ([]Comparison, error) {
	solvers := make([]*search.Solver, max(c.Workers, 1))
	for i := range solvers {
		solvers[i] = search.New(search.Options{})
	}
	var all []decision
	err := match.Run(ctx, c.Decisions, len(solvers), func(ctx context.Context, worker, i int) (decision, error) {
		return c.decide(ctx, solvers[worker], i)
	}, func(_ int, d decision) error {
		if all = append(all, d); progress != nil {
			progress(len(all))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]Comparison, len(c.Sizes))
	for k, size := range c.Sizes {
		column := func(of func(*decision) float64) (list []float64) {
			for i := range all {
				list = append(list, of(&all[i]))
			}
			return list
		}
		mean := func(of func(*decision) []float64) match.Estimate {
			return match.MeanOf(column(func(d *decision) float64 { return of(d)[k] }))
		}
		x := &out[k]
		x.Size = size
		x.Plain = mean(func(d *decision) []float64 { return d.plain })
		x.Clustered = mean(func(d *decision) []float64 { return d.clustered })
		x.Difference = match.MeanOf(column(func(d *decision) float64 { return d.plain[k] - d.clustered[k] }))
		x.Disagree = mean(func(d *decision) []float64 { return d.disagree }).Mean
		x.Better = mean(func(d *decision) []float64 { return d.better }).Mean
		x.Worse = mean(func(d *decision) []float64 { return d.worse }).Mean
		if x.Disagree > 0 {
			x.PerDisagreement = x.Difference.Mean / x.Disagree
		}
	}
	return out, nil
}

// values returns the value of each legal card over worlds, for the side of the player to move.
type values struct {
	ctx    context.Context //nolint:containedctx // kept only during one decision
	solver *search.Solver
	worlds *worlds.Worlds
	sign   float64 // 1 for the declarer, -1 for an opponent
	depth  int
}

// add adds the values of each card in a world to sums.
func (v *values) add(sums map[tarok.Card]float64, s *tarok.Setup) error {
	e, err := v.solver.Estimate(v.ctx, search.LimitedQuery{
		Position: v.worlds.Position(*s), Depth: v.depth, Enhancements: search.AllFour, Moves: true, Every: true,
	})
	for _, m := range e.Moves {
		sums[m.Card] += v.sign * m.Value
	}
	return err
}

// of returns the sums of the values over worlds.
func (v *values) of(list []tarok.Setup) (map[tarok.Card]float64, error) {
	sums := map[tarok.Card]float64{}
	for i := range list {
		if err := v.add(sums, &list[i]); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// best returns the card with the largest sum, the first of equal ones.
func best(legal tarok.Set, sums map[tarok.Card]float64) (best tarok.Card) {
	best = legal.First()
	for c := range legal.All() {
		if sums[c] > sums[best] {
			best = c
		}
	}
	return best
}

func (c *Clustering) decide(ctx context.Context, solver *search.Solver, number int) (d decision, err error) {
	rng := random.New(c.Seed, uint64(number))
	p, view, err := c.draw(ctx, solver, rng)
	if err != nil {
		return d, err
	}
	w, err := worlds.New(view)
	if err != nil {
		return d, err
	}
	v := values{ctx: ctx, solver: solver, worlds: w, sign: -1, depth: c.Depth}
	if view.Player == view.Declarer {
		v.sign = 1
	}
	reference, err := v.of(w.Plain(rng, c.Reference))
	if err != nil {
		return d, err
	}
	legal := p.Legal()
	top := reference[best(legal, reference)]
	used := float64(min(uint64(c.Reference), w.Count()))
	regret := func(card tarok.Card) float64 { return (top - reference[card]) / used }
	share := func(yes bool) float64 {
		if yes {
			return 1 / float64(c.Repeats)
		}
		return 0
	}
	n := len(c.Sizes)
	d = decision{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	for range c.Repeats {
		for k, size := range c.Sizes {
			plain, err := v.of(w.Plain(rng, size))
			if err != nil {
				return d, err
			}
			var chosen []tarok.Setup
			for _, cluster := range w.Clustered(rng, size, c.Base) {
				chosen = append(chosen, cluster.Worlds...)
			}
			clustered, err := v.of(chosen)
			if err != nil {
				return d, err
			}
			a, b := best(legal, plain), best(legal, clustered)
			d.plain[k] += regret(a) / float64(c.Repeats)
			d.clustered[k] += regret(b) / float64(c.Repeats)
			d.disagree[k] += share(a != b)
			d.better[k] += share(regret(b) < regret(a))
			d.worse[k] += share(regret(b) > regret(a))
		}
	}
	return d, nil
}

// draw draws a decision with at least two cards. The declarer is the player with the most taroks and points; the play before it is that of
// searches with open cards.
func (c *Clustering) draw(ctx context.Context, solver *search.Solver, rng *rand.Rand) (p tarok.Position, v worlds.View, err error) {
	for {
		s := likely(rng)
		if p, err = tarok.NewPosition(s); err != nil {
			return p, v, err
		}
		var played []tarok.Card
		for n := int(random.Below(rng, uint64(3*c.Tricks))); len(played) < n; {
			e, err := solver.Estimate(ctx, search.LimitedQuery{Position: p, Depth: min(6, c.Depth), Enhancements: search.AllFour})
			if err != nil {
				return p, v, err
			}
			played = append(played, e.Card)
			if p, err = p.Play(e.Card); err != nil {
				return p, v, err
			}
		}
		if p.Legal().Len() > 1 {
			return p, worlds.ViewOf(&s, played, p.Turn()), nil
		}
	}
}

// likely draws a setup that a bidding might lead to: the declarer has the best hand and takes the best group of the talon. The discards are
// random.
func likely(rng *rand.Rand) tarok.Setup {
	s := tarok.DrawSetup(rng, contracts...)
	worth := func(cards tarok.Set) int { return cards.Thirds() + 3*cards.InSuit(tarok.Taroks).Len() }
	for _, p := range tarok.Players() {
		if worth(s.Deal.Hands[p]) > worth(s.Deal.Hands[s.Declarer]) {
			s.Declarer = p
		}
	}
	for group := range s.Contract.Groups() {
		if worth(s.Deal.Group(s.Contract, group)) > worth(s.Taken()) {
			s.Group = group
		}
	}
	s.DrawDiscards(rng)
	return s
}

// ClusteringTable returns the comparisons as a table.
func ClusteringTable(list []Comparison) string {
	var b strings.Builder
	b.WriteString("| worlds | regret: plain | clustered | difference (95 %) | different cards | better / worse | difference per 100 different cards |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	for _, x := range list {
		fmt.Fprintf(&b, "| %d | %.3f | %.3f | %+.3f (%+.3f to %+.3f) | %.1f %% | %.1f %% / %.1f %% | %+.1f |\n", x.Size, x.Plain.Mean, x.Clustered.Mean,
			x.Difference.Mean, x.Difference.Low, x.Difference.High, 100*x.Disagree, 100*x.Better, 100*x.Worse, 100*x.PerDisagreement)
	}
	return b.String()
}
