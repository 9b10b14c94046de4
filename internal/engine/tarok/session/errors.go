package session

import (
	"fmt"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
)

// WrongState is the error for an act of another kind than the session waits for.
type WrongState struct {
	Act   Act
	State State
}

// Error says what the session waits for.
func (e *WrongState) Error() string {
	act := "the next hand cannot be dealt"
	if !e.Act.Next {
		act = [5]string{"a bid cannot be made", "cards cannot be exchanged", "nothing can be announced", "a card cannot be played", act}[e.Act.Action.Phase%5]
	}
	why := [6]string{
		"the session waits for a bid", "the session waits for the exchange", "the session waits for announcements, or silence",
		"the session waits for a card", "the hand is over, and the session waits for the next one", "all hands are over",
	}[e.State%6]
	return act + ": " + why
}

// Illegal is the error for an action that is not allowed. Its details tell nothing of the hidden cards.
type Illegal struct{ Violations tarok.Violations }

// Error lists what is wrong.
func (e *Illegal) Error() string { return e.Violations.Error() }

func illegal(pointer, format string, args ...any) error {
	return &Illegal{tarok.Violations{{Pointer: pointer, Detail: fmt.Sprintf(format, args...)}}}
}

// check returns why the player outside may not make an action of the present phase. The engine's own errors would name the holder of a card.
func (s Session) check(a players.Action) error {
	v := s.table.View(s.seat())
	switch a.Phase {
	case players.ToBid:
		if _, err := v.Bidding.Call(a.Bid); err != nil {
			return illegal("/bid", "%s", err)
		}
	case players.ToExchange:
		if most := v.Contract.Groups(); a.Group < 0 || a.Group >= most {
			return illegal("/group", "is %d, expected 0 to %d", a.Group, most-1)
		}
		if bad := tarok.CheckDiscards(v.Hand|v.Taken(a.Group), a.Discards, v.Contract.Exchange()); len(bad) > 0 {
			return &Illegal{bad}
		}
	case players.ToAnnounce:
		may := v.Talk.May()
		for i, b := range tarok.Bonuses() {
			if a.Words.Bonuses[i] && !may.Bonuses[i] {
				return illegal("/bonuses", "%s may not be announced now", b)
			}
			if a.Words.Double[i] && !may.Double[i] {
				return illegal("/double", "%s may not be doubled now", b)
			}
		}
		if a.Words.Kontra && !may.Kontra {
			return illegal("/double", "the game may not be doubled now")
		}
	default:
		return checkCard(&v, a.Card)
	}
	return nil
}

func checkCard(v *players.View, c tarok.Card) error {
	legal := v.Legal()
	var reason string
	switch {
	case legal.Has(c):
		return nil
	case v.Held.Has(c) && len(v.Trick) == 0:
		reason = "tarok 1 is led last"
	case v.Held.Has(c):
		reason = "it does not follow the rules of play"
	case tarok.SetOf(v.Played...).Has(c):
		reason = "it has been played"
	default:
		reason = "it is not in your hand"
	}
	return illegal("/card", "%s is not legal: %s; expected one of %s", c, reason, legal)
}
