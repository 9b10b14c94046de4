package worlds

import (
	"fmt"
	"math/bits"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// FactKind says what proves a fact.
type FactKind uint8

// The kinds of facts.
const (
	FactShown         FactKind = iota // the cards lie open
	FactVoid                          // the seat did not follow suit
	FactNoTrump                       // the seat could not follow suit and did not ruff where it had to
	FactNoHigherTrump                 // the seat did not play a higher trump where it had to
	FactNoPlainCard                   // the seat under-ruffed, which is allowed only if it has nothing but low trumps
	FactHolds                         // no other seat can hold the cards, or the seat has no other cards that it can hold
	FactFull                          // every card of the seat is certain
	FactBelief                        // the paper's third rule: not certain, and at the paper's level only
)

var factKindNames = [...]string{"shown", "void", "no_trump", "no_higher_trump", "no_plain_card", "holds", "full", "belief"}

// String returns the name of the kind in JSON.
func (f FactKind) String() string { return factKindNames[f] }

// Fact is what one card played, or the cards and the sizes of the hands, prove about a hand: a public announcement of the paper.
type Fact struct {
	Play     int // the number of the play from which the fact holds, an index of View.Played; -1 for a fact that holds from the start
	Seat     piquet.Seat
	Kind     FactKind
	Excluded piquet.Set // the cards that the seat cannot hold, without those that an earlier fact excludes
	Holds    piquet.Set // the cards that the seat holds, without the cards of an earlier fact; so no other seat holds them
	Text     string     // the fact and its reason, in a sentence
}

// Facts returns the facts, in the order in which they became known. Each is proved by the rules; none is a guess. Together they explain
// everything that May says: a seat may hold an unseen card if no fact excludes the card for the seat, and no fact says that another
// seat holds it.
func (k *Knowledge) Facts() []Fact {
	r := newReasoning(k)
	for r.sizes(-1) {
	}
	for i, p := range k.plays {
		r.announce(p)
		if p.seat != k.view.Seat {
			r.obey(i, p)
		}
		r.certain(i)
		for r.sizes(i) {
		}
	}
	return r.facts
}

// Suits returns, by suit, the smallest and the greatest number of cards of it that a seat holds in any world.
func (k *Knowledge) Suits(s piquet.Seat) (least, most [4]int) {
	o := k.hidden()
	for _, suit := range piquet.Suits() {
		set := piquet.Deck.InSuit(suit)
		if s == k.view.Seat {
			n := k.own.InSuit(suit).Len()
			least[suit], most[suit] = n, n
			continue
		}
		least[suit], most[suit] = o.least(s, set), o.most(s, set)
	}
	return least, most
}

// Possibles returns the number of pairs of a seat and a card that the seat may hold, without the cards of which the holder is certain: the
// length of the paper's list of possibles. It is 72 at the start and 0 at the end.
func (k *Knowledge) Possibles() int {
	var at [32]SeatSet
	for _, s := range k.others {
		for c := range k.may[s].All() {
			at[c] = at[c].With(s)
		}
	}
	return pairs(&at, k.unseen)
}

// pairs counts the possible owners of the cards that have more than one.
func pairs(may *[32]SeatSet, unseen piquet.Set) (n int) {
	for c := range unseen.All() {
		if holders := may[c].Len(); holders > 1 {
			n += holders
		}
	}
	return n
}

// hidden returns the possible owners of the unseen cards.
func (k *Knowledge) hidden() Owners {
	o := Owners{cards: k.unseen, left: k.left}
	o.left[k.view.Seat] = 0
	for _, s := range k.others {
		for c := range k.may[s].All() {
			o.may[c] = o.may[c].With(s)
		}
	}
	return o
}

// reasoning draws the conclusions of a view play by play.
type reasoning struct {
	Owners
	view   *View
	public bool          // of somebody who sees no hand, also not the view's
	known  [4]piquet.Set // the cards of which a fact says that the seat holds them
	facts  []Fact
}

// newReasoning returns the reasoning before the first card.
func newReasoning(k *Knowledge) *reasoning {
	v := &k.view
	r := &reasoning{view: v, Owners: Owners{cards: piquet.Deck &^ v.Hand, left: [4]int{8, 8, 8, 8}}}
	r.left[v.Seat] = 0
	for c := range r.cards.All() {
		r.may[c] = Everyone.Without(v.Seat)
	}
	for _, s := range k.others {
		r.show(s, v.Known[s])
	}
	return r
}

// show takes it that cards of a seat lie open.
func (r *reasoning) show(s piquet.Seat, open piquet.Set) {
	if open != 0 {
		r.Owners = r.Give(s, open)
		r.known[s] = open
		r.facts = append(r.facts, Fact{-1, s, FactShown, 0, open, fmt.Sprintf("%s shows %s.", s, list(open))})
	}
}

// sees reports whether the seat's own hand is seen, so that nothing is concluded about it.
func (r *reasoning) sees(s piquet.Seat) bool { return !r.public && s == r.view.Seat }

// announce takes the card of a play off the unseen ones.
func (r *reasoning) announce(p play) {
	if r.sees(p.seat) {
		return
	}
	r.cards = r.cards.Without(p.card)
	r.left[p.seat]--
}

// exclude removes cards that a seat cannot hold. It adds a fact if some of them are still unseen and not excluded yet. The text is the
// text of the fact without the seat.
func (r *reasoning) exclude(i int, s piquet.Seat, kind FactKind, set piquet.Set, format string, args ...any) {
	set &= r.Of(s)
	if set.Empty() {
		return
	}
	r.Owners = r.Forbid(s, set)
	r.facts = append(r.facts, Fact{i, s, kind, set, 0, s.String() + " " + fmt.Sprintf(format, args...)})
}

// obey draws the conclusions of the rules: what the seat would have had to play instead of the card.
func (r *reasoning) obey(i int, p play) {
	if p.excluded.Empty() {
		return
	}
	s, trump := p.seat, piquet.Deck.InSuit(r.view.Trump)
	led := p.trick.Cards[0].Suit()
	name := suitName(led)
	if p.card.Suit() != led {
		r.exclude(i, s, FactVoid, p.excluded.InSuit(led), "did not follow %s: %s has no %s.", name, s, name)
	}
	trumps := p.excluded & trump
	switch best, trumped := highestTrump(p.trick, r.view.Trump); {
	case led == r.view.Trump && p.card.Suit() != led: // void, above
	case trumps.Empty():
	case !trumped || trumps == trump:
		r.exclude(i, s, FactNoTrump, trumps, "could not follow %s and did not ruff: %s has no trump.", name, s)
	case led == r.view.Trump:
		r.exclude(i, s, FactNoHigherTrump, trumps, "did not play a trump above the %s: %s has none.", best, s)
	default:
		r.exclude(i, s, FactNoHigherTrump, trumps, "could not follow %s and did not overruff the %s: %s has no trump above it.", name, best, s)
	}
	if others := p.excluded &^ (trump | piquet.Deck.InSuit(led)); others != 0 {
		r.exclude(i, s, FactNoPlainCard, others, "under-ruffed, which is allowed only with nothing but low trumps: %s has no plain card.", s)
	}
}

// certain adds the facts that no other seat can hold a card.
func (r *reasoning) certain(i int) {
	var mine [4]piquet.Set
	for rest := r.cards; rest != 0; rest &= rest - 1 {
		c := rest.First()
		if may := r.may[c]; may.Len() == 1 {
			s := bits.TrailingZeros8(uint8(may))
			mine[s] = mine[s].With(c)
		}
	}
	for _, s := range piquet.Seats() {
		if mine := mine[s] &^ r.known[s]; mine != 0 {
			r.known[s] |= mine
			r.facts = append(r.facts, Fact{i, s, FactHolds, 0, mine, fmt.Sprintf("No other hand can hold %s: %s has %s.", list(mine), s, it(mine))})
		}
	}
}

// sizes draws conclusions from the numbers of cards left, for one seat, and reports whether there were any. Repeated until there are
// none they are complete: by Hall's theorem a seat cannot hold a card only if some seats hold nothing but cards that must all be
// theirs, and of three seats these are either one, or all but one.
func (r *reasoning) sizes(i int) bool {
	for _, s := range piquet.Seats() {
		if r.sees(s) {
			continue
		}
		may := r.Of(s)
		known := r.known[s] & r.cards
		if known.Len() == r.left[s] && known != may {
			if known.Empty() {
				r.exclude(i, s, FactFull, may, "has no cards left.")
			} else {
				r.exclude(i, s, FactFull, may&^known, "has %s left, %s: %s has no other card.", count(known), list(known), s)
			}
			r.certain(i)
			return true
		}
		if may.Len() == r.left[s] && known != may {
			r.Owners = r.Give(s, may)
			r.known[s] |= may
			r.facts = append(r.facts, Fact{
				i, s, FactHolds, 0, may &^ known,
				fmt.Sprintf("%s has %s left and can hold only %s: %s has %s.", s, count(may), list(may), s, it(may)),
			})
			r.certain(i)
			return true
		}
	}
	return r.public && r.pairs(i)
}

// pairs draws the conclusions of sizes for two seats: if the cards that only they can hold are as many as they have left, they hold nothing
// else. With one hand seen, the other three are one seat and the other two, so that sizes is complete without it; with four it is needed.
func (r *reasoning) pairs(i int) bool {
	for group := range Everyone {
		if group.Len() != 2 {
			continue
		}
		var only piquet.Set
		for c := range r.cards.All() {
			if r.may[c]&^group == 0 {
				only = only.With(c)
			}
		}
		left := 0
		for s := range group.Each {
			left += r.left[s]
		}
		before := len(r.facts)
		for s := range group.Each {
			if only.Len() == left && r.Of(s)&^only != 0 {
				r.exclude(i, s, FactFull, r.Of(s)&^only, "and %s have %s left, which can only be theirs: %s has no other card.",
					group.Without(s).first(), count(only), s)
			}
		}
		if len(r.facts) > before {
			r.certain(i)
			return true
		}
	}
	return false
}

// highestTrump returns the highest trump of a trick, and false if there is none.
func highestTrump(t klaverjas.Trick, trump piquet.Suit) (best piquet.Card, ok bool) {
	for _, c := range t.Cards[:t.Len] {
		if c.Suit() == trump && (!ok || klaverjas.Strength(c, trump) > klaverjas.Strength(best, trump)) {
			best, ok = c, true
		}
	}
	return best, ok
}

func suitName(s piquet.Suit) string { return [4]string{"clubs", "diamonds", "hearts", "spades"}[s&3] }

// list writes cards as part of a sentence: 7C, 8C and 9D.
func list(set piquet.Set) string {
	all := strings.Fields(set.String())
	if len(all) < 2 {
		return set.String()
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

func count(set piquet.Set) string {
	if set.Len() == 1 {
		return "1 card"
	}
	return fmt.Sprintf("%d cards", set.Len())
}

func it(set piquet.Set) string {
	if set.Len() == 1 {
		return "it"
	}
	return "them"
}
