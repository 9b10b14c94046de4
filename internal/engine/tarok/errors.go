package tarok

import (
	"fmt"

	"roem/internal/engine/violation"
)

// Violation is one error in the description of a position.
type Violation = violation.Violation

// Violations is the error for an invalid position: all violations, in the order of the input.
type Violations = violation.List

// IllegalCard is the error for a card that may not be played.
type IllegalCard struct {
	Card   Card
	Turn   Player // who was to play
	Legal  Set    // the legal cards; empty if the hand is finished
	Code   violation.Code
	Reason string // such as "must follow hearts"
}

// Error returns the card, the reason, and the legal cards.
func (e *IllegalCard) Error() string {
	if e.Legal.Empty() {
		return fmt.Sprintf("%s is not legal: %s", e.Card, e.Reason)
	}
	return fmt.Sprintf("%s is not legal: %s %s; expected one of %s", e.Card, e.Turn, e.Reason, e.Legal)
}

// Violation returns the error as what is wrong with a request.
func (e *IllegalCard) Violation() Violation {
	return violation.New(e.Code, "%s", e.Error()).Of(e.Card).OneOf(e.Legal.Names()...)
}
