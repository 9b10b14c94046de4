package session

import (
	"slices"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/belote/players"
	frame "roem/internal/engine/table/session"
	"roem/internal/engine/violation"
)

// Words returns what the session waits for.
func (m Match) Words() frame.Words {
	return frame.Words{
		Bidding:  {"a call cannot be made", "the session waits for a call"},
		Playing:  {"a card cannot be played", "the session waits for a card"},
		HandOver: {"the next hand cannot be dealt", "the hand is over, and the session waits for the next one"},
		Over:     {"", "all hands are over"},
	}
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

// Check returns why the player outside may not make an action. The engine's own errors would name the holder of a card face down.
func (m Match) Check(v players.View, a players.Action) error {
	if a.Calls {
		legal := m.LegalCalls()
		if slices.Contains(legal, a.Call) {
			return nil
		}
		e := &IllegalCall{Call: a.Call}
		for _, c := range legal {
			e.Legal = append(e.Legal, CallName(c))
		}
		return e
	}
	now := v.Seen.Now()
	turn := now.Turn()
	if now.Up(turn).Has(a.Card) {
		_, err := now.Play(a.Card)
		return err
	}
	e := &belote.IllegalCard{Card: a.Card, Turn: turn, Legal: now.Legal(), Code: violation.NotHeld}
	e.Reason = "is to play, and it is not one of the open cards"
	if slices.Contains(v.Seen.Played(), a.Card) {
		e.Reason = "is to play, and it has been played"
	}
	return e
}
