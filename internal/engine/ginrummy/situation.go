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

// Me and Opponent are the seats of a situation.
const (
	Me       Seat = 0
	Opponent Seat = 1
)

// Situation is what one player has seen of a round: Me. It has no card that Me has not seen.
type Situation struct {
	Starter Seat
	Upcard  Card
	Own     Set // after the last event
	// Events are the passes, draws and discards. The draw of Opponent from the stock has no card. The events end before a knock: a situation
	// whose last event is a discard does not say whether the player knocks.
	Events []Event
	Scores [2]int // of the game before the round
}

// View returns what Me sees in the situation. If the last event is a discard of Me, and Me may knock, the phase is ToKnock. Its error is
// Violations: what could not have happened, with the pointer of the first such event.
func (s *Situation) View() (View, error) {
	dealt, at, bad := s.dealt()
	w := watcher{
		seen: NewSeen(s.Upcard, dealt), seat: s.Starter & 1, untouched: true, upcard: s.Upcard, drawn: NoCard, stock: StockSize,
		blind: bad != nil,
	}
	for i, e := range s.Events {
		if field, detail := w.event(e); detail != "" && (bad == nil || i <= at) { // the first impossible event is named
			return View{}, Violations{{Pointer: "/events/" + strconv.Itoa(i) + field, Detail: detail}}
		} else if detail != "" {
			break
		}
	}
	if bad != nil {
		return View{}, bad
	}
	if w.phase == ToDiscard && w.seat == Opponent {
		return View{}, Violations{{
			Pointer: "/events/" + strconv.Itoa(len(s.Events)-1),
			Detail:  "is the last event: the discard of the opponent is missing",
		}}
	}
	v := View{
		Seat: Me, Starter: s.Starter, Own: s.Own, Upcard: s.Upcard, Phase: w.phase, Turn: w.seat, Top: w.seen.Top, Drawn: NoCard,
		Stock: w.stock, Turns: w.turns, Scores: s.Scores, Events: s.Events,
	}
	if w.phase == ToDiscard {
		v.Drawn, v.Taken = w.drawn, w.taken
	}
	if n := len(s.Events); n > 0 && s.Events[n-1].Kind == Discard && s.Events[n-1].Seat == Me && s.Own.Deadwood() <= MaxDeadwood {
		v.Phase, v.Turn, v.Turns = ToKnock, Me, v.Turns-1 // the turn has not ended
	}
	if v.Phase == ToDraw && v.Turn == Me {
		v.May.Pass, v.May.Take, v.May.Stock = w.mayPass(), w.mayTake(), !w.mayPass()
	}
	return v, nil
}

// dealt returns the cards that were dealt to Me: the events are undone from the last. If that is not possible, it returns no cards, the
// event at which it is not (-1 for the first card turned up, and the number of events for the own cards after them), and the violation.
func (s *Situation) dealt() (Set, int, Violations) {
	hand, drawn := s.Own, 0
	for i, e := range slices.Backward(s.Events) {
		if e.Seat != Me {
			continue
		}
		where := "/events/" + strconv.Itoa(i) + "/card"
		switch e.Kind {
		case Discard:
			if hand.Has(e.Card) {
				return 0, i, Violations{{Pointer: where, Detail: fmt.Sprintf("%s is discarded and not drawn again, but it is among the own cards later",
					e.Card)}}
			}
			hand = hand.With(e.Card)
			drawn--
		case Take, Stock:
			if !hand.Has(e.Card) {
				return 0, i, Violations{{Pointer: where, Detail: fmt.Sprintf("%s is drawn and not discarded later, but it is not among the own cards",
					e.Card)}}
			}
			hand = hand.Without(e.Card)
			drawn++
		default:
		}
	}
	switch want := HandSize + drawn; {
	case hand.Len() != HandSize:
		return 0, len(s.Events), Violations{{
			Pointer: "/hand",
			Detail:  fmt.Sprintf("has %d cards, expected %d after these events", s.Own.Len(), want),
		}}
	case hand.Has(s.Upcard):
		return 0, -1, Violations{{Pointer: "/upcard", Detail: fmt.Sprintf("%s is among the cards dealt to the player", s.Upcard)}}
	}
	return hand, 0, nil
}

