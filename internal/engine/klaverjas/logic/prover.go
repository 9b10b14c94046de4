package logic

import (
	"errors"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// ErrTooComplex is the error for a formula that takes more steps to decide than it may.
var ErrTooComplex = errors.New("the formula takes too many steps to decide")

// The numbers of steps that the decision of a formula may take. A step, of a microsecond at most, is one of the search for a world, one
// operator of a formula without announcements, or one of the work on a model (modelSteps). With FewSteps the memory is some 100 KB.
const (
	FewSteps = 500
	MaxSteps = 500_000
)

// prover decides what seats know where there are too many worlds for a model. Whether a seat knows a statement about the hands is whether
// no world that it holds possible contradicts the statement, and such a world is searched for.
type prover struct {
	trump  piquet.Suit
	public worlds.Owners
	dealt  [4]piquet.Set
	steps  int // left
}

func newProver(k *worlds.Knowledge, steps int) *prover {
	return &prover{trump: k.View().Trump, public: k.Public(), dealt: k.Dealt(), steps: steps}
}

// holds reports whether a formula is true in a world, with a world that shows it.
func (p *prover) holds(w worlds.World, f *Formula) (value bool, shown worlds.World, err error) {
	f, err = p.reduce(f)
	if err != nil {
		return false, w, err
	}
	return p.at(w, f)
}

// at is holds for a formula without announcements.
func (p *prover) at(w worlds.World, f *Formula) (value bool, shown worlds.World, err error) {
	if p.steps--; p.steps < 0 {
		return false, w, ErrTooComplex
	}
	switch f.op {
	case opNot:
		value, shown, err = p.at(w, f.left)
		return !value, shown, err
	case opAnd, opOr, opImplies:
		value, shown, err = p.at(w, f.left)
		decided := value == (f.op == opOr) // a false operand decides and, a true one or; a false premise decides implies
		if f.op == opImplies {
			decided, value = !value, !value
		}
		if err != nil || decided {
			return value, shown, err
		}
		return p.at(w, f.right)
	case opKnows:
		return p.knowsIn(f.seat, w, f.left)
	case opPossible:
		value, shown, err = p.knowsIn(f.seat, w, &Formula{op: opNot, left: f.left})
		return !value, shown, err
	case opEveryone:
		for seat := range f.group.Each {
			if value, shown, err = p.knowsIn(seat, w, f.left); err != nil || !value {
				return value, shown, err
			}
		}
		return true, w, nil
	case opCommon:
		return false, w, tooMany("common knowledge")
	default:
		return f.holdsIn(p.trump, &p.dealt, w), w, nil
	}
}

func (p *prover) knowsIn(seat piquet.Seat, w worlds.World, f *Formula) (value bool, shown worlds.World, err error) {
	value, shown, err = p.knowsReduced(seat, w[seat], f)
	if value {
		shown = w
	}
	return value, shown, err
}

// knows reports whether a seat with a hand knows a formula, with a world that it holds possible: one that contradicts the formula, if there
// is one.
func (p *prover) knows(seat piquet.Seat, hand piquet.Set, f *Formula) (value bool, shown worlds.World, err error) {
	f, err = p.reduce(f)
	if err != nil {
		return false, shown, err
	}
	return p.knowsReduced(seat, hand, f)
}

func (p *prover) knowsReduced(seat piquet.Seat, hand piquet.Set, f *Formula) (value bool, shown worlds.World, err error) {
	f, err = p.introspect(seat, hand, f)
	if err != nil {
		return false, shown, err
	}
	possible := p.public.Hand(seat, hand)
	against, found, err := p.satisfy(possible, &goal{f: f})
	if err != nil || found {
		return false, against, err
	}
	shown, _ = possible.World()
	return true, shown, nil
}

// introspect replaces what a seat knows about its own knowledge by its truth value, which is the same in every world that the seat holds
// possible. The result is a statement about the hands.
func (p *prover) introspect(seat piquet.Seat, hand piquet.Set, f *Formula) (*Formula, error) {
	if f.atom() {
		return f, nil
	}
	if p.steps--; p.steps < 0 {
		return nil, ErrTooComplex
	}
	own := f.op == opEveryone && f.group == worlds.Only(seat) || (f.op == opKnows || f.op == opPossible) && f.seat == seat
	switch {
	case own:
		inner, positive := f.left, true
		if f.op == opPossible {
			inner, positive = &Formula{op: opNot, left: inner}, false
		}
		known, _, err := p.knowsReduced(seat, hand, inner)
		if err != nil {
			return nil, err
		}
		if known == positive {
			return &Formula{op: opTrue}, nil
		}
		return &Formula{op: opFalse}, nil
	case f.op == opCommon:
		return nil, tooMany("common knowledge")
	case f.op == opKnows, f.op == opPossible, f.op == opEveryone:
		return nil, tooMany("what one seat knows of what another seat knows")
	}
	left, err := p.introspect(seat, hand, f.left)
	if err != nil {
		return nil, err
	}
	out := &Formula{op: f.op, left: left}
	if f.right != nil {
		out.right, err = p.introspect(seat, hand, f.right)
	}
	return out, err
}

// tooMany returns the error for what needs a model. Who asked knows how many worlds there are.
func tooMany(why string) error { return &TooManyWorlds{Why: why} }

// goal is a statement about the hands that a world must make true, or false, and the goals after it.
type goal struct {
	f    *Formula
	want bool
	rest *goal
}

// satisfy searches for a world that meets all goals.
func (p *prover) satisfy(o worlds.Owners, g *goal) (w worlds.World, found bool, err error) {
	if p.steps--; p.steps < 0 {
		return w, false, ErrTooComplex
	}
	if g == nil {
		w, found = o.World()
		return w, found, nil
	}
	leftWant := g.want
	switch g.f.op {
	case opNot:
		return p.satisfy(o, &goal{g.f.left, !g.want, g.rest})
	case opImplies:
		leftWant = !g.want
		fallthrough
	case opAnd, opOr:
		if g.want == (g.f.op == opAnd) { // both operands must be as wanted
			return p.satisfy(o, &goal{g.f.right, g.want, &goal{g.f.left, leftWant, g.rest}})
		}
		if w, found, err = p.satisfy(o, &goal{g.f.left, leftWant, g.rest}); found || err != nil {
			return w, found, err
		}
		return p.satisfy(o, &goal{g.f.right, g.want, g.rest})
	default:
		return p.satisfyAtom(o, g)
	}
}

func (p *prover) satisfyAtom(o worlds.Owners, g *goal) (w worlds.World, found bool, err error) {
	seat := g.f.seat
	set, positive := g.f.holding(p.trump)
	if g.f.op == opOwn && p.dealt[seat]&set != 0 || set.Empty() { // true or false in every world
		if (set.Empty() != positive) == g.want {
			return p.satisfy(o, g.rest)
		}
		return w, false, nil
	}
	if positive != g.want {
		without := o.Forbid(seat, set)
		if !without.Possible() {
			return w, false, nil
		}
		return p.satisfy(without, g.rest)
	}
	may := o.Of(seat) & set
	for c := range may.All() {
		if o.May(c) == worlds.Only(seat) {
			return p.satisfy(o, g.rest)
		}
	}
	for c := range may.All() {
		with := o.Give(seat, piquet.SetOf(c))
		if !with.Possible() {
			continue
		}
		if w, found, err = p.satisfy(with, g.rest); found || err != nil {
			return w, found, err
		}
	}
	return w, false, nil
}
