// Package advice says which card a seat should play that does not see the others' cards.
//
// It searches many worlds, which are the deals that are possible for what the seat has seen (package worlds). In each world it
// computes the OUTCOME after each legal card exactly, with all cards visible and best play by all seats (package search). The best card
// is the one with the best mean over the worlds. This is known as determinisation, or PIMC: perfect-information Monte Carlo (Levy 1989;
// Ginsberg, "GIB: Steps Toward an Expert-Level Bridge-Playing Program", 1999).
//
// Every card is searched in the same worlds. So two cards are compared by the differences within the worlds, which vary far less than
// the outcomes themselves.
//
// lab/docs/klaverjas/advice.md has the formulas, the rule for ties, and measurements.
package advice

import (
	"context"
	"errors"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Objective says which card is best.
type Objective uint8

// The objectives.
const (
	// Score is the mean OUTCOME of the seat's team. OUTCOME is what the hand scores, with the step at a nat.
	Score Objective = iota
	// Win is the share of the worlds that the seat's team wins. Among equal shares the mean OUTCOME decides.
	Win
)

const numObjectives = 2

var objectiveNames = [numObjectives]string{"score", "win"}

// String returns the name of the objective in JSON.
func (o Objective) String() string { return objectiveNames[o%numObjectives] }

// ParseObjective reads score or win.
func ParseObjective(text string) (Objective, error) {
	return violation.ParseWord[Objective](text, objectiveNames[:]...)
}

// Solver solves positions, one at a time. *search.Solver is one.
type Solver interface {
	Solve(ctx context.Context, q search.Query) (search.Result, error)
}

// The errors of NewQuestion.
var (
	ErrFinished = errors.New("every card has been played")
	ErrNotTurn  = errors.New("another seat is to play")
)

// Question asks which card the seat of a view should play. It is immutable and safe for concurrent use.
type Question struct {
	k     *worlds.Knowledge
	cards []piquet.Card // the legal cards, in the order in which equal ones are preferred
	place [32]uint8     // the index of a legal card in cards
	sign  float64       // 1 if the seat is of the declarers, -1 otherwise
}

// NewQuestion returns the question for the seat of the knowledge. The error is ErrFinished or ErrNotTurn.
func NewQuestion(k *worlds.Knowledge) (*Question, error) {
	v := k.View()
	if len(v.Played) == piquet.Deck.Len() {
		return nil, ErrFinished
	}
	if k.Turn() != v.Seat {
		return nil, ErrNotTurn
	}
	q := &Question{k: k, cards: preferred(k), sign: 1}
	for i, c := range q.cards {
		q.place[c] = uint8(i)
	}
	if v.Seat.Team() != v.Declarer {
		q.sign = -1
	}
	return q, nil
}

// Knowledge returns the knowledge that the question is about.
func (q *Question) Knowledge() *worlds.Knowledge { return q.k }

// Cards returns the legal cards, in the order in which equal ones are preferred. The caller must not change it.
func (q *Question) Cards() []piquet.Card { return q.cards }

// Forced reports whether there is only one legal card, so that no search can change the answer.
func (q *Question) Forced() bool { return len(q.cards) == 1 }

// Row is the result of one world: the OUTCOME after each legal card, in the order of Question.Cards.
type Row [klaverjas.HandSize]int16

// errMoves is the error for a solver that does not return each legal card.
var errMoves = errors.New("the search of a world has not returned the legal cards")

// Solve searches one world. The error is the error of the solver.
func (q *Question) Solve(ctx context.Context, s Solver, w worlds.World) (row Row, nodes uint64, err error) {
	result, err := s.Solve(ctx, search.Query{Position: q.k.Position(w), Goal: search.Moves, NoLine: true})
	if err != nil {
		return Row{}, result.Nodes, err
	}
	var found piquet.Set
	for _, m := range result.Moves {
		found = found.With(m.Card)
	}
	if found != q.k.Legal() {
		return Row{}, result.Nodes, errMoves
	}
	for _, m := range result.Moves {
		row[q.place[m.Card&31]] = int16(m.Outcome)
	}
	return row, result.Nodes, nil
}
