package ginrummy

import (
	"cmp"
	"slices"
	"strings"
)

// MostMelds is the largest number of melds of an arrangement of 10 or 11 cards.
const MostMelds = 3

// Arrangement is a set of disjoint melds of a hand. Places that are not used are empty and come last. It is comparable.
type Arrangement [MostMelds]Set

// ArrangementOf returns the arrangement with the melds in the order of their cards. ok is false if these are more than three, not melds, or
// not disjoint.
func ArrangementOf(list []Set) (a Arrangement, ok bool) {
	if len(list) > MostMelds {
		return a, false
	}
	for i, m := range list {
		if !m.IsMeld() || a.Cards()&m != 0 {
			return Arrangement{}, false
		}
		a[i] = m
	}
	slices.SortFunc(a[:len(list)], compareMelds)
	return a, true
}

// Len returns the number of melds.
func (a Arrangement) Len() int {
	n := 0
	for n < len(a) && a[n] != 0 {
		n++
	}
	return n
}

// Melds returns the melds, as a slice of their own.
func (a Arrangement) Melds() []Set { return append([]Set(nil), a[:a.Len()]...) }

// Cards returns the cards of all melds.
func (a Arrangement) Cards() Set { return a[0] | a[1] | a[2] }

// Deadwood returns the points of the cards of the hand outside the melds.
func (a Arrangement) Deadwood(hand Set) int { return (hand &^ a.Cards()).Points() }

// String returns the melds with a bar between them.
func (a Arrangement) String() string {
	var names []string
	for _, m := range a[:a.Len()] {
		names = append(names, m.String())
	}
	return strings.Join(names, " | ")
}

// compareMelds orders melds by their cards in ascending order, as words are ordered by their letters.
func compareMelds(a, b Set) int {
	for a != 0 && b != 0 {
		if first := cmp.Compare(a.First(), b.First()); first != 0 {
			return first
		}
		a, b = a&(a-1), b&(b-1)
	}
	return a.Len() - b.Len()
}

// Best returns every arrangement of the hand, of 11 cards at most, that leaves the least deadwood, in the order of their melds. It returns
// none for a hand without a meld.
func (s Set) Best() []Arrangement {
	return s.arrangements(s.Deadwood())
}

// arrangements returns every arrangement of the hand that leaves no more deadwood, in the order of their melds. It returns none for a hand
// without a meld.
func (s Set) arrangements(deadwood int) []Arrangement {
	in := s.Melds()
	if len(in) == 0 {
		return nil
	}
	slices.SortFunc(in, compareMelds)
	f := finder{melds: in}
	f.find(s, deadwood, Arrangement{}, 0)
	slices.SortFunc(f.found, func(a, b Arrangement) int { return slices.CompareFunc(a[:a.Len()], b[:b.Len()], compareMelds) })
	return f.found
}

// finder collects arrangements.
type finder struct {
	melds []Set // of the hand, in the order of compareMelds: those with the same lowest card are together
	found []Arrangement
}

// find adds all arrangements of the cards that are left, with at most the given deadwood, to the n melds of a.
func (f *finder) find(left Set, deadwood int, a Arrangement, n int) {
	if left == 0 {
		f.found = append(f.found, a)
		return
	}
	first := left.First()
	if points := first.Points(); points <= deadwood {
		f.find(left.Without(first), deadwood-points, a, n)
	}
	if n == MostMelds {
		return
	}
	from, _ := slices.BinarySearchFunc(f.melds, first, func(m Set, c Card) int { return cmp.Compare(m.First(), c) })
	for _, m := range f.melds[from:] {
		if m.First() != first {
			break
		}
		if left.Contains(m) { // first is the lowest card left, so that each arrangement is found once
			a[n] = m
			f.find(left&^m, deadwood, a, n+1)
		}
	}
}
