package players

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Level is how much an agent concludes from the cards played.
type Level uint8

// The levels of knowledge.
const (
	PaperLevel Level = iota // the four rules of the paper, the third of which is not sound
	RulesLevel              // all that follows from the rules of the game and the sizes of the hands
)

// Logical is an agent of Koiter, Oosterhuis and de Weert, "Logical Klaverjassen": tactics for each place in the trick, on what it knows and
// holds for possible.
type Logical struct {
	Level Level
	// Compat plays as the authors' program where that differs from their text: an agent that has the highest trump left leads the highest
	// card of its hand, which need not be that trump; and of cards of equal worth it takes the one that was dealt first, in an order drawn
	// for each hand.
	Compat bool
	order  [32]uint8 // the order of cards of equal worth
}

// newLogical returns an agent for one hand.
func newLogical(l Logical, rng *rand.Rand) *Logical {
	for i := range l.order {
		l.order[i] = uint8(i)
	}
	if l.Compat {
		for i := range l.order {
			j := i + below(rng, len(l.order)-i)
			l.order[i], l.order[j] = l.order[j], l.order[i]
		}
	}
	return &l
}

// LogicalRules returns the rules of the authors' simulation: Amsterdam, where a player who cannot overruff may play any card; no four of a
// kind; 100 points for either team that wins all tricks; and a nat that gives the defenders the melds of both teams.
func LogicalRules() klaverjas.Rules {
	r := klaverjas.DefaultRules(klaverjas.Amsterdam)
	r.UnderRuff, r.NatMelds = klaverjas.Free, klaverjas.NatAll
	r.FourOfAKind = [8]int{}
	r.Pit = klaverjas.Pit{Declarers: 100, Defenders: 100}
	return r
}

// Choose plays by the tactics.
func (l *Logical) Choose(_ context.Context, v worlds.View) (Choice, error) {
	s, err := look(&v)
	if err != nil {
		return Choice{}, err
	}
	b, err := l.beliefs(&s)
	if err != nil {
		return Choice{}, err
	}
	card, thoughts := l.choose(&s, &b)
	return Choice{Card: card, Thoughts: thoughts}, nil
}

// beliefs returns what the agent believes after the cards played.
func (l *Logical) beliefs(s *sight) (beliefs, error) {
	v := s.view
	if l.Level == PaperLevel {
		b := newBeliefs(v.Seat, v.Hand, v.Known, v.Trump)
		for i := range s.plays {
			b.learn(&s.plays[i])
		}
		return b, nil
	}
	k, err := worlds.New(*v)
	if err != nil {
		return beliefs{}, err
	}
	b := beliefs{trump: v.Trump}
	for _, seat := range piquet.Seats() {
		b.known[seat] = k.Has(seat)
		b.possible[seat] = k.May(seat) &^ b.known[seat]
	}
	b.known[v.Seat] = k.Own()
	return b, nil
}

// announcements returns what the paper's agents conclude from the last card.
func (l *Logical) announcements(v worlds.View) []string {
	s, err := look(&v)
	if err != nil && len(s.plays) == 0 {
		return nil
	}
	b := newBeliefs(v.Seat, v.Hand, v.Known, v.Trump)
	var last []string
	for _, p := range s.plays {
		last = b.hear(p)
	}
	return last
}

// Held is what an agent holds for possible and what it knows of the cards that are not played, by seat. Before a card is played there are
// 72 pairs of a seat and a possible card (the paper, "Create_possibles").
type Held struct{ Possible, Known [4]piquet.Set }

// Beliefs returns what a logical player at the seat of the view believes, and false for any other player.
func Beliefs(p Player, v worlds.View) (Held, bool) {
	l, ok := p.(*Logical)
	if !ok {
		return Held{}, false
	}
	s, _ := look(&v) // its error says whose turn it is, which does not matter here
	b, err := l.beliefs(&s)
	return Held{b.possible, b.known}, err == nil
}

// ranked returns the cards from the highest worth to the lowest. Of equal ones, trumps come first, or those that come first in the agent's
// order.
func (l *Logical) ranked(s piquet.Set, trump piquet.Suit) []piquet.Card {
	out := s.Slice()
	slices.SortFunc(out, func(a, b piquet.Card) int {
		if c := cmp.Compare(worth(b, trump), worth(a, trump)); c != 0 {
			return c
		}
		if !l.Compat && a.Suit() != b.Suit() && (a.Suit() == trump || b.Suit() == trump) {
			if a.Suit() == trump {
				return -1
			}
			return 1
		}
		return cmp.Compare(l.order[a], l.order[b])
	})
	return out
}

// hand is what the tactics look at.
type hand struct {
	*sight
	*beliefs
	ranked []piquet.Card // the legal cards, the highest worth first
	compat bool
}

func (h *hand) trumpSuit() piquet.Suit     { return h.view.Trump }
func (h *hand) best() piquet.Card          { return h.ranked[0] }
func (h *hand) lowest() piquet.Card        { return h.ranked[len(h.ranked)-1] }
func (h *hand) worth(c piquet.Card) int    { return worth(c, h.view.Trump) }
func (h *hand) isTrump(c piquet.Card) bool { return c.Suit() == h.view.Trump }

// most returns the highest worth of a set, and -1 for an empty one.
func (h *hand) most(s piquet.Set) int {
	if s.Empty() {
		return -1
	}
	return h.worth(highest(s, h.view.Trump))
}

