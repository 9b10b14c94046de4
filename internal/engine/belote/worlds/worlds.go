// Package worlds has what both players of Belote Découverte see while cards are face down: the open cards, the cards below that have been
// turned, and what was played. Nobody, not even its owner, knows a card before it is turned. So both players always have the same view.
//
// A world is an order of the unseen cards below the stacks whose lower card is not known. What was played says nothing about them: each
// world is equally likely.
package worlds

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/random"
)

// View is what both players see. It is immutable and safe for concurrent use.
type View struct {
	deal   belote.Deal // the hidden places have the unseen cards in the order of the deck
	places []place
	unseen piquet.Set
	played []piquet.Card
	now    belote.Position // of deal
}

// place is a stack whose lower card is not known.
type place struct {
	player belote.Player
	stack  int
}

// Flip says when the card below one that was played is turned.
type Flip uint8

// The ways to turn cards.
const (
	AfterTrick Flip = iota
	Immediate
)

var flipNames = []string{"after_trick", "immediate"}

// String returns the name in JSON.
func (f Flip) String() string { return flipNames[f&1] }

// ParseFlip reads after_trick or immediate.
func ParseFlip(text string) (Flip, error) { return violation.ParseWord[Flip](text, flipNames...) }

// MarshalText writes the way as String does.
func (f Flip) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads a way as ParseFlip does.
func (f *Flip) UnmarshalText(text []byte) (err error) {
	*f, err = ParseFlip(string(text))
	return err
}

// Unknown are the stacks whose lower card is not given, by player and in the order of the deal.
type Unknown [2][belote.MaxStacks]bool

// New returns the view of a deal after the cards played. The lower cards of the unknown stacks in d are not used. A lower card that is
// given and has not been turned is known to both players. The error is belote.Violations.
func New(d belote.Deal, unknown Unknown, played []piquet.Card, flip Flip) (*View, error) {
	v := &View{deal: d, played: slices.Clone(played)}
	seen := piquet.Set(0)
	for _, p := range belote.Players() {
		for i, s := range d.Of(p) {
			seen = seen.With(s.Top)
			if !unknown[p][i] {
				seen = seen.With(s.Bottom)
				continue
			}
			v.places = append(v.places, place{p, i})
		}
	}
	v.unseen = d.Deck &^ seen
	// With a card twice there are more unseen cards than places. The check of the deal then names it.
	v.deal = v.fill(v.unseen.Slice())
	var err error
	if v.now, err = belote.NewPosition(v.deal); err != nil {
		return nil, err
	}
	// The first card that is not legal is named before the cards that its play would have turned.
	for i, c := range played {
		if len(v.turned(i, flip)) > 0 {
			break
		}
		if v.unseen.Has(c & 31) {
			err = violation.New(violation.NotHeld, "%s is neither the open card of a stack nor a bottom card that is given", c).Of(c)
		} else {
			v.now, err = v.now.Play(c)
		}
		if err != nil {
			return nil, violation.Of("/played/"+strconv.Itoa(i), err)
		}
	}
	if bad := v.turned(len(played), flip); len(bad) > 0 {
		return nil, bad
	}
	return v, nil
}

// turned returns the unknown cards that the first n cards have turned: those above them were played.
func (v *View) turned(n int, flip Flip) (bad belote.Violations) {
	whole := n &^ 1 // the cards of whole tricks
	if flip == Immediate {
		whole = n
	}
	for _, p := range v.places {
		top := v.deal.Stacks[p.player][p.stack].Top
		if slices.Contains(v.played[:whole], top) {
			bad = append(bad, violation.New(violation.Needed, "is null, but it has been turned: %s above it was played. Expected the card", top).
				At("/stacks/"+p.player.String()+"/"+strconv.Itoa(p.stack)+"/1"))
		}
	}
	return bad
}

// fill returns the deal with the first cards in the hidden places.
func (v *View) fill(list []piquet.Card) belote.Deal {
	d := v.deal
	for i, p := range v.places {
		d.Stacks[p.player][p.stack].Bottom = list[i]
	}
	return d
}

// Of returns the view of a position with the cards played so far, in which no card is known that has not been turned.
func Of(p *belote.Position, played []piquet.Card, flip Flip) (*View, error) {
	d := p.Deal()
	var unknown Unknown
	whole := len(played) &^ 1
	if flip == Immediate {
		whole = len(played)
	}
	turned := piquet.SetOf(played[:whole]...)
	for _, player := range belote.Players() {
		for i, s := range d.Of(player) {
			unknown[player][i] = !turned.Has(s.Top)
		}
	}
	return New(d, unknown, played, flip)
}

// Deal returns the deal. Its lower cards in the hidden places are the cards of some world.
func (v *View) Deal() belote.Deal { return v.deal }

// Now returns the position in some world. Who is to play, the legal cards and the points are the same in every world.
func (v *View) Now() belote.Position { return v.now }

// Played returns the cards played. The caller must not change it.
func (v *View) Played() []piquet.Card { return v.played }

// Unseen returns the cards that nobody has seen.
func (v *View) Unseen() piquet.Set { return v.unseen }

// Covers returns the cards with an unknown card below.
func (v *View) Covers() (covers piquet.Set) {
	for _, p := range v.places {
		covers = covers.With(v.deal.Stacks[p.player][p.stack].Top)
	}
	return covers
}

// Hidden returns how many cards nobody has seen: 0 to 16.
func (v *View) Hidden() int { return len(v.places) }

// Left returns how many cards are left to play.
func (v *View) Left() int { return v.deal.Deck.Len() - len(v.played) }

// Worlds returns the number of worlds: the factorial of Hidden, at most 16!.
func (v *View) Worlds() uint64 { return Factorial(len(v.places)) }

// Factorial returns n! for n from 0 to 20.
func Factorial(n int) uint64 {
	f := uint64(1)
	for i := 2; i <= n; i++ {
		f *= uint64(i)
	}
	return f
}

// Draw returns the position in a world drawn uniformly.
func (v *View) Draw(rng *rand.Rand) belote.Position {
	list := v.unseen.Slice()
	random.Shuffle(rng, list)
	return v.position(list)
}

// World returns the position in the world with a number from 0 to Worlds()-1.
func (v *View) World(number uint64) belote.Position {
	rest := v.unseen.Slice()
	list := make([]piquet.Card, 0, len(rest))
	for n := len(rest); n > 0; n-- {
		i := int(number % uint64(n))
		number /= uint64(n)
		list = append(list, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return v.position(list)
}

func (v *View) position(list []piquet.Card) belote.Position {
	p, err := belote.NewPosition(v.fill(list))
	if err == nil {
		p, err = p.Replay(v.played)
	}
	if err != nil {
		panic("the world of a valid view is not valid: " + err.Error())
	}
	return p
}
