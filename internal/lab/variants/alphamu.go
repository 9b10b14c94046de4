package variants

import (
	"context"
	"slices"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/search"
)

// fusion is alpha-mu of Cazenave and Ventos, "The alpha-mu Search Algorithm for the Game of Bridge" (2019), with points in place of won and lost.
//
// The seat plans its own next choices for all worlds at once: where it cannot tell worlds apart, it plays the same card in all of them. The other seats see
// all cards: opponents choose the worst for the seat's team in each world, the partner the best. After the planned choices each world is
// searched exactly. A plan has a vector of values, one for each world. A front holds the vectors of the plans that no other plan
// dominates. With one planned choice, the values are those of the exact searches.
//
// The paper is about bridge, where one player chooses for both hands of a side. Here the partner's cards are hidden too.
type fusion struct {
	q      *advice.Question
	solver advice.Solver
	worlds []advice.Sampled
	seat   cards.Seat
	sign   int16
	limit  int // of the vectors in a front; 0 means none
}

func newFusion(q *advice.Question, solver advice.Solver, worlds []advice.Sampled, limit int) *fusion {
	v := q.Knowledge().View()
	return &fusion{q: q, solver: solver, worlds: worlds, seat: v.Seat, sign: int16(sign(&v)), limit: limit}
}

// node is a sequence of cards from the root, which everybody sees.
type node struct {
	turn   cards.Seat
	cards  []cards.Card
	next   []*node
	worlds []int   // at an end: those in which it is reached
	vector []int16 // at an end: the value in each of worlds
}

// child returns the node after a card.
func (n *node) child(c cards.Card) *node {
	if i := slices.Index(n.cards, c); i >= 0 {
		return n.next[i]
	}
	n.cards, n.next = append(n.cards, c), append(n.next, new(node))
	return n.next[len(n.next)-1]
}

// values returns the value of each legal card. moves is the number of the seat's own choices that are planned, at least 1.
func (f *fusion) values(ctx context.Context, moves int) ([]float64, error) {
	root := new(node)
	for i, w := range f.worlds {
		if err := f.grow(ctx, root, i, f.q.Knowledge().Position(w.World), moves); err != nil {
			return nil, err
		}
	}
	values := make([]float64, len(f.q.Cards()))
	for i, c := range f.q.Cards() {
		values[i] = f.mean(f.front(root.child(c))[0])
	}
	return values, nil
}

// grow adds a world to a node and to what may follow it.
func (f *fusion) grow(ctx context.Context, n *node, world int, p klaverjas.Position, moves int) error {
	n.turn = p.Turn()
	legal := p.Legal()
	if n.turn == f.seat && legal.Len() > 1 {
		if moves--; moves == 0 {
			r, err := f.solver.Solve(ctx, search.Query{Position: p, Goal: search.Moves, NoLine: true})
			if err != nil {
				return err
			}
			for _, m := range r.Moves {
				end := n.child(m.Card)
				end.worlds = append(end.worlds, world)
				end.vector = append(end.vector, f.sign*int16(m.Outcome))
			}
			return nil
		}
	}
	if p.Hand(f.seat).Len() <= 1 { // nothing is left to plan
		r, err := f.solver.Solve(ctx, search.Query{Position: p, Goal: search.Value, NoLine: true})
		if err != nil {
			return err
		}
		n.worlds, n.vector = append(n.worlds, world), append(n.vector, f.sign*int16(r.Outcome))
		return nil
	}
	for c := range legal.All() {
		next, err := p.Play(c)
		if err != nil {
			return err
		}
		if err := f.grow(ctx, n.child(c), world, next, moves); err != nil {
			return err
		}
	}
	return nil
}

// absent is the value of a world that a vector does not have.
const absent = int16(-1 << 15)

// front returns the vectors of the plans from a node on, over all worlds, the best mean first.
func (f *fusion) front(n *node) [][]int16 {
	if len(n.next) == 0 {
		v := slices.Repeat([]int16{absent}, len(f.worlds))
		for i, w := range n.worlds {
			v[w] = n.vector[i]
		}
		return [][]int16{v}
	}
	var all [][]int16
	for i, next := range n.next {
		front := f.front(next)
		switch {
		case i == 0:
			all = front
		case n.turn == f.seat: // the seat chooses one card for all worlds
			all = f.pruned(append(all, front...))
		default: // in each world another card may be chosen
			all = f.pruned(f.product(all, front, n.turn.Team() == f.seat.Team()))
		}
	}
	return all
}

// product joins each vector of a with each of b, by the better or the worse value in each world.
func (f *fusion) product(a, b [][]int16, better bool) (all [][]int16) {
	for _, x := range a {
		for _, y := range b {
			v := make([]int16, len(x))
			for i := range v {
				switch {
				case x[i] == absent:
					v[i] = y[i]
				case y[i] == absent:
					v[i] = x[i]
				case better:
					v[i] = max(x[i], y[i])
				default:
					v[i] = min(x[i], y[i])
				}
			}
			all = append(all, v)
		}
	}
	return all
}

// pruned sorts vectors by their means and leaves out those that another one dominates, and those beyond the limit. All have the same worlds.
func (f *fusion) pruned(all [][]int16) [][]int16 {
	slices.SortStableFunc(all, func(a, b []int16) int {
		switch x, y := f.mean(a), f.mean(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	kept := all[:0]
	for _, v := range all {
		if f.limit > 0 && len(kept) == f.limit {
			break
		}
		if !slices.ContainsFunc(kept, func(k []int16) bool { return dominates(k, v) }) {
			kept = append(kept, v)
		}
	}
	return kept
}

func dominates(a, b []int16) bool {
	for i := range a {
		if a[i] < b[i] {
			return false
		}
	}
	return true
}

// mean is the weighted mean of a vector over the worlds that it has.
func (f *fusion) mean(v []int16) float64 {
	sum, weight := 0.0, 0.0
	for i, x := range v {
		if x != absent {
			sum += f.worlds[i].Weight * float64(x)
			weight += f.worlds[i].Weight
		}
	}
	return sum / weight
}
