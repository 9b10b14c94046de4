package service

import (
	"context"
	"time"

	"roem/internal/engine/table"
	"roem/internal/engine/table/decisions"
	"roem/internal/engine/table/history"
)

// RecordReview is the review of a hand in which nothing is hidden, from its record.
type RecordReview[H table.Hand[H, P, V, A], P ~uint8, V, A any] struct {
	ReviewOf[decisions.Decision[H, P, V, A], struct{}, struct{}]

	cost func(H, A) float64
	show func(verdicts []string) any
}

// NewRecordReview reads a record, which a request has at the pointer. legal returns how many acts a hand allows, cost what an act in it
// costs: a mistake costs 1 or more. show returns the answer of the verdicts on the acts.
func NewRecordReview[H table.Hand[H, P, V, A], P ~uint8, V, A any](
	s *Service, records *history.Game[H, P, V, A], pointer, text string, legal func(H) int, cost func(H, A) float64,
	show func(verdicts []string) any,
) (*RecordReview[H, P, V, A], error) {
	start, acts, err := records.Read(text)
	if err != nil {
		return nil, FromRecords(pointer, err)
	}
	r := &RecordReview[H, P, V, A]{cost: cost, show: show}
	r.Service, r.By, r.Rule, r.Name = s, r, ReviewRule{LeastCost: 1}, NewKey(records.Name, 1, s.Version(), "review").Text(text)
	r.Decisions, err = Decide(Whose{}, pointer, "act", decisions.Of(start, acts),
		func(d *decisions.Decision[H, P, V, A]) int { return legal(d.Before) },
		func(*decisions.Decision[H, P, V, A]) ([]struct{}, error) { return make([]struct{}, 1), nil })
	return r, err
}

// openDecision is a decision of a RecordReview.
type openDecision[H table.Hand[H, P, V, A], P ~uint8, V, A any] = Decision[decisions.Decision[H, P, V, A], struct{}]

// Judge returns the cost of an act, which is known exactly.
func (r *RecordReview[H, P, V, A]) Judge(
	_ context.Context, _ *Pass, d *openDecision[H, P, V, A], _ struct{}, _ *struct{},
) (KnownCost, error) {
	return KnownCost{Cost: r.cost(d.Of.Before, d.Of.Act), StandardError: new(float64)}, nil
}

// Why finds nothing.
func (r *RecordReview[H, P, V, A]) Why(context.Context, *Pass, *openDecision[H, P, V, A], struct{}, *struct{}) error {
	return nil
}

// CostOf returns the time of a decision.
func (r *RecordReview[H, P, V, A]) CostOf(*openDecision[H, P, V, A]) time.Duration {
	return time.Microsecond
}

// Show returns the answer.
func (r *RecordReview[H, P, V, A]) Show(f *Findings[decisions.Decision[H, P, V, A], struct{}, struct{}]) (any, error) {
	verdicts := make([]string, len(r.Decisions))
	for i := range verdicts {
		verdicts[i] = string(f.Verdict(i, nil))
	}
	return r.show(verdicts), nil
}
