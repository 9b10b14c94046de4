// Package search is the exact solver. It computes the OUTCOME of a position under best play by all four seats with all cards visible, the
// outcome after every legal card, and a best line.
//
// lab/docs/klaverjas/search.md explains every technique and its effect. In short: a null-window alpha-beta search on the difference of the
// teams' points (node.go), with a transposition table of the positions between two tricks (table.go, pattern.go), tables of each deal for
// melds and equivalent cards (deal.go), and a static move order (order.go). The driver (driver.go) first searches for the difference with
// which the declarers win; if they are nat, it searches for the melds that the defenders can make in addition.
package search

import (
	"context"
	"errors"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Version is part of every cache key. It must change whenever a result can change.
const Version = "2"

// Goal is what a search determines.
type Goal uint8

// The goals, from the least to the most work.
const (
	Win   Goal = iota // whether the declarers win
	Value             // OUTCOME and a best line
	Moves             // the same, and the OUTCOME after every legal card
)

var goalNames = [3]string{"win", "value", "moves"}

// String returns the name of the goal in JSON.
func (g Goal) String() string { return goalNames[g%3] }

// ParseGoal reads win, value or moves.
func ParseGoal(text string) (Goal, error) { return violation.ParseWord[Goal](text, goalNames[:]...) }

// DefaultTableBytes is the default of Options.TableBytes.
const DefaultTableBytes = 32 << 20

// Options are the options of a Solver.
type Options struct {
	// TableBytes limits the memory of the transposition table. 0 means DefaultTableBytes, and the minimum is 256 KiB. The memory is
	// allocated at once, but only the part that a deal needs is written. The rest of a Solver takes about 10 KiB.
	TableBytes int
}

// Query is a position to search, with the goal of the search.
type Query struct {
	Position klaverjas.Position
	Goal     Goal
	// NoLine says that no best line is wanted. Its search takes some percent of the time.
	NoLine bool
	// Progress, if not nil, is called from the goroutine of Solve each time the bounds on the position's OUTCOME become narrower.
	Progress func(Progress)
	// MaxNodes, if not 0, limits the nodes: the search then ends with ErrMaxNodes. It can exceed the limit by the nodes of one trick.
	MaxNodes uint64
}

// ErrMaxNodes is the error of a search that did not finish within Query.MaxNodes.
var ErrMaxNodes = errors.New("the search has reached its limit of nodes")

// Progress describes a search in progress.
type Progress struct {
	Lower, Upper int // bounds on the OUTCOME, both inclusive
	Nodes        uint64
}

// Result is the result of a Query. Moves and Line alias memory of the Solver and are valid until its next Solve. Clone copies them.
type Result struct {
	Goal    Goal
	Won     bool          // OUTCOME > 0: the declarers win
	Outcome int           // of the whole hand, including the points made before the position; goals Value and Moves
	Moves   []MoveValue   // every legal card, the best for the player to move first; goal Moves
	Line    []piquet.Card // best play to the end; goals Value and Moves, unless Query.NoLine
	Nodes   uint64        // cards played by the search
	// Partial is the progress of an interrupted search, returned with its error. The player to move makes the first choice. Each
	// following choice is in the position after the card that the search was trying when it was interrupted.
	Partial [Plies]Choice
}

// MoveValue is the result of playing a card.
type MoveValue struct {
	Card    piquet.Card
	Outcome int
	Won     bool
	Best    bool // no other card is better for the player to move
}

// Clone returns a copy that stays valid after the next Solve.
func (r Result) Clone() Result {
	r.Moves = append([]MoveValue(nil), r.Moves...)
	r.Line = append([]piquet.Card(nil), r.Line...)
	return r
}

// Solver solves positions, one at a time. Reuse it: a solve allocates nothing, and the table is kept while consecutive queries have the
// same hands, trump and rules. So analysing a hand card by card takes little more work than solving it once, and a second declaring side
// or leader takes less than the first. A Solver must not be used by two goroutines at a time.
type Solver struct {
	searcher
	moves [klaverjas.HandSize]MoveValue
	line  [32]piquet.Card
}

// New returns a Solver.
func New(o Options) *Solver {
	if o.TableBytes == 0 {
		o.TableBytes = DefaultTableBytes
	}
	return &Solver{searcher: searcher{table: newTable(o.TableBytes)}}
}

// Solve searches the position. Its error is ErrMaxNodes or the error of the context, and it returns within some hundred microseconds
// after the context ends. After an error the solver stays usable and keeps its table. If the context has a deadline, Solve also reads the
// clock (end.come).
func (s *Solver) Solve(ctx context.Context, q Query) (Result, error) {
	s.begin(ctx, q.Position)
	s.most = q.MaxNodes
	defer func() { s.end = end{} }() // do not keep the caller's context
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
			return Result{Goal: Win, Nodes: s.nodes, Partial: s.partial}, err
		}
		return res, nil
	}
	if q.Goal == Moves {
		res.Moves = s.valueMoves(q.Position, &root, q.Progress)
	} else {
		res.Outcome = int(s.narrow(&root, s.window(&root), 0, firstStep, q.Progress).lower)
	}
	if err := s.stopped(ctx); err != nil {
		return Result{Goal: q.Goal, Nodes: s.nodes, Partial: s.partial}, err
	}
	if q.Goal == Moves {
		res.Outcome = res.Moves[0].Outcome
	}
	res.Won = res.Outcome > 0
	if !q.NoLine {
		res.Line = s.bestLine(q.Position, int32(res.Outcome))
	}
	res.Nodes = s.nodes
	if err := s.stopped(ctx); err != nil {
		return Result{Goal: q.Goal, Nodes: s.nodes, Partial: s.partial}, err
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

// stopped returns the error of an interrupted search, or nil.
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
	return context.DeadlineExceeded // the deadline has passed, but the context's timer has not fired yet
}

