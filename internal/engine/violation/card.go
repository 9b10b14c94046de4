package violation

import (
	"fmt"
	"strings"
)

// Cards is a set of cards.
type Cards interface {
	Empty() bool
	Names() []string
}

// IllegalCard is the error for a card that may not be played.
type IllegalCard[C, P fmt.Stringer, S Cards] struct {
	Card   C
	Turn   P // who was to play
	Legal  S // the legal cards; empty if the hand is finished
	Code   Code
	Reason string // such as "must follow hearts"
}

// Error returns the card, the reason, and the legal cards.
func (e *IllegalCard[C, P, S]) Error() string {
	if e.Legal.Empty() {
		return fmt.Sprintf("%s is not legal: %s", e.Card, e.Reason)
	}
	return fmt.Sprintf("%s is not legal: %s %s; expected one of %s", e.Card, e.Turn, e.Reason, strings.Join(e.Legal.Names(), ", "))
}

// Violation returns the error as what is wrong with a request.
func (e *IllegalCard[C, P, S]) Violation() Violation {
	v := New(e.Code, "%s", e.Error()).Of(e.Card).OneOf(e.Legal.Names()...)
	if e.Legal.Empty() {
		v.Detail = fmt.Sprintf("%s cannot be played: %s", e.Card, e.Reason)
	}
	return v
}
