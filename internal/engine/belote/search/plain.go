package search

import (
	"math"

	"roem/internal/engine/belote"
)

// plain is the search of the paper (section 3.1): a state for every card played, in the order of the stacks, without a table. Every child
// that is made is counted. Children are made one by one, so that alpha-beta does not make those after a cut-off.
type plain struct {
	*Solver
	contract  bool // utility Contract
	alphaBeta bool
	declarer  uint32
	need      int32
	stacks    [2][]set // the two cards of each stack of each belote.Player, in the order of the deal
}

// state is a position in the middle of a trick or between two.
type state struct {
	held   [2]set // by belote.Player: the cards left
	open   [2]set // the ones that no other card covers
	leader uint32
	led    int   // -1 for none
	made   int32 // by the declarer
	left   int32
}

func (s *Solver) solvePlain(q *Query) (out Result) {
	p := q.Position
	d := p.Deal()
	a := plain{
		Solver: s, contract: q.Utility == Contract, alphaBeta: q.Algorithm == AlphaBeta,
		declarer: uint32(d.Declarer), need: int32(d.Threshold),
	}
	for _, player := range belote.Players() {
		for _, stack := range d.Of(player) {
			a.stacks[player] = append(a.stacks[player], bit(int(s.deal.number[stack.Top]))|bit(int(s.deal.number[stack.Bottom])))
		}
	}
	root := a.stateOf(&p)
	lowest, highest := int32(0), int32(d.Total()) // a value at an end of the window is final, as with 0 and 1 for the contract
	if a.contract {
		highest = 1
	}
	if q.Goal == Moves {
		value, declarer := int32(-1), p.Turn() == d.Declarer
		for c := range p.Legal().All() {
			a.generated++
			next, _ := p.Play(c)
			child := a.stateOf(&next)
			v := a.search(child, lowest, highest)
			if value < 0 || declarer && v > value || !declarer && v < value {
				value = v
			}
			m := MoveValue{Card: c}
			m.Points, m.Exact, m.Won = a.outcome(&d, v)
			out.Moves = append(out.Moves, m)
		}
		sortMoves(out.Moves, declarer)
		if p.Finished() {
			value = a.search(root, lowest, highest)
		}
		out.Points, out.Exact, out.Won = a.outcome(&d, value)
	} else {
		out.Points, out.Exact, out.Won = a.outcome(&d, a.search(root, lowest, highest))
	}
	if !q.NoLine && !s.stop {
		generated := s.generated
		s.end.most, s.checkAt, s.prune = 0, s.nodes+checkEvery, true
		out.Line = s.line(p, q.Utility, s.evaluate(&p, q.Utility, a.need))
		s.generated, s.nodes, s.ready = generated, 0, false
	}
	return out
}

// outcome is like the function outcome. With forward pruning the value of a lost contract is 0, and the points are not known.
func (a *plain) outcome(d *belote.Deal, value int32) (points int, exact, won bool) {
	points, exact, won = outcome(utilityOf(a.contract), d, value)
	if a.prune && !won {
		return 0, false, false
	}
	return points, exact, won
}

func utilityOf(contract bool) Utility {
	if contract {
		return Contract
	}
	return Points
}

func (a *plain) stateOf(p *belote.Position) state {
	s := state{led: -1, leader: uint32(p.Leader()), made: int32(p.Points(p.Deal().Declarer)), left: int32(p.Left())}
	for _, player := range belote.Players() {
		s.held[player], s.open[player] = a.deal.set(p.Held(player)), a.deal.set(p.Up(player))
	}
	if led, ok := p.Led(); ok {
		s.led = int(a.deal.number[led])
	}
	return s
}

// utility returns the value of a state that is not searched further. ok is false for other states.
func (a *plain) utility(s *state) (value int32, ok bool) {
	over := s.held[0]|s.held[1] == 0
	switch {
	case a.contract && (over || a.prune) && s.made >= a.need:
		return 1, true
	case (a.contract && over || a.prune) && s.made+s.left < a.need:
		return 0, true
	}
	return s.made, over
}

// search returns the value of a state: plain minimax, or alpha-beta as in Russell and Norvig, "Artificial Intelligence", 4th edition,
// figure 5.7.
func (a *plain) search(s state, alpha, beta int32) int32 {
	if a.generated >= a.checkAt && a.stopPlain() {
		return 0
	}
	if value, ok := a.utility(&s); ok {
		return value
	}
	turn := s.leader
	if s.led >= 0 {
		turn ^= 1
	}
	legal, winners := s.open[turn&1], set(0)
	if s.led >= 0 {
		legal, winners = a.deal.replies(s.led, legal)
	}
	maximise := turn == a.declarer
	best := int32(math.MaxInt32)
	if maximise {
		best = math.MinInt32
	}
	for _, stack := range a.stacks[turn] {
		card := stack & legal // at most one card of a stack is open
		if card == 0 {
			continue
		}
		a.generated++
		child := a.child(s, turn, card, winners&card != 0)
		value := a.search(child, alpha, beta)
		if maximise {
			best = max(best, value)
			alpha = max(alpha, best)
			if a.alphaBeta && best >= beta {
				return best
			}
		} else {
			best = min(best, value)
			beta = min(beta, best)
			if a.alphaBeta && best <= alpha {
				return best
			}
		}
		if a.stop {
			return 0
		}
	}
	return best
}

func (a *plain) child(child state, turn uint32, card set, takes bool) state {
	led := child.led
	child.held[turn&1] &^= card
	child.open[turn&1] = child.open[turn&1]&^card | a.deal.under[card.low()]
	if led < 0 {
		child.led = card.low()
		return child
	}
	points := a.deal.points[led] + a.deal.points[card.low()]
	if child.held[0]|child.held[1] == 0 {
		points += belote.LastTrick
	}
	if takes {
		child.leader = turn
	}
	if child.leader == a.declarer {
		child.made += points
	}
	child.left -= points
	child.led = -1
	return child
}

func (a *plain) stopPlain() bool {
	stop := a.cancelled()
	a.checkAt = a.generated + 8*checkEvery
	return stop
}
