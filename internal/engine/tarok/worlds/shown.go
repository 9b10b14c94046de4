package worlds

import (
	"slices"
	"strconv"

	"roem/internal/engine/tarok"
	"roem/internal/engine/violation"
)

// Shown returns the cards that a player who plays c to a trick shows not to hold. All that the rules of play imply is in it: c was legal
// exactly if the player held none of these cards. c itself is not among them.
//
//   - A card that does not follow: no card of the suit led. If it is no tarok either: no tarok.
//   - In klop and beggar, a card that does not beat the trick: no card that could have been played instead and would have beaten it.
//   - In klop and beggar, tarok 1: no other card that could have been played instead.
func Shown(r *tarok.Rules, contract tarok.Contract, trick []tarok.Card, c tarok.Card) (none tarok.Set) {
	from := tarok.Deck // the cards among which the player chose, as far as they are in the hand
	if len(trick) > 0 {
		for _, s := range [2]tarok.Suit{trick[0].Suit(), tarok.Taroks} {
			if c.Suit() == s {
				from = tarok.OfSuit(s)
				break
			}
			none |= tarok.OfSuit(s)
		}
	}
	if !contract.Negative() {
		return none
	}
	if len(trick) > 0 {
		if heads := heading(r, trick, from); heads.Has(c) {
			from = heads
		} else {
			none |= heads
		}
	}
	if c == tarok.Pagat {
		none |= from.Without(c)
	}
	return none
}

// heading returns the cards of a set that would win the trick so far.
func heading(r *tarok.Rules, trick []tarok.Card, from tarok.Set) (heads tarok.Set) {
	var with [3]tarok.Card
	n := copy(with[:], trick)
	for c := range (from &^ tarok.SetOf(trick...)).All() {
		with[n] = c
		if r.Winner(with[:n+1]) == n {
			heads = heads.With(c)
		}
	}
	return heads
}

// course is what the cards played tell: who has played what, and who holds what no longer.
type course struct {
	played  [3]tarok.Set
	missing [3]tarok.Set // cards that each player does not hold any more
	trick   []tarok.Card
	turn    tarok.Player
	won     bool // the declarer of a beggar has taken a trick
	shown   [3 * tarok.HandSize]tarok.Set
}

// follow plays the cards of the view. Its error is Violations with the first card that cannot have been played.
func (v *View) follow() (c course, err error) {
	s := v.setup()
	c.turn = s.Leader()
	leader := c.turn
	held := s.Hand(v.Player)
	taken, talon := v.taken(), tarok.SetOf(v.Talon...)
	if v.exchanged() && !v.Discards.Empty() && !v.declares() {
		c.missing[v.Declarer] = plain // taroks were discarded, so there was nothing else left
	}
	for i, card := range v.Played {
		p := c.turn
		fail := func(code violation.Code, format string, args ...any) (course, error) {
			return c, tarok.Violations{violation.New(code, format, args...).At("/played/" + strconv.Itoa(i)).Of(card)}
		}
		switch {
		case c.won || i == len(c.shown):
			return fail(violation.Over, "%s is not legal: the hand is finished", card)
		case (c.played[0] | c.played[1] | c.played[2]).Has(card):
			also := "/played/" + strconv.Itoa(slices.Index(v.Played, card))
			return c, tarok.Violations{violation.New(violation.CardTwice, "%s is also at", card).AlsoAt(also).At("/played/" + strconv.Itoa(i)).
				Of(card)}
		case p == v.Player && !held.Has(card):
			return fail(violation.NotHeld, "%s is to play and does not hold %s", p, card)
		case p == v.Player:
			if illegal := v.Rules.Illegal(v.Contract, p, held, c.trick, card); illegal != nil {
				return c, violation.Of("/played/"+strconv.Itoa(i), illegal)
			}
			held = held.Without(card)
		case v.Hand.Has(card):
			return fail(violation.NotOnTurn, "%s is to play, and %s was dealt to %s", p, card, v.Player)
		case v.Discards.Has(card):
			return fail(violation.CannotBe, "%s was discarded", card)
		case talon.Has(card) && (p != v.Declarer || !taken.Has(card)):
			return fail(violation.CannotBe, "%s is to play, and %s was in the talon", p, card)
		case c.missing[p].Has(card):
			return fail(violation.CannotBe, "%s cannot hold %s: %s", p, card, c.reason(p, card))
		default:
			c.shown[i] = Shown(&v.Rules, v.Contract, c.trick, card)
			c.missing[p] |= c.shown[i]
		}
		c.played[p] = c.played[p].With(card)
		c.trick = append(c.trick, card)
		if c.turn = p.Next(); len(c.trick) == 3 {
			leader = leader.After(v.Rules.Winner(c.trick))
			c.turn, c.trick = leader, nil
			c.won = v.Contract == tarok.Beggar && leader == v.Declarer
		}
	}
	return c, nil
}

// reason says what showed that a player does not hold a card.
func (c *course) reason(p tarok.Player, card tarok.Card) string {
	for i := range c.shown {
		if c.shown[i].Has(card) {
			return "the card at /played/" + strconv.Itoa(i) + " was legal only without it"
		}
	}
	return "taroks were discarded, so that " + p.String() + " kept only kings and taroks"
}
