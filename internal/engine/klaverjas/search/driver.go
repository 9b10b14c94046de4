package search

import (
	"context"
	"math/bits"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/pause"
	"roem/internal/engine/piquet"
)

const lastTrick = klaverjas.LastTrick

// searcher is the state of a search.
type searcher struct {
	deal  deal
	ready bool // deal is prepared
	table *table

	stored  uint64 // table entries filled since the last update of table.stored
	nodes   uint64
	checkAt uint64 // at this number of nodes the search checks whether to stop
	end     end
	cards   int           // cards left in the hands at the root
	partial [Plies]Choice // the progress of an interrupted search, for Result.Partial
	most    uint64        // limit on the nodes; 0 for no limit
	stop    bool          // the search is interrupted: its return values are meaningless, and nothing more is stored
}

// checkEvery is the number of nodes between two checks of the context, about 70 µs.
const checkEvery = 1024

func (s *searcher) cancelled() bool {
	s.checkAt = s.nodes + checkEvery
	if s.most > 0 {
		s.checkAt = min(s.checkAt, s.most)
	}
	if s.most > 0 && s.nodes >= s.most || s.end.come() {
		s.stop = true
		s.partial = [Plies]Choice{} // it may hold choices of an earlier search
	}
	return s.stop
}

// end holds the conditions under which a search must stop.
type end struct {
	ctx   context.Context // kept only during one Solve
	done  <-chan struct{}
	until time.Time // the deadline; zero for none
}

func newEnd(ctx context.Context) end {
	e := end{ctx: ctx, done: ctx.Done()}
	e.until, _ = ctx.Deadline()
	return e
}

// come reports whether the search must stop. It also reads the clock, because the context's own timer can fire milliseconds late
// while every core is busy. The deadline of the context may be extended during a search, so it is read again when it has passed.
func (e *end) come() bool {
	pause.Point()
	select {
	case <-e.done:
		return true
	default:
	}
	if e.until.IsZero() || time.Now().Before(e.until) {
		return false
	}
	e.until, _ = e.ctx.Deadline()
	return !e.until.IsZero() && !time.Now().Before(e.until)
}

// rehash returns the two hashes under which the position of a table entry can be stored.
func (s *searcher) rehash(left uint32, about uint64) (first, second uint64) {
	first = s.deal.hash(left, uint8(about>>aboutLeader&3), state(about>>aboutState&(1<<13-1)))
	return first, s.deal.overflow(first, left)
}

// root is a position to search from, possibly in the middle of a trick, with the points made before it.
type root struct {
	left  uint32
	seat  uint8  // to play
	table uint32 // cards on the table
	trick trick
	pits  state // see state

	diff   int32 // declarers' points minus defenders' so far
	melds  int32 // meld points so far that the defenders score at a nat
	parity int32 // 0 if the difference at the end is even, 1 if it is odd
}

func (s *searcher) rootOf(p klaverjas.Position) root {
	d := &s.deal
	var r root
	for seat := range 4 {
		r.left |= d.set(p.Hand(piquet.Seat(seat)))
	}
	r.seat = uint8(p.Turn())
	onTable := p.Trick()
	for i, c := range onTable.Cards[:onTable.Len] {
		b := d.card(c)
		seat := uint8(onTable.Leader.Plus(i))
		if i == 0 {
			r.trick = newTrick(b, seat)
		} else {
			r.trick = r.trick.play(b, seat)
		}
		r.table |= 1 << b
	}
	declarers := d.root.Declarer
	defenders := declarers.Opponents()
	taken := p.TricksTaken()
	for side := range 2 {
		if d.pitBonus[side] > 0 && taken[side^1] == 0 {
			r.pits |= 1 << side
		}
	}
	k := p.Score()
	r.diff = int32(k.Sum(declarers) - k.Sum(defenders))
	r.melds = int32(k.Melds[defenders])
	if d.natAll {
		r.melds += int32(k.Melds[declarers])
	}
	r.parity = (r.diff + pointsLeft(r.left|r.table) + lastTrick) & 1
	return r
}

// difference returns a fail-soft bound on the difference D at the end of the hand, the declarers' points minus the defenders'. The
// bound is at least t if the declarers can make D at least t, otherwise it is less than t. If need is not 0, the defenders lose
// everything unless they make that many more meld points, in tens.
func (s *searcher) difference(r *root, t, need int32) int32 {
	return s.differenceWithin(r, t-1, t, need)
}

