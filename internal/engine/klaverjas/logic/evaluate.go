package logic

import (
	"slices"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// evaluation computes where formulas are true in a model, and keeps the results of their parts.
type evaluation struct {
	m      *Model
	truths map[part]worldSet
	after  map[part]*domain // after an announcement
	roots  map[group][]int32
	marks  []bool // by class of a seat, between uses false
}

// part is a part of a formula in a part of a model.
type part struct {
	f *Formula
	d *domain
}

// group is a group of seats in a part of a model.
type group struct {
	seats worlds.SeatSet
	d     *domain
}

func newEvaluation(m *Model) *evaluation {
	return &evaluation{
		m: m, truths: map[part]worldSet{}, after: map[part]*domain{}, roots: map[group][]int32{}, marks: make([]bool, slices.Max(m.classes[:])),
	}
}

// truth returns the worlds of the domain in which the formula is true. What it says of other worlds means nothing.
func (e *evaluation) truth(f *Formula, d *domain) worldSet {
	at := part{f, d}
	if known, ok := e.truths[at]; ok {
		return known
	}
	out := e.m.none()
	e.truths[at] = out
	switch f.op {
	case opNot:
		combine(out, e.truth(f.left, d), nil, func(l, _ uint64) uint64 { return ^l })
	case opAnd:
		combine(out, e.truth(f.left, d), e.truth(f.right, d), func(l, r uint64) uint64 { return l & r })
	case opOr:
		combine(out, e.truth(f.left, d), e.truth(f.right, d), func(l, r uint64) uint64 { return l | r })
	case opImplies:
		combine(out, e.truth(f.left, d), e.truth(f.right, d), func(l, r uint64) uint64 { return ^l | r })
	case opAnnounce:
		combine(out, e.truth(f.left, d), e.truth(f.right, e.announce(f.left, d)), func(l, r uint64) uint64 { return ^l | r })
	case opKnows, opEveryone, opPossible, opCommon:
		e.known(f, d, out)
	default:
		for i, w := range e.m.worlds {
			if f.holdsIn(e.m.trump, &e.m.dealt, w) {
				out.add(i)
			}
		}
	}
	return out
}

// combine sets each word of out to what of returns for the words of left and right, which may be nil.
func combine(out, left, right worldSet, of func(left, right uint64) uint64) {
	for i := range out {
		var r uint64
		if right != nil {
			r = right[i]
		}
		out[i] = of(left[i], r)
	}
}

// known sets out to the worlds in which a formula about knowledge is true. Each is a question to the classes of worlds that a seat, or a
// group in any number of steps, cannot tell apart: is there a world of the domain in which the operand is false, or, of M, true?
func (e *evaluation) known(f *Formula, d *domain, out worldSet) {
	inner := e.truth(f.left, d)
	switch f.op {
	case opKnows:
		fails := e.met(e.m.class[f.seat], e.m.classes[f.seat], d, func(i int) bool { return !inner.has(i) })
		combine(out, fails, nil, func(l, _ uint64) uint64 { return ^l })
	case opPossible:
		copy(out, e.met(e.m.class[f.seat], e.m.classes[f.seat], d, inner.has))
	case opEveryone:
		for s := range f.group.Each {
			fails := e.met(e.m.class[s], e.m.classes[s], d, func(i int) bool { return !inner.has(i) })
			combine(out, out, fails, func(l, r uint64) uint64 { return l | r })
		}
		combine(out, out, nil, func(l, _ uint64) uint64 { return ^l })
	default: // common knowledge
		fails := e.met(e.components(f.group, d), len(e.m.worlds), d, func(i int) bool { return !inner.has(i) })
		combine(out, fails, nil, func(l, _ uint64) uint64 { return ^l })
	}
}

// met returns the worlds in whose class there is a world of the domain that is as asked.
func (e *evaluation) met(class []int32, classes int, d *domain, is func(i int) bool) worldSet {
	if len(e.marks) < classes {
		e.marks = make([]bool, classes)
	}
	marks := e.marks[:classes]
	clear(marks)
	for i, c := range class {
		if d.in.has(i) && is(i) {
			marks[c] = true
		}
	}
	out := e.m.none()
	for i, c := range class {
		if marks[c] {
			out.add(i)
		}
	}
	return out
}

// announce returns the domain in which the formula has been announced: the worlds in which it was true.
func (e *evaluation) announce(f *Formula, d *domain) *domain {
	at := part{f, d}
	if known, ok := e.after[at]; ok {
		return known
	}
	after := &domain{in: e.m.none()}
	combine(after.in, d.in, e.truth(f, d), func(l, r uint64) uint64 { return l & r })
	e.after[at] = after
	return after
}

// components returns, by world of the domain, a representative of the worlds that are reached from it in any number of steps, each to a
// world that a seat of the group holds possible.
func (e *evaluation) components(seats worlds.SeatSet, d *domain) []int32 {
	of := group{seats, d}
	if known, ok := e.roots[of]; ok {
		return known
	}
	root := make([]int32, len(e.m.worlds))
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for s := range seats.Each {
		first := make([]int32, e.m.classes[s])
		for i := range first {
			first[i] = -1
		}
		for i, c := range e.m.class[s] {
			switch {
			case !d.in.has(i):
			case first[c] < 0:
				first[c] = int32(i)
			default:
				root[find(int32(i))] = find(first[c])
			}
		}
	}
	for i := range root {
		root[i] = find(int32(i))
	}
	e.roots[of] = root
	return root
}

// holdsIn reports whether an atom is true in a world.
func (f *Formula) holdsIn(trump piquet.Suit, dealt *[4]piquet.Set, w worlds.World) bool {
	set, positive := f.holding(trump)
	hand := w[f.seat]
	if f.op == opOwn {
		hand |= dealt[f.seat]
	}
	return (hand&set != 0) == positive
}

// everywhere reports whether a formula is true in all worlds in which a seat has a shape of its hand, and the number of a world that shows
// it: the first in which it is false, if there is one. It calls each with every such world.
func (e *evaluation) everywhere(f *Formula, s piquet.Seat, hand piquet.Set, each func(i int, truth bool)) (shown int, value bool) {
	truth := e.truth(f, e.m.all())
	shown, value = -1, true
	for i, w := range e.m.worlds {
		if w[s] != hand {
			continue
		}
		each(i, truth.has(i))
		if shown < 0 || value && !truth.has(i) {
			shown = i
		}
		value = value && truth.has(i)
	}
	return shown, value
}

// place is a world of the model, with a world of which it is the shape.
type place struct {
	at int
	w  worlds.World
}

// step returns another world that a seat holds possible in a place.
func (m *Model) step(from place, s piquet.Seat, to int) place {
	if from.at == to {
		return from
	}
	if m.kinds == nil { // in the model of one card no other card has a holder
		return place{to, m.worlds[to]}
	}
	return place{to, m.kinds.world(s, from.w[s], m.worlds[to])}
}

// shows returns a place in the domain that shows why the formula has its truth value in a place: for knowledge that a seat does not have,
// a world that the seat holds possible; for what a seat holds possible, that world; for all else the world itself.
func (e *evaluation) shows(f *Formula, d *domain, from place) place {
	value := e.truth(f, d).has(from.at)
	switch {
	case f.op == opNot:
		return e.shows(f.left, d, from)
	case f.op == opAnd && !value, f.op == opOr && value:
		if e.truth(f.left, d).has(from.at) == value {
			return e.shows(f.left, d, from)
		}
		return e.shows(f.right, d, from)
	case f.op == opImplies:
		if value && !e.truth(f.left, d).has(from.at) {
			return e.shows(f.left, d, from)
		}
		return e.shows(f.right, d, from)
	case f.op == opKnows && !value, f.op == opPossible && value:
		return e.shows(f.left, d, e.reach(f, worlds.Only(f.seat), d, from, value))
	case f.op == opEveryone && !value:
		return e.shows(f.left, d, e.reach(f, f.group, d, from, false))
	case f.op == opCommon && !value:
		return e.shows(f.left, d, e.wander(f, d, from))
	case f.op == opAnnounce && e.truth(f.left, d).has(from.at):
		return e.shows(f.right, e.announce(f.left, d), from)
	default:
		return from
	}
}

// reach returns a place that a seat of a group holds possible in another, where the operand of the formula has a value. There must be one.
func (e *evaluation) reach(f *Formula, seats worlds.SeatSet, d *domain, from place, want bool) place {
	inner := e.truth(f.left, d)
	for i := range e.m.worlds {
		if !d.in.has(i) || inner.has(i) != want {
			continue
		}
		for s := range seats.Each {
			if e.m.Same(s, from.at, i) {
				return e.m.step(from, s, i)
			}
		}
	}
	return from
}

// wander returns a place that is reached from another in the fewest steps, each to one that a seat of the group holds possible, in which
// the operand of common knowledge is false. There must be one.
func (e *evaluation) wander(f *Formula, d *domain, from place) place {
	inner := e.truth(f.left, d)
	var met [4][]bool // by seat and class: its worlds have been reached
	for s := range f.group.Each {
		met[s] = make([]bool, e.m.classes[s])
	}
	reached := e.m.none()
	reached.add(from.at)
	type link struct {
		at   int
		seat piquet.Seat
		back int // in the queue
	}
	queue := []link{{at: from.at, back: -1}}
	for next := 0; next < len(queue); next++ {
		at := queue[next].at
		if !inner.has(at) {
			var path []link
			for i := next; queue[i].back >= 0; i = queue[i].back {
				path = append(path, queue[i])
			}
			for _, l := range slices.Backward(path) {
				from = e.m.step(from, l.seat, l.at)
			}
			return from
		}
		for s := range f.group.Each {
			class := e.m.class[s][at]
			if met[s][class] {
				continue
			}
			met[s][class] = true
			for i, other := range e.m.class[s] {
				if other == class && d.in.has(i) && !reached.has(i) {
					reached.add(i)
					queue = append(queue, link{i, s, next})
				}
			}
		}
	}
	return from
}
