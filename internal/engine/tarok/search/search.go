// Package search plays tarok with all cards known to all players: the declarer against the two others together.
//
// The exact search (exact.go) finds how many thirds of a point the declarer makes, or whether the declarer makes a beggar. It is
// alpha-beta with null windows and a table of the positions between tricks (table.go); cards that are provably equal to another one are
// not tried (node.go). The search to a limited depth (limited.go) is the search of the paper "A Program for Playing Tarok", section 3.2,
// with a switch for each of its enhancements.
package search

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"roem/internal/engine/tarok"
	"roem/internal/engine/violation"
)

// Version is part of every cache key. It must change whenever a result can change.
const Version = "2"

// Goal is what a search determines.
type Goal uint8

// The goals.
const (
	Value Goal = iota // the value of the position and a best line
	Moves             // the same, and the value of every legal card
)

var goalNames = []string{"value", "moves"}

// String returns the name of the goal in JSON.
func (g Goal) String() string { return goalNames[g&1] }

// ParseGoal reads value or moves.
func ParseGoal(text string) (Goal, error) { return violation.ParseWord[Goal](text, goalNames...) }

// ErrKlop is the error for klop, in which there are no two sides.
var ErrKlop = errors.New("in klop everyone plays alone: there is no search with open cards")

// ErrMaxNodes is the error of a search that did not finish within Query.MaxNodes.
var ErrMaxNodes = errors.New("the search has reached its limit of nodes")

// Query is a position to search, and how.
type Query struct {
	Position tarok.Position
	Goal     Goal
	NoLine   bool // no best line is wanted
	// MaxNodes, if not 0, limits the nodes: the search then ends with ErrMaxNodes.
	MaxNodes uint64
	// Pause, if not nil, is called at intervals of about 100 µs. An error ends the search with this error.
	Pause func() error
}

// Result is the result of a Query.
type Result struct {
	// Thirds are what the declarer has at the end, in thirds of a point, with the discards and what was won before. In a beggar they have no
	// meaning.
	Thirds int
	// Won reports whether the contract is made.
	Won   bool
	Moves []MoveValue  // every legal card, the best for the player to move first, then in the order of the deck; goal Moves
	Line  []tarok.Card // best play to the end, unless Query.NoLine
	Nodes uint64       // cards played by the search
}

// MoveValue is the result of playing a card.
type MoveValue struct {
	Card   tarok.Card
	Thirds int // like Result.Thirds
	Won    bool
	Best   bool // no other card is better for the player to move
}

// DefaultTableBytes is the default of Options.TableBytes.
const DefaultTableBytes = 1 << 24

// Options are the options of a Solver.
type Options struct {
	TableBytes int // the memory of the table of positions; 0 for DefaultTableBytes
}

// Solver solves positions, one at a time.
type Solver struct {
	game    game
	table   *table
	memos   []memo // of the search to a limited depth
	history [3][64]int32

	searches uint32 // with memos

	nodes   uint64
	checkAt uint64
	stop    bool
	end     end
}

// New returns a Solver.
func New(o Options) *Solver {
	return &Solver{table: newTable(cmp.Or(o.TableBytes, DefaultTableBytes))}
}

// end holds the conditions under which a search must stop, and why it did.
type end struct {
	ctx   context.Context // kept only during one search
	pause func() error
	most  uint64
	cause error
}

// checkEvery is the number of nodes between two checks of whether to stop.
const checkEvery = 1024

func (s *Solver) cancelled() bool {
	s.checkAt = s.nodes + checkEvery
	err := s.end.ctx.Err()
	if err == nil && s.end.most > 0 && s.nodes >= s.end.most {
		err = ErrMaxNodes
	}
	if err == nil && s.end.pause != nil {
		err = s.end.pause()
	}
	if err != nil && !s.stop {
		s.stop, s.end.cause = true, err
	}
	return s.stop
}

