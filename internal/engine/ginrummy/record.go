package ginrummy

import (
	"strconv"

	"roem/internal/engine/violation"
)

// Record is a round as it was played, with the cards of both seats.
type Record struct {
	Starter Seat
	Upcard  Card
	Hands   [2]Set  // as they were dealt
	LayOffs LayOffs // the rule of the round
	// Events are the passes, draws and discards, each draw with its card, and a knock as the last if there was one. The melds of a knock are
	// not used.
	Events []Event
	// LaidOff are the cards that the opponent of the knocker laid off, in order, each on cards of a meld of the knocker and of what was laid
	// off there before. Nil leaves the lay-offs to the rule.
	LaidOff []LayOff
}

// Acts returns the deal, what the seats decided, in order, and the number of the event of each: Continue has the number of the discard
// before it. A seat that could knock, and of which another event follows, has decided against it. Whether to knock after the last event is
// not decided. The error is Violations: the first event or lay-off that could not have happened.
func (r *Record) Acts() (d *Deal, acts []Action, events []int, err error) {
	t, err := r.follow()
	if err != nil {
		return nil, nil, nil, err
	}
	return t.round.deal, t.acts, t.events, nil
}

// Result returns how the round ended: both lay down the melds that leave least, and cards are laid off as LaidOff or the rule says. ok is
// false if the round has not ended, or could not have happened.
func (r *Record) Result() (result Result, ok bool) {
	t, err := r.follow()
	if err != nil {
		return result, false
	}
	return t.round.Result()
}

// follow plays the round to its end. The error is Violations.
func (r *Record) follow() (*teller, error) {
	if bad := r.dealt(); bad != nil {
		return nil, bad
	}
	deal := r.deal()
	t := teller{round: NewRound(&deal)}
	for i, e := range r.Events {
		if t.round.Phase() == ToKnock && e.Kind != Knock {
			t.decide(Action{Kind: Continue}, i-1)
		}
		wrong, action := t.action(e)
		if wrong.Code == "" {
			wrong = t.play(action, i)
		}
		if wrong.Code != "" {
			return nil, violation.Of("/events/"+strconv.Itoa(i), wrong)
		}
	}
	if wrong := t.lay(r); wrong.Code != "" {
		return nil, Violations{wrong}
	}
	return &t, nil
}

// lay lays down the melds of the opponent of a knocker, and lays off cards. If the record says where, the knocker has laid down the first
// of the best arrangements on which that is possible; wrong is about the one on which the most cards are laid off.
func (t *teller) lay(r *Record) (wrong Violation) {
	switch {
	case r.LaidOff != nil && t.round.Phase() != ToMeld:
		return violation.New(violation.NotUsed, "is given, but nobody has knocked").At("/laid_off")
	case r.LaidOff != nil && r.LayOffs == ChallengeLayOffs:
		return violation.New(violation.NotUsed, "is given, but the order of the lay-offs is fixed by the rule challenge").At("/laid_off")
	case t.round.Phase() != ToMeld:
		return wrong
	}
	before, knocker := t.round, t.round.Seat().Other()
	if r.LaidOff == nil {
		melds := before.Hand(knocker.Other()).BestAgainst(before.melds[knocker], r.LayOffs)
		t.round, _ = before.Play(Action{Kind: Lay, Melds: melds}) // it is allowed
		return wrong
	}
	furthest := -1
	for _, melds := range before.Hand(knocker).Best() {
		before.melds[knocker] = melds
		off, at, v := before.laidOff(r.LaidOff)
		if v.Code == "" {
			a := Action{Kind: Lay, Off: off}
			if best := (before.Hand(knocker.Other()) &^ off.Cards()).Best(); len(best) > 0 {
				a.Melds = best[0]
			}
			t.round, _ = before.Play(a) // it is allowed
			return v
		}
		if at > furthest {
			furthest, wrong = at, v
		}
	}
	return wrong
}