// differenceWithin is like difference with a wider window: a result between alpha and beta is exact.
func (s *searcher) differenceWithin(r *root, alpha, beta, need int32) int32 {
	st := newState(r.pits, need, s.deal.declarers)
	alpha, beta = alpha-r.diff, beta-r.diff
	sign := s.deal.sign(r.seat) // from the side of the player to move
	if sign < 0 {
		alpha, beta = -beta, -alpha
	}
	return r.diff + sign*s.from(r, st, alpha, beta)
}

// from searches from a root. Values are from the side of the player to move.
func (s *searcher) from(r *root, st state, alpha, beta int32) int32 {
	if r.table == 0 {
		return s.lead(r.left, r.seat, st, alpha, beta)
	}
	live := s.deal.liveCards(r.left | r.table)
	third := popcount(r.table) == 3
	return s.step(third, r.left, r.table, r.trick, r.seat, live, st, alpha, beta)
}

// window holds bounds on a position's OUTCOME, both inclusive.
type window struct{ lower, upper int32 }

// with returns the bounds of a position in which the player to move can reach the outcome v.
func (w window) with(v int32, declarersTurn bool) window {
	if declarersTurn {
		w.lower = max(w.lower, v)
	} else {
		w.upper = min(w.upper, v)
	}
	return w
}

// window returns the bounds that are known without a search.
func (s *searcher) window(r *root) window {
	all := r.left | r.table
	most := r.diff + pointsLeft(all) + lastTrick + s.deal.meldsLeft(all).ours(s.deal.declarers) +
		s.deal.pitLeft(r.pits, s.deal.declarers)
	if most <= 0 {
		most = -(klaverjas.AllTricks + r.melds)
	}
	return window{-(klaverjas.AllTricks + r.melds + s.mostMelds(r)), most}
}

// mostMelds returns the most meld points, a pit included, that can still be added to those that the defenders score at a nat.
func (s *searcher) mostMelds(r *root) int32 {
	return s.deal.natMeldsLeft(r.left|r.table) + s.deal.pitLeft(r.pits, s.deal.declarers^1)
}

// pitLeft returns the bonus for a pit if the side can still make one, else 0.
func (d *deal) pitLeft(pits state, side uint8) int32 {
	return d.pitBonus[side&1] * int32(pits>>(side&1)&1)
}

// leastWin is the smallest D with which the declarers win: 1 or 2, depending on the parity.
func (r *root) leastWin() int32 { return 2 - r.parity }

// decideWin determines only whether the declarers can make D > 0.
func (s *searcher) decideWin(r *root, progress func(Progress)) window {
	w := s.window(r)
	if w.lower < 0 && w.upper > 0 {
		if d := s.difference(r, r.leastWin(), 0); d > 0 {
			w.lower = d
		} else {
			w.upper = -(klaverjas.AllTricks + r.melds)
		}
		s.report(progress, w)
	}
	return w
}

// narrow finds the OUTCOME of a position, given bounds on it. Both bounds of the result are the OUTCOME. The guess is the first value
// tested, and step is the distance to the second.
func (s *searcher) narrow(r *root, w window, guess, step int32, progress func(Progress)) window {
	w = s.narrowWin(r, w, guess, step, progress)
	if w.upper > 0 {
		return w
	}
	return s.narrowNat(r, w, progress)
}

// narrowWin finds D if the declarers can make it positive. Otherwise it returns a window of outcomes that are nat. It tests values from
// the guess on towards D, each step twice as long as the one before, until D is between two tested values. It then halves this
// interval, and finishes with one search when the interval is small.
func (s *searcher) narrowWin(r *root, w window, guess, step int32, progress func(Progress)) window {
	t := min(max(guess, r.leastWin()), w.upper)
	failed := false
	for w.upper > 0 && w.lower < w.upper && !s.stop {
		if useLastWindow && failed && w.lower > 0 && w.upper-w.lower <= wideWindow {
			d := s.differenceWithin(r, w.lower, w.upper, 0)
			d = min(max(d, w.lower), w.upper)
			w = window{d, d}
			s.report(progress, w)
			break
		}
		t += (t ^ r.parity) & 1 // every possible D has this parity
		d := s.difference(r, t, 0)
		if d >= t {
			w.lower = d
		} else {
			w.upper, failed = d, true
			if d <= 0 {
				w.upper = -(klaverjas.AllTricks + r.melds)
			}
		}
		s.report(progress, w)
		switch {
		case !useDoubling && w.lower > 0:
			t = w.lower + 1
		case w.lower > 0 && failed:
			t = w.lower + (w.upper-w.lower+1)/2
		case w.lower > 0:
			t = min(w.lower+step, w.upper)
		default:
			t = max(w.upper-step, r.leastWin())
		}
		step *= 2
	}
	return w
}