func (s *searcher) report(progress func(Progress), w window) {
	if progress != nil && !s.stop {
		progress(Progress{Lower: int(w.lower), Upper: int(w.upper), Nodes: s.nodes})
	}
}

// valueMoves returns the outcome after every legal card. The value of the position is the best of them. It is not searched first: that
// search would also prove of each card that it is not better than the best one, which the card's own outcome says already. The best
// outcome so far is the first guess for the next card.
func (s *Solver) valueMoves(p klaverjas.Position, r *root, progress func(Progress)) []MoveValue {
	declarersTurn := p.Turn().Team() == p.Deal().Declarer
	before := func(a, b MoveValue) bool {
		if a.Outcome == b.Outcome {
			return a.Card < b.Card
		}
		return (a.Outcome > b.Outcome) == declarersTurn
	}
	moves := s.moves[:0]
	bounds := s.window(r)
	order := s.rootOrder(r, 0)
	legal := s.deal.set(p.Legal())
	for todo := legal; todo != 0; {
		c := order.next(todo)
		todo &^= 1 << c
		card := s.deal.cardBack(c)
		next, err := p.Play(card)
		if err != nil { // does not occur, since the card is legal
			continue
		}
		var v int
		if len(moves) == 0 {
			v = s.valueMove(next, 0, firstStep, oneSided(progress, bounds, declarersTurn))
		} else {
			v = s.valueMove(next, int32(moves[0].Outcome), nextStep, nil)
		}
		if s.stop {
			if legal&(legal-1) != 0 {
				s.partial[0] = Choice{Cards: uint8(popcount(legal)), Done: uint8(len(moves)), Team: p.Turn().Team()}
			}
			return nil
		}
		moves = append(moves, MoveValue{Card: card, Outcome: v, Won: v > 0})
		for i := len(moves) - 1; i > 0 && before(moves[i], moves[i-1]); i-- {
			moves[i], moves[i-1] = moves[i-1], moves[i]
		}
		if w := bounds.with(int32(moves[0].Outcome), declarersTurn); w != bounds {
			bounds = w
			s.report(progress, bounds)
		}
	}
	for i := range moves {
		moves[i].Best = moves[i].Outcome == moves[0].Outcome
	}
	if value := int32(moves[0].Outcome); bounds.lower < bounds.upper {
		s.report(progress, window{value, value})
	}
	return moves
}

// valueMove returns the outcome after a card. The guess and the step are as for narrow.
func (s *Solver) valueMove(next klaverjas.Position, guess, step int32, progress func(Progress)) int {
	if next.Finished() {
		return next.Outcome()
	}
	r := s.rootOf(next)
	return int(s.narrow(&r, s.window(&r), guess, step, progress).lower)
}

// oneSided returns the progress of a position while its first card is searched, given bounds on the position: the card can be worse than
// the best one, so its bounds hold on one side only.
func oneSided(progress func(Progress), bounds window, declarersTurn bool) func(Progress) {
	if progress == nil {
		return nil
	}
	return func(p Progress) {
		v := p.Upper
		if declarersTurn {
			v = p.Lower
		}
		w := bounds.with(int32(v), declarersTurn)
		progress(Progress{Lower: int(w.lower), Upper: int(w.upper), Nodes: p.Nodes})
	}
}

// bestLine returns a line of play to the end of the hand in which every card keeps the value. It tries the cards in the order of the
// search, so that for most steps the first card is right and the table already has its value.
func (s *Solver) bestLine(p klaverjas.Position, value int32) []piquet.Card {
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
			if err != nil { // does not occur, since the card is legal
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

// keeps reports whether the position after a card has the value, given that no card is better.
func (s *Solver) keeps(next klaverjas.Position, value int32, declarersTurn bool) bool {
	if next.Finished() {
		return next.Outcome() == int(value)
	}
	root := s.rootOf(next)
	return s.outcomeAtLeast(&root, keptAbove(value, declarersTurn)) == declarersTurn
}

// keptAbove returns the bound for keeps: a declarer's card keeps the value if OUTCOME is at least the bound, a defender's card if OUTCOME
// is below it.
func keptAbove(value int32, declarersTurn bool) int32 {
	if declarersTurn {
		return value
	}
	return value + 1
}
