// Package search is the exact solver: the OUTCOME of a position under best play by all four seats with all cards open,
// the value of every card that may be played, and a best line.
//
// docs/search.md explains every technique and what it brings. In short: null-window alpha-beta on the difference of the
// teams' points (node.go), from trick to trick through a transposition table (table.go), with per-deal tables for melds
// and equivalent cards (deal.go) and a static move order (order.go); OUTCOME is two games in one, and the driver
// (driver.go) plays them in turn.
package search

import (
	"context"
	"errors"
	"fmt"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
)

// Version changes whenever a result could: it is part of every cache key.
const Version = "2"

// Goal is what to find out about a position.
type Goal uint8

// The goals, from the cheapest to the dearest.
const (
	Win   Goal = iota // whether the declarers win
	Value             // OUTCOME and a best line
	Moves             // the same, and the OUTCOME of every legal card
)

var goalNames = [3]string{"win", "value", "moves"}

// String returns the word that stands for the goal in JSON.
func (g Goal) String() string { return goalNames[g%3] }

// ParseGoal reads win, value or moves.
func ParseGoal(text string) (Goal, error) {
	for i, name := range goalNames {
		if text == name {
			return Goal(i), nil
		}
	}
	return 0, fmt.Errorf("%.40q is not one of %q", text, goalNames)
}

// DefaultTableBytes is the memory that a solver's table may use unless Options say otherwise.
const DefaultTableBytes = 32 << 20

// Options sets a Solver up.
type Options struct {
	// TableBytes bounds the memory of the transposition table; 0 means DefaultTableBytes, the least is 256 KiB. It is
	// allocated at once, and touched only as far as deals need it. The rest of a Solver takes about 10 KiB.
	TableBytes int
}

// Query is a question about a position.
type Query struct {
	Position klaverjas.Position
	Goal     Goal
	// Progress, if set, is called from the solving goroutine each time a bound on the position's OUTCOME narrows.
	Progress func(Progress)
	// MaxNodes, if not 0, is after how many nodes the search ends with ErrMaxNodes, give or take a trick.
	MaxNodes uint64
}

// ErrMaxNodes is the error of a search that was not answered within Query.MaxNodes.
var ErrMaxNodes = errors.New("the search has taken as many nodes as it may")

// Progress is how far a solve has come.
type Progress struct {
	Lower, Upper int // OUTCOME lies between them, both included
	Nodes        uint64
}

// Result answers a Query. Moves and Line alias memory of the Solver and hold until its next Solve; Clone to keep them.
type Result struct {
	Goal    Goal
	Won     bool         // OUTCOME > 0: the declarers win
	Outcome int          // of the whole hand, points made before the position included; goals Value and Moves
	Moves   []MoveValue  // every legal card, the best for the player to move first; goal Moves
	Line    []cards.Card // best play to the end; goals Value and Moves
	Nodes   uint64       // cards played by the search
	// Stood is where a search that was stopped stood: the first choice is that of the player to move, the next is made in the
	// position after the card that was being tried, and so on. It comes with the error.
	Stood [Plies]Choice
}

// MoveValue is what playing a card leads to.
type MoveValue struct {
	Card    cards.Card
	Outcome int
	Won     bool
	Best    bool // no other card is better for the player to move
}

// Clone returns a result that stays valid.
func (r Result) Clone() Result {
	r.Moves = append([]MoveValue(nil), r.Moves...)
	r.Line = append([]cards.Card(nil), r.Line...)
	return r
}

// Solver solves positions, one at a time. It is made to be reused: a solve allocates nothing, and while consecutive
// queries are about the same hands with the same trump and rules the table stays warm, so that analysing a hand card by
// card costs little more than solving it once, and a second declaring side or leader profits from the first. A Solver must not be used by two goroutines at a time.
type Solver struct {
	searcher
	moves [klaverjas.HandSize]MoveValue
	line  [32]cards.Card
}

// New returns a Solver.
func New(o Options) *Solver {
	if o.TableBytes == 0 {
		o.TableBytes = DefaultTableBytes
	}
	return &Solver{searcher: searcher{table: newTable(o.TableBytes)}}
}

