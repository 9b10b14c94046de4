package reason

import (
	"context"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Hidden says why a card was a mistake of a seat that did not see the other hands.
type Hidden struct {
	Lines Lines
	// World has the cards that each seat holds before the card in the deal of the lines. Real says that it is the deal that was played.
	World worlds.World
	Real  bool
	// Worlds is how many worlds were searched, and Applies in how many of them the card has the same reason, whatever its seats and cards are.
	// Without a reason it is 0.
	Worlds, Applies int
}

// leastShare is one in so many worlds in which a reason must occur.
const leastShare = 4

// HiddenOf looks for the reason that a card has most often in worlds that were possible for the seat to play. The lines are those of the
// deal that was played, if the card has this reason there, and else of the first such world. ok is false if the better card is better in
// none of the deals. now is the position before the card, in the deal that was played.
func HiddenOf(
	ctx context.Context, s Solver, now klaverjas.Position, played, better piquet.Card, possible []worlds.World,
) (h Hidden, ok bool, err error) {
	type shown struct {
		world worlds.World
		lines Lines
		code  Code
	}
	var all []shown
	counts := make([]int, NumCodes+1)
	deals := append([]worlds.World{hands(now)}, possible...)
	for i, world := range deals {
		p, err := now.Redealt(world)
		if err != nil {
			return Hidden{}, false, err
		}
		l, err := LinesOf(ctx, s, p, played, better)
		if err != nil {
			return Hidden{}, false, err
		}
		one := shown{world, l, none}
		if r, found := Find(p, l); found {
			one.code = r.Code
		} else if !worse(p, l) {
			one.code = none + 1
		}
		if i > 0 && one.code < none {
			counts[one.code]++
		}
		all = append(all, one)
	}
	code := none
	for c := range none {
		if counts[c] > counts[code] {
			code = c
		}
	}
	if leastShare*counts[code] < len(possible) {
		code = none
	}
	for i, one := range all {
		if one.code == code || code == none && one.code <= none {
			return Hidden{
				Lines: one.lines, World: one.world, Real: i == 0, Worlds: len(possible), Applies: counts[code],
			}, true, nil
		}
	}
	return Hidden{}, false, nil
}

func hands(p klaverjas.Position) (w worlds.World) {
	for _, s := range piquet.Seats() {
		w[s] = p.Hand(s)
	}
	return w
}

// worse reports whether the card played is worse than the other one.
func worse(before klaverjas.Position, l Lines) bool {
	f, ok := newFinder(before, l)
	return ok && f.cost > 0
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
