package tarok

import (
	"encoding/binary"
	"math"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/service"
)

// schemaVersion is the format of keys and values.
const schemaVersion = 2

// keyOf returns the cache key of a question about a position: the versions, the question, and what decides about the result: the cards of
// each player, the trick on the table, what the declarer has, and the rules that still matter. Positions with another past share it.
func keyOf(p *tarok.Position, q Question) service.Key {
	s := p.Setup()
	key := newKey(KindSolve).Byte(byte(q.Goal)).Int(q.Depth)
	if q.Depth > 0 {
		key = appendEnhancements(key, q.Enhancements)
	}
	beggar := s.Contract == tarok.Beggar
	key = key.Bool(beggar).Bool(s.Rules.NoEmperor).Byte(byte(s.Declarer)).Byte(byte(p.Leader())).Int(p.Thirds()).Bool(p.Finished())
	for _, player := range tarok.Players() {
		key = key.Uint(uint64(p.Hand(player)))
	}
	key = service.AppendList(key, p.Trick())
	if beggar {
		key = key.Int(p.Tricks(s.Declarer))
	}
	return key
}

func asByte(set bool) byte {
	if set {
		return 1
	}
	return 0
}

// result is a result of a search as the cache keeps it.
type result struct {
	nodes  uint64
	won    bool
	thirds int
	score  float64 // with a depth
	line   []tarok.Card
	moves  []move
}

// move is the value of a card. score orders the cards: with a depth the value, otherwise the thirds, in a beggar 1 or 0.
type move struct {
	card   tarok.Card
	won    bool
	thirds int
	score  float64
}

func fromResult(r search.Result) result {
	f := result{nodes: r.Nodes, won: r.Won, thirds: r.Thirds, line: r.Line}
	for _, m := range r.Moves {
		f.moves = append(f.moves, move{card: m.Card, won: m.Won, thirds: m.Thirds})
	}
	return f
}

func fromEstimate(r search.Estimate, q *SolveQuery) result {
	f := result{nodes: r.Nodes, score: r.Value}
	if !q.position.Finished() {
		f.line = []tarok.Card{r.Card}
	}
	for _, m := range r.Moves {
		f.moves = append(f.moves, move{card: m.Card, score: m.Value})
	}
	return f
}

// value returns the result as bytes:
//
//	nodes                    uvarint
//	won, thirds              1 byte each
//	score                    8 bytes, IEEE 754, big-endian
//	number of cards, cards   1 byte each
//	number of moves, moves   1 byte; 11 bytes each: card, won, thirds, score
//	check                    4 bytes, big-endian
func (f *result) value(q *SolveQuery) []byte {
	b := binary.AppendUvarint(nil, f.nodes)
	b = binary.BigEndian.AppendUint64(append(b, asByte(f.won), byte(f.thirds)), math.Float64bits(f.score))
	b = append(b, byte(len(f.line)))
	for _, c := range f.line {
		b = append(b, byte(c))
	}
	b = append(b, byte(len(f.moves)))
	for _, m := range f.moves {
		b = binary.BigEndian.AppendUint64(append(b, byte(m.card), asByte(m.won), byte(m.thirds)), math.Float64bits(m.score))
	}
	return q.key.Seal(b)
}

const moveSize = 11

// readResult reads a value. ok is false for a value that does not fit the question: its check is wrong, its line is not legal or ends with
// another result, or its moves are not legal ones.
func readResult(b []byte, q *SolveQuery) (f result, ok bool) {
	b, ok = q.key.Open(b)
	nodes, k := binary.Uvarint(b)
	if !ok || k <= 0 || len(b) < k+12 {
		return f, false
	}
	b = b[k:]
	f = result{nodes: nodes, won: b[0] == 1, thirds: int(b[1]), score: math.Float64frombits(binary.BigEndian.Uint64(b[2:]))}
	cards := int(b[10])
	if len(b) < 12+cards {
		return f, false
	}
	for _, c := range b[11 : 11+cards] {
		f.line = append(f.line, tarok.Card(c))
	}
	if b = b[11+cards:]; len(b) != 1+moveSize*int(b[0]) {
		return f, false
	}
	setup := q.position.Setup()
	var moves tarok.Set
	for b = b[1:]; len(b) > 0; b = b[moveSize:] {
		m := move{card: tarok.Card(b[0] & 63), won: b[1] == 1, thirds: int(b[2]), score: math.Float64frombits(binary.BigEndian.Uint64(b[3:]))}
		if q.question.Depth == 0 {
			if m.score = float64(m.thirds); setup.Contract == tarok.Beggar {
				m.score = float64(asByte(m.won))
			}
		}
		f.moves, moves = append(f.moves, m), moves.With(m.card)
	}
	ok = f.fits(q, moves)
	return f, ok
}

// fits reports whether a result can belong to the question.
func (f *result) fits(q *SolveQuery, moves tarok.Set) bool {
	legal := q.position.Legal()
	if moves.Len() != len(f.moves) || moves&^legal != 0 {
		return false
	}
	end, err := q.position.Replay(f.line)
	if err != nil {
		return false
	}
	if q.question.Depth > 0 {
		return len(f.line) == min(1, legal.Len())
	}
	if q.question.Goal == search.Moves && moves != legal {
		return false
	}
	setup := q.position.Setup()
	return end.Finished() && (setup.Contract == tarok.Beggar || end.Thirds() == f.thirds)
}