// choose returns the card of the tactics, and the thoughts.
func (l *Logical) choose(s *sight, b *beliefs) (piquet.Card, []Thought) {
	h := &hand{sight: s, beliefs: b, ranked: l.ranked(s.legal, s.view.Trump), compat: l.Compat}
	if len(h.ranked) == 1 {
		return h.best(), because(OnlyCard)
	}
	switch s.trick.Len {
	case 0:
		return h.lead()
	case 1:
		return h.second()
	case 2:
		return h.third()
	default:
		return h.fourth()
	}
}

// lead chooses the first card of a trick.
func (h *hand) lead() (piquet.Card, []Thought) {
	one, other := h.view.Seat.Plus(1), h.view.Seat.Plus(3)
	partner, trump := h.view.Seat.Partner(), h.trumpSuit()
	out := piquet.Deck.InSuit(trump) &^ h.played
	if out.Empty() {
		for _, c := range h.ranked {
			if h.worth(c) > h.most(h.maybe(one, c.Suit())) && h.worth(c) > h.most(h.maybe(other, c.Suit())) {
				return c, append(because(NoTrumpLeft), about(NoneAbove, c))
			}
		}
		return h.lowest(), because(NoTrumpLeft, AllMayLose)
	}
	if mine := h.own.InSuit(trump); !mine.Empty() && !(h.maybe(one, trump) | h.maybe(other, trump)).Empty() {
		top := highest(out, trump)
		switch {
		case mine.Has(top) && h.compat:
			return h.best(), because(TopTrumpHigh)
		case mine.Has(top):
			return top, because(TopTrump)
		case h.known[partner].Has(top):
			low := mine.First()
			for c := range mine.All() {
				if h.worth(c) < h.worth(low) {
					low = c
				}
			}
			return low, because(PartnerTopTrump)
		}
	}
	for _, c := range h.ranked {
		first, second := h.maybe(one, c.Suit()), h.maybe(other, c.Suit())
		if h.isTrump(c) || first.Empty() || second.Empty() {
			continue
		}
		if h.worth(c) > h.most(first) && h.worth(c) > h.most(second) {
			return c, []Thought{about(BothFollow, c)}
		}
	}
	return h.lowest(), because(NothingWins)
}

// second chooses the second card of a trick.
func (h *hand) second() (piquet.Card, []Thought) {
	third, lead, led := h.view.Seat.Plus(1), h.trick.Cards[0], h.led()
	follows := h.maybe(third, led)
	if led == h.trumpSuit() {
		switch {
		case !h.isTrump(h.best()):
			return h.lowest(), because(NoTrumpToFollow)
		case follows.Empty():
			return h.lowest(), because(NextNoTrump)
		case h.worth(h.best()) > h.worth(lead) && h.worth(h.best()) > h.most(follows):
			return h.best(), because(TrumpBeatsNext)
		}
		return h.lowest(), because(TrumpsMayLose)
	}
	if h.isTrump(h.best()) {
		return h.lowest(), because(MustTrump)
	}
	beats := h.worth(h.best()) > h.worth(lead)
	if follows.Empty() {
		switch {
		case !h.maybe(third, h.trumpSuit()).Empty():
			return h.lowest(), because(NextMayRuff)
		case beats:
			return h.best(), because(NextCannotBeat)
		}
		return h.lowest(), because(NoneAboveLead)
	}
	if beats && h.worth(h.best()) > h.most(follows) {
		if h.worth(h.best()) < h.most(h.maybe(h.view.Seat.Partner(), led)) {
			return h.lowest(), because(PartnerMayBeat)
		}
		return h.best(), because(BeatsNext)
	}
	return h.lowest(), because(SuitMayLose)
}

// third chooses the third card of a trick.
func (h *hand) third() (piquet.Card, []Thought) {
	fourth, before, led := h.view.Seat.Plus(1), h.trick.Cards[1], h.led()
	follows := h.maybe(fourth, led)
	if led == h.trumpSuit() {
		switch {
		case !h.isTrump(h.best()):
			return h.lowest(), because(NoTrumpToFollow)
		case follows.Empty():
			return h.lowest(), because(NextNoTrump)
		case h.worth(h.best()) <= h.most(follows):
			return h.lowest(), because(NextMayTrumpHigher)
		case h.isTrump(before) && h.worth(h.best()) > h.worth(before):
			return h.best(), because(TrumpBeatsLast)
		}
		return h.lowest(), because(NeedNotBeat)
	}
	if h.isTrump(h.best()) {
		return h.lowest(), because(TrumpNotNeeded)
	}
	beats := h.worth(h.best()) > h.worth(before)
	if follows.Empty() {
		switch {
		case !h.maybe(fourth, h.trumpSuit()).Empty():
			return h.lowest(), because(NextMayRuff)
		case beats:
			return h.best(), because(NextCannotBeat)
		}
		return h.lowest(), because(NoneAboveSecond)
	}
	if beats && h.worth(h.best()) > h.most(follows) {
		if h.worth(h.best()) < h.worth(h.trick.Cards[0]) {
			return h.lowest(), because(PartnerHigher)
		}
		return h.best(), because(BeatsLast)
	}
	return h.lowest(), because(CardsMayLose)
}

// fourth chooses the last card of a trick.
func (h *hand) fourth() (piquet.Card, []Thought) {
	high := winning(&h.trick)
	if h.trick.Winner.Team() != h.view.Seat.Team() && h.best().Suit() == high.Suit() && h.worth(h.best()) > h.worth(high) {
		return h.best(), because(BeatsOpponents)
	}
	return h.lowest(), because(CannotWin)
}
