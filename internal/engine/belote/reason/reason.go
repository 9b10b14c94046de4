// Package reason says why a card was a mistake in Belote Découverte: what it gave away, and who could then do what.
//
// A mistake has two lines to the end of the hand, one with the card that was played and one with a better card, in each of several deals
// that were possible. Package tricks compares them, and package cause chooses the reason that explains most of the cost.
package reason

import (
	"context"
	"errors"
	"fmt"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/cause"
	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// Kind is a reason. Package tricks has most of them.
type Kind = tricks.Kind

// Below: the card below the better card takes a later trick.
const (
	Below = tricks.NumKinds + iota
	NumKinds
)

var names = [NumKinds]string{
	"not_good", "ruff", "partner_trump", "points", "bring_home", "trick", "last_trump", "spent", "last_trick", "tempo", "tricks", "cards",
	"below",
}

// Name returns the name of a reason in the contract.
func Name(k Kind) string { return names[k] }

// Kinds returns the reasons of the game. There are no partners.
func Kinds() (out []Kind) {
	for k := range NumKinds {
		if k != tricks.PartnerTrump {
			out = append(out, k)
		}
	}
	return out
}

type (
	// World is a deal with all that is true of its two lines. The cost is in points.
	World = tricks.World[piquet.Card, belote.Player]
	// Explained is the reason of a mistake over several deals.
	Explained = tricks.Explained[piquet.Card, belote.Player]
	trick     = tricks.Trick[piquet.Card, belote.Player]
)

// Solver solves positions, one at a time. *search.Solver is one.
type Solver interface {
	Solve(ctx context.Context, q search.Query) (search.Result, error)
}

// Lines are two ways to the end of the hand from the position before a card: with the card that was played, and with a better one. After
// the first card both players play best, with all cards known. Where several cards are best for a player, they play the same in both lines
// if they can, and otherwise the one with the fewest points.
type Lines struct{ Played, Best []piquet.Card }

// Asker finds the lines of a mistake. Pause, if not nil, is called at intervals of about 100 µs, and its error ends the work.
type Asker struct {
	Solver Solver
	Pause  func() error
	Nodes  uint64 // states that its searches have made
}

// Lines returns the lines of two cards.
func (a *Asker) Lines(ctx context.Context, before belote.Position, played, better piquet.Card) (l Lines, err error) {
	if l.Best, err = a.line(ctx, before, better, nil); err != nil {
		return l, err
	}
	like, _, err := tricksOf(before, l.Best, before.Turn())
	if err == nil {
		l.Played, err = a.line(ctx, before, played, like)
	}
	return l, err
}

// line returns a card and best play after it.
func (a *Asker) line(ctx context.Context, p belote.Position, c piquet.Card, like []trick) (line []piquet.Card, err error) {
	for {
		if p, err = p.Play(c); err != nil {
			return nil, fmt.Errorf("a card of a line is not legal: %w", err)
		}
		line = append(line, c)
		if p.Finished() {
			return line, nil
		}
		best := p.Legal()
		if best.Len() > 1 {
			r, err := a.Solver.Solve(ctx, search.Query{Position: p, Goal: search.Moves, NoLine: true, Keep: true, Pause: a.Pause})
			a.Nodes += r.Generated
			if err != nil {
				return nil, err
			}
			best = 0
			for _, m := range r.Moves {
				if m.Best {
					best = best.With(m.Card)
				}
			}
		}
		var ok bool
		if c, ok = tricks.Like(like, p.Played()/2+1, p.Turn(), best.Has); !ok {
			c = cheapest(p.Deal().Trump, best)
		}
	}
}

// cheapest returns the card with the fewest points, and of those the weakest.
func cheapest(t belote.Trump, cards piquet.Set) piquet.Card {
	best := cards.First()
	for c := range cards.All() {
		if d := t.Points(c) - t.Points(best); d < 0 || d == 0 && t.Strength(c) < t.Strength(best) {
			best = c
		}
	}
	return best
}

// tricksOf returns the tricks of a line for a player, and its end.
func tricksOf(p belote.Position, line []piquet.Card, us belote.Player) (out []trick, end belote.Position, err error) {
	for _, c := range line {
		next, t, err := p.Completes(c)
		if err != nil {
			return nil, p, err
		}
		if p = next; t == nil {
			continue
		}
		trump := p.Deal().Trump
		one := trick{
			Number: t.Number, Cards: t.Cards[:], Seats: []belote.Player{t.Leader, t.Leader.Other()}, Ours: t.Winner == us, Last: p.Finished(),
		}
		if t.Winner != t.Leader {
			one.At = 1
		}
		one.Ruffed = !trump.Is(t.Cards[0].Suit()) && trump.Is(one.By().Suit())
		out = append(out, one)
	}
	if !p.Finished() || len(out) == 0 {
		return nil, p, errNotToTheEnd
	}
	return out, p, nil
}

var errNotToTheEnd = errors.New("a line does not end the hand")

// Compare returns all that is true of the lines in a deal.
func Compare(before belote.Position, l Lines) (w World, err error) {
	us, d := before.Turn(), before.Deal()
	bad, badEnd, err := tricksOf(before, l.Played, us)
	if err != nil {
		return w, err
	}
	good, goodEnd, err := tricksOf(before, l.Best, us)
	if err != nil {
		return w, err
	}
	_, follows := before.Led()
	isTrump := func(c piquet.Card) bool { return d.Trump.Is(c.Suit()) }
	card, better := l.Played[0], l.Best[0]
	held := before.Held(us)
	lastTrump := isTrump(card)
	for c := range held.All() {
		lastTrump = lastTrump && (c == card || !isTrump(c))
	}
	f := tricks.Compare(tricks.Lines[piquet.Card, belote.Player]{
		Bad: bad, Good: good, Card: card, Better: better, Leads: !follows, LastTrump: lastTrump, High: highPoints,
		Points: d.Trump.Points, Worth: d.Trump.Points, WorthOfLast: belote.LastTrick, Own: held.Has, Trump: isTrump,
	})
	w.Cost = goodEnd.Points(us) - badEnd.Points(us)
	w.Decides = goodEnd.Won() != badEnd.Won()
	w.Facts = f.Facts(func(t *trick) int { return pointsOf(&d, t) })
	if below := before.Under(better); !below.Empty() {
		for i := range good {
			if t := &good[i]; i > 0 && t.Ours && t.By() == below.First() && f.LostIn(t) > 0 {
				r := tricks.At(Below, t, true)
				r.Points = pointsOf(&d, t)
				w.Facts = append(w.Facts, tricks.Fact[piquet.Card, belote.Player]{Reason: r, Nearness: cause.Near, Worth: f.LostIn(t)})
			}
		}
	}
	return w, nil
}

// highPoints are the points of a card that is high: from the queen of a plain suit on.
const highPoints = 3

func pointsOf(d *belote.Deal, t *trick) (sum int) {
	for _, c := range t.Cards {
		sum += d.Trump.Points(c)
	}
	if t.Last {
		sum += belote.LastTrick
	}
	return sum
}

// Why is the reason of a mistake, with the deal of its example and the lines in it.
type Why struct {
	Explained
	Deal  belote.Deal
	Lines Lines
}

// Of chooses the reason that explains most of what a card costs over the worlds that were possible. now is the position before the card in
// the deal that was played. ok is false if nothing explains the cost.
func (a *Asker) Of(
	ctx context.Context, now belote.Position, played, better piquet.Card, possible []belote.Position,
) (w Why, ok bool, err error) {
	deals := append([]belote.Position{now}, possible...)
	all, lines := make([]World, len(deals)), make([]Lines, len(deals))
	for i, p := range deals {
		if lines[i], err = a.Lines(ctx, p, played, better); err != nil {
			return w, false, err
		}
		if all[i], err = Compare(p, lines[i]); err != nil {
			return w, false, err
		}
	}
	w.Explained, ok = tricks.Explain(all)
	if ok {
		w.Deal, w.Lines = deals[w.Example].Deal(), lines[w.Example]
	}
	return w, ok, nil
}

// Text returns the reason in English sentences. turn is the player of the card.
func (w *Why) Text(turn belote.Player) string {
	n := tricks.Names{Card: w.Lines.Played[0].String(), Better: w.Lines.Best[0].String(), Us: turn.String(), Them: turn.Other().String()}
	what := fmt.Sprintf("the card below %s takes a later trick", n.Better)
	return w.Explained.Text(n, what, piquet.Card.String, belote.Player.String)
}

// MostWorlds is how many worlds are compared for a reason.
const MostWorlds = 24

// Worlds returns the worlds that are compared for a reason of a card that was played with this view: all of them if there are no more than
// n, or else drawn from a seed.
func Worlds(v *worlds.View, seed uint64, n int) (out []belote.Position) {
	if of := v.Worlds(); of <= uint64(n) {
		for i := range of {
			out = append(out, v.World(i))
		}
		return out
	}
	rng := random.New(seed, reasonStream)
	for range n {
		out = append(out, v.Draw(rng))
	}
	return out
}

// reasonStream names the random numbers of these worlds among the streams of a seed.
const reasonStream = 0x72656173
