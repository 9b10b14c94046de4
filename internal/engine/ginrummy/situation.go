package ginrummy

import (
	"fmt"
	"slices"
	"strconv"

	"roem/internal/engine/violation"
)

// Violation is one error in the description of a situation.
type Violation = violation.Violation

// Violations is the error for an invalid situation: all violations, in the order of the input.
type Violations = violation.List

// Situation is what one seat has seen of a hand: Seat. It has no card that Seat has not seen.
type Situation struct {
	Seat    Seat
	Starter Seat
	Upcard  Card
	Own     Set // after the last event
	// Events are the passes, draws and discards. The draw of the opponent from the stock has no card. The events end before a knock: a
	// situation whose last event is a discard does not say whether the player knocks.
	Events []Event
	Scores [2]int // of the game before the round
}

// View returns what Seat sees in the situation. If the last event is a discard of Seat, and Seat may knock, the phase is ToKnock. Its error
// is Violations: what could not have happened, with the pointer of the first such event.
func (s *Situation) View() (View, error) {
	dealt, at, bad := s.dealt()
	w := watcher{
		seen: NewSeen(s.Upcard, dealt), own: s.Seat & 1, seat: s.Starter & 1, untouched: true, upcard: s.Upcard, drawn: NoCard, stock: StockSize,
		blind: bad != nil,
	}
	for i, e := range s.Events {
		if wrong := w.event(e); wrong.Code != "" && (bad == nil || i <= at) { // the first impossible event is named
			return View{}, violation.Of("/events/"+strconv.Itoa(i), wrong)
		} else if wrong.Code != "" {
			break
		}
	}
	if bad != nil {
		return View{}, bad
	}
	if w.phase == ToDiscard && w.seat != w.own {
		return View{}, Violations{violation.New(violation.Needed, "is the last event, but the opponent must still discard").
			At("/events/" + strconv.Itoa(len(s.Events)-1))}
	}
	v := View{
		Seat: w.own, Starter: s.Starter, Own: s.Own, Upcard: s.Upcard, Phase: w.phase, Turn: w.seat, Top: w.seen.Top, Drawn: NoCard,
		Stock: w.stock, Turns: w.turns, Scores: s.Scores, Events: s.Events,
	}
	if w.phase == ToDiscard {
		v.Drawn, v.Taken = w.drawn, w.taken
	}
	if n := len(s.Events); n > 0 && s.Events[n-1].Kind == Discard && s.Events[n-1].Seat == w.own && s.Own.Deadwood() <= MaxDeadwood {
		v.Phase, v.Turn, v.Turns = ToKnock, w.own, v.Turns-1 // the turn has not ended
	}
	if v.Phase == ToDraw && v.Turn == w.own {
		v.May.Pass, v.May.Take, v.May.Stock = w.mayPass(), w.mayTake(), !w.mayPass()
	}
	return v, nil
}

// dealt returns the cards that were dealt to Seat: the events are undone from the last. If that is not possible, it returns no cards, the
// event at which it is not (-1 for the first card turned up, and the number of events for the player's cards after them), and the
// violation.
func (s *Situation) dealt() (Set, int, Violations) {
	hand, drawn := s.Own, 0
	for i, e := range slices.Backward(s.Events) {
		if e.Seat != s.Seat {
			continue
		}
		where := "/events/" + strconv.Itoa(i) + "/card"
		switch e.Kind {
		case Discard:
			if hand.Has(e.Card) {
				return 0, i, Violations{violation.New(violation.CannotBe, "%s is discarded and not drawn again, but it is in the hand at the end",
					e.Card).
					At(where).Of(e.Card)}
			}
			hand = hand.With(e.Card)
			drawn--
		case Take, Stock:
			if !hand.Has(e.Card) {
				return 0, i, Violations{violation.New(violation.CannotBe, "%s is drawn and not discarded later, but it is not in the hand at the end",
					e.Card).
					At(where).Of(e.Card)}
			}
			hand = hand.Without(e.Card)
			drawn++
		default:
		}
	}
	switch want := HandSize + drawn; {
	case hand.Len() != HandSize:
		return 0, len(s.Events), Violations{violation.New(violation.WrongCount, "has %d cards, expected %d after these events",
			s.Own.Len(), want).
			At("/hand").Of(s.Own.Len()).Between(want, want)}
	case hand.Has(s.Upcard):
		return 0, -1, Violations{violation.New(violation.CardTwice, "%s is among the cards dealt to the player", s.Upcard).
			At("/upcard").Of(s.Upcard)}
	}
	return hand, 0, nil
}

