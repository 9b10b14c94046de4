package klaverjas

import (
	"encoding/binary"
	"math"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// result is a result of the search as the cache keeps it, in canonical seats and suits until it is relabelled.
type result struct {
	goal    search.Goal
	won     bool
	outcome int // goals Value and Moves
	nodes   uint64
	line    []piquet.Card
	moves   []search.MoveValue
	score   klaverjas.Score // at the end of the line; only readResult and resultAtEnd set score and pit
	pit     bool
}

func fromResult(r search.Result) result {
	r = r.Clone()
	return result{goal: r.Goal, won: r.Won, outcome: r.Outcome, nodes: r.Nodes, line: r.Line, moves: r.Moves}
}

// clone returns a copy that shares no memory.
func (f result) clone() result {
	f.line, f.moves = slices.Clone(f.line), slices.Clone(f.moves)
	return f
}

// checkedGame distinguishes positions of this game from positions of other games with the same cards.
const checkedGame = "klaverjas"

// maxSubject is the largest size of the subject of a value, in bytes.
const maxSubject = 128

// appendSubject writes what a value in the cache is sealed with: the position and, in an analysis, the cards played from it. A value of
// the goal win has nothing else that could be checked. The subject is computed from the position, not from the key, so that the seal also
// detects a key that omits something.
func appendSubject(subject *[maxSubject]byte, p klaverjas.Position, played []piquet.Card) service.Key {
	b := appendRules(append(service.Key(subject[:0]), checkedGame...), p.Rules())
	deal, trick, taken, score := p.Deal(), p.Trick(), p.TricksTaken(), p.Score()
	b = append(b,
		byte(deal.Trump), byte(deal.Declarer), byte(trick.Leader), byte(trick.Len), byte(taken[0]), byte(taken[1]))
	for _, seat := range piquet.Seats() {
		b = binary.BigEndian.AppendUint32(b, uint32(p.Hand(seat)))
	}
	for _, team := range piquet.Teams() {
		b = binary.BigEndian.AppendUint16(b, uint16(score.Tricks[team]))
		b = binary.BigEndian.AppendUint16(b, uint16(score.Melds[team]))
	}
	for _, c := range trick.Cards[:trick.Len] {
		b = append(b, byte(c))
	}
	for _, c := range played {
		b = append(b, byte(c))
	}
	return append(b, byte(len(played)))
}

// seal appends the check to the value b.
func seal(b []byte, p klaverjas.Position, played []piquet.Card) []byte {
	var subject [maxSubject]byte
	return appendSubject(&subject, p, played).Seal(b)
}

// opened returns the value without its check. ok reports whether the check is right.
func opened(b []byte, p klaverjas.Position, played []piquet.Card) (value []byte, ok bool) {
	var subject [maxSubject]byte
	return appendSubject(&subject, p, played).Open(b)
}

// value returns the result of a position as bytes:
//
//	goal, won                1 byte each
//	nodes                    uvarint
//	outcome                  2 bytes, big-endian, two's complement   -- the following not for goal Win
//	number of cards, cards   1 byte each
//	number of moves, moves   1 byte; 4 bytes each: card, outcome (2), best
//	check                    4 bytes, big-endian                     -- for every goal
func (f result) value(p klaverjas.Position) []byte {
	b := []byte{byte(f.goal), asByte(f.won)}
	b = binary.AppendUvarint(b, f.nodes)
	if f.goal == search.Win {
		return seal(b, p, nil)
	}
	b = appendOutcome(b, f.outcome)
	b = append(b, byte(len(f.line)))
	for _, c := range f.line {
		b = append(b, byte(c))
	}
	b = append(b, byte(len(f.moves)))
	for _, m := range f.moves {
		b = append(b, byte(m.Card))
		b = appendOutcome(b, m.Outcome)
		b = append(b, asByte(m.Best))
	}
	return seal(b, p, nil)
}

func appendOutcome(b []byte, outcome int) []byte {
	return binary.BigEndian.AppendUint16(b, uint16(int16(outcome)))
}

func readOutcome(b []byte) int { return int(int16(binary.BigEndian.Uint16(b))) }

// readResult reads a value of the goal or of a more expensive one. ok is false for a value that does not fit the position: its check
// is wrong, its line is not legal or ends with another outcome, or its moves are not the legal ones.
func readResult(b []byte, goal search.Goal, p klaverjas.Position) (f result, ok bool) {
	if b, ok = opened(b, p, nil); !ok {
		return result{}, false
	}
	if len(b) < 3 || b[0] > byte(search.Moves) || b[0] < byte(goal) || b[1] > 1 {
		return result{}, false
	}
	f.goal, f.won = search.Goal(b[0]), b[1] == 1
	nodes, n := binary.Uvarint(b[2:])
	if n <= 0 {
		return result{}, false
	}
	f.nodes, b = nodes, b[2+n:]
	if f.goal == search.Win {
		return f, len(b) == 0
	}
	if len(b) < 3 {
		return result{}, false
	}
	f.outcome, b = readOutcome(b), b[2:]
	if n = int(b[0]); len(b) < 1+n+1 {
		return result{}, false
	}
	f.line = make([]piquet.Card, n)
	for i := range f.line {
		f.line[i] = piquet.Card(b[1+i])
	}
	b = b[1+n:]
	if n = int(b[0]); len(b) != 1+4*n {
		return result{}, false
	}
	var moves piquet.Set
	f.moves = make([]search.MoveValue, n)
	for i := range f.moves {
		m := b[1+4*i:]
		outcome := readOutcome(m[1:])
		f.moves[i] = search.MoveValue{Card: piquet.Card(m[0]), Outcome: outcome, Won: outcome > 0, Best: m[3] == 1}
		moves = moves.With(f.moves[i].Card)
	}
	end, err := p.Replay(f.line)
	fits := err == nil && end.Finished() && end.Outcome() == f.outcome && f.won == (f.outcome > 0)
	if f.goal == search.Moves {
		fits = fits && moves == p.Legal() && len(f.moves) == moves.Len()
	}
	f.score, f.pit = end.Score(), end.Pit()
	return f, fits
}

// analysed is one card of an analysis as the cache keeps it.
type analysed struct {
	before, after int
	best          piquet.Set
	lines         reason.Lines // of a card that cost something
}

// costs reports whether the card cost something.
func (a *analysed) costs() bool { return a.before != a.after }

// analysedSize is how many bytes appendAnalysed writes without the lines: before, after (2 each) and the set of best cards (4).
const analysedSize = 8

func appendAnalysed(b []byte, a analysed) []byte {
	b = appendOutcome(appendOutcome(b, a.before), a.after)
	b = binary.BigEndian.AppendUint32(b, uint32(a.best))
	return appendCards(appendCards(b, a.lines.Played), a.lines.Best)
}

func appendCards(b []byte, cards []piquet.Card) []byte {
	for _, c := range cards {
		b = append(b, byte(c))
	}
	return b
}

// cardsIn reads n cards from the beginning of b, which must have as many bytes.
func cardsIn(b []byte, n int) []piquet.Card {
	cards := make([]piquet.Card, n)
	for i := range cards {
		cards[i] = piquet.Card(b[i])
	}
	return cards
}

// readAnalysis reads the nodes and the cards of an analysis. ok reports whether it is an analysis of the position.
func readAnalysis(b []byte, p Position) (nodes uint64, list []analysed, ok bool) {
	if b, ok = opened(b, p.start, p.played); !ok {
		return 0, nil, false
	}
	nodes, size := binary.Uvarint(b)
	if size <= 0 || nodes > math.MaxInt64 {
		return 0, nil, false
	}
	b = b[size:]
	at := p.start
	for i, c := range p.played {
		if len(b) < analysedSize {
			return 0, nil, false
		}
		a := analysed{before: readOutcome(b), after: readOutcome(b[2:]), best: piquet.Set(binary.BigEndian.Uint32(b[4:]))}
		b = b[analysedSize:]
		if a.costs() {
			left := piquet.Deck.Len() - i
			if len(b) < 2*left {
				return 0, nil, false
			}
			a.lines = reason.Lines{Played: cardsIn(b, left), Best: cardsIn(b[left:], left)}
			b = b[2*left:]
			if !ends(at, a.lines.Played, a.after) || !ends(at, a.lines.Best, a.before) {
				return 0, nil, false
			}
		}
		list = append(list, a)
		var err error
		if at, err = at.Play(c); err != nil {
			return 0, nil, false
		}
	}
	return nodes, list, len(b) == 0
}

// ends reports whether a line is legal and ends with the outcome.
func ends(p klaverjas.Position, line []piquet.Card, outcome int) bool {
	end, err := p.Replay(line)
	return err == nil && end.Finished() && end.Outcome() == outcome
}
