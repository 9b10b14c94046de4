package service

import (
	"context"
	"time"

	"roem/internal/engine/table"
	"roem/internal/engine/table/decisions"
	"roem/internal/engine/table/history"
)

// NewRecordReview returns the review of a hand in which nothing is hidden, from its record, which a request has at the pointer. legal
// returns how many acts a hand allows, cost what an act in it costs: a mistake costs 1 or more. show returns the answer of the verdicts on
// the acts.
func NewRecordReview[H table.Hand[H, P, V, A], P ~uint8, V, A any](
	s *Service, records *history.Game[H, P, V, A], pointer, text string, legal func(H) int, cost func(H, A) float64,
	show func(verdicts []string) any,
) (Query, error) {
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
	return &ReviewOf[act, struct{}, struct{}]{
		Service: s, Name: NewKey(records.Name, 1, s.Version(), "review").Text(text), Rule: ReviewRule{LeastCost: 1}, Decisions: list,
		Judge: func(_ context.Context, _ *Pass, d *Decision[act, struct{}], _ struct{}, _ *struct{}) (KnownCost, error) {
			return KnownOf(cost(d.Of.Before, d.Of.Act), 0), nil
		},
		CostOf: func(*Decision[act, struct{}]) time.Duration { return time.Microsecond },
		Show: func(f *Findings[act, struct{}, struct{}]) (any, error) {
			verdicts := make([]string, len(f.List))
			for i := range verdicts {
				verdicts[i] = string(f.Verdict(i, nil))
			}
			return show(verdicts), nil
		},
	}, nil
}
