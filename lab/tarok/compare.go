package tarok

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"roem/internal/engine/match"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/search"
	"roem/internal/random"
)

// Pair is two settings of the program that are compared.
type Pair struct {
	Name  string
	A, B  advice.Settings
	Depth int    // of the searches that judge the cards of A and B; 0 for the depth of A by the tricks left
	Paper string // what the paper's expert found for each 100 moves
}

// Clusters are the comparison of clustered worlds with plain ones in the program of the paper (section 3.1).
func Clusters() (out []Pair) {
	for _, p := range []struct {
		worlds int
		paper  string
	}{{30, "+3.8"}, {60, "+1"}} {
		s := advice.Paper
		s.Samples = p.worlds
		out = append(out, Pair{Name: fmt.Sprintf("%d clustered worlds against %[1]d plain ones", p.worlds), A: s, B: s.Plain(), Paper: p.paper})
	}
	return out
}

// Equivalences are the comparisons of the equivalence table with the plain one in the program of the paper (section 3.2): what it saves is
// spent on depth, and on worlds.
func Equivalences() []Pair {
	with := func(table search.Table, depth, worlds int) advice.Settings {
		s := advice.Paper
		s.Table, s.Depth, s.Samples = table, depth, worlds
		return s
	}
	const judged = 12
	plain := with(search.Plain, 9, 30)
	return []Pair{
		{"equivalence, 30 worlds, depth 12, against plain, 30 worlds, depth 9", with(search.Equivalence, 12, 30), plain, judged, "-1"},
		{"equivalence, 60 worlds, depth 9, against plain, 30 worlds, depth 9", with(search.Equivalence, 9, 60), plain, judged, "+4"},
	}
}

// Comparison compares the cards of two settings, and plays matches between them.
type Comparison struct {
	Decisions int // each of a deal of its own
	Worlds    int // that judge the cards on which they differ
	Deals     int // of the duplicate match, each with A in each of the three seats against two of B; 0 for no match
	Seed      uint64
	Workers   int
}

// Compared is what a comparison has found.
type Compared struct {
	Decisions, Differ int
	Nodes             [2]float64     // of A and B for a decision, on average
	Gain              match.Estimate // how much better the card of A is where they differ, in points
	Grade             match.Estimate // the same in the grades of the paper, for 100 moves: see grade
	Match             players.Result
}

// significant is from how many points on a card is significantly better. The paper's expert judged without numbers.
const significant = 1

// grade returns the paper's grade of a gain: 1 if a card is significantly better, 0.5 if it is slightly better, and the same below 0.
func grade(gain float64) float64 {
	switch size := math.Abs(gain); {
	case size < 1e-9:
		return 0
	case size < significant:
		return math.Copysign(0.5, gain)
	default:
		return math.Copysign(1, gain)
	}
}

// judged is what happened in one decision.
type judged struct {
	nodes  [2]float64
	differ bool
	gain   float64
}

