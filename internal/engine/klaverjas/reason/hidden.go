package reason

import (
	"context"
	"errors"

	"roem/internal/engine/cause"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Hidden says why a card was a mistake of a seat that did not see the other hands.
type Hidden struct {
	// Lines are of one deal, the example. World has the cards that each seat holds in it before the card. Example is its place among the
	// deals that were possible, or WasPlayed.
	Lines   Lines
	World   worlds.World
	Example int
	// Worlds is how many possible deals were searched. In Applies of them Code is true, whatever the seats and cards are, and it explains
	// Share of the cost over all of them, from 0 to 1. Without a reason both are 0. In Decides of them the card decides the contract.
	Worlds, Applies, Decides int
	Share                    float64
	Code                     Code
}

// WasPlayed is the place of the deal that was played.
const WasPlayed = -1

// Real reports whether the example is the deal that was played.
func (h *Hidden) Real() bool { return h.Example == WasPlayed }

// example is a deal with the lines of the two cards.
type example struct {
	place int
	world worlds.World
	lines Lines
	found *finder
}

// HiddenOf chooses the reason that explains most of what a card costs over the worlds that were possible for the seat to play.
//
// The lines are played in the deal that was played, if the card is worse there for this reason, and otherwise in a world in which it shows
// as in most others. ok is false if the better card is better in none of the deals. now is the position before the card, in the deal that
// was played.
func HiddenOf(
	ctx context.Context, s Solver, now klaverjas.Position, played, better piquet.Card, possible []worlds.World,
) (h Hidden, ok bool, err error) {
	all := make([]example, 0, len(possible)+1)
	for i, world := range append([]worlds.World{Hands(now)}, possible...) {
		one, err := exampleOf(ctx, s, now, world, played, better)
		if err != nil {
			return Hidden{}, false, err
		}
		one.place = i - 1 // the first is WasPlayed
		all = append(all, one)
	}
	return chosen(all)
}

// chosen returns the reason over the deals, of which the first is the one that was played.
func chosen(all []example) (h Hidden, ok bool, err error) {
	h = Hidden{Worlds: len(all) - 1, Code: none}
	worlds := make([]cause.World, len(all))
	for i := range all {
		f := all[i].found
		worlds[i] = f.world()
		if i > 0 && f.decides && f.cost > 0 {
			h.Decides++
		}
	}
	// A reason shows in the same way if the same seat takes the same trick with the same card.
	e, ok := cause.Explain(worlds, func(world, code int) Reason {
		r := all[world].found.found[code].Reason
		return Reason{Trick: r.Trick, Seat: r.Seat, By: r.By}
	})
	if !ok {
		return Hidden{}, false, nil
	}
	if e.Reason {
		h.Code, h.Applies, h.Share = Code(e.Code), e.Holds, e.Share
	}
	best := &all[e.Example]
	h.Lines, h.World, h.Example = best.lines, best.world, best.place
	return h, true, nil
}

// exampleOf returns what happens in one of the deals.
func exampleOf(ctx context.Context, s Solver, now klaverjas.Position, w worlds.World, played, better piquet.Card) (out example, err error) {
	p, err := now.Redealt(w)
	if err != nil {
		return out, err
	}
	out.world = w
	if out.lines, err = LinesOf(ctx, s, p, played, better); err != nil {
		return out, err
	}
	var ok bool
	if out.found, ok = newFinder(p, out.lines); !ok {
		return out, errors.New("a line does not end the hand")
	}
	return out, nil
}

// Reason returns the reason as it shows in the example. before is the position before the lines. ok is false if there is none.
func (h *Hidden) Reason(before klaverjas.Position) (r Reason, ok bool) {
	f, ok := newFinder(before, h.Lines)
	if !ok {
		return Reason{}, false
	}
	return f.reason(h.Code)
}

// Hands returns the cards that each seat holds.
func Hands(p klaverjas.Position) (w worlds.World) {
	for _, s := range piquet.Seats() {
		w[s] = p.Hand(s)
	}
	return w
}

// Facts returns what the cards played have proved that bears on the reason: that the seat which takes the trick has its card, or cannot
// follow suit where it ruffs. There are at most two. before is the position of the lines.
func Facts(k *worlds.Knowledge, r Reason, before klaverjas.Position, l Lines) (out []worlds.Fact) {
	trump := k.View().Trump
	for _, t := range append(tricksOf(before, l.Played), tricksOf(before, l.Best)...) {
		if t.number != r.Trick || t.winner != r.Seat || t.by() != r.By {
			continue
		}
		led := t.cards[0].Suit()
		ruffs := led != trump && r.By.Suit() == trump
		for _, f := range k.Facts() {
			void := f.Kind == worlds.FactVoid && f.Excluded.InSuit(led) != 0
			if f.Seat == r.Seat && (f.Holds.Has(r.By) || ruffs && void) && len(out) < 2 {
				out = append(out, f)
			}
		}
		return out
	}
	return nil
}
