// Package worlds computes what one seat knows about the hidden cards of a hand of Klaverjas.
//
// A View is what the seat has seen: its eight cards, the cards played, and cards of others that lie open. A World deals the unseen cards
// to the other seats so that each card played was legal when it was played. All of this package follows from these two definitions
// and the rules: the number of worlds, the probability that a seat holds a card if all worlds are equally likely, the world with a
// given number, and uniform samples. Nothing is estimated. Source: lab/docs/klaverjas/hidden-cards.md; Koiter, Oosterhuis and de Weert,
// "Logical Klaverjassen", whose public announcements are the plays.
package worlds

import (
	"fmt"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// View is what one seat has seen of a hand.
type View struct {
	Rules    klaverjas.Rules
	Trump    piquet.Suit
	Leader   piquet.Seat // of the first trick
	Declarer piquet.Team
	Seat     piquet.Seat
	Hand     piquet.Set    // the eight cards dealt to Seat
	Played   []piquet.Card // the cards of all seats, in the order of play
	Known    [4]piquet.Set // by seat: cards of the other seats that lie open; they may have been played since
	Open     piquet.Set    // cards of Hand that lie open for the other seats: they change what all know, and not what the seat knows
}

// Showing returns the view of a hand in which cards lie open, by seat.
func (v View) Showing(open [4]piquet.Set) View {
	v.Open = open[v.Seat]
	open[v.Seat] = 0
	v.Known = open
	return v
}

// ViewOf returns what a seat has seen of a position that was reached by playing the given cards.
func ViewOf(p klaverjas.Position, played []piquet.Card, seat piquet.Seat) View {
	d := p.Deal()
	return View{
		Rules: p.Rules(), Trump: d.Trump, Leader: d.Leader, Declarer: d.Declarer, Seat: seat, Hand: d.Hands[seat], Played: played,
	}
}

// World is the cards that each seat still holds, by seat.
type World [4]piquet.Set

// play is a card played, with what it excludes.
type play struct {
	card     piquet.Card
	seat     piquet.Seat
	trick    klaverjas.Trick // before the card
	excluded piquet.Set      // the cards that the seat cannot have held beside the card
}

// replay returns the plays of a view. Its error is Violations with the pointer of the first wrong card: it was played before, its holder
// is another seat, or it proves that a seat has revoked.
func (v *View) replay() ([]play, error) {
	plays := make([]play, 0, len(v.Played))
	trick := klaverjas.Trick{Leader: v.Leader, Winner: v.Leader}
	own, seen := v.Hand, piquet.Set(0)
	var excluded [4]piquet.Set
	for i, c := range v.Played {
		turn := trick.Turn()
		if code, why := v.wrong(c, turn, seen); why != "" {
			return nil, at(i, c, code, "%s %s", c, why)
		}
		if turn == v.Seat {
			if legal := v.Rules.Legal(v.Trump, trick, own); !legal.Has(c) {
				return nil, at(i, c, v.Rules.Duty(v.Trump, trick, own), "%s is not legal: %s, who holds %s, may play %s", c, turn, own, legal)
			}
			own = own.Without(c)
		}
		if excluded[turn].Has(c) {
			j := slices.IndexFunc(plays, func(p play) bool { return p.seat == turn && p.excluded.Has(c) })
			return nil, at(i, c, violation.CannotBe, "%s proves that %s revoked: with this card in hand, %s was not legal at /played/%d",
				c, turn, plays[j].card, j)
		}
		now := v.Rules.Excluded(v.Trump, trick, c)
		plays = append(plays, play{c, turn, trick, now})
		excluded[turn] |= now
		seen = seen.With(c)
		if trick = trick.With(c, v.Trump); trick.Len == 4 {
			trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
		}
	}
	return plays, nil
}

// wrong returns why the seat cannot have played c, or nothing.
func (v *View) wrong(c piquet.Card, turn piquet.Seat, seen piquet.Set) (code violation.Code, why string) {
	switch {
	case seen.Has(c):
		return violation.CardTwice, "has been played before"
	case turn == v.Seat && !v.Hand.Has(c):
		return violation.NotHeld, fmt.Sprintf("was played by %s, whose hand does not have it", turn)
	case turn != v.Seat && v.Hand.Has(c):
		return violation.CardTwice, fmt.Sprintf("was played by %s, but is in the hand of %s", turn, v.Seat)
	}
	for _, other := range piquet.Seats() {
		if other != turn && v.Known[other].Has(c) {
			return violation.CardTwice, fmt.Sprintf("was played by %s, but is known to be in the hand of %s", turn, other)
		}
	}
	return "", ""
}

func at(i int, c piquet.Card, code violation.Code, format string, args ...any) error {
	return klaverjas.Violations{violation.New(code, format, args...).At(fmt.Sprintf("/played/%d", i)).Of(c)}
}

// validate checks the parts of the view that do not depend on each other's order. Its error is Violations.
func (v *View) validate() error {
	if err := v.Rules.Validate(); err != nil {
		return err
	}
	var bad klaverjas.Violations
	if n := v.Hand.Len(); n != klaverjas.HandSize {
		bad = append(bad, violation.New(violation.WrongCount, "has %d cards, expected the %d that were dealt to the seat", n, klaverjas.HandSize).
			At("/hand").Of(n).Between(klaverjas.HandSize, klaverjas.HandSize))
	}
	var seen piquet.Set
	for _, seat := range piquet.Seats() {
		known := v.Known[seat]
		if known.Empty() {
			continue
		}
		pointer := "/known/" + seat.String()
		switch twice := known & seen; {
		case seat == v.Seat:
			bad = append(bad, violation.New(violation.Contradicts, "is the seat of the view: its cards are given in hand").At(pointer))
		case known&v.Hand != 0:
			bad = append(bad, violation.New(violation.CardTwice, "has %s, which is in hand", known&v.Hand).At(pointer).Of(known&v.Hand))
		case twice != 0:
			bad = append(bad, violation.New(violation.CardTwice, "has %s, which is known to be in another hand", twice).At(pointer).Of(twice))
		case known.Len() > klaverjas.HandSize:
			bad = append(bad, tooManyCards(known.Len(), klaverjas.HandSize).At(pointer))
		}
		seen |= known
	}
	if len(v.Played) > piquet.Deck.Len() {
		bad = append(bad, tooManyCards(len(v.Played), piquet.Deck.Len()).At("/played"))
	}
	if len(bad) > 0 {
		return bad
	}
	return nil
}

func tooManyCards(n, most int) klaverjas.Violation {
	return violation.New(violation.WrongCount, "has %d cards, expected at most %d", n, most).Of(n).Between(0, most)
}
