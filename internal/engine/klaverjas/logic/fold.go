package logic

import (
	"slices"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// folder replaces what has the same value in every public world by that value. So it is common knowledge: no seat holds another value
// possible, nor that another seat does.
type folder struct {
	trump  piquet.Suit
	public worlds.Owners
	dealt  [4]piquet.Set
	may    [4]piquet.Set // by seat: the cards left that it holds in some public world
}

func newFolder(k *worlds.Knowledge) *folder {
	f := &folder{trump: k.View().Trump, public: k.Public(), dealt: k.Dealt()}
	for cards, holders := range f.public.Alike {
		for s := range holders.Each {
			f.may[s] |= cards
		}
	}
	return f
}

// always returns the formula true or false.
func always(value bool) *Formula {
	if value {
		return &Formula{op: opTrue}
	}
	return &Formula{op: opFalse}
}

// fold returns a formula with the same value in every public world, without parts that have one value in all of them.
func (r *folder) fold(f *Formula) *Formula {
	if f.atom() {
		return r.foldAtom(f)
	}
	out := *f
	out.left = r.fold(f.left)
	if f.right != nil {
		out.right = r.fold(f.right)
	}
	known, left := out.left.constant(), out.left.op == opTrue
	switch {
	case f.right == nil && !known:
		return out.collapsed()
	case f.op == opNot:
		return always(!left)
	case f.right == nil: // what is true in every world, or false in every world, is so for knowledge of each kind
		return out.left
	}
	return out.foldPair(known, left)
}

// foldPair folds a formula with two operands that are folded. known says whether the left one is constant, and left is its value.
func (f *Formula) foldPair(known, left bool) *Formula {
	rightKnown, right := f.right.constant(), f.right.op == opTrue
	switch {
	case known && left == (f.op == opOr): // a true operand of or, a false one of and, implies and an announcement decide
		return always(f.op != opAnd)
	case known:
		return f.right
	case !rightKnown:
		return f
	case right == (f.op != opAnd):
		return always(right)
	case f.op == opAnd || f.op == opOr:
		return f.left
	default: // what is false follows only from what is false, announced or not
		return (&Formula{op: opNot, left: f.left}).collapsed()
	}
}

func (r *folder) foldAtom(f *Formula) *Formula {
	set, positive := f.holding(r.trump)
	switch {
	case f.op == opOwn && r.dealt[f.seat]&set != 0:
		return always(true)
	case r.may[f.seat]&set == 0:
		return always(!positive)
	}
	if without := r.public.Forbid(f.seat, set); !without.Possible() {
		return always(positive)
	}
	return f
}

// apart returns the sets of cards that the atoms of a formula speak of, each once.
func (f *Formula) apart(trump piquet.Suit, sets []piquet.Set) []piquet.Set {
	if f == nil {
		return sets
	}
	if f.atom() {
		if set, _ := f.holding(trump); set != 0 && !slices.Contains(sets, set) {
			sets = append(sets, set)
		}
		return sets
	}
	return f.right.apart(trump, f.left.apart(trump, sets))
}

// only returns the card of a formula whose atoms speak of the owner of one card, and false for all others.
func (f *Formula) only() (c piquet.Card, ok bool) {
	switch {
	case f.op == opOwn:
		return f.card, true
	case f.atom():
		return 0, false
	case f.right == nil:
		return f.left.only()
	}
	c, ok = f.left.only()
	right, rightOK := f.right.only()
	return c, ok && rightOK && c == right
}