// Run compares a pair.
func (c *Comparison) Run(ctx context.Context, p Pair) (out Compared, err error) {
	var gains, grades []float64
	err = match.Run(ctx, c.Decisions, c.Workers, func(ctx context.Context, _, i int) (judged, error) {
		return c.judge(ctx, p, uint64(i))
	}, func(_ int, j judged) error {
		out.Decisions++
		for i, n := range j.nodes {
			out.Nodes[i] += n / float64(c.Decisions)
		}
		if j.differ {
			out.Differ++
			gains, grades = append(gains, j.gain), append(grades, 100*grade(j.gain))
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	out.Gain, out.Grade = match.MeanOf(gains), match.MeanOf(grades)
	if c.Deals > 0 {
		out.Match, err = players.Contest{
			A: advice.Kind("a", p.A), B: advice.Kind("b", p.B), Deals: c.Deals, Seating: players.OneAgainst, Rules: tarok.DefaultRules,
			Seed: c.Seed, Workers: c.Workers,
		}.Run(ctx)
	}
	return out, err
}

// judge lets both settings choose a card in a hand. If they differ, the mean value over plain worlds judges them, of searches with the
// plain table, which lose nothing.
func (c *Comparison) judge(ctx context.Context, p Pair, number uint64) (j judged, err error) {
	v, err := c.draw(ctx, number)
	if err != nil {
		return j, err
	}
	var cards [2]tarok.Card
	for i, s := range [2]advice.Settings{p.A, p.B} {
		a := advice.New(s)
		list, err := a.Card(ctx, &v, random.New(c.Seed, number, 1, uint64(i)))
		if err != nil {
			return j, err
		}
		cards[i], j.nodes[i] = list.List[0].Card, float64(a.Nodes)
	}
	if j.differ = cards[0] != cards[1]; !j.differ {
		return j, nil
	}
	s := p.A.Plain()
	s.Samples, s.Table, s.Depth = c.Worlds, search.Plain, p.Depth
	list, err := advice.New(s).Card(ctx, &v, random.New(c.Seed, number, 2))
	if err != nil {
		return j, err
	}
	value := func(card tarok.Card) float64 {
		return list.List[slices.IndexFunc(list.List, func(x advice.Card) bool { return x.Card == card })].Value
	}
	j.gain = value(cards[0]) - value(cards[1])
	return j, nil
}

// searchedTricks are how many tricks of a hand are searched to a depth in the program of the paper. The others are solved exactly.
const searchedTricks = tarok.HandSize - 6

// draw plays a hand of the program with few worlds up to a card of a trick that is searched to a depth, of which there are at least two.
func (c *Comparison) draw(ctx context.Context, number uint64) (v players.View, err error) {
	a := advice.New(advice.QuickPaper)
	for try := uint64(0); ; try++ {
		rng := random.New(c.Seed, number, 0, try)
		t, err := players.NewTable(tarok.Random(rng), tarok.DefaultRules, [3]int{})
		if err != nil {
			return v, err
		}
		at := int(random.Below(rng, 3*searchedTricks))
		for t.Phase() != players.Finished {
			turn, _ := t.Turn()
			if v = *t.View(turn); v.Phase == players.ToPlay && (v.Contract.Negative() || len(v.Played) >= at) {
				break
			}
			act, err := a.Choose(ctx, &v, rng)
			if err != nil {
				return v, err
			}
			if t, err = t.Act(act); err != nil {
				return v, err
			}
		}
		if !v.Contract.Negative() && v.Legal().Len() > 1 {
			return v, nil
		}
	}
}

// Compare compares the pairs and writes them as two tables of Markdown: of single cards, and of matches. Without decisions, or without
// deals, it leaves out the one or the other.
func (c *Comparison) Compare(ctx context.Context, out io.Writer, pairs []Pair) error {
	cards := "| cards | decisions | other cards | grade for 100 of them (95 %) | paper | points for each | nodes a decision |\n" +
		"|---|---|---|---|---|---|---|\n"
	matches := "| match | deals | points a hand (95 %) | ms a decision: mean | 99 % | worst |\n|---|---|---|---|---|---|\n"
	for _, p := range pairs {
		x, err := c.Run(ctx, p)
		if err != nil {
			return err
		}
		cards += fmt.Sprintf("| %s | %d | %d | %s | %s | %s | %.0f against %.0f |\n", p.Name, x.Decisions, x.Differ,
			between("%+.1f", x.Grade), p.Paper, between("%+.2f", x.Gain), x.Nodes[0], x.Nodes[1])
		t := &x.Match.Sides[0].Decision
		matches += fmt.Sprintf("| %s | %d | %s | %.1f | %.0f | %.0f |\n", p.Name, x.Match.Deals, between("%+.2f", x.Match.Difference),
			t.Mean().Seconds()*1000, t.Quantile(0.99).Seconds()*1000, t.Quantile(1).Seconds()*1000)
	}
	switch {
	case c.Deals == 0:
		matches = ""
	case c.Decisions == 0:
		cards = ""
	default:
		cards += "\n"
	}
	_, err := io.WriteString(out, cards+matches)
	return err
}

// between returns an estimate and its interval, each number in a format.
func between(format string, e match.Estimate) string {
	return fmt.Sprintf(format+" ("+format+" to "+format+")", e.Mean, e.Low, e.High)
}
