package score

import (
	"cmp"

	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
)

// squarePoints are the points of four cards of a face, in the order 7 8 9 10 J Q K A.
var squarePoints = [8]int{0, 0, 150, 100, 200, 100, 100, 100}

// runPoints returns the points of a run of n cards.
func runPoints(n int) int {
	switch {
	case n < 3:
		return 0
	case n == 3:
		return 20
	case n == 4:
		return 50
	}
	return 100
}

// meld is a run or a square.
type meld struct {
	kind   Kind
	points int
	cards  []piquet.Card
}

// high returns the highest card of a meld, in the order 7 8 9 10 J Q K A.
func (m *meld) high() piquet.Card { return m.cards[len(m.cards)-1] }

// better compares two melds: the points, a square before a run, the longer run, the higher card, trump.
func (m *meld) better(n *meld, trump belote.Trump) int {
	isTrump := func(m *meld) int {
		if m.kind == Run && trump.Is(m.high().Suit()) {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(m.points, n.points),
		cmp.Compare(m.kind, n.kind), // Run < Square
		cmp.Compare(len(m.cards), len(n.cards)),
		cmp.Compare(m.high().Face(), n.high().Face()),
		cmp.Compare(isTrump(m), isTrump(n)),
	)
}

// bestMelds returns the melds of a set with the most points in which no card counts twice. Of equal ones it returns that with fewer
// squares.
func bestMelds(own piquet.Set) (best []meld) {
	var squares []piquet.Face
	for _, f := range piquet.Faces() {
		if squarePoints[f] > 0 && fours(f)&^own == 0 {
			squares = append(squares, f)
		}
	}
	most := 0
	for some := range 1 << len(squares) {
		var list []meld
		rest, sum := own, 0
		for i, f := range squares {
			if some>>i&1 != 0 {
				list = append(list, meld{Square, squarePoints[f], fours(f).Slice()})
				rest &^= fours(f)
			}
		}
		list = append(list, runs(rest)...)
		for _, m := range list {
			sum += m.points
		}
		if sum > most {
			most, best = sum, list
		}
	}
	return best
}

// fours returns the four cards of a face.
func fours(f piquet.Face) (s piquet.Set) {
	for _, suit := range piquet.Suits() {
		s = s.With(piquet.Of(suit, f))
	}
	return s
}

// runs returns the longest runs of three cards or more.
func runs(own piquet.Set) (out []meld) {
	for _, suit := range piquet.Suits() {
		var run []piquet.Card
		end := func() {
			if points := runPoints(len(run)); points > 0 {
				out = append(out, meld{Run, points, run})
			}
			run = nil
		}
		for _, f := range piquet.Faces() {
			if c := piquet.Of(suit, f); own.Has(c) {
				run = append(run, c)
			} else {
				end()
			}
		}
		end()
	}
	return out
}

// meldParts returns the melds of both players. Only the melds of the player with the best meld count.
func meldParts(m Melds, d *belote.Deal) (parts []Part) {
	if m == NoMelds {
		return nil
	}
	var lists [2][]meld
	var best [2]*meld
	for _, p := range belote.Players() {
		var own piquet.Set
		for _, s := range d.Of(p) {
			own = own.With(s.Top)
			if m == OwnedMelds {
				own = own.With(s.Bottom)
			}
		}
		lists[p] = bestMelds(own)
		for i := range lists[p] {
			if one := &lists[p][i]; best[p] == nil || one.better(best[p], d.Trump) > 0 {
				best[p] = one
			}
		}
	}
	winner := d.Leader
	if other := winner.Other(); best[other] != nil && (best[winner] == nil || best[other].better(best[winner], d.Trump) > 0) {
		winner = other
	}
	for _, p := range belote.Players() {
		for _, one := range lists[p] {
			parts = append(parts, Part{Player: p, Kind: one.kind, Points: one.points, Cards: one.cards, Counts: p == winner})
		}
	}
	return parts
}
