package service

import (
	"context"
	"time"

	"roem/internal/computation"
)

// Op is an operation whose answer may take long. Read is the only place that sees the body of a request, and Render the only place that
// sees the types of the contract. Between them is Q, the query, which knows values of the domain only: its key, the known answer, what it
// costs and how its result, an R, is computed. A query that asks another gets its R.
type Op[G any, Q TypedQuery[R], R any] struct {
	Read    Parser[G, Q]
	Render  func(G, Q, Answer[R]) any
	repeats bool
}

// OpOf returns the operation of a parser and of a function that writes the answer, a type of the contract.
func OpOf[G any, Q TypedQuery[R], R, Out any](read Parser[G, Q], render func(G, Q, Answer[R]) Out) Op[G, Q, R] {
	return Op[G, Q, R]{Read: read, Render: func(g G, q Q, a Answer[R]) any { return render(g, q, a) }}
}

// OpReading is OpOf for bodies that must meet the schema of that name.
func OpReading[G HasSchemas, B any, Q TypedQuery[R], R, Out any, P Body[B]](
	schema string, read func(G, B) (Q, error), render func(G, Q, Answer[R]) Out,
) Op[G, Q, R] {
	return OpOf(BodyOf[G, B, Q, P](schema, read), render)
}

// Repeating returns the operation whose answers are also kept by the bytes of their bodies, see repeats. The queries are shared then, so
// that none of their methods may change them.
func (o Op[G, Q, R]) Repeating() Op[G, Q, R] {
	o.repeats = true
	return o
}

// Parser reads the body of a request to a game into what it asks for. Its error is an *Error, or the error of the context.
type Parser[G, Q any] func(ctx context.Context, g G, body []byte) (Q, error)

// HasSchemas is a game with the schemas of its requests.
type HasSchemas interface{ Schemas() *Schemas }

// Of returns what parses the bodies of requests to a game.
func (p Parser[G, Q]) Of(g G) func(ctx context.Context, body []byte) (Q, error) {
	return func(ctx context.Context, body []byte) (Q, error) { return p(ctx, g, body) }
}

// BodyOf returns the Parser of bodies that must meet the schema of that name.
func BodyOf[G HasSchemas, B, Q any, P Body[B]](schema string, read func(G, B) (Q, error)) Parser[G, Q] {
	return func(ctx context.Context, g G, body []byte) (Q, error) {
		return Decode[B, Q, P](ctx, g.Schemas(), body, schema, func(in B) (Q, error) { return read(g, in) })
	}
}

// PlainBodyOf is BodyOf for bodies that are read without the game.
func PlainBodyOf[G HasSchemas, B, Q any, P Body[B]](schema string, read func(B) (Q, error)) Parser[G, Q] {
	return BodyOf[G, B, Q, P](schema, func(_ G, in B) (Q, error) { return read(in) })
}

// ListOf is BodyOf for bodies with a list in a field. common reads what the items have in common, item reads one of them, and of makes a
// query of all: an error in an item is the error of that item.
func ListOf[G HasSchemas, B, C, I, V, Q any, P Body[B], PI Body[I]](
	schema, field string, common func(G, B) (C, error), items string, item func(G, I, C) (V, error), of func(G, C, Items[V]) Q,
) Parser[G, Q] {
	return func(ctx context.Context, g G, body []byte) (q Q, err error) {
		in, list, err := DecodeList[B, C, V, P](ctx, g.Schemas(), body, schema, field, func(in B) (C, error) { return common(g, in) },
			func(ctx context.Context, body []byte, c C) (V, error) {
				return Decode[I, V, PI](ctx, g.Schemas(), body, items, func(in I) (V, error) { return item(g, in, c) })
			})
		if err != nil {
			return q, err
		}
		return of(g, in, list), nil
	}
}

// Then returns the Parser that makes something else of what another has read.
func Then[G, In, Q any](parse Parser[G, In], of func(G, In) (Q, error)) Parser[G, Q] {
	return func(ctx context.Context, g G, body []byte) (q Q, err error) {
		in, err := parse(ctx, g, body)
		if err != nil {
			return q, err
		}
		return of(g, in)
	}
}

// Filled returns the Parser of lines to which fill adds what they leave open.
func (p Parser[G, Q]) Filled(fill func(line []byte) []byte) Parser[G, Q] {
	return func(ctx context.Context, g G, line []byte) (Q, error) {
		return p(ctx, g, fill(line))
	}
}

