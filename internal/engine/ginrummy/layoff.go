package ginrummy

import (
	"roem/internal/engine/violation"
)

// LayOffs is the rule by which the cards of the opponent of a knocker are laid off, unless the opponent says where.
type LayOffs uint8

// The rules of lay-offs.
const (
	// BestLayOffs leaves the least deadwood: a card that fits a set and a run is laid where that leaves less.
	BestLayOffs LayOffs = iota
	// ChallengeLayOffs is the fixed order of the EAAI 2021 challenge: the lowest card that extends a meld is laid off on the first meld that
	// it extends, until none is left that does. The opponent has no choice.
	ChallengeLayOffs
)

var layOffsNames = []string{"best", "challenge"}

// String returns best or challenge.
func (o LayOffs) String() string { return layOffsNames[o&1] }

// MarshalText writes the rule as String does.
func (o LayOffs) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads a rule as ParseLayOffs does.
func (o *LayOffs) UnmarshalText(text []byte) (err error) {
	*o, err = ParseLayOffs(string(text))
	return err
}

// ParseLayOffs reads what String returns.
func ParseLayOffs(text string) (LayOffs, error) {
	return violation.ParseWord[LayOffs](text, layOffsNames...)
}

// LayOff is a card laid off on a meld of the other player.
type LayOff struct {
	Card Card
	On   Set // the meld before the card, with what was laid off on it earlier
}

// Laid is where the opponent of a knocker lays off cards. The zero Laid leaves that to the rule.
type Laid struct {
	Given bool
	On    [MostMelds]Set // the cards laid off on each meld of the knocker
}

// Cards returns all cards that are laid off.
func (l Laid) Cards() Set { return l.On[0] | l.On[1] | l.On[2] }

// Check returns an *IllegalAction unless the opponent of a knocker may lay off the cards in this way.
func (l Laid) Check(hands [2]Set, melds [2]Arrangement, knocker Seat, rule LayOffs) error {
	opponent := knocker.Other()
	code, reason := l.illegal(hands[opponent], melds[opponent], melds[knocker], rule, melds[knocker].Deadwood(hands[knocker]) == 0)
	if reason == "" {
		return nil
	}
	return &IllegalAction{Code: code, Reason: reason, Off: true}
}

// illegal returns why cards of a hand may not be laid off in this way on the melds of a knocker; nothing if they may.
func (l Laid) illegal(hand Set, melds, on Arrangement, rule LayOffs, gin bool) (code violation.Code, reason string) {
	var used Set
	switch {
	case !l.Given:
		return "", ""
	case rule == ChallengeLayOffs:
		return violation.NotUsed, "the order of the lay-offs is fixed by the rule challenge"
	case gin && l.Cards() != 0:
		return violation.NotLegal, "nothing is laid off on a knocker without deadwood"
	case !hand.Contains(l.Cards()):
		return violation.NotHeld, (l.Cards() &^ hand).String() + " is not in the hand"
	case l.Cards()&melds.Cards() != 0:
		return violation.CardTwice, (l.Cards() & melds.Cards()).String() + " is also in a meld of the own"
	}
	for i, cards := range l.On {
		if cards&used != 0 {
			return violation.CardTwice, (cards & used).String() + " is laid off on two melds"
		}
		if used |= cards; cards != 0 && (on[i] == 0 || !(on[i] | cards).IsMeld()) {
			return violation.NotLegal, cards.String() + " does not extend meld " + string(rune('1'+i)) + " of the knocker"
		}
	}
	return "", ""
}

// list returns the lay-offs one by one: on each meld, the lowest card first that extends it.
func (l Laid) list(on Arrangement) (out []LayOff) {
	for i, cards := range l.On {
		one := Arrangement{on[i]}
		laid, _ := inOrder(cards, one)
		out = append(out, laid...)
	}
	return out
}

// LayOff lays off cards on melds by the rule. It returns the lay-offs, in order, and what is left.
func (o LayOffs) LayOff(cards Set, on Arrangement) (laid []LayOff, left Set) {
	laid, left = inOrder(cards, on)
	if o == ChallengeLayOffs || left == 0 {
		return laid, left
	}
	// Only a card that makes four of a rank can be wanted by a run too: without any of these cards, the order does not matter.
	var fourths [MostMelds]Set
	for i, m := range on {
		if m.Len() == 3 && m&OfRank(m.First().Rank()) == m {
			fourths[i] = OfRank(m.First().Rank()) &^ m & cards
		}
	}
	if fourths == [MostMelds]Set{} {
		return laid, left
	}
	for choice := range 1 << MostMelds {
		if other, rest, ok := chosen(cards, on, fourths, choice); ok && rest.Points() < left.Points() {
			laid, left = other, rest
		}
	}
	return laid, left
}

// chosen lays off cards if bit i of the choice says that set i gets its fourth card: this card first, and then all that extend runs.
func chosen(cards Set, on Arrangement, fourths [MostMelds]Set, choice int) (laid []LayOff, left Set, ok bool) {
	var runs Arrangement
	n := 0
	for i, m := range on {
		switch takes := choice>>i&1 != 0; {
		case takes && fourths[i] == 0:
			return nil, 0, false // the same as another choice
		case takes:
			laid, cards = append(laid, LayOff{fourths[i].First(), m}), cards&^fourths[i]
		case m != 0 && m&OfRank(m.First().Rank()) != m:
			runs[n] = m
			n++
		}
	}
	rest, left := inOrder(cards, runs)
	return append(laid, rest...), left, true
}

// inOrder lays off cards in the order of ChallengeLayOffs. The card extends a run, or makes four of three of a rank.
func inOrder(cards Set, on Arrangement) (laid []LayOff, left Set) {
	for {
		c, i, ok := extends(cards, &on)
		if !ok {
			return laid, cards
		}
		laid = append(laid, LayOff{c, on[i]})
		on[i], cards = on[i].With(c), cards.Without(c)
	}
}

// BestAgainst returns an arrangement of the hand with which the least is left after laying off on the melds of a knocker by the rule.
// It may break a meld of the hand whose cards can be laid off. Of equal ones it returns the first of those with the least deadwood. It is
// empty for a hand without a meld.
func (s Set) BestAgainst(on Arrangement, rule LayOffs) (best Arrangement) {
	least := [2]int{s.Points() + 1}
	for _, melds := range s.arrangements(s.Points()) {
		rest := s &^ melds.Cards()
		_, left := rule.LayOff(rest, on)
		if p := [2]int{left.Points(), rest.Points()}; p[0] < least[0] || p[0] == least[0] && p[1] < least[1] {
			best, least = melds, p
		}
	}
	return best
}

// extends returns the lowest card that extends a meld, and the number of the first meld that it extends.
func extends(cards Set, melds *Arrangement) (c Card, meld int, ok bool) {
	for c := range cards.All() {
		for i, m := range melds[:melds.Len()] {
			if m.With(c).IsMeld() {
				return c, i, true
			}
		}
	}
	return NoCard, 0, false
}
