package variants

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/knowledge"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/random"
)

// close is one level of recursion on close decisions (Furtak and Buro, "Recursive Monte Carlo Search for Imperfect Information Games", 2013). The
// worlds are played out. The cards that are not worse than the best one by more than Errors standard errors are judged again, in the first
// Again worlds, with a better continuation: the next Ahead cards are chosen by players that play out Inner worlds themselves. If Inner is 0,
// the last tricks of the playouts are searched instead (leaf). Of these cards, the one with the best new value is chosen.
func (d *Deviation) close(ctx context.Context, q *advice.Question, worlds []advice.Sampled, rng *rand.Rand) ([]float64, error) {
	view := q.Knowledge().View()
	table := playout.TableOf(&view)
	n := len(q.Cards())
	rows := make([][klaverjas.HandSize]float64, len(worlds))
	values := make([]float64, n)
	weight, weight2 := 0.0, 0.0
	for i, w := range worlds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		weight += w.Weight
		weight2 += w.Weight * w.Weight
		for j, c := range q.Cards() {
			rows[i][j] = sign(&view) * float64(playout.Outcome(d.Models.Play, table, w.World, c))
			values[j] += w.Weight * rows[i][j]
		}
	}
	best := 0
	for j := range values {
		values[j] /= weight
		if values[j] > values[best] {
			best = j
		}
	}
	var left []int
	for j := range values {
		cost, square := values[best]-values[j], 0.0
		for i, w := range worlds {
			apart := rows[i][best] - rows[i][j]
			square += w.Weight * apart * apart
		}
		variance := max(square/weight-cost*cost, 0) / max(weight*weight/weight2-1, 1)
		if j == best || square > 0 && cost <= d.Errors*math.Sqrt(variance) {
			left = append(left, j)
		}
	}
	d.Decisions++
	if len(left) < 2 {
		return values, nil
	}
	d.Close++
	again := worlds
	if d.Again > 0 && d.Again < len(worlds) { // worlds of one draw are in a random order unless they are all
		again = worlds[:d.Again]
	}
	better := make([]float64, n)
	for j := range better {
		better[j] = math.Inf(-1)
	}
	for _, j := range left {
		sum, weight := 0.0, 0.0
		for _, w := range again {
			var x float64
			var err error
			if d.Inner > 0 {
				x, err = d.recurse(ctx, q, w.World, q.Cards()[j], random.New(rng.Uint64()))
			} else {
				x, err = d.leaf(ctx, q, table, w.World, q.Cards()[j])
			}
			if err != nil {
				return nil, err
			}
			sum += w.Weight * sign(&view) * x
			weight += w.Weight
		}
		better[j] = sum / weight
	}
	return better, nil
}

// recurse plays a card, the next cards by players that play out worlds, and the rest by the policy.
func (d *Deviation) recurse(ctx context.Context, q *advice.Question, w knowledge.World, c cards.Card, rng *rand.Rand) (float64, error) {
	view := q.Knowledge().View()
	l := line{q.Knowledge().Position(w), append([]cards.Card(nil), view.Played...)}
	for {
		if err := l.play(c); err != nil {
			return 0, err
		}
		if l.p.Finished() {
			return float64(l.p.Outcome()), nil
		}
		v := knowledge.ViewOf(l.p, l.played, l.p.Turn())
		legal := l.p.Legal()
		switch {
		case legal.Len() == 1:
			c = legal.First()
		case len(l.played) > len(view.Played)+d.Ahead:
			table := playout.TableOf(&v)
			var logits [32]float32
			d.Models.Play.Logits(&table, l.p.Hand(l.p.Turn()), legal, &logits)
			return float64(playout.Outcome(d.Models.Play, table, held(l.p), playout.Likeliest(&logits, legal))), nil
		default:
			k, err := knowledge.New(v)
			if err != nil {
				return 0, err
			}
			inner, err := advice.NewQuestion(k)
			if err != nil {
				return 0, err
			}
			if c, err = inner.Race(ctx, rng, d.Models, d.Solver, advice.DefaultPlayouts(d.Inner)); err != nil {
				return 0, err
			}
		}
	}
}

func held(p klaverjas.Position) (hands [4]cards.Set) {
	for seat := range hands {
		hands[seat] = p.Hand(cards.Seat(seat))
	}
	return hands
}

// leaf plays a card and the likeliest cards of the policy until the last tricks, and searches the rest.
func (d *Deviation) leaf(ctx context.Context, q *advice.Question, t playout.Table, w knowledge.World, c cards.Card) (float64, error) {
	p := q.Knowledge().Position(w)
	var logits [32]float32
	for {
		var err error
		if p, err = p.Play(c); err != nil {
			return 0, err
		}
		t.Play(c)
		if t.Finished() {
			return float64(t.Outcome()), nil
		}
		if t.Played >= cards.Deck.Len()-4*d.Last {
			r, err := d.Solver.Solve(ctx, search.Query{Position: p, Goal: search.Value, NoLine: true})
			return float64(r.Outcome), err
		}
		legal := p.Legal()
		if c = legal.First(); legal.Len() > 1 {
			d.Models.Play.Logits(&t, p.Hand(t.Turn()), legal, &logits)
			c = playout.Likeliest(&logits, legal)
		}
	}
}
