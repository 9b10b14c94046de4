package service

import (
	"context"
	"time"

	"roem/internal/engine/table"
	"roem/internal/engine/table/decisions"
	"roem/internal/engine/table/history"
)

// RecordReview is the query of a review of a record in which nothing is hidden.
type RecordReview[H table.Hand[H, P, V, A], P ~uint8, V, A any] = ReviewOf[decisions.Decision[H, P, V, A], struct{}, struct{}]

// RecordAnswer is the answer to such a review.
type RecordAnswer[H table.Hand[H, P, V, A], P ~uint8, V, A any] = Answer[*Findings[decisions.Decision[H, P, V, A], struct{}, struct{}]]

// NewRecordReview returns the review of a hand in which nothing is hidden, from its record, which a request has at the pointer. legal
// returns how many acts a hand allows, cost what an act in it costs: a mistake costs 1 or more.
func NewRecordReview[H table.Hand[H, P, V, A], P ~uint8, V, A any](
	s *Service, records *history.Game[H, P, V, A], pointer, text string, legal func(H) int, cost func(H, A) float64,
) (*RecordReview[H, P, V, A], error) {
	type act = decisions.Decision[H, P, V, A]
	start, acts, err := records.Read(text)
	if err != nil {
		return nil, FromRecords(pointer, err)
	}
	list, err := Decide(Whose{}, pointer, "act", decisions.Of(start, acts), func(d *act) int { return legal(d.Before) },
		func(*act) ([]struct{}, error) { return make([]struct{}, 1), nil })
	if err != nil {
		return nil, err
	}
	return &RecordReview[H, P, V, A]{
		Service: s, Name: NewKey(records.Name, 1, s.Version(), "review").Text(text), Rule: ReviewRule{LeastCost: 1}, Decisions: list,
		Judge: func(_ context.Context, _ *Pass, d *Decision[act, struct{}], _ struct{}, _ *struct{}) (KnownCost, error) {
			return KnownOf(cost(d.Of.Before, d.Of.Act), 0), nil
		},
		CostOf: func(*Decision[act, struct{}]) time.Duration { return time.Microsecond },
	}, nil
}
