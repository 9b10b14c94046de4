package ginrummy

// Event is something that happened in a round, as one seat saw it.
type Event struct {
	Seat  Seat
	Kind  Kind        // Continue does not occur: that a player does not knock is not an event
	Card  Card        // of Take, Stock and Discard; NoCard for what the other drew from the stock
	Melds Arrangement // of Knock and Lay
}

// EventOf returns the event of an action in a round, as a seat sees it. after is the round after the action. ok is false if the action is
// not an event.
func EventOf(before, after *Round, a Action, seat Seat) (e Event, ok bool) {
	e = Event{Seat: before.Seat(), Kind: a.Kind, Card: NoCard, Melds: a.Melds}
	switch a.Kind {
	case Continue:
		return e, false
	case Discard:
		e.Card = a.Card
	case Take, Stock:
		if a.Kind == Take || e.Seat == seat {
			e.Card, _ = after.Drawn()
		}
	default:
	}
	return e, true
}

// View is what one seat sees of a round. Nothing in it depends on a card that the seat has not seen.
type View struct {
	Seat    Seat
	Starter Seat
	Own     Set  // the cards that the seat holds now: ten, or eleven in the phase ToDiscard
	Upcard  Card // the first card turned up
	Phase   Phase
	Turn    Seat   // who decides
	Top     Card   // the top discard, or NoCard while the player who took it has not discarded
	Drawn   Card   // the card that the seat has just drawn, in the phase ToDiscard; else NoCard
	Taken   bool   // Drawn was the top discard
	Stock   int    // cards left in the stock
	Turns   int    // turns that have ended
	Scores  [2]int // of the game before the round
	LayOffs LayOffs
	// Events are what happened, in order. They must not be changed.
	Events []Event
	// May says which actions of drawing are allowed, in the phase ToDraw.
	May struct{ Pass, Take, Stock bool }
}

// NewView returns what a seat sees of a round, with the events that it has seen, and the scores before the round.
func NewView(r *Round, seat Seat, events []Event, scores [2]int) View {
	v := View{
		Seat: seat, Starter: r.deal.Starter, Own: r.Hand(seat), Upcard: r.deal.Upcard, Phase: r.phase, Turn: r.seat, Top: r.top, Drawn: NoCard,
		Stock: r.StockLeft(), Turns: r.Turns(), Scores: scores, Events: events,
		LayOffs: r.deal.LayOffs,
	}
	if r.phase == ToDiscard && r.seat == seat {
		v.Drawn, v.Taken = r.Drawn()
	}
	if r.seat == seat {
		v.May.Pass, v.May.Take, v.May.Stock = r.MayPass(), r.MayTake(), r.MayDraw()
	}
	return v
}

// Discards returns the cards that the seat may discard: all but a card just taken from the discards.
func (v *View) Discards() Set {
	switch {
	case v.Phase != ToDiscard || v.Turn != v.Seat:
		return 0
	case v.Taken:
		return v.Own.Without(v.Drawn)
	}
	return v.Own
}

// Seen returns what the events say about the cards.
func (v *View) Seen() Seen {
	s := NewSeen(v.Upcard, v.Own)
	for _, e := range v.Events {
		s.Add(e, e.Seat == v.Seat)
	}
	s.Own = v.Own
	return s
}

// Seen is what a seat knows of the cards. The opponent holds Kept, and none of Own and Pile. The other cards can be in its hand or in the
// stock.
type Seen struct {
	Own       Set
	Kept      Set  // cards that the opponent took from the discards and has not discarded since
	Discarded Set  // all cards that the opponent has discarded, also those taken since
	Refused   Set  // all cards that were the top discard when the opponent drew from the stock
	Pile      Set  // the discards, with the top one
	Top       Card // the top discard; NoCard after it was taken
}

// NewSeen returns what is known at the start of a round.
func NewSeen(upcard Card, own Set) Seen { return Seen{Own: own, Pile: SetOf(upcard), Top: upcard} }

// Add adds an event. own says whether it is the seat's own; Own is changed by its own events that name a card.
func (s *Seen) Add(e Event, own bool) {
	switch e.Kind {
	case Take:
		s.Pile, s.Top = s.Pile.Without(e.Card), NoCard
		if own {
			s.Own = s.Own.With(e.Card)
		} else {
			s.Kept = s.Kept.With(e.Card)
		}
	case Stock:
		if own {
			s.Own = s.Own.With(e.Card)
		} else if s.Top != NoCard {
			s.Refused = s.Refused.With(s.Top)
		}
	case Discard:
		s.Pile, s.Top = s.Pile.With(e.Card), e.Card
		if own {
			s.Own = s.Own.Without(e.Card)
		} else {
			s.Kept, s.Discarded = s.Kept.Without(e.Card), s.Discarded.With(e.Card)
		}
	default:
	}
}

// Unknown returns the cards that are in the hand of the opponent or in the stock.
func (s *Seen) Unknown() Set { return Deck &^ (s.Own | s.Pile | s.Kept) }

// Choices returns how many actions are allowed, before the end of the round.
func (v *View) Choices() int {
	switch v.Phase {
	case ToDraw:
		n := 0
		for _, may := range [3]bool{v.May.Pass, v.May.Take, v.May.Stock} {
			if may {
				n++
			}
		}
		return n
	case ToDiscard:
		return v.Discards().Len()
	default:
		return 2 // to knock or not
	}
}
