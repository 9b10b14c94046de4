package session

import (
	"errors"
	"fmt"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// WrongState is the error for an act of another kind than the session waits for.
type WrongState struct {
	Act   ActKind
	State State
}

// Error says what the session waits for.
func (e *WrongState) Error() string {
	act := [4]string{
		"a call cannot be made", "a card cannot be played", "the next hand cannot be dealt", "the rest cannot be claimed",
	}[e.Act&3]
	why := [4]string{
		"the session waits for a call", "the session waits for a card", "the hand is over, and the session waits for the next one",
		"all hands are over",
	}[e.State&3]
	return act + ": " + why
}

// NotSettled is the error for a claim of a hand in which something is left to decide, or of which that takes too long to check.
type NotSettled struct{}

// Error says what a claim needs.
func (*NotSettled) Error() string {
	return "the rest cannot be claimed: what is played may still change the result, or it takes too long to check whether it can"
}

// Contradicts is the error for a stored card that is not the card of the position which the session begins in.
type Contradicts struct {
	Number int // from 0
	Card   piquet.Card
}

// Error names the card.
func (e *Contradicts) Error() string {
	return fmt.Sprintf("card %d, %s, differs from the position in which the session begins", e.Number+1, e.Card)
}

// IllegalCall is the error for a call that may not be made.
type IllegalCall struct {
	Call  bidding.Call
	Legal []bidding.Call
}

// Error returns the call and the legal ones.
func (e *IllegalCall) Error() string {
	return fmt.Sprintf("%s may not be called: expected one of %s", e.Call, strings.Join(bidding.Names(e.Legal), ", "))
}

// Violation returns the error as what is wrong with a request.
func (e *IllegalCall) Violation() violation.Violation {
	return violation.New(violation.NotLegal, "%s", e.Error()).Of(e.Call).OneOf(bidding.Names(e.Legal)...)
}

// IllegalCard is the error for a card that may not be played.
type IllegalCard struct {
	Card   piquet.Card
	Legal  piquet.Set
	Code   violation.Code
	Reason string
}

// Error returns the card, the reason and the legal cards.
func (e *IllegalCard) Error() string {
	return fmt.Sprintf("%s is not legal: %s; expected one of %s", e.Card, e.Reason, strings.Join(e.Legal.Names(), ", "))
}

// Violation returns the error as what is wrong with a request.
func (e *IllegalCard) Violation() violation.Violation {
	return violation.New(e.Code, "%s", e.Error()).Of(e.Card).OneOf(e.Legal.Names()...)
}

// duty sets the rule that forbids a card which the seat holds.
func (e *IllegalCard) duty(err error) {
	e.Code, e.Reason = violation.NotLegal, "it may not be played"
	if by, ok := errors.AsType[*klaverjas.IllegalCard](err); ok {
		e.Code, e.Reason = by.Code, "you "+by.Reason
	}
}
