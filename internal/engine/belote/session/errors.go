package session

import (
	"slices"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/violation"
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

// IllegalCall is the error for a trump that is not of the deck.
type IllegalCall struct {
	Call  belote.Trump
	Legal []string
}

// Error returns the call and the legal ones.
func (e *IllegalCall) Error() string { return e.Violation().Detail }

// Violation returns the error as what is wrong with a request.
func (e *IllegalCall) Violation() violation.Violation {
	return violation.New(violation.NotInDeal, "%s is not one of the suits of the deal", e.Call).Of(e.Call).OneOf(e.Legal...)
}

// Pass is the name of the call that chooses no trump.
const Pass = "pass"

// CallName returns the name of a call in JSON.
func CallName(t belote.Trump) string {
	if t == belote.NoTrump {
		return Pass
	}
	return t.String()
}

// LegalCalls returns the calls of both players: a pass, and the suits of the deck.
func (s Setup) LegalCalls() []belote.Trump {
	trumps := bidding.Trumps(s.Deck)
	return append([]belote.Trump{belote.NoTrump}, trumps[:len(trumps)-1]...)
}

// check returns why the player outside may not make an act of the present state. The engine's own errors would name the holder of a card
// face down.
func (s *Session) check(a Act) error {
	if a.Kind == MakeCall {
		legal := s.setup.LegalCalls()
		if slices.Contains(legal, a.Call) {
			return nil
		}
		e := &IllegalCall{Call: a.Call}
		for _, c := range legal {
			e.Legal = append(e.Legal, CallName(c))
		}
		return e
	}
	turn := s.turn()
	if s.now.Up(turn).Has(a.Card) {
		_, err := s.now.Play(a.Card)
		return err
	}
	e := &belote.IllegalCard{Card: a.Card, Turn: turn, Legal: s.now.Legal(), Code: violation.NotHeld}
	e.Reason = "is to play, and it is not one of the open cards"
	if slices.Contains(s.played, a.Card) {
		e.Reason = "is to play, and it has been played"
	}
	return e
}
