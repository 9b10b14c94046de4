package klaverjas

import (
	"fmt"
	"strings"

	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Violation is one error in the description of a position.
type Violation = violation.Violation

// Violations is the error for an invalid position: all violations, in the order of the input.
type Violations = violation.List

// IllegalCard is the error for a card that may not be played.
type IllegalCard struct {
	Card   piquet.Card
	Turn   piquet.Seat // who was to play
	Legal  piquet.Set  // the legal cards; empty if the hand is finished
	Code   violation.Code
	Reason string // such as "must follow hearts"
}

// Error returns the card, the reason, and the legal cards.
func (e *IllegalCard) Error() string {
	if e.Legal.Empty() {
		return fmt.Sprintf("%s is not legal: %s", e.Card, e.Reason)
	}
	return fmt.Sprintf("%s is not legal: %s %s; expected one of %s",
		e.Card, e.Turn, e.Reason, strings.Join(e.Legal.Names(), ", "))
}

// Violation returns the error as what is wrong with a request.
func (e *IllegalCard) Violation() Violation {
	v := violation.New(e.Code, "%s", e.Error()).Of(e.Card).OneOf(e.Legal.Names()...)
	if e.Legal.Empty() {
		v.Detail = fmt.Sprintf("%s cannot be played: %s", e.Card, e.Reason)
	}
	return v
}
