package tarok

import (
	"fmt"
	"strings"
)

// Violation is one error in the description of a position.
type Violation struct {
	Pointer string // RFC 6901 JSON pointer into the position object, such as /hands/A/3
	Detail  string // what is wrong and what was expected
}

// Violations is the error for an invalid position: all violations, in the order of the input.
type Violations []Violation

// Error lists the violations.
func (v Violations) Error() string {
	var b strings.Builder
	for i, one := range v {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s: %s", one.Pointer, one.Detail)
	}
	return b.String()
}

// IllegalCard is the error for a card that may not be played.
type IllegalCard struct {
	Card   Card
	Turn   Player // who was to play
	Legal  Set    // the legal cards; empty if the hand is finished
	Reason string // such as "must follow hearts"
}

// Error returns the card, the reason, and the legal cards.
func (e *IllegalCard) Error() string {
	if e.Legal.Empty() {
		return fmt.Sprintf("%s is not legal: %s", e.Card, e.Reason)
	}
	return fmt.Sprintf("%s is not legal: %s %s; expected one of %s",
		e.Card, e.Turn, e.Reason, strings.ReplaceAll(e.Legal.String(), " ", ", "))
}
