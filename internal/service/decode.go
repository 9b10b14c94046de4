package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	contract "roem/api"
)

// Schemas are the schemas of the contract for request bodies. They are safe for concurrent use.
type Schemas struct {
	// read returns the schemas by name. The first call reads the contract, which takes longer than most searches. So it is called
	// only when a body needs it.
	read func() (map[string]*shape, error)
	// domain reports whether a violation is about the domain, and so impossible instead of malformed. It may change the detail.
	// With nil none is.
	domain func(*Finding) bool
	// service has the places for slow explanations; nil for explanations without a place.
	service *Service
}

// NewSchemas returns the named schemas of the embedded contract, each as its function changes it. The service, which may be nil, bounds
// how many slow explanations run at a time.
func NewSchemas(
	of *Service, names map[string]func(*openapi3.Schema) (*openapi3.Schema, error), domain func(*Finding) bool,
) *Schemas {
	read := func() (map[string]*shape, error) {
		doc, err := contract.Document()
		if err != nil {
			return nil, fmt.Errorf("reading the contract: %w", err)
		}
		shapes := make(map[string]*shape, len(names))
		for name, change := range names {
			ref := doc.Components.Schemas[name]
			if ref == nil || ref.Value == nil {
				return nil, fmt.Errorf("the contract has no schema %s", name)
			}
			schema, err := change(ref.Value)
			if err == nil {
				shapes[name], err = newShape(schema)
			}
			if err != nil {
				return nil, fmt.Errorf("the schema %s of the contract: %w", name, err)
			}
		}
		return shapes, nil
	}
	return &Schemas{read: sync.OnceValues(read), domain: domain, service: of}
}

// Read returns the schemas by name.
func (s *Schemas) Read() (map[string]*openapi3.Schema, error) {
	shapes, err := s.read()
	schemas := make(map[string]*openapi3.Schema, len(shapes))
	for name, one := range shapes {
		schemas[name] = one.schema
	}
	return schemas, err
}

// Unchanged is the change to a schema that changes nothing.
func Unchanged(schema *openapi3.Schema) (*openapi3.Schema, error) { return schema, nil }

// Decode reads a body that must meet the schema of that name, and builds the domain value out of it.
//
// A body that the type and build accept is not checked by the schema. So build must refuse everything that the schema refuses and
// the type accepts: a missing field, a text that is no value of its enum, a number out of range, a list of a wrong length. For any
// other body the schema finds the violations. If it finds none, the error is that of build.
func Decode[T, V any](ctx context.Context, s *Schemas, body []byte, schema string, build func(T) (V, error)) (V, error) {
	var (
		none V
		in   T
	)
	typed := !crowded(body) && unmarshal(body, &in) == nil
	var wrong error
	if typed {
		var out V
		if out, wrong = build(in); wrong == nil {
			return out, nil
		}
	}
	if err := s.check(ctx, body, schema); err != nil {
		return none, err
	}
	if typed {
		return none, wrong
	}
	in, err := fromPlain[T](body)
	if err != nil {
		return none, err
	}
	return build(in)
}

// decodeBySchema reads a body that must meet the schema of that name, without trying its type first.
func decodeBySchema[T any](ctx context.Context, s *Schemas, body []byte, schema string) (T, error) {
	if err := s.check(ctx, body, schema); err != nil {
		var none T
		return none, err
	}
	return fromPlain[T](body)
}

// check returns an error unless the body meets the schema of that name: an *Error with the first violations, or that of the context.
func (s *Schemas) check(ctx context.Context, body []byte, schema string) error {
	shapes, err := s.read()
	if err != nil {
		return err
	}
	use := readingOf(ctx)
	if use == nil {
		use = newReading(s.service, maxViolations)
		defer use.end()
	}
	found, more, err := find(ctx, body, shapes[schema], use)
	if err != nil || len(found) == 0 {
		return err
	}
	return s.Refusal(found, more)
}

// fromPlain fills a type from a body that its schema accepts. Its numbers are first written without exponents and fractions of zero: the
// types accept 100 as an integer, but not 1e2.
func fromPlain[T any](body []byte) (out T, err error) {
	plain, err := plainNumbers(body)
	if err == nil {
		err = json.Unmarshal(plain, &out, json.RejectUnknownMembers(true))
	}
	if err != nil {
		return out, fmt.Errorf("a schema accepts what the type of its requests does not: %w", err)
	}
	return out, nil
}

func plainNumbers(body []byte) ([]byte, error) {
	var out bytes.Buffer
	from, to := jsontext.NewDecoder(bytes.NewBuffer(body)), jsontext.NewEncoder(&out)
	for {
		token, err := from.ReadToken()
		if errors.Is(err, io.EOF) {
			return out.Bytes(), nil
		}
		if err == nil && token.Kind() == '0' {
			var x float64
			x, err = Number(from, token)
			token = jsontext.Float(x)
		}
		if err == nil {
			err = to.WriteToken(token)
		}
		if err != nil {
			return nil, err
		}
	}
}

// maxCommas is how many commas a body may have to be read by its type before it is checked: the type could need many times the memory of
// the body, for lists that are too long. No valid body has as many, except in texts.
const maxCommas = 4096

// crowded reports whether a body may have more values than any valid one.
func crowded(body []byte) bool {
	return len(body) > maxCommas && bytes.Count(body, []byte(",")) > maxCommas
}

// errNull is the error of unmarshal for a body that may hold null.
var errNull = errors.New("null is left to the schema")

// unmarshal reads a body by its type. An error does not mean that the body is wrong.
func unmarshal(body []byte, out any) error {
	// A pointer field accepts null like a missing field. No request may contain null.
	if bytes.Contains(body, []byte("null")) {
		return errNull
	}
	return json.Unmarshal(body, out, json.RejectUnknownMembers(true))
}
