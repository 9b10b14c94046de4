// Package logic decides statements about the hidden cards of a hand of Klaverjas, and about what the seats know of them and of each other:
// formulas of public announcement logic. The joint model of what the four seats know is an S5 Kripke model of all deals that are possible
// to all. It decides every formula, if it is not too large. A prover decides without it what one seat knows about the hands. Source:
// docs/reference/knowledge-formulas.md; Koiter, Oosterhuis and de Weert, "Logical Klaverjassen", whose public announcements are the plays.
package logic

import (
	"strings"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Formula is a statement about the hands and about what the seats know of them, in the language that ParseFormula reads. It is
// immutable.
//
// The language is the language of public announcement logic (van Ditmarsch, van der Hoek and Kooi, "Dynamic Epistemic Logic", chapter 4)
// with four atoms:
//
//	own(S,7C)       the 7C was dealt to S. This stays true after it has been played
//	has_suit(S,C)   S still holds a card of clubs
//	void(S,C)       S holds no card of clubs
//	higher(S,7C)    S still holds a card of the same suit that outranks the 7C
type Formula struct {
	op          operator
	seat        piquet.Seat    // of an atom, of K and of M
	card        piquet.Card    // of own and higher
	suit        piquet.Suit    // of void and has_suit
	group       worlds.SeatSet // of E and C
	left, right *Formula       // a connective with one operand has only left; an announcement has the announced formula on the left
}

// operator is the kind of a formula.
type operator uint8

const (
	opTrue operator = iota
	opFalse
	opOwn
	opVoid
	opHasSuit
	opHigher
	opNot
	opAnd
	opOr
	opImplies
	opKnows    // K_S f: f is true in every world that S holds possible
	opPossible // M_S f: f is true in at least one world that S holds possible
	opEveryone // E f: everyone in the group knows f
	opCommon   // C f: everyone knows f, everyone knows that, and so on without end
	opAnnounce // [!f] g: if f is true, then g is true after f has been announced to all
)

// words are the names of the operators that are words.
var words = map[operator]string{
	opTrue: "true", opFalse: "false", opOwn: "own", opVoid: "void", opHasSuit: "has_suit", opHigher: "higher",
	opNot: "not", opAnd: "and", opOr: "or", opImplies: "implies",
}

// atom reports whether the formula is a statement about the hands alone, without connectives.
func (f *Formula) atom() bool { return f.op <= opHigher }

// constant reports whether the formula is true or false.
func (f *Formula) constant() bool { return f.op <= opFalse }

// collapsed returns the formula without a repetition of its first operator: in S5, K_S K_S f is K_S f. The same holds for M_S and for C of
// one group, and not not f is f. E E f is not E f.
func (f *Formula) collapsed() *Formula {
	inner := f.left
	same := f.op == inner.op && f.seat == inner.seat && f.group == inner.group
	switch {
	case same && f.op == opNot:
		return inner.left
	case same && (f.op == opKnows || f.op == opPossible || f.op == opCommon):
		return inner
	}
	return f
}

// size returns the number of operators and atoms.
func (f *Formula) size() int {
	if f == nil {
		return 0
	}
	return 1 + f.left.size() + f.right.size()
}

// String returns the formula in its canonical form, which ParseFormula reads.
func (f *Formula) String() string {
	var b strings.Builder
	f.write(&b)
	return b.String()
}

func (f *Formula) write(b *strings.Builder) {
	switch f.op {
	case opTrue, opFalse:
		b.WriteString(words[f.op])
	case opOwn, opHigher:
		b.WriteString(words[f.op] + "(" + f.seat.String() + "," + f.card.String() + ")")
	case opVoid, opHasSuit:
		b.WriteString(words[f.op] + "(" + f.seat.String() + "," + f.suit.String() + ")")
	case opAnd, opOr, opImplies:
		f.left.writeOperand(b)
		b.WriteString(" " + words[f.op] + " ")
		f.right.writeOperand(b)
	case opAnnounce:
		b.WriteString("[!")
		f.left.write(b)
		b.WriteString("] ")
		f.right.writeOperand(b)
	default:
		switch f.op {
		case opNot:
			b.WriteString(words[opNot])
		case opKnows:
			b.WriteString("K_" + f.seat.String())
		case opPossible:
			b.WriteString("M_" + f.seat.String())
		case opEveryone:
			b.WriteString("E" + suffix(f.group))
		default:
			b.WriteString("C" + suffix(f.group))
		}
		b.WriteByte(' ')
		f.left.writeOperand(b)
	}
}

// writeOperand writes the formula in parentheses if it has two operands, so that no precedence is needed to read it.
func (f *Formula) writeOperand(b *strings.Builder) {
	switch f.op {
	case opAnd, opOr, opImplies:
		b.WriteByte('(')
		f.write(b)
		b.WriteByte(')')
	default:
		f.write(b)
	}
}

// suffix returns a group of E or C as it is written: nothing for all four seats.
func suffix(group worlds.SeatSet) string {
	if group == worlds.Everyone {
		return ""
	}
	var b strings.Builder
	b.WriteByte('_')
	for s := range group.Each {
		b.WriteString(s.String())
	}
	return b.String()
}

// holding returns an atom as a statement of one form: the seat holds, or was dealt, at least one of the cards. positive is false if the
// atom denies it.
func (f *Formula) holding(trump piquet.Suit) (set piquet.Set, positive bool) {
	switch f.op {
	case opOwn:
		return piquet.SetOf(f.card), true
	case opHasSuit:
		return piquet.Deck.InSuit(f.suit), true
	case opVoid:
		return piquet.Deck.InSuit(f.suit), false
	case opHigher:
		return worlds.Higher(f.card, trump), true
	case opTrue: // nothing is claimed: no card denies it
		return 0, false
	default:
		return 0, true
	}
}
