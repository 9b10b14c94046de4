package service

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"

	contract "roem/api"
)

// Schemas are the schemas of the contract for request bodies. They are safe for concurrent use.
type Schemas struct {
	// read returns the schemas by name. The first call reads the contract, which takes longer than most searches. So it is called
	// only when a body needs it.
	read func() (map[string]*openapi3.Schema, error)
	// domain reports whether a violation is about the domain, and so impossible instead of malformed. It may change the detail.
	// With nil none is.
	domain func(*Finding) bool
}

// NewSchemas returns the named schemas of the embedded contract, each as its function changes it.
func NewSchemas(
	names map[string]func(*openapi3.Schema) (*openapi3.Schema, error), domain func(*Finding) bool,
) *Schemas {
	read := func() (map[string]*openapi3.Schema, error) {
		doc, err := contract.Document()
		if err != nil {
			return nil, fmt.Errorf("reading the contract: %w", err)
		}
		schemas := make(map[string]*openapi3.Schema, len(names))
		for name, change := range names {
			ref := doc.Components.Schemas[name]
			if ref == nil || ref.Value == nil {
				return nil, fmt.Errorf("the contract has no schema %s", name)
			}
			if schemas[name], err = change(ref.Value); err != nil {
				return nil, fmt.Errorf("the schema %s of the contract: %w", name, err)
			}
		}
		return schemas, nil
	}
	return &Schemas{read: sync.OnceValues(read), domain: domain}
}

// Read returns the schemas by name.
func (s *Schemas) Read() (map[string]*openapi3.Schema, error) { return s.read() }

// Unchanged is the change to a schema that changes nothing.
func Unchanged(schema *openapi3.Schema) (*openapi3.Schema, error) { return schema, nil }

// Decode reads a body that must meet the schema of that name, and builds the domain value out of it.
//
// A body that the type and build accept is not checked by the schema. So build must refuse everything that the schema refuses and
// the type accepts: a missing field, a text that is no value of its enum, a number out of range, a list of a wrong length. For any
// other body the schema finds the violations. If it finds none, the error is that of build.
func Decode[T, V any](s *Schemas, body []byte, schema string, build func(T) (V, error)) (V, error) {
	var (
		none V
		in   T
	)
	typed := unmarshal(body, &in) == nil
	var wrong error
	if typed {
		var out V
		if out, wrong = build(in); wrong == nil {
			return out, nil
		}
	}
	tree, err := s.accepted(body, schema)
	if err != nil {
		return none, err
	}
	if typed {
		return none, wrong
	}
	if in, err = fromTree[T](tree); err != nil {
		return none, err
	}
	return build(in)
}

// decodeBySchema reads a body that must meet the schema of that name, without trying its type first.
func decodeBySchema[T any](s *Schemas, body []byte, schema string) (T, error) {
	tree, err := s.accepted(body, schema)
	if err != nil {
		var none T
		return none, err
	}
	return fromTree[T](tree)
}

// accepted returns a body as a tree that meets the schema of that name. Its error is an *Error with every violation.
func (s *Schemas) accepted(body []byte, schema string) (any, error) {
	schemas, err := s.read()
	if err != nil {
		return nil, err
	}
	tree, err := ParseTree(body)
	if err != nil {
		return nil, err
	}
	return tree, s.Check(tree, schemas[schema])
}

// fromTree fills a type from a tree that its schema accepts. The tree is encoded first, which writes 1e2 as 100: the types accept
// only the latter as an integer.
func fromTree[T any](tree any) (out T, err error) {
	plain, err := json.Marshal(tree, json.Deterministic(true))
	if err == nil {
		err = json.Unmarshal(plain, &out, json.RejectUnknownMembers(true))
	}
	if err != nil {
		return out, fmt.Errorf("a schema accepts what the type of its requests does not: %w", err)
	}
	return out, nil
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