// laidOff lays off cards one by one on the melds of the knocker, or returns which card is wrong, and why.
func (r *Round) laidOff(list []LayOff) (off Laid, at int, wrong Violation) {
	off.Given = true
	on, hand := r.melds[r.seat.Other()], r.hands[r.seat]
	gin := on.Deadwood(r.hands[r.seat.Other()]) == 0
	for i, l := range list {
		where := "/laid_off/" + strconv.Itoa(i)
		meld := 0
		for meld < MostMelds && (l.On == 0 || !(on[meld] | off.On[meld]).Contains(l.On)) {
			meld++
		}
		switch {
		case meld == MostMelds:
			return off, i, violation.New(violation.NotLegal, "%s is not in a meld of the knocker", l.On).At(where + "/on")
		case off.Cards().Has(l.Card):
			return off, i, violation.New(violation.CardTwice, "%s is laid off twice", l.Card).At(where + "/card").Of(l.Card)
		}
		off.On[meld] = off.On[meld].With(l.Card)
		if code, reason := off.illegal(hand, Arrangement{}, on, r.deal.LayOffs, gin); reason != "" {
			return off, i, violation.New(code, "%s", reason).At(where + "/card").Of(l.Card)
		}
	}
	return off, 0, wrong
}

// dealt returns what is wrong with the cards dealt, each hand of which has ten.
func (r *Record) dealt() (bad Violations) {
	if both := r.Hands[A] & r.Hands[B]; !both.Empty() {
		bad = append(bad, violation.New(violation.CardTwice, "%s is dealt to both players", both).At("/hands/B"))
	}
	if (r.Hands[A] | r.Hands[B]).Has(r.Upcard) {
		bad = append(bad, violation.New(violation.CardTwice, "%s is also dealt to a player", r.Upcard).At("/upcard").Of(r.Upcard))
	}
	return bad
}

// deal returns a deal in which the stock has the cards that were drawn from it, up to the first that cannot have been, and then the others.
func (r *Record) deal() Deal {
	d := Deal{Starter: r.Starter, Hands: r.Hands, Upcard: r.Upcard, LayOffs: r.LayOffs}
	hidden := Deck &^ (r.Hands[A] | r.Hands[B]).With(r.Upcard)
	n := 0
	draw := func(c Card) {
		d.Stock[n], hidden = c, hidden.Without(c)
		n++
	}
	for _, e := range r.Events {
		if e.Kind == Stock {
			if !hidden.Has(e.Card) {
				break
			}
			draw(e.Card)
		}
	}
	for !hidden.Empty() {
		draw(hidden.First())
	}
	return d
}

// teller follows a round, and collects what was decided.
type teller struct {
	round  Round
	acts   []Action
	events []int // by act
}

// action returns the action of an event, or why it is impossible.
func (t *teller) action(e Event) (wrong Violation, a Action) {
	r := &t.round
	a = Action{Kind: e.Kind, Card: e.Card}
	switch phase := r.Phase(); {
	case phase == Ended:
		wrong = violation.New(violation.Over, "comes after the end of the hand: %s", EndReason(r.StockLeft()))
	case phase == ToMeld:
		wrong = violation.New(violation.Over, "comes after the end of the hand: a player has knocked")
	case e.Seat != r.Seat():
		turn := r.Seat().String()
		wrong = violation.New(violation.NotOnTurn, "it is the turn of %s", turn).At("/seat").OneOf(turn)
	case phase != ToDraw:
	case e.Kind == Take && r.MayTake() && e.Card != r.top:
		wrong = violation.New(violation.CannotBe, "%s is not the top discard, which is %s", e.Card, r.top).At("/card").Of(e.Card)
	case e.Kind == Stock && r.MayDraw() && e.Card != r.deal.Stock[r.stock]:
		wrong = violation.New(violation.CannotBe, "%s cannot be in the stock", e.Card).At("/card").Of(e.Card)
	}
	if a.Kind == Knock {
		if best := r.Hand(r.Seat()).Best(); len(best) > 0 {
			a.Melds = best[0]
		}
	}
	return wrong, a
}

// play adds an action, or returns why it is not allowed.
func (t *teller) play(a Action, event int) (wrong Violation) {
	code, reason := t.round.illegal(a)
	if reason == "" {
		t.decide(a, event)
		return wrong
	}
	at := "/kind"
	if a.Kind == Discard && t.round.Phase() == ToDiscard {
		at = "/card"
	}
	return violation.New(code, "%s", reason).At(at)
}

// decide adds an action that is allowed.
func (t *teller) decide(a Action, event int) {
	t.acts, t.events = append(t.acts, a), append(t.events, event)
	t.round, _ = t.round.Play(a) // it is allowed
}
