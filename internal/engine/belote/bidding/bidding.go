// Package bidding says what each trump is worth in Belote Découverte while the cards are being dealt, and what it is worth to pass.
//
// A set is as many cards as the deck has suits. The cards are dealt in two sets: of each first the cards face down, then the open cards of
// A, the dealer's opponent, then the open cards of B, the dealer. When the open cards of a set lie on a side, the player of that side may
// choose a trump or pass (stages 1 to 4). If nobody chooses, the hand is played without trump and without a contract. A leads. The paper
// (section 1.1.1) says that the dealer's opponent chooses first and that the decision then goes to the other; the rest is a choice that
// docs/reference/rules/belote.md gives.
package bidding

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/random"
)

// Stages is the number of stages.
const Stages = 4

// Dealing is the open cards at a stage.
type Dealing struct {
	Deck      piquet.Set
	Open      [2][]piquet.Card // of A and B
	Threshold int              // of a hand with trump
}

// Check returns what is wrong with the dealing. The pointers refer to a request.
func (d *Dealing) Check() (bad belote.Violations) {
	set, a, b := d.set(), len(d.Open[belote.A]), len(d.Open[belote.B])
	switch {
	case a != set && a != 2*set:
		bad = append(bad, violation.New(violation.WrongCount, "has %d cards, expected %d or %d", a, set, 2*set).At("/open/A").Of(a))
	case b != a && b != a-set:
		bad = append(bad, violation.New(violation.WrongCount, "has %d cards, expected %d or %d, as A has %d", b, a-set, a, a).At("/open/B").Of(b))
	}
	var seen [32]string
	for _, p := range belote.Players() {
		for i, c := range d.Open[p] {
			where := "/open/" + p.String() + "/" + strconv.Itoa(i)
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
	if total := d.Total(); d.Threshold < 1 || d.Threshold > total {
		bad = append(bad, belote.TooHigh(d.Threshold, total).At("/threshold"))
	}
	return bad
}

// set returns how many cards a set has.
func (d *Dealing) set() int { return d.Deck.Len() / 8 }

// Stage returns the stage, from 1 to 4.
func (d *Dealing) Stage() int { return (len(d.Open[belote.A]) + len(d.Open[belote.B])) / d.set() }

// Total returns the points of a hand with trump.
func (d *Dealing) Total() int { return belote.TrumpOf(d.Deck.First().Suit()).Total(d.Deck) }

// Speaker returns who may choose at a stage.
func Speaker(stage int) belote.Player { return belote.Player((stage + 1) & 1) }

// Trumps returns the trumps of a deck: its suits, then no trump.
func Trumps(deck piquet.Set) (out []belote.Trump) {
	for _, s := range piquet.Suits() {
		if !deck.InSuit(s).Empty() {
			out = append(out, belote.TrumpOf(s))
		}
	}
	return append(out, belote.NoTrump)
}

// Groups returns how many groups the worlds of a dealing come in, and how many worlds each has. Before the last stage the worlds of a
// group have the same next open cards, and there are as many groups as worlds in each. At the last stage each world is a group.
func (d *Dealing) Groups(worlds int) (groups, each int) {
	if d.Stage() == Stages {
		return worlds, 1
	}
	n := int(math.Sqrt(float64(worlds)))
	return n, n
}

// World is the points of A in a world, by trump in the order of Trumps.
type World [5]uint8

// Solver solves positions. *search.Solver is one.
type Solver interface {
	Solve(ctx context.Context, q search.Query) (search.Result, error)
}

// Search draws worlds, in the order of their groups, and searches every trump in each with all cards known to both players. pause, which
// may be nil, is called at intervals; its error ends the search. progress, which may be nil, is called with the number of worlds searched.
func (d *Dealing) Search(
	ctx context.Context, s Solver, worlds int, seed uint64, pause func() error, progress func(int),
) (out []World, generated uint64, err error) {
	groups, each := d.Groups(worlds)
	rng := random.New(seed, dealStream)
	trumps := Trumps(d.Deck)
	for range groups {
		next := d.next(rng)
		for range each {
			deal := next.draw(rng)
			var w World
			for i, t := range trumps {
				deal.Trump, deal.Threshold = t, t.DefaultThreshold(d.Deck)
				p, err := belote.NewPosition(deal)
				if err != nil {
					return nil, generated, err
				}
				r, err := s.Solve(ctx, search.Query{Position: p, NoLine: true, Pause: pause})
				generated += r.Generated
				if err != nil {
					return nil, generated, err
				}
				w[i] = uint8(r.Points)
			}
			if out = append(out, w); progress != nil {
				progress(len(out))
			}
		}
	}
	return out, generated, nil
}

// dealStream names the random numbers of worlds among the streams of a seed.
const dealStream = 0x6465616c

// unseen returns the cards that are not open, in random order.
func (d *Dealing) unseen(rng *rand.Rand) []piquet.Card {
	rest := d.Deck
	for _, open := range d.Open {
		rest &^= piquet.SetOf(open...)
	}
	list := rest.Slice()
	random.Shuffle(rng, list)
	return list
}

// next returns the dealing with the open cards of the next stage, drawn uniformly, and the dealing itself at the last stage.
func (d *Dealing) next(rng *rand.Rand) Dealing {
	stage := d.Stage()
	if stage == Stages {
		return *d
	}
	out := *d
	p := Speaker(stage + 1)
	out.Open[p] = append(append([]piquet.Card(nil), d.Open[p]...), d.unseen(rng)[:d.set()]...)
	return out
}

// draw returns a deal with the open cards, and all others drawn uniformly.
func (d *Dealing) draw(rng *rand.Rand) belote.Deal {
	out := belote.Deal{Deck: d.Deck, Leader: belote.A, Declarer: belote.A}
	list := d.unseen(rng)
	take := func() piquet.Card {
		c := list[0]
		list = list[1:]
		return c
	}
	for _, p := range belote.Players() {
		for i := range out.Of(p) {
			s := &out.Stacks[p][i]
			if i < len(d.Open[p]) {
				s.Top = d.Open[p][i]
			} else {
				s.Top = take()
			}
			s.Bottom = take()
		}
	}
	return out
}
