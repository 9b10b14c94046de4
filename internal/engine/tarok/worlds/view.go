// Package worlds finds where the cards may be that a player of tarok does not see: how many deals are consistent with what the player
// knows, how likely each place of each hidden card is, and deals drawn from them (source: Luštrek, Gams and Bratko, "A Program for Playing
// Tarok", 2003, section 3.1).
package worlds

import (
	"slices"
	"strconv"

	"roem/internal/engine/tarok"
	"roem/internal/engine/violation"
)

// Stage is how far a hand has come.
type Stage uint8

// The stages.
const (
	Bidding  Stage = iota // the player knows one hand only
	Exchange              // three, two or one: the talon is turned up, and the declarer has not taken from it yet
	Play                  // from the moment before the first card
)

// View is what one player knows.
type View struct {
	Player tarok.Player
	Rules  tarok.Rules
	Hand   tarok.Set // the 16 cards that were dealt to Player
	Stage  Stage

	// The following are known after the bidding.
	Contract tarok.Contract
	Declarer tarok.Player // without meaning in klop
	// Talon is the cards of the talon that everyone has seen, in order: all six in three, two and one, none in beggar and zero, and in klop
	// the first card for the first trick, and so on, up to six.
	Talon []tarok.Card

	// The following are known in the play.
	Group int // which group of the talon the declarer has taken; without meaning if none is exchanged
	// Discards are the cards that the declarer has discarded, as far as Player has seen them: all if Player is the declarer, otherwise
	// the taroks, which are shown.
	Discards tarok.Set
	Played   []tarok.Card // the cards played, in order
}

// ViewOf returns what a player knows in the play, after the cards played. The setup and the cards are legal.
func ViewOf(s *tarok.Setup, played []tarok.Card, p tarok.Player) View {
	v := View{
		Player: p, Rules: s.Rules, Hand: s.Deal.Hands[p], Stage: Play, Contract: s.Contract, Declarer: s.Declarer, Group: s.Group,
		Discards: s.Discards, Played: slices.Clone(played),
	}
	v.Talon = slices.Clone(s.Deal.Talon[:v.seen()])
	if p != s.Declarer {
		v.Discards = s.Discards.InSuit(tarok.Taroks)
	}
	return v
}

// exchanged reports whether the declarer has taken cards from the talon.
func (v *View) exchanged() bool { return v.Stage == Play && v.Contract.Exchange() > 0 }

// declares reports whether the player is the declarer.
func (v *View) declares() bool {
	return v.Stage != Bidding && v.Contract != tarok.Klop && v.Player == v.Declarer
}

// seen returns how many cards of the talon everyone has seen.
func (v *View) seen() int {
	switch {
	case v.Stage == Bidding:
		return 0
	case v.Contract.Exchange() > 0:
		return tarok.TalonSize
	case v.Contract == tarok.Klop:
		return min(len(v.Played)/3, tarok.TalonSize)
	default:
		return 0
	}
}

// setup returns the setup without the hidden cards.
func (v *View) setup() tarok.Setup {
	s := tarok.Setup{Rules: v.Rules, Contract: v.Contract, Declarer: v.Declarer, Group: v.Group, Discards: v.Discards}
	s.Deal.Hands[v.Player] = v.Hand
	copy(s.Deal.Talon[:], v.Talon)
	return s
}

// taken returns the cards that the declarer has taken from the talon.
func (v *View) taken() tarok.Set {
	if !v.exchanged() {
		return 0
	}
	s := v.setup()
	return s.Taken()
}

// plain are the cards that may be discarded before any tarok: the cards of the suits without the kings.
const plain = tarok.Deck &^ tarok.Kings &^ (1<<22 - 1)

// check returns what is wrong with the view before any card is played.
func (v *View) check() (bad tarok.Violations) {
	add := func(pointer string, code violation.Code, format string, args ...any) {
		bad = append(bad, violation.New(code, format, args...).At(pointer))
	}
	if n := v.Hand.Len(); n != tarok.HandSize {
		bad = append(bad, violation.Count(n, tarok.HandSize).At("/hand"))
	} else if v.Hand.InSuit(tarok.Taroks).Empty() {
		add("/hand", violation.CannotBe, "has no tarok: such a deal is void")
	}
	if v.Stage == Exchange && v.Contract.Exchange() == 0 {
		add("/contract", violation.NotUsed, "%s has no exchange", v.Contract)
	}
	if n := v.seen(); len(v.Talon) != n {
		add("/talon", violation.WrongCount, "has %d cards, expected the %d that everyone has seen", len(v.Talon), n)
	}
	for i, c := range v.Talon {
		also := ""
		if at := slices.Index(v.Hand.Slice(), c); at >= 0 {
			also = "/hand/" + strconv.Itoa(at)
		} else if at := slices.Index(v.Talon[:i], c); at >= 0 {
			also = "/talon/" + strconv.Itoa(at)
		}
		if also != "" {
			bad = append(bad, violation.New(violation.CardTwice, "%s is also at", c).AlsoAt(also).At("/talon/"+strconv.Itoa(i)).Of(c))
		}
	}
	if v.Stage != Play {
		if len(v.Played) > 0 {
			add("/played", violation.CannotBe, "has %d cards, expected none before the exchange is finished", len(v.Played))
		}
		if !v.Discards.Empty() {
			add("/discards", violation.CannotBe, "has %d cards, expected none before the play", v.Discards.Len())
		}
	}
	if most := v.Contract.Groups(); v.exchanged() && (v.Group < 0 || v.Group >= most) {
		bad = append(bad, violation.Beyond(v.Group, 0, most-1).At("/group"))
	}
	if len(bad) == 0 && v.Stage == Play {
		bad = v.checkDiscards()
	}
	return bad
}

// checkDiscards returns what is wrong with the discards. The index of a card is its place in the order of the deck.
func (v *View) checkDiscards() (bad tarok.Violations) {
	add := func(pointer string, code violation.Code, format string, args ...any) {
		bad = append(bad, violation.New(code, format, args...).At(pointer))
	}
	n := v.Contract.Exchange()
	switch {
	case n == 0 && !v.Discards.Empty():
		add("/discards", violation.NotUsed, "%s has no exchange", v.Contract)
	case n == 0:
	case v.declares():
		hand := v.Hand | v.taken()
		return tarok.CheckDiscards(hand, v.Discards, n)
	case v.Discards.Len() > n:
		add("/discards", violation.WrongCount, "has %d cards, expected at most %d", v.Discards.Len(), n)
	default:
		held := tarok.Deck &^ v.Hand &^ (tarok.SetOf(v.Talon...) &^ v.taken()) // what the declarer can have held
		for i, c := range v.Discards.Slice() {
			where := "/discards/" + strconv.Itoa(i)
			if c.Suit() != tarok.Taroks {
				add(where, violation.CannotBe, "%s is not shown: only taroks are shown when they are discarded", c)
			} else if reason := tarok.Kept(held.InSuit(tarok.Taroks), c); reason != "" {
				add(where, violation.NotLegal, "%s may not be discarded: %s", c, reason)
			}
		}
	}
	return bad
}
