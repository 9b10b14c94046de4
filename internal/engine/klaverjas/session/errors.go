package session

import (
	"errors"
	"slices"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	frame "roem/internal/engine/table/session"
	"roem/internal/engine/violation"
)

// ErrNotSettled is the error for a claim of a hand in which something is left to decide, or of which that takes too long to check.
var ErrNotSettled = errors.New("the rest cannot be claimed: what is played may still change the result, or it takes too long to check " +
	"whether it can")

var errBegun = errors.New("the cards differ from the position in which the session begins")

// Words returns what the session waits for.
func (m Match) Words() frame.Words {
	return frame.Words{
		Bidding:  {"a call cannot be made", "the session waits for a call"},
		Playing:  {"a card cannot be played", "the session waits for a card"},
		HandOver: {"the next hand cannot be dealt", "the hand is over, and the session waits for the next one"},
		Over:     {"", "all hands are over"},
	}
}

// Cannot returns why a claim cannot be made: it has other words than a card.
func (m Match) Cannot(a players.Action) string {
	if a.Kind == players.Claim {
		return "the rest cannot be claimed"
	}
	return ""
}

// Check returns why the player outside may not make an action. The engine's own errors would name the holder of a card.
func (m Match) Check(v players.View, a players.Action) error {
	switch a.Kind {
	case players.MakeCall:
		if legal := v.Auction.Legal(); !slices.Contains(legal, a.Call) {
			names := bidding.Names(legal)
			return violation.New(violation.NotLegal, "%s may not be called: expected one of %s", a.Call, strings.Join(names, ", ")).
				Of(a.Call).OneOf(names...)
		}
	case players.Claim:
		if !Settled(&v) {
			return ErrNotSettled
		}
	default:
		return checkCard(&v, a.Card)
	}
	return nil
}

func checkCard(v *players.View, c piquet.Card) error {
	legal := v.Legal()
	code, reason := violation.NotHeld, "it is not in your hand"
	switch {
	case legal.Has(c):
		return nil
	case v.Held.Has(c):
		code, reason = duty(v, c)
	case v.Hand.Has(c):
		reason = "it has been played"
	}
	names := legal.Names()
	return violation.New(code, "%s is not legal: %s; expected one of %s", c, reason, strings.Join(names, ", ")).Of(c).OneOf(names...)
}

// duty returns the rule that forbids a card which the seat holds: the same one in all deals.
func duty(v *players.View, c piquet.Card) (code violation.Code, reason string) {
	k, err := worlds.New(v.View)
	if err == nil {
		_, err = k.Position(k.World(0)).Play(c)
	}
	if by, ok := errors.AsType[*klaverjas.IllegalCard](err); ok {
		return by.Code, "you " + by.Reason
	}
	return violation.NotLegal, "it may not be played"
}
