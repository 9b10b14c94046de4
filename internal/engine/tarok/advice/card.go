package advice

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/search"
	"roem/internal/engine/tarok/worlds"
)

// Measure is what the value of a card counts.
type Measure uint8

// The measures.
const (
	// Tricks is the discounted value of the next tricks for the player's side, in points: see search.Estimate.
	Tricks Measure = iota
	// Scores is the score of the declarer without bonuses, with the sign of the player's side: exact endings.
	Scores
	// Klop is the player's score less the mean of the others, in klop.
	Klop
	// Leads is the player's score less the mean of the others: playouts.
	Leads
)

// String returns tricks, score, klop or lead.
func (m Measure) String() string { return [4]string{"tricks", "score", "klop", "lead"}[m%4] }

// Card is a card and its value over the deals.
type Card struct {
	Card  tarok.Card
	Value float64
	Error float64 // the standard error of its difference to the first card of the list; 0 for that
	Votes int     // deals in which no card is better
}

// Cards are the legal cards, the one to play first.
type Cards struct {
	List    []Card
	Samples int    // deals that were searched
	Worlds  uint64 // deals that are possible
	Pool    int    // deals drawn for the clusters; 0 without clusters
	Groups  int    // clusters; 0 without
	Depth   int    // of the searches, in cards; 0 for exact ones and in klop
	Measure Measure
	// Effective is the effective sample size of Pool deals that were weighed against each other before the playouts; 0 without.
	Effective float64
}

// Deviation returns the standard error of the cost of a card of the list: 0 if no other worlds could say otherwise, and infinite if only
// one of several was searched.
func (c *Cards) Deviation(i int) float64 {
	switch {
	case uint64(c.Samples) == c.Worlds:
		return 0
	case c.Samples < 2:
		return math.Inf(1)
	}
	return c.List[i].Error
}

// Card returns the legal cards of a view in the play with their values. A single legal card gets none.
func (a *Advisor) Card(ctx context.Context, v *players.View, rng *rand.Rand) (out Cards, err error) {
	legal := v.Legal()
	w, err := worlds.New(v.View)
	if err != nil {
		return out, err
	}
	out.Worlds = w.Count()
	tricks := v.Held.Len()
	switch {
	case v.Contract == tarok.Klop:
		out.Measure = Klop
	case tricks <= a.s.Exact:
		out.Measure = Scores
	default:
		out.Depth = min(a.s.depth(tricks), 3*tricks)
	}
	if legal.Len() == 1 {
		out.List, out.Depth = []Card{{Card: legal.First()}}, 0
		return out, nil
	}
	if a.playsOut(v) {
		return a.playouts(ctx, v, w, rng, out)
	}
	list := legal.Slice()
	values := make([][]float64, len(list)) // by card and deal
	began := a.Nodes
	for _, s := range a.samples(w, rng, a.s.Samples, &out) {
		if a.s.Nodes > 0 && a.Nodes-began >= a.s.Nodes {
			break
		}
		if err := a.pause(ctx); err != nil {
			return out, err
		}
		out.Samples++
		p := w.Position(s)
		row, err := a.values(ctx, &p, &out)
		if err != nil {
			return out, err
		}
		for i, c := range list {
			values[i] = append(values[i], row[c])
		}
	}
	out.List = a.summary(list, values)
	return out, nil
}

// samples returns n deals that are searched.
func (a *Advisor) samples(w *worlds.Worlds, rng *rand.Rand, n int, out *Cards) []tarok.Setup {
	if !a.s.Clustered || w.Count() <= uint64(n) {
		return w.Plain(rng, n)
	}
	clusters := w.Clustered(rng, n, a.s.Pool)
	out.Groups = len(clusters)
	var list []tarok.Setup
	for _, c := range clusters {
		out.Pool += c.Size
		list = append(list, c.Worlds...)
	}
	return list
}

// values returns the value of each legal card of a position for the player to move.
func (a *Advisor) values(ctx context.Context, p *tarok.Position, how *Cards) (row [tarok.Cards]float64, err error) {
	setup := p.Setup()
	sign := -1.0
	if p.Turn() == setup.Declarer {
		sign = 1
	}
	switch how.Measure {
	case Klop:
		for c := range p.Legal().All() {
			next, err := p.Play(c)
			if err != nil {
				return row, err
			}
			if row[c], err = a.klop(ctx, next, p.Turn()); err != nil {
				return row, err
			}
		}
	case Scores:
		r, err := a.solver.Solve(ctx, search.Query{Position: *p, Goal: search.Moves, NoLine: true, Pause: a.Pause})
		a.Nodes += r.Nodes
		if err != nil {
			return row, err
		}
		for _, m := range r.Moves {
			row[m.Card] = sign * scoreOf(&setup, m)
		}
	default:
		r, err := a.solver.Estimate(ctx, search.LimitedQuery{
			Position: *p, Depth: how.Depth, Enhancements: a.s.Enhancements, Moves: true, Every: true, Pause: a.Pause,
		})
		a.Nodes += r.Nodes
		if err != nil {
			return row, err
		}
		for _, m := range r.Moves {
			row[m.Card] = sign * m.Value / 3
		}
	}
	return row, nil
}

// scoreOf returns the score of the declarer without bonuses.
func scoreOf(s *tarok.Setup, m search.MoveValue) float64 {
	score := -s.Contract.Value()
	if m.Won {
		score = -score
	}
	if s.Contract.Exchange() > 0 {
		score += tarok.Points(m.Thirds) - threshold
	}
	return float64(score)
}

// klop plays a hand of klop on by rules of thumb, and returns the score of a player less the mean of the others.
func (a *Advisor) klop(ctx context.Context, p tarok.Position, player tarok.Player) (float64, error) {
	end, err := a.trial(ctx, p)
	if err != nil {
		return 0, err
	}
	score, err := end.Score(tarok.Announcements{})
	if err != nil {
		return 0, err
	}
	return float64(score.Total[player]) - float64(score.Total[player.Next()]+score.Total[player.After(2)])/2, nil
}

// equal is how near two values of a deal are equal.
const equal = 1e-9

// summary returns the cards with their mean values, the one to play first.
func (a *Advisor) summary(list []tarok.Card, values [][]float64) (out []Card) {
	n := len(values[0])
	best := make([]float64, n)
	for d := range n {
		best[d] = math.Inf(-1)
		for i := range list {
			best[d] = max(best[d], values[i][d])
		}
	}
	for i, c := range list {
		one := Card{Card: c}
		for d, x := range values[i] {
			one.Value += x / float64(n)
			if x > best[d]-equal {
				one.Votes++
			}
		}
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(x, y Card) int {
		if a.s.Vote && x.Votes != y.Votes {
			return cmp.Compare(y.Votes, x.Votes)
		}
		if math.Abs(x.Value-y.Value) < equal {
			return 0
		}
		return cmp.Compare(y.Value, x.Value)
	})
	first := values[slices.Index(list, out[0].Card)]
	for k := range out[1:] {
		one := &out[k+1]
		one.Error = errorOf(first, values[slices.Index(list, one.Card)])
	}
	return out
}

// errorOf returns the standard error of the mean difference.
func errorOf(x, y []float64) float64 {
	n := float64(len(x))
	if n < 2 {
		return 0
	}
	sum, squares := 0.0, 0.0
	for i := range x {
		d := x[i] - y[i]
		sum += d
		squares += d * d
	}
	if variance := (squares - sum*sum/n) / (n - 1); variance > equal {
		return math.Sqrt(variance / n)
	}
	return 0
}
