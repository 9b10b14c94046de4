package service

import (
	"context"

	"roem/internal/computation"
	"roem/internal/solvecache"
)

// LookupQuery is a query whose result follows from one value of the cache. It is embedded in queries that have more to say.
type LookupQuery[R any] struct {
	service *Service
	key     Key
	lookup  Lookup
	answer  func(Value) (Answer[R], error)
}

// NewLookupQuery returns the query of a lookup. key names it; a lookup without keys has this one. answer makes the answer of a value.
func NewLookupQuery[R any](s *Service, key Key, l Lookup, answer func(Value) (Answer[R], error)) *LookupQuery[R] {
	if l.Keys == nil {
		l.Keys = []solvecache.Key{solvecache.Key(key)}
	}
	return &LookupQuery[R]{s, key, l, answer}
}

// Lookup returns the lookup of the value, for queries of which it is a part.
func (q *LookupQuery[R]) Lookup() Lookup { return q.lookup }

// Key names the query.
func (q *LookupQuery[R]) Key() []byte { return q.key }

// Known returns the answer if the cache has the value.
func (q *LookupQuery[R]) Known(ctx context.Context) (Answer[R], bool, error) {
	value, ok := q.service.Known(ctx, q.lookup)
	if !ok {
		return Answer[R]{}, false, nil
	}
	EffortOf(ctx).NoteValue(value)
	out, err := q.answer(value)
	return out, err == nil, err
}

// Computation returns the computation of the value.
func (q *LookupQuery[R]) Computation() computation.Spec { return q.service.Computation(q.lookup) }

// Answer returns the answer from the result of the computation.
func (q *LookupQuery[R]) Answer(result computation.Result) (Answer[R], error) {
	return q.answer(ValueOf(result))
}

// Uncached is embedded in queries whose answers are not kept as a whole. The value of their computations is the Answer.
type Uncached[R any] struct{}

// Known returns nothing.
func (Uncached[R]) Known(context.Context) (Answer[R], bool, error) { return Answer[R]{}, false, nil }

// Answer returns the answer in the result.
func (Uncached[R]) Answer(result computation.Result) (Answer[R], error) {
	answer, ok := result.Value.(Answer[R])
	if !ok {
		return answer, &Error{Detail: "the computation has another result than an answer"}
	}
	return answer, nil
}

// Running returns the computation of an answer, which takes its slots itself. It is shared by queries with the key, if it is not empty.
func Running[R any](key computation.Key, run func(context.Context, *computation.Task) (Answer[R], error)) computation.Spec {
	return computation.Spec{Key: key, Run: func(ctx context.Context, task *computation.Task) (any, error) { return run(ctx, task) }}
}

// Solved returns the answer that follows from a value. done says how much was computed, and nodes how many nodes that took now.
func Solved[R any](v Value, result R, done int, nodes int64) Answer[R] {
	return Answer[R]{
		Result: result, Source: v.Source(), Nodes: nodes, Progress: computation.Progress{Done: done, Of: done, Nodes: uint64(nodes)},
	}
}