// The first step of narrowWin for a position of which nothing is known, and for the second and each later card of valueMoves, which is
// often worth nearly as much as the best one. narrowWin finishes an interval of at most wideWindow with one search.
const (
	firstStep  = 32
	nextStep   = 2
	wideWindow = 16
)

// narrowNat finds the meld points that the defenders can force in addition to the nat. It tests sums in ascending order.
func (s *searcher) narrowNat(r *root, w window, progress func(Progress)) window {
	w.upper = min(w.upper, -(klaverjas.AllTricks + r.melds))
	for w.lower < w.upper && !s.stop {
		more := -w.upper - klaverjas.AllTricks - r.melds // the sum that is proved so far
		next := s.nextMeld(more)
		if s.difference(r, r.leastWin(), next/10) > 0 {
			w.lower = w.upper
		} else {
			w.upper = max(w.lower, -(klaverjas.AllTricks + r.melds + next))
		}
		s.report(progress, w)
	}
	return w
}

// nextMeld returns the least possible sum of melds above the given one. With melds of 20, 40, 50 and more, no sum is 10 or 30.
func (s *searcher) nextMeld(sum int32) int32 {
	d := &s.deal
	if !useMeldSums {
		return sum + 10
	}
	for _, q := range d.quads[:d.numQuads] {
		if q.value < 40 && q.value != 20 {
			return sum + 10
		}
	}
	if b := d.pitBonus[d.declarers&1^1]; b > 0 && b < 40 && b != 20 {
		return sum + 10
	}
	switch sum {
	case 0:
		return 20
	case 20:
		return 40
	}
	return sum + 10
}

// outcomeAtLeast reports whether OUTCOME >= v.
func (s *searcher) outcomeAtLeast(r *root, v int32) bool {
	if w := s.window(r); v <= w.lower || v > w.upper {
		return v <= w.lower
	}
	if v > -klaverjas.AllTricks {
		t := max(v, r.leastWin())
		t += (t ^ r.parity) & 1
		return s.difference(r, t, 0) >= t
	}
	return s.difference(r, r.leastWin(), r.needAgainst(v)) > 0
}

// needAgainst returns the meld points, in tens, that the defenders need in addition to a nat to make OUTCOME < v. It is 0 if a nat
// is enough, or if v is higher than the outcome of every nat.
func (r *root) needAgainst(v int32) int32 {
	if need := -v - klaverjas.AllTricks - r.melds + 1; v <= -klaverjas.AllTricks && need > 0 {
		return (need + 9) / 10
	}
	return 0
}

// rootOrder yields the cards of a root in the order in which the search would try them.
type rootOrder struct {
	s     *searcher
	r     *root
	lead  leadOrder
	aim   aim
	early uint32
}

// rootOrder returns the order for a search in which the defenders need the given meld points, in tens; 0 for none.
func (s *searcher) rootOrder(r *root, need int32) rootOrder {
	o := rootOrder{s: s, r: r}
	st := newState(r.pits, need, s.deal.declarers)
	live := s.deal.liveCards(r.left | r.table)
	if r.table == 0 {
		hash := s.deal.hash(r.left, r.seat, st)
		k := s.lookUp(hash, s.table.about(hash, r.seat, st), r.left, st, 0, 1)
		o.lead = newLeadOrder(k.lead, live, st)
		return o
	}
	legal := s.legal(s.deal.hand[r.seat]&r.left, r.seat, r.trick)
	o.early = s.spoils(r.table, legal&live, r.seat, st)
	if popcount(r.table) == 3 {
		o.aim = s.lastAim(r.table, legal, live, r.seat, r.trick)
	} else {
		o.aim = s.aim(r.left, r.seat, popcount(r.table) == 2, legal, r.trick)
	}
	return o
}

func (o *rootOrder) next(todo uint32) uint32 {
	if o.r.table == 0 {
		return o.s.nextLead(&o.lead, todo, o.r.left, o.r.seat)
	}
	return o.aim.pick(prefer(o.early, todo))
}

func popcount(m uint32) int { return bits.OnesCount32(m) }
