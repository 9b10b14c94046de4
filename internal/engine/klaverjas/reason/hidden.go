package reason

import (
	"context"

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
	// Worlds is how many possible deals were searched, and Applies in how many of them the card is a mistake because of Code, whatever the
	// seats and cards are. Without a reason it is 0.
	Worlds, Applies int
	Code            Code
}

// WasPlayed is the place of the deal that was played.
const WasPlayed = -1

// Real reports whether the example is the deal that was played.
func (h *Hidden) Real() bool { return h.Example == WasPlayed }

// leastShare: a reason must occur in one of this number of worlds.
const leastShare = 12

// example is a deal with the lines of the two cards.
type example struct {
	place  int
	world  worlds.World
	lines  Lines
	cost   int // of the card, in points of outcome; negative if it is better
	reason Reason
	whole  [2]Code // what is true of the lines as a whole, or none
}

// has reports whether a card is a mistake because of a code in the deal.
func (e *example) has(c Code) bool {
	return e.cost > 0 && (e.reason.Code == c || e.whole[0] == c || e.whole[1] == c)
}

// HiddenOf looks for a reason that explains at least half of what a card costs in the worlds that were possible for the seat to play and
// in which it is worse. The worlds in which it is the reason must be one in leastShare. If there is none, it may be that the card decides
// the contract, or that it loses tricks, in such worlds.
//
// The lines are played in the deal that was played, if the card has this reason there, and otherwise in a world in which it shows as in
// most others. ok is false if the better card is better in none of the deals. now is the position before the card, in the deal that was
// played.
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
	code, applies := most(all[1:])
	var best *example
	times := 0
	for i := range all {
		if one := &all[i]; one.cost > 0 && (code == none || one.has(code)) {
			n := alike(all[1:], one)
			if best == nil || best.place != WasPlayed && n > times {
				best, times = one, n
			}
		}
	}
	if best == nil {
		return Hidden{}, false, nil
	}
	return Hidden{
		Lines: best.lines, World: best.world, Example: best.place, Worlds: len(possible), Applies: applies, Code: code,
	}, true, nil
}

// exampleOf returns what happens in one of the deals.
func exampleOf(ctx context.Context, s Solver, now klaverjas.Position, w worlds.World, played, better piquet.Card) (out example, err error) {
	p, err := now.Redealt(w)
	if err != nil {
		return out, err
	}
	out = example{world: w, reason: Reason{Code: none}, whole: [2]Code{none, none}}
	if out.lines, err = LinesOf(ctx, s, p, played, better); err != nil {
		return out, err
	}
	f, worse := newFinder(p, out.lines)
	if !worse {
		return out, nil
	}
	if out.cost = f.good.end.Outcome() - f.bad.end.Outcome(); out.cost < 0 {
		out.cost = -out.cost
	}
	if r, found := Find(p, out.lines); found {
		out.reason = r
	}
	switch {
	case f.decides && f.declaring:
		out.whole[0] = Nat
	case f.decides:
		out.whole[0] = Makes
	}
	if f.fewer && !f.onlyMelds {
		out.whole[1] = Tricks
	}
	return out, nil
}

// most returns the reason that explains most of what the card costs in the worlds, and in how many of them it is the reason. Without one it
// returns none.
func most(all []example) (code Code, applies int) {
	var costs, counts [NumCodes + 1]int
	sum := 0
	for i := range all {
		if one := &all[i]; one.cost > 0 {
			sum += one.cost
			costs[one.reason.Code] += one.cost
			counts[one.reason.Code]++
		}
	}
	enough := func(cost, count int) bool { return count > 0 && 2*cost >= sum && leastShare*count >= len(all) }
	code = none
	for c := range none {
		if enough(costs[c], counts[c]) && (code == none || costs[c] > costs[code]) {
			code = c
		}
	}
	if code != none {
		return code, counts[code]
	}
	for _, c := range []Code{Nat, Makes, Tricks} {
		cost, count := 0, 0
		for i := range all {
			if one := &all[i]; one.has(c) {
				cost += one.cost
				count++
			}
		}
		if enough(cost, count) {
			return c, count
		}
	}
	return none, 0
}

// alike returns in how many worlds the reason shows in the same trick, taken by the same seat with the same card.
func alike(all []example, as *example) (n int) {
	for i := range all {
		r := &all[i].reason
		if r.Code == as.reason.Code && r.Trick == as.reason.Trick && r.Seat == as.reason.Seat && r.By == as.reason.By {
			n++
		}
	}
	return n
}

// Reason returns the reason as it shows in the example. before is the position before the lines. ok is false if there is none.
func (h *Hidden) Reason(before klaverjas.Position) (r Reason, ok bool) {
	if h.Applies == 0 {
		return Reason{}, false
	}
	if r, ok = Find(before, h.Lines); ok && r.Code == h.Code {
		return r, true
	}
	f, ok := newFinder(before, h.Lines)
	if !ok {
		return Reason{}, false
	}
	return Reason{Code: h.Code, Decides: f.decides}, true
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
