package session

import (
	"strconv"

	frame "roem/internal/engine/table/session"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/violation"
)

// Words returns what the session waits for.
func (m Match) Words() frame.Words {
	return frame.Words{
		Bidding:  {"a bid cannot be made", "the session waits for a bid"},
		Exchange: {"cards cannot be exchanged", "the session waits for the exchange"},
		Announce: {"nothing can be announced", "the session waits for announcements, or silence"},
		Playing:  {"a card cannot be played", "the session waits for a card"},
		HandOver: {"the next hand cannot be dealt", "the hand is over, and the session waits for the next one"},
		Over:     {"", "all hands are over"},
	}
}

// Illegal is the error for an action that is not allowed. Its details tell nothing of the hidden cards.
type Illegal struct{ Violations tarok.Violations }

// Error lists what is wrong.
func (e *Illegal) Error() string { return e.Violations.Error() }

func illegal(pointer string, err error) error { return &Illegal{violation.Of(pointer, err)} }

// Check returns why the player outside may not make an action. The engine's own errors would name the holder of a card.
func (m Match) Check(v *players.View, a players.Action) error {
	switch a.Phase {
	case players.ToBid:
		if _, err := v.Bidding.Call(a.Bid); err != nil {
			return illegal("/call", err)
		}
	case players.ToExchange:
		if most := v.Contract.Groups(); a.Group < 0 || a.Group >= most {
			return illegal("/group", violation.Beyond(a.Group, 0, most-1))
		}
		if bad := tarok.CheckDiscards(v.Hand|v.Taken(a.Group), a.Discards, v.Contract.Exchange()); len(bad) > 0 {
			return &Illegal{bad}
		}
	case players.ToAnnounce:
		if bad := checkWords(&v.Talk, a.Words); len(bad) > 0 {
			return &Illegal{bad}
		}
	default:
		return checkCard(v, a.Card)
	}
	return nil
}

// checkWords returns all that may not be said. The index of an announced or doubled bonus is its place among them in the order of the
// bonuses; the game comes before the doubled bonuses.
func checkWords(t *players.Talk, w players.Words) (bad tarok.Violations) {
	refused := t.Refused(w)
	bonuses, double := 0, 0
	check := func(said, refused bool, list string, at *int, format string, args ...any) {
		if refused {
			bad = append(bad, violation.New(violation.NotLegal, format, args...).At(list+strconv.Itoa(*at)))
		}
		if said {
			*at++
		}
	}
	check(w.Kontra, refused.Kontra, "/double/", &double, "the game may not be doubled now")
	for i, b := range tarok.Bonuses() {
		check(w.Bonuses[i], refused.Bonuses[i], "/bonuses/", &bonuses, "%s may not be announced now", b)
		check(w.Double[i], refused.Double[i], "/double/", &double, "%s may not be doubled now", b)
	}
	return bad
}

func checkCard(v *players.View, c tarok.Card) error {
	var reason string
	switch {
	case v.Held.Has(c):
		if err := v.Rules.Illegal(v.Contract, v.Player, v.Held, v.Trick, c); err != nil {
			return illegal("/card", err)
		}
		return nil
	case tarok.SetOf(v.Played...).Has(c):
		reason = "it has been played"
	default:
		reason = "it is not in your hand"
	}
	return illegal("/card", violation.New(violation.NotHeld, "%s is not legal: %s; expected one of %s", c, reason, v.Legal()).
		Of(c).OneOf(v.Legal().Names()...))
}
