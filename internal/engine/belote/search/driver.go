package search

import (
	"cmp"
	"context"
	"slices"

	"roem/internal/cards"
	"roem/internal/engine/belote"
)

// end holds the conditions under which a search must stop, and why it did.
type end struct {
	ctx   context.Context //nolint:containedctx // kept only during one Solve
	pause func() error
	most  uint64
	cause error
}

// checkEvery is the number of nodes between two checks of whether to stop.
const checkEvery = 512

func (s *Solver) cancelled() bool {
	s.checkAt = s.nodes + checkEvery
	err := s.end.ctx.Err()
	if err == nil && s.end.most > 0 && s.generated >= s.end.most {
		err = ErrMaxGenerated
	}
	if err == nil && s.end.pause != nil {
		err = s.end.pause()
	}
	if err != nil && !s.stop {
		s.stop, s.end.cause = true, err
	}
	return s.stop
}

func (s *Solver) begin(ctx context.Context, q *Query) {
	d := q.Position.Deal()
	if !q.Keep || !s.ready || !s.deal.sameCards(&d) || s.prune == q.NoPruning {
		s.deal.prepare(&d)
		s.table.next()
		s.ready = true
	}
	s.prune = !q.NoPruning
	s.nodes, s.generated, s.checkAt, s.stop = 0, 0, checkEvery, false
	s.end = end{ctx: ctx, pause: q.Pause, most: q.MaxGenerated}
}

// root is a position to search from, possibly in the middle of a trick.
type root struct {
	node
	led    int   // the card on the table, which is still in the sets of the node; -1 for none
	made   int32 // the points that the declarer has made
	total  int32 // the points of the hand
	invert bool  // the leader of the node is not the declarer
	need   int32 // the threshold
}

func (s *Solver) rootOf(p *belote.Position) root {
	d := p.Deal()
	r := root{
		led: -1, made: int32(p.Points(d.Declarer)), total: int32(d.Total()), need: int32(d.Threshold),
		invert: p.Leader() != d.Declarer,
	}
	leader := p.Leader()
	r.leader, r.left = uint32(leader), int32(p.Left())
	r.open, r.held = s.deal.set(p.Up(leader)), s.deal.set(p.Held(leader))
	r.open2, r.held2 = s.deal.set(p.Up(leader.Other())), s.deal.set(p.Held(leader.Other()))
	if led, ok := p.Led(); ok {
		r.led = int(s.deal.number[led])
		r.open = r.open&^s.deal.set(p.Under(led)) | bit(r.led)
		r.held |= bit(r.led)
	}
	return r
}

// reaches returns a bound on the declarer's points at the end: at least t if the declarer can make t, else less than t.
func (s *Solver) reaches(r *root, t int32) int32 {
	left := r.left
	need := t - r.made
	if r.invert { // the leader must keep the declarer below t
		need = left - need + 1
	}
	var value int32
	if r.led < 0 {
		value = s.lead(r.node, need)
	} else {
		value = s.follow(r.node, r.led, need)
	}
	if r.invert {
		value = left - value
	}
	return r.made + value
}

// points returns the declarer's points at the end, starting from a guess.
func (s *Solver) points(r *root, guess int32) int32 {
	lower, upper := r.made, r.made+r.left
	guess = min(max(guess, lower), upper)
	up, down := int32(0), int32(0)
	for lower < upper && !s.stop {
		t := min(max(guess, lower+1), upper)
		if value := s.reaches(r, t); value >= t {
			lower = value
			guess, up, down = lower+1+up, min(up+1, 3), 0
		} else {
			upper = value
			guess, up, down = upper-down, 0, min(down+1, 3)
		}
	}
	return lower
}

// evaluate returns the value of a position. With the utility Contract it is 1 or 0.
func (s *Solver) evaluate(p *belote.Position, u Utility, guess int32) int32 {
	r := s.rootOf(p)
	if u == Points {
		return s.points(&r, guess)
	}
	if s.reaches(&r, r.need) >= r.need {
		return 1
	}
	return 0
}

// keeps reports whether a position has at least (for the declarer) or at most (for the opponent) the value of the one before it.
func (s *Solver) keeps(p *belote.Position, u Utility, value int32, declarer bool) bool {
	r := s.rootOf(p)
	switch {
	case u == Contract:
		return (s.reaches(&r, r.need) >= r.need) == (value == 1)
	case declarer:
		return s.reaches(&r, value) >= value
	}
	return s.reaches(&r, value+1) <= value
}

func (s *Solver) solve(q *Query) (out Result) {
	p := q.Position
	d := p.Deal()
	value := s.evaluate(&p, q.Utility, int32(d.Threshold))
	out.set(q.Utility, &d, value)
	if q.Goal == Moves {
		for c := range p.Legal().All() {
			next, _ := p.Play(c)
			m := MoveValue{Card: c}
			m.set(q.Utility, &d, s.evaluate(&next, q.Utility, value))
			out.Moves = append(out.Moves, m)
		}
		sortMoves(out.Moves, p.Turn() == d.Declarer)
	}
	if !q.NoLine {
		out.Line = s.line(p, q.Utility, value)
	}
	return out
}

// line returns best play from p: at each turn the first card of the deck that keeps the value.
func (s *Solver) line(p belote.Position, u Utility, value int32) (line []cards.Card) {
	d := p.Deal()
	for !p.Finished() && !s.stop {
		legal := p.Legal()
		for c := range legal.All() {
			next, _ := p.Play(c)
			if legal = legal.Without(c); legal.Empty() || s.keeps(&next, u, value, p.Turn() == d.Declarer) {
				p, line = next, append(line, c)
				break
			}
		}
	}
	return line
}

func (r *Result) set(u Utility, d *belote.Deal, value int32) {
	r.Points, r.Exact, r.Won = outcome(u, d, value)
}

func (m *MoveValue) set(u Utility, d *belote.Deal, value int32) {
	m.Points, m.Exact, m.Won = outcome(u, d, value)
}

func outcome(u Utility, d *belote.Deal, value int32) (points int, exact, won bool) {
	if u == Contract {
		return 0, false, value == 1
	}
	return int(value), true, int(value) >= d.Threshold
}

// sortMoves puts the best moves for the player to move first, and marks them.
func sortMoves(moves []MoveValue, declarer bool) {
	rank := func(m MoveValue) int {
		n := 2 * m.Points
		if m.Won {
			n++
		}
		if declarer {
			n = -n
		}
		return n
	}
	slices.SortFunc(moves, func(a, b MoveValue) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Card, b.Card))
	})
	for i := range moves {
		moves[i].Best = rank(moves[i]) == rank(moves[0])
	}
}
