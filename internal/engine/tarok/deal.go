package tarok

import (
	"math/rand/v2"
	"strconv"

	"roem/internal/engine/violation"
	"roem/internal/random"
)

// Deal is the hands and the talon before the bidding. It is comparable.
type Deal struct {
	Hands [3]Set
	Talon [TalonSize]Card // in the order in which it is turned up
}

// Random returns a deal. Each is equally likely, except that none is void.
func Random(rng *rand.Rand) (d Deal) {
	list := Deck.Slice()
	for {
		random.Shuffle(rng, list)
		for p := range d.Hands {
			d.Hands[p] = SetOf(list[p*HandSize : (p+1)*HandSize]...)
		}
		copy(d.Talon[:], list[3*HandSize:])
		if !d.Void() {
			return d
		}
	}
}

// Void reports whether a player has no tarok. Such a deal is not played.
func (d *Deal) Void() bool {
	for _, hand := range d.Hands {
		if hand.InSuit(Taroks).Empty() {
			return true
		}
	}
	return false
}

// Group returns the cards of a group of the talon, counted from 0: contract.Exchange consecutive cards.
func (d *Deal) Group(contract Contract, group int) Set {
	n := contract.Exchange()
	return SetOf(d.Talon[group*n : (group+1)*n]...)
}

// Check returns what is wrong with the deal, as pointers below /hands and /talon. The index of a card of a hand is its place in the order
// of the deck.
func (d *Deal) Check() (bad Violations) {
	type at struct { // a place as a text, only if a card is there twice
		list string
		i    int
	}
	name := func(a at) string { return a.list + "/" + strconv.Itoa(a.i) }
	var seen [Cards]at
	place := func(where at, c Card) {
		if seen[c].list == "" {
			seen[c] = where
		} else {
			bad = append(bad, violation.New(violation.CardTwice, "%s is also at", c).AlsoAt(name(seen[c])).At(name(where)).Of(c))
		}
	}
	for _, p := range Players() {
		hand, where := d.Hands[p], "/hands/"+p.String()
		switch n := hand.Len(); {
		case n != HandSize:
			bad = append(bad, violation.Count(n, HandSize).At(where))
		case hand.InSuit(Taroks).Empty():
			bad = append(bad, violation.New(violation.CannotBe, "has no tarok: such a deal is void").At(where))
		}
		for i, c := range hand.Slice() {
			place(at{where, i}, c)
		}
	}
	for i, c := range d.Talon {
		place(at{"/talon", i}, c)
	}
	return bad
}

// Discards returns the cards that may be discarded next, after some were: none of the kings and of taroks 1, 21 and 22, and taroks only if
// there is nothing else. hand is what the declarer holds after taking cards from the talon, without those already discarded.
func Discards(hand Set) Set {
	free := hand &^ Kings &^ Trula
	if plain := free &^ OfSuit(Taroks); !plain.Empty() {
		return plain
	}
	return free
}

// CheckDiscards returns what is wrong with n discards from a hand, which is what the declarer holds after taking cards from the talon.
// Its pointers are /discards, and the pointers of cards below it. The index of a card is its place in the order of the deck.
func CheckDiscards(hand, discards Set, n int) (bad Violations) {
	if discards.Len() != n {
		bad = append(bad, violation.Count(discards.Len(), n).At("/discards"))
	}
	for i, c := range discards.Slice() {
		if reason := Kept(hand&^discards.Without(c), c); reason != "" {
			bad = append(bad, violation.New(violation.NotLegal, "%s may not be discarded: %s", c, reason).At("/discards/"+strconv.Itoa(i)).Of(c))
		}
	}
	return bad
}

// Kept says why a card may not be discarded from a hand, such as "kings and taroks 1, 21 and 22 are kept". It is empty if the card may be.
func Kept(hand Set, c Card) string {
	switch {
	case !hand.Has(c):
		return "the declarer does not hold it"
	case (Kings | Trula).Has(c):
		return "kings and taroks 1, 21 and 22 are kept"
	case !Discards(hand).Has(c):
		return "taroks may be discarded only if there is nothing else"
	}
	return ""
}

// DrawSetup draws a deal, and one of the contracts (all if none are given), a declarer, a group of the talon and discards for it.
func DrawSetup(rng *rand.Rand, contracts ...Contract) Setup {
	if len(contracts) == 0 {
		all := Contracts()
		contracts = all[:]
	}
	s := Setup{
		Deal: Random(rng), Rules: DefaultRules, Contract: contracts[random.Below(rng, uint64(len(contracts)))],
		Declarer: Player(random.Below(rng, 3)),
	}
	s.DrawExchange(rng)
	if s.Contract == Klop {
		s.Declarer = A
	}
	return s
}

// DrawExchange draws the group of the talon and the discards.
func (s *Setup) DrawExchange(rng *rand.Rand) {
	if s.Contract.Exchange() > 0 {
		s.Group = int(random.Below(rng, uint64(s.Contract.Groups())))
		s.DrawDiscards(rng)
	}
}

// DrawDiscards draws the discards, after the group of the talon is known.
func (s *Setup) DrawDiscards(rng *rand.Rand) {
	s.Discards = 0
	hand := s.Deal.Hands[s.Declarer] | s.Taken()
	for range s.Contract.Exchange() {
		c := Any(rng, Discards(hand))
		hand, s.Discards = hand.Without(c), s.Discards.With(c)
	}
}

// Any draws a card of a set, which is not empty.
func Any(rng *rand.Rand, s Set) Card { return s.Slice()[random.Below(rng, uint64(s.Len()))] }

// Ending plays random cards from a setup until each hand has the given number of cards. A beggar can end before; ok is then false.
func Ending(rng *rand.Rand, s Setup, size int) (p Position, ok bool) {
	p, err := NewPosition(s)
	if err != nil {
		return p, false
	}
	for !p.Finished() && int(p.played) < 3*(HandSize-size) {
		p, _ = p.Play(Any(rng, p.Legal()))
	}
	return p, !p.Finished()
}
