package service

import (
	"context"

	"roem/internal/computation"
)

// LookupQuery is a Query whose result is one value of the cache.
type LookupQuery struct {
	service *Service
	lookup  Lookup
	answer  func(Value) (Answer, error)
}

// NewLookupQuery returns the query of a lookup, whose first key names it. answer makes the answer of a value.
func NewLookupQuery(s *Service, l Lookup, answer func(Value) (Answer, error)) *LookupQuery {
	return &LookupQuery{s, l, answer}
}

// Key is the first key of the lookup.
func (q *LookupQuery) Key() []byte { return []byte(q.lookup.Keys[0]) }

// Known returns the answer if the cache has the value.
func (q *LookupQuery) Known(ctx context.Context) (Answer, bool, error) {
	return q.service.KnownAnswer(ctx, q.lookup, q.answer)
}

// Computation returns the computation of the value.
func (q *LookupQuery) Computation() computation.Spec { return q.service.Computation(q.lookup) }

// Answer returns the answer from the result of the computation.
func (q *LookupQuery) Answer(result computation.Result) (Answer, error) {
	return q.answer(ValueOf(result))
}

// Uncached is embedded in queries whose answers are not kept. The value of their computations is the Answer.
type Uncached struct{}

// Known returns nothing.
func (Uncached) Known(context.Context) (Answer, bool, error) { return Answer{}, false, nil }

// Answer returns the answer in the result.
func (Uncached) Answer(result computation.Result) (Answer, error) { return AnswerOf(result) }

// AnswerOf returns the result of a computation whose value is an Answer.
func AnswerOf(result computation.Result) (Answer, error) {
	answer, ok := result.Value.(Answer)
	if !ok {
		return Answer{}, &Error{Detail: "the computation has another result than an answer"}
	}
	return answer, nil
}
