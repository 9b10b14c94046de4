package enginetest

import (
	"fmt"
	"testing"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/internal/testkit"
)

// between is a position between two tricks: the cards left and the leader determine it within a deal.
type between struct {
	left   piquet.Set
	leader belote.Player
}

// plays is what a deal needs to make the tricks of a position.
type plays struct {
	deal  belote.Deal
	owned [2]piquet.Set
	above [32]piquet.Set // the card above each card, as a set of at most one
}

func playsOf(d belote.Deal) *plays {
	p := &plays{deal: d}
	for _, player := range belote.Players() {
		for _, s := range d.Of(player) {
			p.owned[player] |= piquet.SetOf(s.Top) | piquet.SetOf(s.Bottom)
			p.above[s.Bottom] = piquet.SetOf(s.Top)
		}
	}
	return p
}

// up returns the open cards of a player.
func (p *plays) up(left piquet.Set, player belote.Player) (up piquet.Set) {
	for c := range (left & p.owned[player]).All() {
		if p.above[c]&left == 0 {
			up = up.With(c)
		}
	}
	return up
}

// tricks calls each with all positions after one trick and the points of the trick, by the card that was led.
func (p *plays) tricks(b between, each func(led piquet.Card, next between, points int)) {
	mine, theirs := p.up(b.left, b.leader), p.up(b.left, b.leader.Other())
	for led := range mine.All() {
		for reply := range p.deal.Trump.Legal(led, theirs).All() {
			next := between{b.left.Without(led).Without(reply), b.leader}
			if p.deal.Trump.Beats(reply, led) {
				next.leader = b.leader.Other()
			}
			points := p.deal.Trump.Points(led) + p.deal.Trump.Points(reply)
			if next.left == 0 {
				points += belote.LastTrick
			}
			each(led, next, points)
		}
	}
}

// values returns the points that A still makes in every position between two tricks that can be reached: trick by trick to the end, and
// back. It is the plain table, without any pruning, equivalence or bound.
func (p *plays) values() map[between]int {
	layers := []map[between]int{{{p.deal.Deck, p.deal.Leader}: 0}}
	for range p.deal.Deck.Len() / 2 {
		next := map[between]int{}
		for b := range layers[len(layers)-1] {
			p.tricks(b, func(_ piquet.Card, after between, _ int) { next[after] = 0 })
		}
		layers = append(layers, next)
	}
	all := layers[len(layers)-1]
	for i := len(layers) - 2; i >= 0; i-- {
		for b := range layers[i] {
			all[b] = p.best(b, all)
		}
	}
	return all
}

// leads returns the points that A still makes after each card that can be led, from the points of the positions after the trick.
func (p *plays) leads(b between, all map[between]int) (led piquet.Set, values [32]int) {
	p.tricks(b, func(c piquet.Card, next between, points int) {
		value := all[next]
		if next.leader == belote.A {
			value += points
		}
		if !led.Has(c) || (value < values[c]) == (b.leader == belote.A) {
			led, values[c] = led.With(c), value
		}
	})
	return led, values
}

// best returns the points that A still makes, from the points of the positions after the trick.
func (p *plays) best(b between, all map[between]int) (best int) {
	led, values := p.leads(b, all)
	first := true
	for c := range led.All() {
		if first || (values[c] > best) == (b.leader == belote.A) {
			first, best = false, values[c]
		}
	}
	return best
}

// The plain table of all positions agrees with the search: on the points, on every card at the start of the hand, and on the contract for
// thresholds beside the points. There are never more positions between two tricks than the design's central trinomial coefficients, for
// each leader.
func TestPlainTable(t *testing.T) {
	t.Parallel()
	most := map[int]int{1: 19, 2: 1107, 3: 73_789, 4: 5_196_627}
	usual := map[int]int{1: 200, 2: 40, 3: 3}
	counts := testkit.Times(map[int]int{1: 200, 2: 40, 3: 1}, usual, usual, map[int]int{1: 1000, 2: 200, 3: 30, 4: 1})
	s := search.New(search.Options{})
	for suits := 1; suits <= 4; suits++ {
		for seed := range uint64(counts[suits]) {
			rng := random.New(seed, uint64(suits), 11)
			deck, trumps := Deals(suits)
			d := belote.Random(rng, deck, trumps[random.Below(rng, uint64(len(trumps)))])
			d.Leader = belote.Player(rng.Uint64() & 1)
			plays := playsOf(d)
			all := plays.values()
			name := fmt.Sprintf("%d suits, seed %d", suits, seed)
			var leads [2]int
			for b := range all {
				leads[b.leader]++
			}
			if leads[belote.A] > most[suits] || leads[belote.B] > most[suits] || leads[belote.A]+leads[belote.B] < 4*suits+1 {
				t.Errorf("%s: %d positions, at most %d for each leader", name, leads, most[suits])
			}
			t.Log(name, leads)
			compareTable(t, s, name, d, plays, all)
		}
	}
}

func compareTable(t *testing.T, s *search.Solver, name string, d belote.Deal, plays *plays, all map[between]int) {
	t.Helper()
	points := all[between{d.Deck, d.Leader}]
	for _, threshold := range []int{max(points-1, 1), max(points, 1), min(points+1, d.Total())} {
		d.Threshold = threshold
		p, err := belote.NewPosition(d)
		if err != nil {
			t.Fatal(err)
		}
		if won := solve(t, s, search.Query{Position: p, Utility: search.Contract, NoLine: true}).Won; won != (points >= threshold) {
			t.Errorf("%s: %d points, threshold %d: won %v", name, points, threshold, won)
		}
	}
	p, err := belote.NewPosition(d)
	if err != nil {
		t.Fatal(err)
	}
	led, values := plays.leads(between{d.Deck, d.Leader}, all)
	r := solve(t, s, search.Query{Position: p, Goal: search.Moves, NoLine: true})
	if r.Points != points || len(r.Moves) != led.Len() {
		t.Errorf("%s: %d points and %d cards, want %d and %d", name, r.Points, len(r.Moves), points, led.Len())
	}
	for _, m := range r.Moves {
		if m.Points != values[m.Card] {
			t.Errorf("%s: %s makes %d points, want %d", name, m.Card, m.Points, values[m.Card])
		}
	}
}
