package klaverjas

import (
	"math/bits"

	"roem/internal/engine/piquet"
)

// MeldKind is a kind of meld.
type MeldKind uint8

// The kinds of melds.
const (
	ThreeInSequence MeldKind = iota
	FourInSequence
	TrumpMarriage
	FourOfAKind
)

var meldNames = [...]string{"three_in_sequence", "four_in_sequence", "trump_marriage", "four_of_a_kind"}

// String returns the name of the kind.
func (k MeldKind) String() string { return meldNames[k&3] }

// Meld is a meld in a trick.
type Meld struct {
	Kind   MeldKind
	Cards  piquet.Set
	Points int
}

// MeldsOf returns the melds that score in a trick with exactly the cards of the set. The sum of their points is Meld, which is faster.
// The search uses Meld.
func (r Rules) MeldsOf(trick piquet.Set, trump piquet.Suit) (melds []Meld) {
	if !r.Melds {
		return nil
	}
	for _, s := range piquet.Suits() {
		f := trick.Faces(s)
		starts := f & (f >> 1) & (f >> 2) // the lowest face of each sequence of three
		if starts == 0 {
			continue
		}
		meld := Meld{Kind: ThreeInSequence, Points: threeInSequence}
		length := 3
		if starts&(starts-1) != 0 { // two overlapping sequences of three are a sequence of four
			meld, length = Meld{Kind: FourInSequence, Points: fourInSequence}, 4
		}
		lowest := piquet.Face(bits.TrailingZeros8(starts))
		for i := range length {
			meld.Cards = meld.Cards.With(piquet.Of(s, lowest+piquet.Face(i)))
		}
		melds = append(melds, meld)
	}
	king, queen := piquet.Of(trump, piquet.King), piquet.Of(trump, piquet.Queen)
	if trick.Has(king) && trick.Has(queen) {
		melds = append(melds, Meld{Kind: TrumpMarriage, Cards: piquet.SetOf(queen, king), Points: trumpMarriage})
	}
	all := trick.Faces(piquet.Clubs) & trick.Faces(piquet.Diamonds) & trick.Faces(piquet.Hearts) & trick.Faces(piquet.Spades)
	if all != 0 {
		if points := r.FourOfAKind[bits.TrailingZeros8(all)]; points != 0 {
			melds = append(melds, Meld{Kind: FourOfAKind, Cards: trick, Points: points})
		}
	}
	return melds
}
