package logic

import (
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// evaluation computes where formulas are true in a model, and keeps the results of their parts.
type evaluation struct {
	m      *Model
	truths map[part][]bool
	after  map[part]*domain // after an announcement
}

// part is a part of a formula in a part of a model.
type part struct {
	f *Formula
	d *domain
}

func newEvaluation(m *Model) *evaluation {
	return &evaluation{m: m, truths: map[part][]bool{}, after: map[part]*domain{}}
}

// truth returns, by world of the domain, whether the formula is true there. For the other worlds the value means nothing.
func (e *evaluation) truth(f *Formula, d *domain) []bool { //nolint:funlen // one case for each operator
	at := part{f, d}
	if known, ok := e.truths[at]; ok {
		return known
	}
	out := make([]bool, len(e.m.worlds))
	e.truths[at] = out
	switch f.op {
	case opNot:
		for i, v := range e.truth(f.left, d) {
			out[i] = !v
		}
	case opAnd, opOr, opImplies:
		left, right := e.truth(f.left, d), e.truth(f.right, d)
		for i := range out {
			switch f.op {
			case opAnd:
				out[i] = left[i] && right[i]
			case opOr:
				out[i] = left[i] || right[i]
			default:
				out[i] = !left[i] || right[i]
			}
		}
	case opKnows:
		e.known(f.seat, e.truth(f.left, d), d, out)
	case opPossible:
		inner := e.truth(f.left, d)
		possible := make([]bool, e.m.classes[f.seat])
		class := e.m.class[f.seat]
		for i, v := range inner {
			if v && d.in[i] {
				possible[class[i]] = true
			}
		}
		for i := range out {
			out[i] = possible[class[i]]
		}
	case opEveryone:
		inner := e.truth(f.left, d)
		for i := range out {
			out[i] = true
		}
		one := make([]bool, len(out))
		for s := range f.group.Each {
			e.known(s, inner, d, one)
			for i := range out {
				out[i] = out[i] && one[i]
			}
		}
	case opCommon:
		inner, root := e.truth(f.left, d), e.components(f.group, d)
		fails := make([]bool, len(out))
		for i, v := range inner {
			if !v && d.in[i] {
				fails[root[i]] = true
			}
		}
		for i := range out {
			out[i] = !fails[root[i]]
		}
	case opAnnounce:
		announced, then := e.truth(f.left, d), e.truth(f.right, e.announce(f.left, d))
		for i := range out {
			out[i] = !announced[i] || then[i]
		}
	default:
		for i, w := range e.m.worlds {
			out[i] = f.holdsIn(e.m.trump, &e.m.dealt, w)
		}
	}
	return out
}

// known sets out to the worlds in which the seat knows what is true in the given ones.
func (e *evaluation) known(s piquet.Seat, inner []bool, d *domain, out []bool) {
	fails := make([]bool, e.m.classes[s])
	class := e.m.class[s]
	for i, v := range inner {
		if !v && d.in[i] {
			fails[class[i]] = true
		}
	}
	for i := range out {
		out[i] = !fails[class[i]]
	}
}

// announce returns the domain in which the formula has been announced: the worlds in which it was true.
func (e *evaluation) announce(f *Formula, d *domain) *domain {
	at := part{f, d}
	if known, ok := e.after[at]; ok {
		return known
	}
	after := &domain{in: make([]bool, len(d.in))}
	for i, v := range e.truth(f, d) {
		after.in[i] = d.in[i] && v
	}
	e.after[at] = after
	return after
}

// components returns, by world of the domain, a representative of the worlds that are reached from it in any number of steps, each to a
// world that a seat of the group holds possible.
func (e *evaluation) components(group worlds.SeatSet, d *domain) []int32 {
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
	for s := range group.Each {
		first := make([]int32, e.m.classes[s])
		for i := range first {
			first[i] = -1
		}
		for i, in := range d.in {
			if !in {
				continue
			}
			if to := &first[e.m.class[s][i]]; *to < 0 {
				*to = int32(i)
			} else {
				root[find(int32(i))] = find(*to)
			}
		}
	}
	for i := range root {
		root[i] = find(int32(i))
	}
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

// shows returns a world of the domain that shows why the formula has its truth value in a world: for knowledge that a seat does not have,
// a world that the seat holds possible; for what a seat holds possible, that world; for all else the world itself.
func (e *evaluation) shows(f *Formula, d *domain, at int) int {
	value := e.truth(f, d)[at]
	reach := func(same func(i int) bool, want bool) int {
		inner := e.truth(f.left, d)
		for i := range inner {
			if d.in[i] && inner[i] == want && same(i) {
				return e.shows(f.left, d, i)
			}
		}
		return at
	}
	switch {
	case f.op == opNot:
		return e.shows(f.left, d, at)
	case f.op == opAnd && !value, f.op == opOr && value:
		if e.truth(f.left, d)[at] == value {
			return e.shows(f.left, d, at)
		}
		return e.shows(f.right, d, at)
	case f.op == opImplies:
		if value && !e.truth(f.left, d)[at] {
			return e.shows(f.left, d, at)
		}
		return e.shows(f.right, d, at)
	case f.op == opKnows && !value, f.op == opPossible && value:
		return reach(func(i int) bool { return e.m.Same(f.seat, at, i) }, value)
	case f.op == opEveryone && !value:
		return reach(func(i int) bool {
			for s := range f.group.Each {
				if e.m.Same(s, at, i) {
					return true
				}
			}
			return false
		}, false)
	case f.op == opCommon && !value:
		root := e.components(f.group, d)
		return reach(func(i int) bool { return root[i] == root[at] }, false)
	case f.op == opAnnounce && e.truth(f.left, d)[at]:
		return e.shows(f.right, e.announce(f.left, d), at)
	default:
		return at
	}
}