// watcher follows a round as one player sees it.
type watcher struct {
	seen      Seen
	upcard    Card
	seat      Seat
	phase     Phase
	untouched bool
	drawn     Card // NoCard if it was not seen
	taken     bool
	stock     int
	turns     int
	blind     bool // the own cards are not known, but for those that events name
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

// event follows an event. It returns why the event is impossible, and the field that is wrong, or "".
func (w *watcher) event(e Event) (field, detail string) {
	switch {
	case w.phase == Ended:
		return "", "comes after the end of the round: " + EndReason(w.stock)
	case e.Seat != w.seat:
		return "/seat", fmt.Sprintf("it is the turn of %s", [2]string{"me", "opp"}[w.seat])
	case e.Kind == Discard && w.phase != ToDiscard, e.Kind != Discard && w.phase == ToDiscard:
		return "/kind", fmt.Sprintf("%s is not possible: the player has to %s", e.Kind, w.phase)
	}
	if e.Kind != Discard {
		field, detail = w.draw(e)
	} else {
		field, detail = w.discard(e)
	}
	if detail == "" {
		w.seen.Add(e, e.Seat == Me)
	}
	return field, detail
}

func (w *watcher) draw(e Event) (field, detail string) {
	switch e.Kind {
	case Pass:
		if !w.mayPass() {
			return "/kind", "a player may pass only in the first two turns, while the first card turned up has not been taken"
		}
		w.endTurn()
		return "", ""
	case Take:
		switch {
		case !w.mayTake():
			return "/kind", fmt.Sprintf("both players have declined %s: the card must be drawn from the stock", w.upcard)
		case e.Card != w.seen.Top:
			return "/card", fmt.Sprintf("%s is not the top discard, which is %s", e.Card, w.seen.Top)
		}
		w.untouched = false
	case Stock:
		switch {
		case w.mayPass():
			return "/kind", fmt.Sprintf("in the first two turns a player takes %s or passes", w.upcard)
		case e.Seat == Me && !w.seen.Unknown().Has(e.Card):
			return "/card", fmt.Sprintf("%s cannot be in the stock", e.Card)
		}
		w.stock--
	default:
		return "/kind", fmt.Sprintf("%s is not an event of a situation", e.Kind)
	}
	w.phase, w.drawn, w.taken = ToDiscard, e.Card, e.Kind == Take
	return "", ""
}

func (w *watcher) discard(e Event) (field, detail string) {
	switch {
	case w.taken && e.Card == w.drawn:
		return "/card", fmt.Sprintf("%s has just been taken from the discards and may not be discarded in the same turn", e.Card)
	case e.Seat == Me && !w.blind && !w.seen.Own.Has(e.Card):
		return "/card", fmt.Sprintf("the player does not hold %s", e.Card)
	case e.Seat == Opponent && w.seen.Own.Has(e.Card):
		return "/card", fmt.Sprintf("the opponent cannot hold %s: it is among the own cards", e.Card)
	case e.Seat == Opponent && w.seen.Pile.Has(e.Card):
		return "/card", fmt.Sprintf("the opponent cannot hold %s: it is among the discards", e.Card)
	case e.Seat == Opponent && w.seen.Kept.Len() > HandSize && !w.seen.Kept.Has(e.Card):
		return "/card", fmt.Sprintf("the opponent cannot hold %s: its %d cards are those that it has taken and kept, %s", e.Card, HandSize+1,
			w.seen.Kept)
	}
	w.untouched = false
	w.endTurn()
	return "", ""
}

func (w *watcher) endTurn() {
	w.turns++
	w.phase, w.seat = ToDraw, w.seat.Other()
	if w.stock <= LeastStock || w.turns >= MaxTurns {
		w.phase = Ended
	}
}
