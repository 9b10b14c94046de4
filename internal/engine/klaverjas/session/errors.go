package session

import (
	"errors"
	"fmt"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/piquet"
)

// WrongState is the error for an act of another kind than the session waits for.
type WrongState struct {
	Act   ActKind
	State State
}

// Error says what the session waits for.
func (e *WrongState) Error() string {
	act := [3]string{"a call cannot be made", "a card cannot be played", "the next hand cannot be dealt"}[e.Act%3]
	why := [4]string{
		"the session waits for a call", "the session waits for a card", "the hand is over, and the session waits for the next one",
		"all hands are over",
	}[e.State&3]
	return act + ": " + why
}

// IllegalCall is the error for a call that may not be made.
type IllegalCall struct {
	Call  bidding.Call
	Legal []bidding.Call
}

// Error returns the call and the legal ones.
func (e *IllegalCall) Error() string {
	names := make([]string, len(e.Legal))
	for i, c := range e.Legal {
		names[i] = c.String()
	}
	return fmt.Sprintf("%s may not be called: expected one of %s", e.Call, strings.Join(names, ", "))
}

// IllegalCard is the error for a card that may not be played.
type IllegalCard struct {
	Card   piquet.Card
	Legal  piquet.Set
	Reason string
}

// Error returns the card, the reason and the legal cards.
func (e *IllegalCard) Error() string {
	names := make([]string, 0, e.Legal.Len())
	for c := range e.Legal.All() {
		names = append(names, c.String())
	}
	return fmt.Sprintf("%s is not legal: %s; expected one of %s", e.Card, e.Reason, strings.Join(names, ", "))
}

// reasonOf returns the rule that forbids a card which the seat holds.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*klaverjas.IllegalCard](err); ok {
		return "you " + e.Reason
	}
	return "it may not be played"
}