// watcher follows a round as one player sees it.
type watcher struct {
	seen      Seen
	upcard    Card
	own       Seat // who sees it
	seat      Seat
	phase     Phase
	untouched bool
	drawn     Card // NoCard if it was not seen
	taken     bool
	stock     int
	turns     int
	blind     bool // the player's cards are not known, except cards that events name
}

// EndReason says why a round has ended without a knock, with that many cards in the stock.
func EndReason(stock int) string {
	if stock > LeastStock {
		return fmt.Sprintf("it has had %d turns", MaxTurns)
	}
	return fmt.Sprintf("no more than %d cards are left in the stock", LeastStock)
}

func (w *watcher) mayPass() bool { return w.untouched && w.turns < 2 }
func (w *watcher) mayTake() bool { return !w.untouched || w.turns != 2 }

// event follows an event. It returns why the event is impossible, with the field that is wrong; nothing if it is possible.
func (w *watcher) event(e Event) (wrong Violation) {
	switch {
	case w.phase == Ended:
		return violation.New(violation.Over, "comes after the end of the hand: %s", EndReason(w.stock))
	case e.Seat != w.seat:
		turn := w.seat.String()
		return violation.New(violation.NotOnTurn, "it is the turn of %s", turn).At("/seat").OneOf(turn)
	case e.Kind == Discard && w.phase != ToDiscard, e.Kind != Discard && w.phase == ToDiscard:
		return violation.New(violation.NotLegal, "%s is not possible: the player has to %s", e.Kind, w.phase).At("/kind").Of(e.Kind)
	}
	if e.Kind != Discard {
		wrong = w.draw(e)
	} else {
		wrong = w.discard(e)
	}
	if wrong.Code == "" {
		w.seen.Add(e, e.Seat == w.own)
	}
	return wrong
}

func (w *watcher) draw(e Event) (wrong Violation) {
	switch e.Kind {
	case Pass:
		if !w.mayPass() {
			return violation.New(violation.NotLegal,
				"a player may pass only in the first two turns, while the first card turned up has not been taken").At("/kind").Of(e.Kind)
		}
		w.endTurn()
		return wrong
	case Take:
		switch {
		case !w.mayTake():
			return violation.New(violation.NotLegal, "both players have declined %s: the card must be drawn from the stock", w.upcard).At("/kind").
				Of(e.Kind)
		case e.Card != w.seen.Top:
			return violation.New(violation.CannotBe, "%s is not the top discard, which is %s", e.Card, w.seen.Top).At("/card").Of(e.Card)
		}
		w.untouched = false
	case Stock:
		switch {
		case w.mayPass():
			return violation.New(violation.NotLegal, "in the first two turns a player takes %s or passes", w.upcard).At("/kind").Of(e.Kind)
		case e.Seat == w.own && !w.seen.Unknown().Has(e.Card):
			return violation.New(violation.CannotBe, "%s cannot be in the stock", e.Card).At("/card").Of(e.Card)
		}
		w.stock--
	default:
		return violation.New(violation.NotLegal, "%s is not an event of a view", e.Kind).At("/kind").Of(e.Kind)
	}
	w.phase, w.drawn, w.taken = ToDiscard, e.Card, e.Kind == Take
	return wrong
}

func (w *watcher) discard(e Event) (wrong Violation) {
	switch {
	case w.taken && e.Card == w.drawn:
		return violation.New(violation.NotLegal, "%s has just been taken from the discards and may not be discarded in the same turn", e.Card).
			At("/card").Of(e.Card)
	case e.Seat == w.own && !w.blind && !w.seen.Own.Has(e.Card):
		return violation.New(violation.NotHeld, "the player does not hold %s", e.Card).At("/card").Of(e.Card)
	case e.Seat != w.own && w.seen.Own.Has(e.Card):
		return violation.New(violation.CannotBe, "the opponent cannot hold %s: it is in the player's hand", e.Card).At("/card").Of(e.Card)
	case e.Seat != w.own && w.seen.Pile.Has(e.Card):
		return violation.New(violation.CannotBe, "the opponent cannot hold %s: it is among the discards", e.Card).At("/card").Of(e.Card)
	case e.Seat != w.own && w.seen.Kept.Len() > HandSize && !w.seen.Kept.Has(e.Card):
		return violation.New(violation.CannotBe, "the opponent cannot hold %s: it has taken and kept its %d cards, %s", e.Card,
			HandSize+1, w.seen.Kept).At("/card").Of(e.Card)
	}
	w.untouched = false
	w.endTurn()
	return wrong
}

func (w *watcher) endTurn() {
	w.turns++
	w.phase, w.seat = ToDraw, w.seat.Other()
	if w.stock <= LeastStock || w.turns >= MaxTurns {
		w.phase = Ended
	}
}
