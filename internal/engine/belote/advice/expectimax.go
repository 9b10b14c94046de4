package advice

import (
	"errors"
	"math/bits"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
)

// ErrMaxStates is the error of an expectimax that did not finish within its limit of states.
var ErrMaxStates = errors.New("the expectimax has reached its limit of states")

// Expectimax computes exact values while cards are face down: the maximum over the cards of the declarer, the minimum over the cards of
// the other, and the mean over the cards that can be turned, each equally likely. Both players know the same (package worlds), so that no
// other information enters.
//
// A value is a whole number: the sum over all orders of the unseen cards. Divided by their number, it is the expected value. So equal
// values are equal to the last bit.
type Expectimax struct {
	Utility   search.Utility
	Flip      worlds.Flip
	MaxStates int          // 0 for no limit
	Pause     func() error // if not nil, it is called at intervals; an error ends the computation

	trump     belote.Trump
	declarer  belote.Player
	threshold int
	under     [32]piquet.Set // the known card below each card
	covers    piquet.Set     // the cards with an unknown card below
	points    [32]int
	memo      map[state]int64
	states    uint64
	err       error
}

// state is a position between two tricks.
type state struct {
	up     [2]piquet.Set
	unseen piquet.Set
	leader belote.Player
	made   uint8 // the declarer's points, for the contract; otherwise 0
}

// Sums are the values of the legal cards, as sums over all worlds: of the declarer's points at the end, or of the worlds in which the
// declarer makes the threshold.
type Sums struct {
	Cards  []piquet.Card // the legal cards in the order of the deck
	Values []int64
	Worlds int64
	States uint64 // positions between tricks that were searched
}

// Values returns the value of every legal card of a view. The error is ErrMaxStates or the error of Pause. The view must not be finished.
func (e *Expectimax) Values(v *worlds.View) (Sums, error) {
	d, now := v.Deal(), v.Now()
	e.trump, e.declarer, e.threshold, e.covers = d.Trump, d.Declarer, d.Threshold, v.Covers()
	for c := range d.Deck.All() {
		e.points[c] = d.Trump.Points(c)
		if e.under[c] = 0; !e.covers.Has(c) {
			e.under[c] = now.Under(c)
		}
	}
	e.memo, e.states, e.err = map[state]int64{}, 0, nil
	s := state{up: [2]piquet.Set{now.Up(belote.A), now.Up(belote.B)}, unseen: v.Unseen(), leader: now.Leader()}
	made := now.Points(e.declarer)
	out := Sums{Cards: now.Legal().Slice(), Worlds: int64(v.Worlds())}
	led, follow := now.Led()
	if follow {
		// Now has the card below the one that was led as open already.
		s.up[s.leader] = s.up[s.leader].With(led) &^ now.Under(led)
	}
	for _, c := range out.Cards {
		if follow {
			out.Values = append(out.Values, e.reply(s, led, c, made))
		} else {
			out.Values = append(out.Values, e.lead(s, c, made))
		}
	}
	out.States = e.states
	if e.Utility == search.Points {
		for i := range out.Values {
			out.Values[i] += int64(made) * out.Worlds
		}
	}
	e.memo = nil
	return out, e.err
}

// lead returns the value after a lead. With the utility points, made is not part of it.
func (e *Expectimax) lead(s state, c piquet.Card, made int) (sum int64) {
	if e.Flip == worlds.Immediate && e.covers.Has(c) { // the card below is seen before the reply
		for turned := range s.unseen.All() {
			next := s
			next.unseen = s.unseen.Without(turned)
			sum += e.replies(next, c, piquet.SetOf(turned), made)
		}
		return sum
	}
	return e.replies(s, c, e.under[c], made)
}

