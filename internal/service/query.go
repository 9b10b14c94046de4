package service

import (
	"context"

	"roem/internal/computation"
	"roem/internal/solvecache"
)

// LookupQuery is a Query whose result is one value of the cache. It is embedded in queries that have more to say.
type LookupQuery struct {
	service *Service
	key     Key
	lookup  Lookup
	answer  func(Value) (Answer, error)
}

// NewLookupQuery returns the query of a lookup. key names it; a lookup without keys has this one. answer makes the answer of a value.
func NewLookupQuery(s *Service, key Key, l Lookup, answer func(Value) (Answer, error)) *LookupQuery {
	if l.Keys == nil {
		l.Keys = []solvecache.Key{solvecache.Key(key)}
	}
	return &LookupQuery{s, key, l, answer}
}

// Lookup returns the lookup of the value, for queries of which it is a part.
func (q *LookupQuery) Lookup() Lookup { return q.lookup }

// Key names the query.
func (q *LookupQuery) Key() []byte { return q.key }

// Known returns the answer if the cache has the value.
func (q *LookupQuery) Known(ctx context.Context) (Answer, bool, error) {
	value, ok := q.service.Known(ctx, q.lookup)
	if !ok {
		return Answer{}, false, nil
	}
	EffortOf(ctx).NoteValue(value)
	out, err := q.answer(value)
	return out, err == nil, err
}

// Computation returns the computation of the value.
func (q *LookupQuery) Computation() computation.Spec { return q.service.Computation(q.lookup) }

// Answer returns the answer from the result of the computation.
func (q *LookupQuery) Answer(result computation.Result) (Answer, error) {
	return q.answer(ValueOf(result))
}

// Uncached is embedded in queries whose answers are not kept as a whole. The value of their computations is the Answer.
type Uncached struct{}

// Known returns nothing.
func (Uncached) Known(context.Context) (Answer, bool, error) { return Answer{}, false, nil }

// Answer returns the answer in the result.
func (Uncached) Answer(result computation.Result) (Answer, error) {
	answer, ok := result.Value.(Answer)
	if !ok {
		return Answer{}, &Error{Detail: "the computation has another result than an answer"}
	}
	return answer, nil
}

// Running returns the computation of an answer, which takes its slots itself. It is shared by queries with the key, if it is not empty.
func Running(key computation.Key, run func(context.Context, *computation.Task) (Answer, error)) computation.Spec {
	return computation.Spec{Key: key, Run: func(ctx context.Context, task *computation.Task) (any, error) { return run(ctx, task) }}
}

// Solved returns the answer of a value. done says how much was computed, and nodes how many nodes that took now.
func (v Value) Solved(body any, done int, nodes int64) Answer {
	return Answer{
		Body: body, Source: v.Source(), Nodes: nodes, Progress: computation.Progress{Done: done, Of: done, Nodes: uint64(nodes)},
	}
}
