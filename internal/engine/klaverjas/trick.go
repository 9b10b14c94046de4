package klaverjas

import (
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Trick is the trick on the table.
type Trick struct {
	Leader piquet.Seat
	Cards  [4]piquet.Card // the first Len of them, in the order of play
	Len    int
	Winner piquet.Seat // who is winning the trick; the leader while it is empty
}

// Set returns the cards of the trick.
func (t Trick) Set() piquet.Set { return piquet.SetOf(t.Cards[:t.Len]...) }

// Turn returns the seat that plays next to a trick that is not complete.
func (t Trick) Turn() piquet.Seat { return t.Leader.Plus(t.Len) }

// With returns the trick after the seat whose turn it is has played c. The trick must not be complete.
func (t Trick) With(c piquet.Card, trump piquet.Suit) Trick {
	if t.Len == 0 || beats(c, t.Cards[t.Winner.Minus(t.Leader)], trump) {
		t.Winner = t.Turn()
	}
	t.Cards[t.Len] = c
	t.Len++
	return t
}

// Legal returns the cards of a hand that the seat whose turn it is may play to the trick. It is empty for an empty hand.
func (r Rules) Legal(trump piquet.Suit, t Trick, hand piquet.Set) piquet.Set {
	legal, _ := r.legal(trump, &t, hand)
	return legal
}

// legal also returns the rule that restricts the choice, for error messages.
func (r *Rules) legal(trump piquet.Suit, t *Trick, hand piquet.Set) (legal piquet.Set, why *duty) {
	if t.Len == 0 || hand.Empty() {
		return hand, free
	}
	led := t.Cards[0].Suit()
	if same := hand.InSuit(led); !same.Empty() {
		if led == trump {
			if over := higherTrumps(same, t.Cards[:t.Len], trump); !over.Empty() {
				return over, followHigher
			}
		}
		return same, follow
	}
	if led == trump { // no trump held: the ruffing rules below do not apply
		return hand, free
	}
	ruffs := hand.InSuit(trump)
	if ruffs.Empty() {
		return hand, free
	}
	over := higherTrumps(ruffs, t.Cards[:t.Len], trump)
	if r.System == Amsterdam && t.Winner == t.Turn().Partner() {
		if r.UnderRuff == Forbidden {
			if others := hand &^ (ruffs &^ over); !others.Empty() {
				return others, notUnder
			}
		}
		return hand, free
	}
	if !over.Empty() {
		return over, ruffHigher
	}
	switch r.UnderRuff { // every trump held is lower than the highest in the trick
	case Forbidden:
		if others := hand &^ ruffs; !others.Empty() {
			return others, notUnder
		}
	case Free:
		return hand, free
	}
	return ruffs, ruff
}

// duty is what the rules demand of a player.
type duty struct {
	code violation.Code
	text string
}

var (
	free         = &duty{violation.NotHeld, "may play any card held"}
	follow       = &duty{violation.MustFollowSuit, "must follow suit"}
	followHigher = &duty{violation.MustOvertrump, "must follow with a higher trump"}
	ruff         = &duty{violation.MustRuff, "must ruff"}
	ruffHigher   = &duty{violation.MustOvertrump, "must ruff, higher than the trumps in the trick"}
	notUnder     = &duty{violation.MustNotUnderRuff, "may not under-ruff"}
)

// Duty returns the code of what the rules demand of a player with the hand, who plays a card that is not legal.
func (r Rules) Duty(trump piquet.Suit, t Trick, hand piquet.Set) violation.Code {
	_, why := r.legal(trump, &t, hand)
	return why.code
}

// higherTrumps returns the given trumps that are higher than every trump in the trick.
func higherTrumps(trumps piquet.Set, trick []piquet.Card, trump piquet.Suit) piquet.Set {
	over := trumps
	for _, c := range trick {
		if c.Suit() == trump {
			over &= piquet.Set(stronger[c.Face()]) << (8 * trump)
		}
	}
	return over
}

// stronger holds the faces that are stronger than a face in trumps: bit f stands for piquet.Face(f).
var stronger = func() (out [8]uint8) {
	for f := range out {
		for g, s := range strength[1] {
			if s > strength[1][f] {
				out[f] |= 1 << g
			}
		}
	}
	return out
}()

// Excluded returns the cards that a seat cannot hold beside c if it plays c to the trick: those with which c would not be legal.
//
// Legality is pairwise in every set of rules: a card is legal from a hand if it is legal from each hand of itself and one other card
// of the hand. So the cards that a play excludes are excluded one by one.
func (r Rules) Excluded(trump piquet.Suit, t Trick, c piquet.Card) piquet.Set {
	if t.Len == 0 {
		return 0
	}
	led := piquet.Deck.InSuit(t.Cards[0].Suit())
	over := higherTrumps(piquet.Deck.InSuit(trump), t.Cards[:t.Len], trump)
	under := piquet.Deck.InSuit(trump) &^ over
	var excluded piquet.Set
	// The rules treat the cards of each of these sets alike.
	for _, alike := range [4]piquet.Set{led &^ (over | under), over, under, piquet.Deck &^ (led | over | under)} {
		alike = alike.Without(c)
		if alike.Empty() {
			continue
		}
		if legal, _ := r.legal(trump, &t, piquet.SetOf(c, alike.First())); !legal.Has(c) {
			excluded |= alike
		}
	}
	return excluded
}
