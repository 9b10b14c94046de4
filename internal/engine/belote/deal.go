package belote

import (
	"math/rand/v2"
	"strconv"

	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/random"
)

// MaxStacks is the number of stacks of each player in a hand of four suits. A hand of n suits has 2n.
const MaxStacks = 8

// Stack is two cards, the open one on top of the hidden one.
type Stack struct{ Top, Bottom piquet.Card }

// Stacks are the stacks of one player. A hand of n suits uses the first 2n.
type Stacks [MaxStacks]Stack

// Deal is what is dealt and declared. It is comparable.
type Deal struct {
	Deck      piquet.Set // all cards of one to four suits
	Trump     Trump
	Leader    Player // who leads to the first trick
	Declarer  Player // who must make the threshold
	Threshold int    // the points with which the declarer makes the contract
	Stacks    [2]Stacks
}

// Deck returns all cards of the suits.
func Deck(suits ...piquet.Suit) (deck piquet.Set) {
	for _, s := range suits {
		deck |= piquet.Deck.InSuit(s)
	}
	return deck
}

// Suits returns how many suits the deal has.
func (d *Deal) Suits() int { return d.Deck.Len() / 8 }

// Count returns how many stacks each player has: two for each suit.
func (d *Deal) Count() int { return d.Deck.Len() / 4 }

// Of returns the stacks of a player, as a slice of the deal.
func (d *Deal) Of(p Player) []Stack { return d.Stacks[p&1][:d.Count()] }

// Total returns the points of the whole hand.
func (d *Deal) Total() int { return d.Trump.Total(d.Deck) }

// Random returns a deal of the deck in which each order of its cards is equally likely. A leads and declares, and the threshold is the
// default. The stacks are in the order of the dealing (see Stage): the first half is the first set of each player.
func Random(rng *rand.Rand, deck piquet.Set, trump Trump) Deal {
	d := Deal{Deck: deck, Trump: trump, Threshold: trump.DefaultThreshold(deck)}
	list := deck.Slice()
	random.Shuffle(rng, list)
	half := d.Count() / 2
	for set := range 2 { // face down to A, face down to B, face up to A, face up to B, and once more
		for layer := range 2 {
			for _, p := range Players() {
				for i := set * half; i < (set+1)*half; i++ {
					if layer == 0 {
						d.Stacks[p][i].Bottom = list[0]
					} else {
						d.Stacks[p][i].Top = list[0]
					}
					list = list[1:]
				}
			}
		}
	}
	return d
}

// check returns what is wrong with the deal.
func (d *Deal) check() (bad Violations) {
	suits := 0
	for _, s := range piquet.Suits() {
		switch d.Deck.InSuit(s).Len() {
		case 0:
		case 8:
			suits++
		default:
			return Violations{violation.New(violation.WrongCount, "the deck has %d cards of %s, expected all or none", d.Deck.InSuit(s).Len(), s).
				At("/suits")}
		}
	}
	if suits == 0 {
		return Violations{violation.New(violation.TooFew, "is empty, expected one to four suits").At("/suits")}
	}
	if s, ok := d.Trump.Suit(); ok && d.Deck.InSuit(s).Empty() {
		bad = append(bad, violation.New(violation.NotInDeal, "%s is not one of the suits", s).At("/trump").Of(s))
	}
	if total := d.Total(); d.Threshold < 1 || d.Threshold > total {
		bad = append(bad, TooHigh(d.Threshold, total).At("/threshold"))
	}
	return append(bad, d.checkStacks()...)
}

func (d *Deal) checkStacks() (bad Violations) {
	var seen [32]string
	for _, p := range Players() {
		for i, s := range d.Of(p) {
			for j, c := range [2]piquet.Card{s.Top, s.Bottom} {
				where := "/stacks/" + p.String() + "/" + strconv.Itoa(i) + "/" + strconv.Itoa(j)
				switch c &= 31; {
				case !d.Deck.Has(c):
					bad = append(bad, violation.New(violation.NotInDeal, "%s is not one of the suits of the deal", c).At(where).Of(c))
				case seen[c] != "":
					bad = append(bad, violation.New(violation.CardTwice, "%s is also at", c).AlsoAt(seen[c]).At(where).Of(c))
				default:
					seen[c] = where
				}
			}
		}
	}
	return bad
}

// TooHigh is the violation of a threshold that no hand of the deal reaches.
func TooHigh(threshold, total int) Violation {
	return violation.Beyond(threshold, 1, total)
}