// Solve searches a position exactly. Equal queries make equal numbers of nodes.
func (s *Solver) Solve(ctx context.Context, q Query) (Result, error) {
	setup := q.Position.Setup()
	if setup.Contract == tarok.Klop {
		return Result{}, ErrKlop
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	s.game = gameOf(&setup)
	s.table.next()
	s.history = [3][64]int32{}
	s.nodes, s.checkAt, s.stop = 0, checkEvery, false
	s.end = end{ctx: ctx, pause: q.Pause, most: q.MaxNodes}
	out := s.solve(&q)
	cause := s.end.cause
	s.end = end{}
	if s.stop {
		return Result{Nodes: s.nodes}, cause
	}
	out.Nodes = s.nodes
	return out, nil
}

func gameOf(s *tarok.Setup) game {
	return game{emperor: !s.Rules.NoEmperor, negative: s.Contract.Negative()}
}

// nodeOf returns the node of a position that is not finished.
func nodeOf(p *tarok.Position) node {
	s := p.Setup()
	n := node{leader: uint8((p.Leader() + 3 - s.Declarer) % 3)}
	var left int32
	for i := range n.hands {
		hand := p.Hand(s.Declarer.After(i))
		n.hands[i] = uint64(hand)
		left += int32(hand.Thirds())
	}
	for i, c := range p.Trick() {
		n.cards[i] = uint8(c)
		n.n++
		n.sum += thirds[c]
		if above(int(n.cards[n.best]))&bit(int(c)) != 0 {
			n.best = uint8(i)
		}
	}
	if n.left = left + n.sum; s.Contract.Negative() {
		n.left = 1
	}
	return n
}

// reaches returns a bound on what the declarer has at the end: at least want if the declarer can have want, otherwise less.
func (s *Solver) reaches(p *tarok.Position, want int32) int32 {
	if s.game.negative {
		if p.Finished() {
			setup := p.Setup()
			return int32(1 - min(1, p.Tricks(setup.Declarer)))
		}
		n := nodeOf(p)
		return s.visit(&n, want)
	}
	n, made := nodeOf(p), int32(p.Thirds())
	return made + s.visit(&n, want-made)
}

// evaluate returns what the declarer has at the end, starting from a guess.
func (s *Solver) evaluate(p *tarok.Position, guess int32) int32 {
	lower, upper := int32(0), int32(1)
	if !s.game.negative {
		n := nodeOf(p)
		lower = int32(p.Thirds())
		upper = lower + n.left
	}
	for lower < upper && !s.stop {
		want := min(max(guess, lower+1), upper)
		if value := s.reaches(p, want); value >= want {
			lower = value
			guess = value + 1
		} else {
			upper = value
			guess = value
		}
	}
	return lower
}

func (s *Solver) solve(q *Query) (out Result) {
	p := q.Position
	setup := p.Setup()
	n := nodeOf(&p)
	value := s.evaluate(&p, int32(p.Thirds())+n.left/2)
	out.Thirds, out.Won = s.outcome(&p, value)
	if q.Goal == Moves {
		for c := range p.Legal().All() {
			next, _ := p.Play(c)
			m := MoveValue{Card: c}
			m.Thirds, m.Won = s.outcome(&next, s.evaluate(&next, value))
			out.Moves = append(out.Moves, m)
		}
		SortMoves(out.Moves, p.Turn() == setup.Declarer)
	}
	if !q.NoLine {
		out.Line = s.line(p, value)
	}
	return out
}

// outcome returns the thirds of a value, and whether the contract is made.
func (s *Solver) outcome(p *tarok.Position, value int32) (thirds int, won bool) {
	if s.game.negative {
		return p.Thirds(), value == 1
	}
	return int(value), tarok.Points(int(value)) > 35
}

// line returns best play from p: at each turn the first card of the deck that keeps the value.
func (s *Solver) line(p tarok.Position, value int32) (line []tarok.Card) {
	setup := p.Setup()
	for !p.Finished() && !s.stop {
		legal := p.Legal()
		for c := range legal.All() {
			next, _ := p.Play(c)
			if legal = legal.Without(c); legal.Empty() || s.keeps(&next, value, p.Turn() == setup.Declarer) {
				p, line = next, append(line, c)
				break
			}
		}
	}
	return line
}

// keeps reports whether a position has at least (for the declarer) or at most (for the opponents) a value.
func (s *Solver) keeps(p *tarok.Position, value int32, declarer bool) bool {
	if declarer {
		return s.reaches(p, value) >= value
	}
	return s.reaches(p, value+1) <= value
}

// SortMoves puts the best moves for the player to move first, and marks them.
func SortMoves(moves []MoveValue, declarer bool) {
	rank := func(m MoveValue) int {
		n := 2 * m.Thirds
		if m.Won {
			n += 1000 // of a beggar the thirds are of no account
		}
		if declarer {
			n = -n
		}
		return n
	}
	slices.SortFunc(moves, func(a, b MoveValue) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Card, b.Card))
	})
	for i := range moves {
		moves[i].Best = rank(moves[i]) == rank(moves[0])
	}
}
