package tricks

import (
	"fmt"

	"roem/internal/engine/cause"
)

// Reason says what a card gave away in a deal. A game has the kinds of this package, and its own from NumKinds on.
type Reason[C, S ~uint8] struct {
	Kind Kind
	// Trick is the number of the trick in which it shows. Seat takes it with the card By. It is a trick of the bad line, or with InGood of
	// the good line.
	Trick  int
	Seat   S
	By     C
	InGood bool
	// Lost is the card that it is about, if HasLost.
	Lost    C
	HasLost bool
	Points  int // of Lost, of the better card for BringHome, of a bonus, or otherwise of the cards of the trick
	Less    int // for Points and BringHome: the points of the other of the two cards
}

// Fact is a reason that is true of a deal, and how much of the cost it explains there.
type Fact[C, S ~uint8] struct {
	Reason[C, S]
	Nearness cause.Nearness
	Worth    int
}

// World is a deal with all that is true of its two lines.
type World[C, S ~uint8] struct {
	Cost    int // not positive if the card is as good
	Decides bool
	Facts   []Fact[C, S] // of each kind at most one
}

// Facts returns the causes that hold, with the points of each trick as the game counts them.
func (f *Causes[C, S]) Facts(points func(t *Trick[C, S]) int) (out []Fact[C, S]) {
	for k := range f.Found {
		one := &f.Found[k]
		if !one.Holds {
			continue
		}
		kind := Kind(k)
		r := At(kind, one.Trick, kind.InGood())
		r.Lost, r.HasLost, r.Points, r.Less = one.Card, one.HasCard, one.Points, one.Less
		if !one.HasCard && kind != BringHome {
			r.Points = points(one.Trick)
		}
		out = append(out, Fact[C, S]{r, kind.Nearness(), one.Worth})
	}
	return out
}

// At returns a reason that shows in a trick.
func At[C, S ~uint8](k Kind, t *Trick[C, S], inGood bool) Reason[C, S] {
	return Reason[C, S]{Kind: k, Trick: t.Number, Seat: t.Seat(), By: t.By(), InGood: inGood}
}

// Fact returns the fact with a kind. ok is false if it is not true of the world.
func (w *World[C, S]) Fact(k Kind) (f Fact[C, S], ok bool) {
	for _, one := range w.Facts {
		if one.Kind == k {
			return one, true
		}
	}
	return f, false
}

// Explained is the reason of a mistake over several deals.
type Explained[C, S ~uint8] struct {
	Reason[C, S]         // as it shows in the example
	Example      int     // the place of the deal that it shows in
	Worlds       int     // how many possible deals were compared
	Applies      int     // in how many of them the kind is true
	Decides      int     // in how many the card decides the contract
	Share        float64 // of the cost over all of them that it explains, from 0 to 1
}

// Explain chooses the reason over the worlds after the first, which is the deal that was played: see cause.Explain. ok is false if nothing
// explains the cost.
func Explain[C, S ~uint8](all []World[C, S]) (e Explained[C, S], ok bool) {
	worlds := make([]cause.World, len(all))
	for i := range all {
		worlds[i].Cost = all[i].Cost
		for _, f := range all[i].Facts {
			worlds[i].Causes = append(worlds[i].Causes, cause.Cause{Code: int(f.Kind), Nearness: f.Nearness, Points: f.Worth})
		}
		if i > 0 && all[i].Decides && all[i].Cost > 0 {
			e.Decides++
		}
	}
	x, ok := cause.Explain(worlds, func(world, code int) Reason[C, S] {
		f, _ := all[world].Fact(Kind(code))
		return Reason[C, S]{Trick: f.Trick, Seat: f.Seat, By: f.By}
	})
	if !ok || !x.Reason {
		return e, false
	}
	f, _ := all[x.Example].Fact(Kind(x.Code))
	e.Reason, e.Example, e.Worlds, e.Applies, e.Share = f.Reason, x.Example, len(all)-1, x.Holds, x.Share
	return e, true
}

// Names are the words of a mistake: its two cards and the two sides.
type Names struct{ Card, Better, Us, Them string }

// Text returns the reason in English sentences: in how many of the possible deals it is true, and what happens in the example. what is the
// first sentence from its verb on, if the kind is the game's own.
func (e *Explained[C, S]) Text(n Names, what string, name func(C) string, seat func(S) string) string {
	if e.Kind < NumKinds {
		what = e.what(&n)
	}
	text := fmt.Sprintf("In %d of %d possible deals, %s.", e.Applies, e.Worlds, what)
	if e.Decides > 0 {
		text += fmt.Sprintf(" The card decides the contract in %d.", e.Decides)
	}
	after := ""
	if e.InGood {
		after = "after " + n.Better + ", "
	}
	text += fmt.Sprintf(" One example: %s%s takes trick %d with %s", after, seat(e.Seat), e.Trick, name(e.By))
	if e.HasLost && e.Lost != e.By && !e.Kind.OfThisTrick() {
		text += " and gets " + name(e.Lost)
	}
	return text + "."
}

// what returns what is true of every deal in which the reason is, as a part of a sentence.
func (e *Explained[C, S]) what(n *Names) string {
	switch e.Kind {
	case NotGood:
		return fmt.Sprintf("%s is not good yet and goes to a higher card of %s", n.Card, n.Them)
	case Ruff:
		return fmt.Sprintf("a trump takes this trick; after %s it goes to %s", n.Better, n.Us)
	case PartnerTrump:
		return fmt.Sprintf("%s draws a trump of the partner and none of %s", n.Card, n.Them)
	case Points:
		return fmt.Sprintf("%s gives %s %d points in this trick; %s gives fewer", n.Card, n.Them, e.Points, n.Better)
	case BringHome:
		return fmt.Sprintf("%s brings %d points into this trick, which goes to %s; %s brings %d", n.Better, e.Points, n.Us, n.Card, e.Less)
	case TrickLost:
		return fmt.Sprintf("this trick goes to %s; after %s it goes to %s", n.Them, n.Better, n.Us)
	case LastTrump:
		return fmt.Sprintf("%s is the last trump in the hand; after %s it takes a later trick", n.Card, n.Better)
	case Spent:
		return fmt.Sprintf("%s takes a later trick if it is kept", n.Card)
	case LastTrick:
		return fmt.Sprintf("the last trick goes to %s; after %s it goes to %s", n.Them, n.Better, n.Us)
	case Tempo:
		return fmt.Sprintf("the lead goes to %s, and tricks that follow; after %s the lead is with %s", n.Them, n.Better, n.Us)
	case Tricks:
		return fmt.Sprintf("more tricks go to %s than after %s", n.Them, n.Better)
	default: // Cards
		return fmt.Sprintf("a card with points goes to %s in a later trick; after %s it goes to %s", n.Them, n.Better, n.Us)
	}
}
