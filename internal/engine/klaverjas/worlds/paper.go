package worlds

import (
	"fmt"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Paper is what a seat knows, and in part believes, by the inferences of the paper (Koiter, Oosterhuis and de Weert, "Logical
// Klaverjassen", Update_possibles()). They treat each card alone, do not count the cards of the hands, and miss some of what the rules
// prove. Three of them are sound in every set of rules:
//
//  1. A card that has been played is no longer in a hand.
//  2. A seat that does not follow suit has none of that suit. If moreover its team is not winning the trick and the card is no trump, it
//     has no trump, or none above the highest trump in the trick.
//  4. A card with one possible owner is known to be there.
//
// The third rests on how careful players play, and is a belief: it can be wrong, and so can what follows from it.
//
//  3. A seat that follows with a losing card, which outranks every card of the suit that is unplayed and not in the observer's hand, has no
//     other card of the suit.
type Paper struct {
	may    [4]piquet.Set
	unseen piquet.Set
	facts  []Fact
}

// Paper returns the paper's level of the knowledge, with or without its third rule.
func (k *Knowledge) Paper(beliefs bool) *Paper {
	r := newReasoning(k)
	for i, p := range k.plays {
		r.announce(p)
		if p.seat != k.view.Seat && p.trick.Len > 0 {
			r.infer(i, p, beliefs)
		}
		r.certain(i)
	}
	out := &Paper{unseen: r.cards, facts: r.facts}
	for _, s := range k.others {
		out.may[s] = r.Of(s)
	}
	return out
}

// infer draws the conclusions of rules 2 and 3.
func (r *reasoning) infer(i int, p play, beliefs bool) {
	s, trump := p.seat, r.view.Trump
	led := p.trick.Cards[0].Suit()
	name := suitName(led)
	winner := p.trick.With(p.card, trump).Winner
	if p.card.Suit() == led {
		if beliefs && winner != s && r.outranksAll(p.card) {
			r.exclude(i, s, FactBelief, piquet.Deck.InSuit(led), "%s", strings.TrimPrefix(beliefText(p.card, s), s.String()+" "))
		}
		return
	}
	r.exclude(i, s, FactVoid, piquet.Deck.InSuit(led), "did not follow %s: %s has no %s.", name, s, name)
	if led == trump || p.card.Suit() == trump || winner.Team() == s.Team() {
		return
	}
	best, trumped := highestTrump(p.trick, trump)
	if !trumped {
		r.exclude(i, s, FactNoTrump, piquet.Deck.InSuit(trump), "could not follow %s and did not ruff: %s has no trump.", name, s)
		return
	}
	r.exclude(i, s, FactNoHigherTrump, Higher(best, trump),
		"could not follow %s and did not overruff the %s: %s has no trump above it.", name, best, s)
}

// beliefText is the sentence of the third rule.
func beliefText(c piquet.Card, s piquet.Seat) string {
	return fmt.Sprintf("%s played the %s, the highest left, and lost it: %s probably has no other %s.", s, c, s, suitName(c.Suit()))
}

// outranksAll reports whether a card outranks every card of its suit that is unseen.
func (r *reasoning) outranksAll(c piquet.Card) bool {
	for x := range r.cards.InSuit(c.Suit()).All() {
		if klaverjas.Strength(x, r.view.Trump) > klaverjas.Strength(c, r.view.Trump) {
			return false
		}
	}
	return true
}

// May returns the unseen cards that the seat may hold. With beliefs, the true holder of a card may be missing.
func (p *Paper) May(s piquet.Seat) piquet.Set { return p.may[s&3] }

// Has returns the unseen cards of which the seat is the one possible owner.
func (p *Paper) Has(s piquet.Seat) piquet.Set {
	set := p.may[s&3]
	for _, other := range piquet.Seats() {
		if other != s&3 {
			set &^= p.may[other]
		}
	}
	return set
}

// Holders returns the seats that may hold a card, in the order N E S W. It is empty only if beliefs contradict each other.
func (p *Paper) Holders(c piquet.Card) (out []piquet.Seat) {
	for _, s := range piquet.Seats() {
		if p.may[s].Has(c) {
			out = append(out, s)
		}
	}
	return out
}

// Possibles returns the length of the paper's list of possibles: the pairs of a seat and a card that the seat may hold, without the
// cards that have one possible owner. It is 72 at the start and 0 at the end.
func (p *Paper) Possibles() int {
	var may [32]SeatSet
	for _, s := range piquet.Seats() {
		for c := range p.may[s].All() {
			may[c] = may[c].With(s)
		}
	}
	return pairs(&may, p.unseen)
}

// Facts returns the public announcements, in the order in which they were made.
func (p *Paper) Facts() []Fact { return p.facts }

// Share returns 1/n if a seat is one of n possible holders of an unseen card, and 0 otherwise: the paper treats each card alone.
func (p *Paper) Share(c piquet.Card, s piquet.Seat) float64 {
	if !p.may[s&3].Has(c) {
		return 0
	}
	return 1 / float64(len(p.Holders(c)))
}

// Suits returns, by suit, how many cards of it the seat certainly holds, and how many it may hold.
func (p *Paper) Suits(s piquet.Seat) (least, most [4]int) {
	for _, suit := range piquet.Suits() {
		least[suit], most[suit] = p.Has(s).InSuit(suit).Len(), p.may[s&3].InSuit(suit).Len()
	}
	return least, most
}
