package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"roem/internal/bound"
)

// Schemas are the schemas of the contract for request bodies. They are safe for concurrent use.
type Schemas struct {
	// service has the places for slow explanations; nil for explanations without a place.
	service *Service
	shapes  func(name string) *Shape
	needed  atomic.Bool
}

// NewSchemas returns the schemas whose shapes are given by their names, nil for none. The service bounds how many slow explanations run at
// a time; without one nothing is bounded.
func NewSchemas(of *Service, shapes func(name string) *Shape) *Schemas {
	return &Schemas{service: of, shapes: shapes}
}

// Shape returns the shape of a schema, by which the bodies of a request are explained.
func (s *Schemas) Shape(name string) (*Shape, error) {
	if known := s.shapes(name); known != nil {
		return known, nil
	}
	return nil, fmt.Errorf("there is no shape of the schema %s", name)
}

// Needed reports whether a body has needed its schema so far.
func (s *Schemas) Needed() bool { return s.needed.Load() }

// Body is a type into which bodies are decoded: api/gen writes them from the schemas.
type Body[T any] interface {
	*T
	// Valid reports whether the body meets its schema: it is false for all that the schema refuses and the type accepts. It may be false
	// for a body that meets its schema.
	Valid() bool
}

// Decode reads a body that must meet the schema of that name, and builds the domain value out of it. build gets only bodies that meet the
// schema.
//
// A body that its type accepts and that is valid is not checked by the schema. For any other body the schema finds the violations.
func Decode[T, V any, B Body[T]](ctx context.Context, s *Schemas, body []byte, schema string, build func(T) (V, error)) (V, error) {
	return decode[T, V, B](ctx, s, body, schema, "", build)
}

// decode is Decode for a body in which a field may be any object, or a list of any objects; empty for none.
func decode[T, V any, B Body[T]](
	ctx context.Context, s *Schemas, body []byte, schema, loose string, build func(T) (V, error),
) (V, error) {
	in := withDefaults[T]()
	typed, body, err := s.typed(ctx, body, schema, loose, B(&in))
	if err == nil && !typed {
		in, err = fromPlain[T](body)
	}
	if err != nil {
		var none V
		return none, err
	}
	return build(in)
}

// typed fills in with a body, and reports whether it did. If not, it returns the body with the names of the contract, which meets the
// schema. It is decode without its types, of which a program has many.
func (s *Schemas) typed(
	ctx context.Context, body []byte, schema, loose string, in interface{ Valid() bool },
) (typed bool, meets []byte, err error) {
	typed = !bound.Crowded(body, bound.Always/2) && unmarshal(body, in) == nil
	if typed && in.Valid() {
		return true, body, nil
	}
	shape, err := s.Shape(schema)
	if err != nil {
		return false, nil, err
	}
	if loose != "" {
		shape = shape.loose(loose)
	}
	meets, err = s.check(ctx, body, shape)
	return typed, meets, err
}

// withDefaults returns a value of a type with the defaults of the contract, which the fields that a body has replace.
func withDefaults[T any]() (in T) {
	if some, ok := any(&in).(interface{ SetDefaults() }); ok {
		some.SetDefaults()
	}
	return in
}

// decodeByShape reads a body, without trying its type first.
func decodeByShape[T any](ctx context.Context, s *Schemas, body []byte, shape *Shape) (T, error) {
	body, err := s.check(ctx, body, shape)
	if err != nil {
		var none T
		return none, err
	}
	return fromPlain[T](body)
}

// Meets returns an error unless the body meets the schema of that name: an *Error with the first violations, or the error of the context.
func (s *Schemas) Meets(ctx context.Context, body []byte, schema string) error {
	shape, err := s.Shape(schema)
	if err == nil {
		_, err = s.check(ctx, body, shape)
	}
	return err
}

// check returns the body, with the names of its fields as the contract has them. It returns an error unless the body has the shape: an
// *Error with the first violations, or the error of the context.
func (s *Schemas) check(ctx context.Context, body []byte, shape *Shape) ([]byte, error) {
	s.needed.Store(true)
	use := readingOf(ctx)
	if use == nil {
		use = newReading(s.service, maxViolations)
		defer use.end()
	}
	w, err := find(ctx, body, shape, use)
	if err != nil {
		return nil, err
	}
	if found, more := w.all(); len(found) > 0 {
		return nil, Refusal(found, more)
	}
	return w.renamed(body), nil
}

// fromPlain fills a type from a body that its schema accepts. The body is first written as the types read it: see plain.
func fromPlain[T any](body []byte) (out T, err error) {
	out = withDefaults[T]()
	err = readPlain(body, &out)
	return out, err
}

func readPlain(body []byte, out any) error {
	text, err := plain(body)
	if err == nil {
		err = readTyped(text, out)
	}
	if err != nil {
		return fmt.Errorf("a schema accepts what the type of its requests does not: %w", err)
	}
	return nil
}

// plain writes a body that a schema accepts without exponents and fractions of zero in numbers, since the types accept 100 as an integer
// but not 1e2, and without the fields that are null: the schema has accepted them as absent, but a type would set zero.
func plain(body []byte) ([]byte, error) {
	var out bytes.Buffer
	from, to := jsontext.NewDecoder(bytes.NewBuffer(body)), jsontext.NewEncoder(&out)
	for {
		token, err := from.ReadToken()
		if errors.Is(err, io.EOF) {
			return out.Bytes(), nil
		}
		if err != nil {
			return nil, err
		}
		if token.Kind() == '0' {
			if x, within := Numeral(token.String()).Float(); within {
				token = jsontext.Float(x)
			}
		}
		token = token.Clone() // it must outlive the look at the next
		if kind, n := from.StackIndex(from.StackDepth()); kind == '{' && n%2 == 1 && from.PeekKind() == 'n' {
			err = from.SkipValue()
		} else {
			err = to.WriteToken(token)
		}
		if err != nil {
			return nil, err
		}
	}
}
