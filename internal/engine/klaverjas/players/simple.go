package players

import (
	"context"
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Simple plays by a rule of thumb. For each legal card it estimates how likely its team wins the trick, what the trick is worth, and what
// the card would be worth later; the card with the best sum is played. It looks at one trick only and searches nothing.
//
// From these follow the rules that players learn: take a trick with a sure winner, give points to a partner who wins, give the opponents as
// little as possible, ruff with a low trump, keep the highest cards, complete melds in one's own tricks, and draw trumps as declarers.
type Simple struct{ thumb *thumb }

// thumb are the numbers of the rule of thumb, in points. They are first guesses: no match has tuned them.
type thumb struct {
	LaterPoints  float64 // what each player after this one adds to the trick
	PlainTop     float64 // what the highest card of a plain suit takes later, in addition to its own points
	PlainTopHeld float64 // the share of its points that it keeps
	TenGuarded   float64 // a plain ten below the ace
	PlainLow     float64 // any other plain card, for each card of the suit that is higher
	TrumpTop     float64 // what the highest trump takes later
	TrumpTopHeld float64 // the share of its points that it keeps
	TrumpLow     float64 // any other trump
	TrumpHeld    float64 // the share of the points of any other trump that it keeps
	Tempo        float64 // to lead to the next trick
	DrawOurs     float64 // for each trump that an opponent is likely to follow with, if our team declares
	DrawTheirs   float64 // the same, if the opponents declare
	PartnerTrump float64 // for a trump that the partner is likely to follow with
	AwayFromTen  float64 // to lead a low card of a suit in which the ten is held and the ace is not
	Short        float64 // to play the last card of a plain suit while holding a trump
	MeldShare    float64 // how likely a card that makes a meld falls, of its chance to be in a later hand
}

// defaultThumb are the numbers in use.
var defaultThumb = thumb{
	LaterPoints: 4, PlainTop: 5, PlainTopHeld: 0.7, TenGuarded: 2, PlainLow: 0.2, TrumpTop: 8, TrumpTopHeld: 1, TrumpLow: 5, TrumpHeld: 0.3,
	Tempo: 2, DrawOurs: 4, DrawTheirs: -4, PartnerTrump: -3, AwayFromTen: -4, Short: 2, MeldShare: 0.4,
}

// Choose plays the card with the best estimate.
func (p Simple) Choose(_ context.Context, v worlds.View) (Choice, error) {
	s, err := look(&v)
	if err != nil {
		return Choice{}, err
	}
	if s.legal.Len() == 1 {
		return only(s.legal.First()), nil
	}
	best, next, most, second := p.best(&s)
	t := about(RuleOfThumb, best)
	t.Points, t.Next, t.Cost = most, &next, most-second
	return Choice{Card: best, Thoughts: []Thought{t}}, nil
}

// choose returns the card with the best estimate.
func (p Simple) choose(s *sight) piquet.Card {
	if s.legal.Len() == 1 {
		return s.legal.First()
	}
	best, _, _, _ := p.best(s)
	return best
}

// best returns the two cards with the best estimates, the first ones of equals, and the estimates. There must be two legal cards.
func (p Simple) best(s *sight) (best, next piquet.Card, most, second float64) {
	e := p.estimator(s)
	most, second = math.Inf(-1), math.Inf(-1)
	for c := range s.legal.All() {
		switch value := e.value(c); {
		case value > most:
			best, next, most, second = c, best, value, most
		case value > second:
			next, second = c, value
		}
	}
	return best, next, most, second
}

func (p Simple) estimator(s *sight) estimator {
	t := p.thumb
	if t == nil {
		t = &defaultThumb
	}
	return estimator{sight: s, thumb: t, trump: s.view.Trump, last: s.own.Len() == 1}
}

// estimator estimates what a card is worth, in points.
type estimator struct {
	*sight
	*thumb
	trump piquet.Suit
	last  bool
}

// value returns the estimate of playing c.
func (e *estimator) value(c piquet.Card) float64 {
	t := e.trick.With(c, e.trump)
	win := e.chance(t)
	stake := float64(e.points(t.Set())) + e.LaterPoints*float64(4-t.Len) + e.melds(t)
	v := (2*win-1)*stake - e.keep(c)
	mine := 0.0 // the chance that this seat leads to the next trick
	if t.Winner == e.view.Seat {
		mine = win
	}
	v += e.Tempo * mine
	if e.trick.Len == 0 {
		v += e.leading(c)
	}
	if rest := e.own.InSuit(c.Suit()).Without(c); rest.Empty() && c.Suit() != e.trump && !e.own.InSuit(e.trump).Empty() {
		v += e.Short
	}
	return v
}

// points returns the trick points of cards.
func (e *estimator) points(s piquet.Set) (sum int) {
	for c := range s.All() {
		sum += klaverjas.Points(c, e.trump)
	}
	return sum
}

// holds returns how likely a seat holds an unseen card, from the numbers of cards of the seats that may.
func (e *estimator) holds(seat piquet.Seat, c piquet.Card) float64 {
	if !e.may[seat].Has(c) {
		return 0
	}
	all := 0
	for _, other := range piquet.Seats() {
		if e.may[other].Has(c) {
			all += e.left[other]
		}
	}
	return float64(e.left[seat]) / float64(all)
}

// none returns how likely a seat holds none of the cards, as if its cards were independent.
func (e *estimator) none(seat piquet.Seat, s piquet.Set) float64 {
	p := 1.0
	for c := range (s & e.may[seat]).All() {
		p *= 1 - e.holds(seat, c)
	}
	return p
}

// chance returns how likely the own team wins the trick t. The cards of the players after this one are taken to be independent, and each is
// taken to win the trick if it can and its team is not winning.
func (e *estimator) chance(t klaverjas.Trick) float64 {
	us := 0.0
	if t.Winner.Team() == e.view.Seat.Team() {
		us = 1
	}
	led, high := t.Cards[0].Suit(), winning(&t)
	for i := t.Len; i < 4; i++ {
		seat := t.Leader.Plus(i)
		beat := e.beats(seat, led, high)
		if seat.Team() == e.view.Seat.Team() {
			us += (1 - us) * beat
		} else {
			us *= 1 - beat
		}
	}
	return us
}

// beats returns how likely a seat can beat the highest card of a trick.
func (e *estimator) beats(seat piquet.Seat, led piquet.Suit, high piquet.Card) float64 {
	higher := above(high, e.trump)
	if led == e.trump {
		return 1 - e.none(seat, higher)
	}
	void := e.none(seat, piquet.Deck.InSuit(led))
	trumps := piquet.Deck.InSuit(e.trump)
	if high.Suit() == e.trump {
		return void * (1 - e.none(seat, higher))
	}
	return 1 - e.none(seat, higher) + void*(1-e.none(seat, trumps))
}

// melds returns the melds to be expected in the trick t.
func (e *estimator) melds(t klaverjas.Trick) float64 {
	rules := e.view.Rules
	set := t.Set()
	now := rules.Meld(set, e.trump)
	if t.Len == 4 || !rules.Melds {
		return float64(now)
	}
	sum := float64(now)
	led := t.Cards[0].Suit()
	for c := range e.unseen.InSuit(led).All() {
		more := rules.Meld(set.With(c), e.trump) - now
		if more == 0 {
			continue
		}
		p := 0.0
		for i := t.Len; i < 4; i++ {
			p += e.holds(t.Leader.Plus(i), c)
		}
		sum += e.MeldShare * min(p, 1) * float64(more)
	}
	return sum
}

// keep returns what a card is likely to be worth if it is not played now.
func (e *estimator) keep(c piquet.Card) float64 {
	if e.last {
		return 0
	}
	points := float64(klaverjas.Points(c, e.trump))
	higher := (above(c, e.trump) & e.unseen).Len()
	if c.Suit() == e.trump {
		if higher == 0 {
			return e.TrumpTop + e.TrumpTopHeld*points
		}
		return e.TrumpLow + e.TrumpHeld*points/float64(higher)
	}
	switch {
	case higher == 0:
		return e.PlainTop + e.PlainTopHeld*points
	case c.Face() == piquet.Ten:
		return e.TenGuarded
	}
	return e.PlainLow * float64(7-higher)
}

// leading returns what speaks for leading a card, besides the trick itself.
func (e *estimator) leading(c piquet.Card) (v float64) {
	seat := e.view.Seat
	if c.Suit() == e.trump {
		draw := e.DrawTheirs
		if seat.Team() == e.view.Declarer {
			draw = e.DrawOurs
		}
		trumps := piquet.Deck.InSuit(e.trump)
		for _, opponent := range [2]piquet.Seat{seat.Plus(1), seat.Plus(3)} {
			v += draw * (1 - e.none(opponent, trumps))
		}
		return v + e.PartnerTrump*(1-e.none(seat.Partner(), trumps))
	}
	ten, ace := piquet.Of(c.Suit(), piquet.Ten), piquet.Of(c.Suit(), piquet.Ace)
	if e.own.Has(ten) && e.unseen.Has(ace) && c != ten {
		v += e.AwayFromTen
	}
	return v
}
