package tarok

import (
	"context"
	"math"
	"math/bits"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/random"
)

// Learning makes the table of selective moves from searches without it.
type Learning struct {
	Samples int // positions for each situation
	Seed    uint64
	// Price is what a third of a point that is lost counts against the natural logarithm of the number of cards that are tried. The higher it
	// is, the fewer cards are left out.
	Price float64
}

// sample is a position that was searched: the categories of each card, and how much worse than the best it is.
type sample []struct {
	categories uint16
	loss       float64
}

// Run draws positions, searches each card of them, and chooses for each situation the categories that are tried: the set with the least
// mean of the logarithm of the number of cards and the price of what is lost without the others. All 511 sets are compared. A position is
// of a deal of its own, after random play of 0 to 9 tricks and 0 to 2 cards. It is searched 3, 6 or 9 cards deep, as positions in a search
// of 9 cards are.
func (l *Learning) Run(ctx context.Context) (out search.Choice, err error) {
	samples, err := l.samples(ctx)
	for i := range out {
		out[i] = l.choose(samples[i])
	}
	return out, err
}

// samples draws and searches the positions of each situation. A situation that is too rare has fewer.
func (l *Learning) samples(ctx context.Context) (samples [search.Situations][]sample, err error) {
	s := search.New(search.Options{})
	for i, short := 0, search.Situations; short > 0 && i < 200*l.Samples*search.Situations; i++ {
		rng := random.New(l.Seed, uint64(i))
		p := ending(rng, tarok.HandSize-int(random.Below(rng, 10)))
		p = playOn(rng, p, int(random.Below(rng, 3)))
		tricks := 1 + int(random.Below(rng, 3))
		at, cards := search.Candidates(&p, tricks)
		if len(cards) < 2 || len(samples[at]) == l.Samples {
			continue
		}
		x, err := judge(ctx, s, &p, tricks, cards)
		if err != nil {
			return samples, err
		}
		if samples[at] = append(samples[at], x); len(samples[at]) == l.Samples {
			short--
		}
	}
	return samples, nil
}

// judge searches each card without leaving out any that could be better.
func judge(ctx context.Context, s *search.Solver, p *tarok.Position, tricks int, cards []search.Candidate) (sample, error) {
	lost, err := losses(ctx, s, p, 3*tricks, search.Provable)
	if err != nil {
		return nil, err
	}
	x := make(sample, len(cards))
	for i, c := range cards {
		x[i].categories, x[i].loss = c.Categories, lost[c.Card]
	}
	return x, nil
}

// losses searches each card with the plain table, and returns how much worse than the best it is for the player to move. A card that the
// selection leaves out loses nothing.
func losses(ctx context.Context, s *search.Solver, p *tarok.Position, depth int, selection search.Selection) (
	map[tarok.Card]float64, error,
) {
	r, err := s.Estimate(ctx, search.LimitedQuery{
		Position: *p, Depth: depth, Moves: true, Every: true,
		Enhancements: search.Enhancements{Deepening: true, History: true, Selection: selection, Table: search.Plain},
	})
	if err != nil {
		return nil, err
	}
	sign := -1.0
	if setup := p.Setup(); p.Turn() == setup.Declarer {
		sign = 1
	}
	best := math.Inf(-1)
	for _, m := range r.Moves {
		best = max(best, sign*m.Value)
	}
	lost := make(map[tarok.Card]float64, len(r.Moves))
	for _, m := range r.Moves {
		lost[m.Card] = best - sign*m.Value
	}
	return lost, nil
}

// choose returns the best set of categories. Of equal ones it is the one with the most categories, then the least number.
func (l *Learning) choose(samples []sample) (best uint16) {
	const all = 1<<search.Categories - 1
	best, least := uint16(all), math.Inf(1)
	for set := uint16(1); set <= all; set++ {
		var cost float64
		for _, x := range samples {
			cost += l.cost(x, set)
		}
		if cost < least-1e-9 || cost < least+1e-9 && bits.OnesCount16(set) > bits.OnesCount16(best) {
			best, least = set, cost
		}
	}
	return best
}

// cost returns what a set costs in a position.
func (l *Learning) cost(x sample, set uint16) float64 {
	n, lost := 0, math.Inf(1)
	for _, c := range x {
		if c.categories&set != 0 {
			n++
			lost = min(lost, c.loss)
		}
	}
	if n == 0 { // then all are tried
		n, lost = len(x), 0
	}
	return math.Log(float64(n)) + l.Price*lost
}

// DefaultPrice is the price of the table that the search has.
const DefaultPrice = 4