// replies returns the value of the best reply to c. below is what lies below c if it is known by now.
func (e *Expectimax) replies(s state, c piquet.Card, below piquet.Set, made int) (best int64) {
	follower := s.leader.Other()
	first := true
	for d := range e.trump.Legal(c, s.up[follower]).All() {
		if v := e.trick(s, c, d, below, made); first || (follower == e.declarer) == (v > best) {
			best, first = v, false
		}
	}
	return best
}

// reply returns the value of one reply to a card that lies on the table.
func (e *Expectimax) reply(s state, c, d piquet.Card, made int) int64 {
	// With the flip at once, the card below c is known: its stack is not hidden any more.
	return e.trick(s, c, d, e.under[c], made)
}

// trick returns the value after a trick. below is the known card below c, if any. The cards that are not known are turned now.
func (e *Expectimax) trick(s state, c, d piquet.Card, below piquet.Set, made int) int64 {
	leader, follower := s.leader, s.leader.Other()
	next := state{up: s.up, unseen: s.unseen, leader: leader}
	next.up[leader] = s.up[leader].Without(c) | below
	next.up[follower] = s.up[follower].Without(d) | e.under[d]
	if e.trump.Beats(d, c) {
		next.leader = follower
	}
	var turn [2]bool
	turn[leader], turn[follower] = e.covers.Has(c) && below.Empty(), e.covers.Has(d)
	points := e.points[c] + e.points[d]
	if next.up[0].Empty() && next.up[1].Empty() && next.unseen.Empty() {
		points += belote.LastTrick
	}
	if next.leader != e.declarer {
		points = 0
	}
	sum := e.turn(next, turn, made+points)
	if e.Utility == search.Points {
		sum += int64(points) * factorial[next.unseen.Len()]
	}
	return sum
}

// turn turns a card of each player that turn says, each of the unseen cards equally likely.
func (e *Expectimax) turn(s state, turn [2]bool, made int) (sum int64) {
	for _, p := range belote.Players() {
		if !turn[p] {
			continue
		}
		turn[p] = false
		for c := range s.unseen.All() {
			next := s
			next.unseen = s.unseen.Without(c)
			next.up[p] = s.up[p].With(c)
			sum += e.turn(next, turn, made)
		}
		return sum
	}
	return e.value(s, made)
}

// value returns the value of a position between two tricks.
func (e *Expectimax) value(s state, made int) (best int64) {
	lead := s.up[s.leader]
	if e.Utility == search.Contract {
		worlds := factorial[s.unseen.Len()]
		if made >= e.threshold {
			return worlds
		}
		if made+e.left(s) < e.threshold {
			return 0
		}
		s.made = uint8(made)
	} else if lead.Empty() {
		return 0
	}
	if v, ok := e.memo[s]; ok || e.err != nil {
		return v
	}
	if e.states++; e.MaxStates > 0 && e.states > uint64(e.MaxStates) {
		e.err = ErrMaxStates
		return 0
	}
	if e.Pause != nil && e.states%pauseStates == 0 {
		if e.err = e.Pause(); e.err != nil {
			return 0
		}
	}
	first := true
	for c := range lead.All() {
		if v := e.lead(s, c, made); first || (s.leader == e.declarer) == (v > best) {
			best, first = v, false
		}
	}
	e.memo[s] = best
	return best
}

// left returns the points that are still to be made.
func (e *Expectimax) left(s state) int {
	sum := 0
	for all := s.up[0] | s.up[1] | s.unseen; all != 0; all &= all - 1 {
		c := bits.TrailingZeros32(uint32(all))
		sum += e.points[c]
		if below := e.under[c]; below != 0 {
			sum += e.points[below.First()]
		}
	}
	if sum > 0 || s.up[0]|s.up[1] != 0 {
		sum += belote.LastTrick
	}
	return sum
}

// pauseStates is after how many states Pause is called: some 100 µs.
const pauseStates = 64

// factorial are the factorials to 16!.
var factorial = func() (f [17]int64) {
	for i := range f {
		f[i] = int64(worlds.Factorial(i))
	}
	return f
}()
