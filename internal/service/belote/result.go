package belote

import (
	"cmp"
	"encoding/binary"
	"slices"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// result is a result of the search as the cache keeps it, in canonical players and suits until it is relabelled.
type result struct {
	won, exact bool
	points     int
	generated  uint64
	line       []piquet.Card
	moves      []search.MoveValue
}

func fromResult(r search.Result) result {
	return result{won: r.Won, exact: r.Exact, points: r.Points, generated: r.Generated, line: r.Line, moves: r.Moves}
}

// subject is what a value in the cache is sealed with: the position itself, in case that a key omits something.
func (c *canonical) subject() service.Key {
	d := c.start.Deal()
	subject := appendDeal(service.Key(gameName), &d)
	for _, card := range c.played {
		subject = append(subject, byte(card))
	}
	return append(subject, byte(len(c.played)))
}

// The flags of a result or a move in a value.
const (
	flagWon = 1 << iota
	flagExact
	flagBest
)

func flagsOf(won, exact, best bool) (flags byte) {
	for i, set := range [3]bool{won, exact, best} {
		if set {
			flags |= 1 << i
		}
	}
	return flags
}

// value returns the result of a position as bytes:
//
//	flags, points            1 byte each
//	states                   uvarint
//	number of cards, cards   1 byte each
//	number of moves, moves   1 byte; 3 bytes each: card, flags, points
//	check                    4 bytes, big-endian
func (f result) value(c *canonical) []byte {
	b := binary.AppendUvarint([]byte{flagsOf(f.won, f.exact, false), byte(f.points)}, f.generated)
	b = append(b, byte(len(f.line)))
	for _, card := range f.line {
		b = append(b, byte(card))
	}
	b = append(b, byte(len(f.moves)))
	for _, m := range f.moves {
		b = append(b, byte(m.Card), flagsOf(m.Won, m.Exact, m.Best), byte(m.Points))
	}
	return c.subject().Seal(b)
}

const moveSize = 3

// readResult reads a value. ok is false for a value that does not fit the position: its check is wrong, its line is not legal or ends
// with another result, or its moves are not the legal ones.
func readResult(b []byte, goal search.Goal, c *canonical) (f result, ok bool) {
	if b, ok = c.subject().Open(b); !ok || len(b) < 2 {
		return result{}, false
	}
	f.won, f.exact, f.points = b[0]&flagWon != 0, b[0]&flagExact != 0, int(b[1])
	generated, n := binary.Uvarint(b[2:])
	if n <= 0 {
		return result{}, false
	}
	f.generated, b = generated, b[2+n:]
	if len(b) < 1 || len(b) < 2+int(b[0]) {
		return result{}, false
	}
	for _, card := range b[1 : 1+int(b[0])] {
		f.line = append(f.line, piquet.Card(card))
	}
	b = b[1+len(f.line):]
	if len(b) != 1+moveSize*int(b[0]) {
		return result{}, false
	}
	var moves piquet.Set
	for b = b[1:]; len(b) > 0; b = b[moveSize:] {
		m := search.MoveValue{
			Card: piquet.Card(b[0]), Won: b[1]&flagWon != 0, Exact: b[1]&flagExact != 0, Best: b[1]&flagBest != 0, Points: int(b[2]),
		}
		f.moves, moves = append(f.moves, m), moves.With(m.Card)
	}
	end, err := c.now.Replay(f.line)
	d := c.now.Deal()
	fits := err == nil && end.Finished() && end.Won() == f.won && (!f.exact || end.Points(d.Declarer) == f.points)
	if goal == search.Moves {
		fits = fits && moves == c.now.Legal() && len(f.moves) == moves.Len()
	}
	return f, fits
}

// relabel relabels a result of the canonical form with the suits of the request, with its moves in the order of the contract.
func (c *canonical) relabel(f result) result {
	for i, card := range f.line {
		f.line[i] = c.back[card]
	}
	for i := range f.moves {
		f.moves[i].Card = c.back[f.moves[i].Card]
	}
	declarer := c.now.Turn() == c.now.Deal().Declarer
	rank := func(m search.MoveValue) int {
		n := 2 * m.Points
		if m.Won {
			n++
		}
		if declarer {
			n = -n
		}
		return n
	}
	slices.SortFunc(f.moves, func(a, b search.MoveValue) int { return cmp.Or(rank(a)-rank(b), int(a.Card)-int(b.Card)) })
	return f
}

// analysed is one card of an analysis as the cache keeps it: the declarer's points before and after it, and the best cards.
type analysed struct {
	before, after int
	best          piquet.Set
}

// cost returns how many points the card cost its player, with open cards.
func (a analysed) cost(declares bool) int {
	if declares {
		return a.before - a.after
	}
	return a.after - a.before
}

// analysedSize is how many bytes appendAnalysed writes.
const analysedSize = 6

func appendAnalysed(b []byte, a analysed) []byte {
	return binary.BigEndian.AppendUint32(append(b, byte(a.before), byte(a.after)), uint32(a.best))
}

// readAnalysis reads the states and the cards of an analysis. ok reports whether it is an analysis of the position.
func readAnalysis(b []byte, c *canonical) (generated uint64, list []analysed, ok bool) {
	if b, ok = c.subject().Open(b); !ok {
		return 0, nil, false
	}
	generated, n := binary.Uvarint(b)
	if n <= 0 || len(b) != n+analysedSize*len(c.played) {
		return 0, nil, false
	}
	for b = b[n:]; len(b) > 0; b = b[analysedSize:] {
		list = append(list, analysed{int(b[0]), int(b[1]), piquet.Set(binary.BigEndian.Uint32(b[2:]))})
	}
	return generated, list, true
}

// set relabels a set of cards.
func (c *canonical) set(s piquet.Set) (out piquet.Set) {
	for card := range s.All() {
		out = out.With(c.back[card])
	}
	return out
}

// scoreOf returns what is written down for the declarer's points: the points of both, or all for the opponent.
func scoreOf(d *belote.Deal, points int, won bool) (score [2]int) {
	if !won {
		points = 0
	}
	score[d.Declarer], score[d.Declarer.Other()] = points, d.Total()-points
	return score
}
