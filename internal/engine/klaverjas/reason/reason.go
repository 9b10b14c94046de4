// Package reason says why a card was a mistake: what it gave away, and who could then do what.
//
// A mistake has two lines to the end of the hand, one with the card played and one with a better card. Both are replayed, in one deal or in
// each of several that were possible. What the team of the player has in the best line and not in the other one are its losses: cards that
// change sides, roem, the last trick, a pit. A cause is what such losses have in common, and package cause chooses the reason of them: what
// is given away in the trick of the card comes before what follows later.
//
// docs/reference/klaverjas-reasons.md lists the reasons.
package reason

import (
	"fmt"

	"roem/internal/engine/cause"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Code is a reason.
type Code uint8

// The reasons, of equal ones the first is chosen. "They" are the opponents of the player, "we" are the player and the partner.
const (
	NotGood      Code = iota // the card is led, and they have a higher one of its suit
	Ruff                     // they ruff this trick, which we take after the better card
	PartnerTrump             // the card draws the trump of the partner, and no trump of theirs
	Points                   // the card gives them points in this trick, more than the better card
	BringHome                // the better card brings more points into our trick
	Trick                    // they take this trick; after the better card we take it
	Roem                     // they make roem in this trick
	RoemMissed               // we make no roem in this trick
	LastTrump                // the card was the player's last trump, which takes a later trick if it is kept
	Spent                    // the card takes a later trick if it is kept
	Pit                      // a pit that is lost, or given to them
	Nel                      // they get the nine of trumps in a later trick
	LaterRoem                // they make more roem in later tricks
	LaterMissed              // we make less roem in later tricks
	Ace                      // they get an ace in a later trick
	Ten                      // they get a ten in a later trick
	LastTrick                // they take the last trick
	Tempo                    // they get the lead, and take the tricks that follow
	Tricks                   // they take more of the tricks
	Cards                    // they get more points in later tricks
)

var codeNames = [...]string{
	"not_good", "ruff", "partner_trump", "points", "bring_home", "trick", "roem", "roem_missed", "last_trump", "spent", "pit", "nel",
	"later_roem", "later_roem_missed", "ace", "ten", "last_trick", "tempo", "tricks", "cards",
}

// NumCodes is the number of reasons.
const NumCodes = len(codeNames)

const none = Code(NumCodes)

// String returns the name of the reason in the contract.
func (c Code) String() string {
	if int(c) >= NumCodes {
		return "none"
	}
	return codeNames[c]
}

// ParseCode reads the name of a reason, or none.
func ParseCode(text string) (Code, error) {
	for c := range none + 1 {
		if c.String() == text {
			return c, nil
		}
	}
	return none, fmt.Errorf("%q is no reason", text)
}

// nearness returns how far a reason is from the card.
func (c Code) nearness() cause.Nearness {
	switch {
	case c <= Spent:
		return cause.Near
	case c == Pit:
		return cause.Bonus
	case c <= Tempo:
		return cause.Distant
	}
	return cause.Whole
}

// Reason says what a card gave away.
type Reason struct {
	Code Code
	// Trick is the number of the trick in which it shows, 1 to 8. Seat takes it with the card By. The trick is one of the line of the card
	// played; where InBest reports true it is one of the best line.
	Trick int
	Seat  piquet.Seat
	By    piquet.Card
	// Lost is the card that the opponents get, if HasLost. Kept says that it is a card of theirs. For PartnerTrump it is the partner's trump.
	Lost    piquet.Card
	HasLost bool
	Kept    bool
	// Points are the points of the trick with its roem; for roem the points of the roem, for Pit of the pit, for Points and BringHome of the
	// card that brings them, and with Lost of this card.
	Points int
	// Less are the points that the other card brings into the trick, for Points and BringHome.
	Less int
	// Keeps is the number of a later trick that the card played takes in the best line, or 0.
	Keeps int
	// Decides says that the card decides whether the contract is made.
	Decides bool
}

// Find returns the reason why the card played is worse than the best one. ok is false if there is none.
func Find(before klaverjas.Position, l Lines) (r Reason, ok bool) {
	f, ok := newFinder(before, l)
	if !ok || f.cost <= 0 {
		return Reason{}, false
	}
	c, ok := cause.Choose([]cause.World{f.world()})
	if !ok {
		return Reason{}, false
	}
	return f.reason(Code(c.Code))
}
