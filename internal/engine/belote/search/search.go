// Package search solves hands of Belote Découverte exactly, with all cards known to both players: the points that the declarer makes, or
// whether the declarer makes the threshold, the value of every legal card, and a best line.
//
// lab/docs/belote/README.md explains the techniques and their effect. In short: a null-window search over whole tricks (node.go) with a
// table of the positions between tricks (table.go), bounds without search (bounds.go) and a static order of the cards (order.go). The plain
// algorithms of the paper are in plain.go.
package search

import (
	"context"
	"errors"

	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Version is part of every cache key. It must change whenever a result can change.
const Version = "2"

// Utility is what the players play for (the paper, sections 1.1.2 and 3.1).
type Utility uint8

// The utilities.
const (
	Points   Utility = iota // the declarer's points
	Contract                // whether the declarer makes the threshold
)

var utilityNames = []string{"points", "contract"}

// String returns the name of the utility in JSON.
func (u Utility) String() string { return utilityNames[u&1] }

// ParseUtility reads points or contract.
func ParseUtility(text string) (Utility, error) {
	return violation.ParseWord[Utility](text, utilityNames...)
}

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

// Algorithm is how a search is made.
type Algorithm uint8

// The algorithms. All find the same values.
const (
	Table     Algorithm = iota // null windows with a table of positions
	AlphaBeta                  // the paper's alpha-beta
	Minimax                    // the paper's minimax
)

var algorithmNames = []string{"table", "alphabeta", "minimax"}

// String returns the name of the algorithm in JSON.
func (a Algorithm) String() string { return algorithmNames[a%3] }

// ParseAlgorithm reads table, alphabeta or minimax.
func ParseAlgorithm(text string) (Algorithm, error) {
	return violation.ParseWord[Algorithm](text, algorithmNames...)
}

// Query is a position to search, and how.
type Query struct {
	Position  belote.Position
	Utility   Utility
	Goal      Goal
	Algorithm Algorithm
	// NoPruning turns forward pruning off. With it, a position is not searched when the points left cannot change its result (the paper,
	// section 3.1). With the utility Points, minimax and alpha-beta then take every lost contract as 0 points, as the paper does.
	NoPruning bool
	NoLine    bool // no best line is wanted
	// Keep uses what the table has from the last query, if it had the same cards and trump. Otherwise each query starts with an empty
	// table, so that equal queries make equal numbers of states.
	Keep bool
	// MaxGenerated, if not 0, limits the states: the search then ends with ErrMaxGenerated.
	MaxGenerated uint64
	// Pause, if not nil, is called at intervals of about 100 µs. An error ends the search with this error.
	Pause func() error
}

// ErrMaxGenerated is the error of a search that did not finish within Query.MaxGenerated.
var ErrMaxGenerated = errors.New("the search has reached its limit of states")

// Result is the result of a Query.
type Result struct {
	Won bool
	// Points are the declarer's points at the end of the hand, those made before included. They are known (Exact) for the utility Points,
	// except for a lost contract with forward pruning and an algorithm of the paper.
	Points int
	Exact  bool
	Moves  []MoveValue   // every legal card, the best for the player to move first, then in the order of the deck; goal Moves
	Line   []piquet.Card // best play to the end, unless Query.NoLine
	// Generated counts the states as the paper does: every child that was made, without the root.
	Generated uint64
	Nodes     uint64 // positions between tricks that were looked at; only the algorithm Table counts them
}

// MoveValue is the result of playing a card.
type MoveValue struct {
	Card   piquet.Card
	Points int // like Result.Points
	Exact  bool
	Won    bool
	Best   bool // no other card is better for the player to move
}

// DefaultTableBytes is the default of Options.TableBytes.
const DefaultTableBytes = 1 << 20

// Options are the options of a Solver.
type Options struct {
	TableBytes int // the memory of the table of positions; 0 for DefaultTableBytes
}

// Solver solves positions, one at a time. Reuse it: a query that finds its table allocated takes less time.
type Solver struct {
	deal  deal
	ready bool // deal is prepared
	table *table

	prune     bool
	nodes     uint64
	generated uint64
	end       end
	checkAt   uint64
	stop      bool
}

// New returns a Solver.
func New(o Options) *Solver {
	if o.TableBytes == 0 {
		o.TableBytes = DefaultTableBytes
	}
	return &Solver{table: newTable(o.TableBytes)}
}

// Solve searches the position. Its error is ErrMaxGenerated, the error of the context, or the error of Query.Pause.
func (s *Solver) Solve(ctx context.Context, q Query) (Result, error) {
	s.begin(ctx, &q)
	defer func() { s.end = end{} }() // keep nothing of the caller
	var r Result
	if q.Algorithm == Table {
		r = s.solve(&q)
	} else {
		r = s.solvePlain(&q)
	}
	if s.stop {
		return Result{Generated: s.generated, Nodes: s.nodes}, s.end.cause
	}
	r.Generated, r.Nodes = s.generated, s.nodes
	return r, nil
}
