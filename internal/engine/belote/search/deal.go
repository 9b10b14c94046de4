package search

import (
	"math/bits"

	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
)

// set is a set of cards in the numbering of a search: a byte for each suit, and in each byte the cards by strength, the strongest in the
// highest bit. The trump suit is the highest byte.
//
//	bit  31....24 23....16 15.....8 7......0
//	     trump    the other suits, in the order C D H S      without trump: S H D C
type set uint32

func bit(card int) set { return 1 << card }

func (s set) len() int { return bits.OnesCount32(uint32(s)) }

// low returns the lowest card of a set that is not empty.
func (s set) low() int { return bits.TrailingZeros32(uint32(s)) & 31 }

// high returns the highest card of a set that is not empty.
func (s set) high() int { return 31 - bits.LeadingZeros32(uint32(s)) }

// suit returns all cards of the suit of a card.
func suit(card int) set { return 0xff << (card &^ 7) }

// below returns the weaker cards of the suit of a card.
func below(card int) set { return (bit(card&7) - 1) << (card &^ 7) }

// above returns the cards of a that are stronger than every card of b of their suit.
func above(a, b set) set {
	b |= b >> 1 & 0x7f7f7f7f
	b |= b >> 2 & 0x3f3f3f3f
	b |= b >> 4 & 0x0f0f0f0f
	return a &^ b
}

// beneath returns the cards of a that are weaker than every card of b of their suit.
func beneath(a, b set) set {
	b |= b << 1 & 0xfefefefe
	b |= b << 2 & 0xfcfcfcfc
	b |= b << 4 & 0xf0f0f0f0
	return a &^ b
}

// lacking returns all cards of the suits of which s has no card.
func lacking(s set) set {
	some := (s&0x7f7f7f7f + 0x7f7f7f7f | s) >> 7 & 0x01010101
	return ^(some * 0xff)
}

// deal holds what the search needs to know of a deal, in its numbering.
type deal struct {
	deck   piquet.Set
	trump  belote.Trump
	stacks [2]belote.Stacks

	trumps    set       // all trumps; empty without trump
	bottoms   set       // the cards that have no card below them
	worthless set       // the cards without points
	points    [32]int32 // of each card
	higher    [32]set   // the stronger cards of the suit of each card
	under     [32]set   // the card below each card, as a set of at most one
	classes   []class   // the cards by their points, the fewest first
	places    [32]key   // what each card adds to the key of a position
	number    [32]uint8 // from piquet.Card
	card      [32]piquet.Card

	scores [32]scores // of each card
}

// class is the cards with the same points.
type class struct {
	cards  set
	points int32
}

// sameCards reports whether the tables belong to the deal. Who leads, who declares and the threshold do not matter.
func (d *deal) sameCards(b *belote.Deal) bool {
	return d.deck == b.Deck && d.trump == b.Trump && d.stacks == b.Stacks
}

func (d *deal) prepare(b *belote.Deal) {
	*d = deal{deck: b.Deck, trump: b.Trump, stacks: b.Stacks, classes: d.classes[:0]}
	next := 0
	for _, s := range piquet.Suits() {
		row := next
		if b.Trump.Is(s) {
			row, d.trumps = 3, 0xff<<24
		} else {
			next++
		}
		for _, face := range piquet.Faces() {
			c := piquet.Of(s, face)
			n := 8*row + b.Trump.Strength(c)
			d.number[c], d.card[n] = uint8(n), c
			d.higher[n] = suit(n) &^ below(n) &^ bit(n)
			d.points[n] = int32(b.Trump.Points(c))
		}
	}
	for _, points := range [...]int32{0, 2, 3, 4, 10, 11, 14, 19, 20} {
		c := class{points: points}
		for card, p := range d.points {
			if p == points {
				c.cards |= bit(card)
			}
		}
		d.classes = append(d.classes, c)
	}
	d.worthless = d.classes[0].cards
	place := key(2) // above the leader
	for _, p := range belote.Players() {
		for _, s := range b.Of(p) {
			d.places[d.number[s.Top]], d.places[d.number[s.Bottom]] = place, place
			place *= 3
			d.under[d.number[s.Top]] = bit(int(d.number[s.Bottom]))
			d.bottoms |= bit(int(d.number[s.Bottom]))
		}
	}
	d.prepareScores()
}

// set returns the set of cards in the numbering of the search.
func (d *deal) set(cs piquet.Set) (out set) {
	for c := range cs.All() {
		out |= bit(int(d.number[c]))
	}
	return out
}

func (d *deal) sum(s set) (points int32) {
	for ; s != 0; s &= s - 1 {
		points += d.points[s.low()]
	}
	return points
}

// replies returns the cards of open that may follow the card that was led, and which of these take the trick.
func (d *deal) replies(led int, open set) (legal, winners set) {
	same := open & suit(led)
	higher := same &^ (below(led) | bit(led))
	switch {
	case same != 0 && same&d.trumps != 0 && higher != 0:
		return higher, higher
	case same != 0:
		return same, higher
	case open&d.trumps != 0:
		return open & d.trumps, open & d.trumps
	}
	return open, 0
}

// pairs are the cards of a player whose next stronger card of either player, in their suit, is his own, and those whose next weaker card
// is.
type pairs struct{ higher, lower set }

// neighbours returns the pairs of mine. The sets have no card in common.
//
// It is for open cards that have no card below them. Two such neighbours can change places in any play: then every trick goes to the same
// player, and only the points of the two cards are exchanged. So if it is certain who gets the trick that is played now, one of them
// needs no search: of a trick that the player wins, the card with fewer points, and of one that the other wins, the card with more. Of two
// cards with equal points, one never needs a search.
func neighbours(mine, other set) pairs {
	// Each set grows over the places of cards that are gone, by 1, 2 and 4 places.
	free, up, down := ^(mine | other), mine, mine
	upFree, downFree := free, free
	up |= upFree & (up << 1 & 0xfefefefe)
	upFree &= upFree << 1 & 0xfefefefe
	up |= upFree & (up << 2 & 0xfcfcfcfc)
	upFree &= upFree << 2 & 0xfcfcfcfc
	up |= upFree & (up << 4 & 0xf0f0f0f0)
	down |= downFree & (down >> 1 & 0x7f7f7f7f)
	downFree &= downFree >> 1 & 0x7f7f7f7f
	down |= downFree & (down >> 2 & 0x3f3f3f3f)
	downFree &= downFree >> 2 & 0x3f3f3f3f
	down |= downFree & (down >> 4 & 0x0f0f0f0f)
	return pairs{higher: mine & (down >> 1 & 0x7f7f7f7f), lower: mine & (up << 1 & 0xfefefefe)}
}