// Reader returns what answers a body however long it takes.
func (o Op[G, Q, R]) Reader() Reader[G] {
	return func(ctx context.Context, s *Service, g G, body []byte) (Run, error) {
		q, err := o.Read(ctx, g, body)
		if err != nil {
			return nil, err
		}
		a := asked[G, Q, R]{op: &o, game: g, query: q, began: time.Now()}
		return func(ctx context.Context) (any, error) {
			answer, err := Ask(ctx, s, q)
			if err != nil {
				return nil, err
			}
			return a.render(answer).Result, nil
		}, nil
	}
}

// asks returns what reads the queries of a game.
func (o Op[G, Q, R]) asks(s *Service, g G) func(ctx context.Context, body []byte) (Query, error) {
	var kept *repeats[Q, R]
	if o.repeats {
		kept = newRepeats[Q, R](s.cache)
	}
	return func(ctx context.Context, body []byte) (Query, error) {
		a := asked[G, Q, R]{op: &o, game: g}
		if again, ok := kept.find(body); ok {
			a.query, a.again, a.kept = again.query, &again.answer, kept
		} else {
			var err error
			if a.query, err = o.Read(ctx, g, body); err != nil {
				return nil, err
			}
			if kept != nil {
				a.kept, a.body = kept, body
			}
		}
		a.began = time.Now()
		if _, ok := any(a.query).(Refining[R]); ok {
			return &refined[G, Q, R]{a}, nil
		}
		return &a, nil
	}
}

// asked is a query of an operation whose results have become what the client gets. Only here results lose their types.
type asked[G any, Q TypedQuery[R], R any] struct {
	op    *Op[G, Q, R]
	game  G
	query Q
	began time.Time
	again *Answer[R]     // the answer to an equal body; nil for none
	kept  *repeats[Q, R] // gets the answer, with the body; nil for none
	body  []byte
}

// render returns the answer as the client gets it.
func (a *asked[G, Q, R]) render(answer Answer[R]) Answer[any] {
	answer.Began = a.began
	return Answer[any]{
		Result: a.op.Render(a.game, a.query, answer), Source: answer.Source, Nodes: answer.Nodes, Progress: answer.Progress, Began: a.began,
	}
}

// Key names the query.
func (a *asked[G, Q, R]) Key() []byte { return a.query.Key() }

// Cost returns what the query costs.
func (a *asked[G, Q, R]) Cost() time.Duration { return CostOf(a.query) }

// Known returns the answer if it is known.
func (a *asked[G, Q, R]) Known(ctx context.Context) (Answer[any], bool, error) {
	if a.again != nil {
		a.kept.count(ctx)
		return a.render(*a.again), true, nil
	}
	answer, ok, err := a.query.Known(ctx)
	if !ok || err != nil {
		return Answer[any]{}, false, err
	}
	a.kept.keep(a.body, a.query, answer)
	return a.render(answer), true, nil
}

// Computation returns the computation of the query.
func (a *asked[G, Q, R]) Computation() computation.Spec { return a.query.Computation() }

// Answer returns the answer from the result of the computation.
func (a *asked[G, Q, R]) Answer(result computation.Result) (Answer[any], error) {
	answer, err := a.query.Answer(result)
	if err != nil {
		return Answer[any]{}, err
	}
	return a.render(answer), nil
}

// refined is asked for a Refining query.
type refined[G any, Q TypedQuery[R], R any] struct{ asked[G, Q, R] }

// next returns the query of a further answer, nil for none.
func (r *refined[G, Q, R]) next(q Refining[R]) Refining[any] {
	of, ok := any(q).(Q)
	if !ok {
		return nil
	}
	return &refined[G, Q, R]{asked[G, Q, R]{op: r.op, game: r.game, query: of, began: time.Now()}}
}

// refining returns the query as one that can be asked again, which it is.
func (r *refined[G, Q, R]) refining() Refining[R] {
	q, _ := any(r.query).(Refining[R])
	return q
}

// Begin returns the query of the first answer.
func (r *refined[G, Q, R]) Begin() (first Refining[any], during time.Duration) {
	q, during := r.refining().Begin()
	return r.next(q), during
}

// Better returns the query of a better answer.
func (r *refined[G, Q, R]) Better() (next Refining[any], end RefinedEnd) {
	q, end := r.refining().Better()
	if q == nil {
		return nil, end
	}
	return r.next(q), end
}