// Solve answers the query. Its only error is ErrMaxNodes or the context's, some hundred microseconds after the context ends; the
// solver stays usable, and what it learned until then stays in its table. It looks at the clock itself where the context has a deadline.
func (s *Solver) Solve(ctx context.Context, q Query) (Result, error) {
	s.begin(ctx, q.Position)
	s.most = q.MaxNodes
	defer func() { s.end = end{} }() // keep nothing of the caller's
	res := Result{Goal: q.Goal}
	if q.Position.Finished() {
		res.Outcome = q.Position.Outcome()
		res.Won = res.Outcome > 0
		s.report(q.Progress, window{int32(res.Outcome), int32(res.Outcome)})
		return res, nil
	}
	root := s.rootOf(q.Position)
	s.cards = popcount(root.left)
	if q.Goal == Win {
		w := s.decideWin(&root, q.Progress)
		res.Won, res.Nodes = w.lower > 0, s.nodes
		if err := s.stopped(ctx); err != nil {
			return Result{Goal: Win, Nodes: s.nodes, Stood: s.stood}, err
		}
		return res, nil
	}
	w := s.narrow(&root, s.window(&root), 0, q.Progress)
	if err := s.stopped(ctx); err != nil {
		return Result{Goal: q.Goal, Nodes: s.nodes, Stood: s.stood}, err
	}
	res.Outcome, res.Won = int(w.lower), w.lower > 0
	if q.Goal == Moves {
		res.Moves = s.valueMoves(q.Position, w.lower)
	}
	res.Line = s.bestLine(q.Position, w.lower)
	res.Nodes = s.nodes
	if err := s.stopped(ctx); err != nil {
		return Result{Goal: q.Goal, Nodes: s.nodes, Stood: s.stood}, err
	}
	return res, nil
}

func (s *Solver) begin(ctx context.Context, p klaverjas.Position) {
	if s.ready && s.deal.same(p) {
		s.deal.declare(p.Deal())
	} else {
		s.deal.prepare(p)
		s.table.reset()
		s.stored = 0
		s.ready = true
	}
	s.nodes = 0
	s.checkAt = 0
	s.stop = false
	s.end = newEnd(ctx)
}

// stopped returns the context's error if it stopped the search.
func (s *Solver) stopped(ctx context.Context) error {
	if !s.stop {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.most > 0 && s.nodes >= s.most {
		return ErrMaxNodes
	}
	return context.DeadlineExceeded // only the context does not know yet
}

func (s *searcher) report(progress func(Progress), w window) {
	if progress != nil && !s.stop {
		progress(Progress{Lower: int(w.lower), Upper: int(w.upper), Nodes: s.nodes})
	}
}

// valueMoves values every legal card, given the value of the position.
func (s *Solver) valueMoves(p klaverjas.Position, value int32) []MoveValue {
	declarersTurn := p.Turn().Team() == p.Deal().Declarer
	better := func(a, b int) bool { return a != b && (a > b) == declarersTurn }
	moves := s.moves[:0]
	for c := range p.Legal().All() {
		next, err := p.Play(c)
		if err != nil || s.stop { // a legal card is always playable
			continue
		}
		v := s.valueMove(next, value, declarersTurn)
		moves = append(moves, MoveValue{Card: c, Outcome: v, Won: v > 0, Best: v == int(value)})
		for i := len(moves) - 1; i > 0 && better(moves[i].Outcome, moves[i-1].Outcome); i-- {
			moves[i], moves[i-1] = moves[i-1], moves[i]
		}
	}
	return moves
}

// valueMove values the position after a card, given that no card is better than value.
func (s *Solver) valueMove(next klaverjas.Position, value int32, declarersTurn bool) int {
	if next.Finished() {
		return next.Outcome()
	}
	root := s.rootOf(next)
	w := s.window(&root)
	if declarersTurn {
		w.upper = min(w.upper, value)
	} else {
		w.lower = max(w.lower, value)
	}
	return int(s.narrow(&root, w, value, nil).lower)
}

// bestLine returns play to the end that keeps the value at every step. Cards are tried in the search's own order, so
// that most steps are found at once in a table that is warm.
func (s *Solver) bestLine(p klaverjas.Position, value int32) []cards.Card {
	line := s.line[:0]
	for !p.Finished() && !s.stop {
		declarersTurn := p.Turn().Team() == p.Deal().Declarer
		root := s.rootOf(p)
		order := s.rootOrder(&root, root.needAgainst(keptAbove(value, declarersTurn)))
		for todo := s.deal.set(p.Legal()); todo != 0; {
			c := order.next(todo)
			todo &^= 1 << c
			card := s.deal.cardBack(c)
			next, err := p.Play(card)
			if err != nil { // cannot be: the card is legal
				continue
			}
			if todo == 0 || s.keeps(next, value, declarersTurn) {
				line = append(line, card)
				p = next
				break
			}
		}
	}
	return line
}

// keeps reports whether the position after a card still has the value, given that no card is better.
func (s *Solver) keeps(next klaverjas.Position, value int32, declarersTurn bool) bool {
	if next.Finished() {
		return next.Outcome() == int(value)
	}
	root := s.rootOf(next)
	return s.outcomeAtLeast(&root, keptAbove(value, declarersTurn)) == declarersTurn
}

// keptAbove returns the bound that a card must keep OUTCOME at or, if the defenders play it, below to keep the value.
func keptAbove(value int32, declarersTurn bool) int32 {
	if declarersTurn {
		return value
	}
	return value + 1
}
