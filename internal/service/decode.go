package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	contract "roem/api"
	"roem/internal/bound"
)

// Schemas are the schemas of the contract for request bodies. They are safe for concurrent use.
type Schemas struct {
	// service has the places for slow explanations; nil for explanations without a place.
	service *Service
	shapes  sync.Map // of the schemas that were needed: *shape by schemaName
}

// schemaName names a schema. In one that is loose, the field of that name may be any object, or a list of any objects.
type schemaName struct{ name, loose string }

// NewSchemas returns the schemas of the contract of the service, which bounds how many slow explanations run at a time. With nil it is
// the contract of the program, and nothing is bounded.
func NewSchemas(of *Service) *Schemas {
	return &Schemas{service: of}
}

// shape returns a schema. The first call reads the contract, which takes longer than most searches. So it is called only when a body needs
// it.
func (s *Schemas) shape(name schemaName) (*shape, error) {
	if known, ok := s.shapes.Load(name); ok {
		return known.(*shape), nil // the map has no others
	}
	document := contract.Document
	if s.service != nil {
		document = s.service.contract.Document
	}
	doc, err := document()
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	ref := doc.Components.Schemas[name.name]
	if ref == nil || ref.Value == nil {
		return nil, fmt.Errorf("the contract has no schema %s", name.name)
	}
	schema := ref.Value
	if name.loose != "" {
		schema, err = loosened(schema, name.loose)
	}
	var made *shape
	if err == nil {
		made, err = newShape(schema)
	}
	if err != nil {
		return nil, fmt.Errorf("the schema %s of the contract: %w", name.name, err)
	}
	s.shapes.Store(name, made)
	return made, nil
}

// loosened returns the schema with any object, or a list of any objects, in a field.
func loosened(schema *openapi3.Schema, field string) (*openapi3.Schema, error) {
	if schema.Discriminator != nil {
		schema = oneOfAll(schema)
	}
	property := schema.Properties[field]
	if property == nil || property.Value == nil {
		return nil, fmt.Errorf("it has no %s", field)
	}
	loose := &openapi3.SchemaRef{Value: openapi3.NewObjectSchema()}
	if property.Value.Type.Is(openapi3.TypeArray) {
		list := *property.Value
		list.Items, loose = loose, &openapi3.SchemaRef{Value: &list}
	}
	out := *schema
	out.Properties = maps.Clone(schema.Properties)
	out.Properties[field] = loose
	return &out, nil
}

// oneOfAll returns one schema for schemas that a discriminator tells apart: the first, with the values of the discriminator of all.
func oneOfAll(schema *openapi3.Schema) *openapi3.Schema {
	name := schema.Discriminator.PropertyName
	out := *schema.OneOf[0].Value
	kind := *out.Properties[name].Value
	kind.Enum = nil
	for _, one := range schema.OneOf {
		kind.Enum = append(kind.Enum, one.Value.Properties[name].Value.Enum...)
	}
	out.Properties = maps.Clone(out.Properties)
	out.Properties[name] = &openapi3.SchemaRef{Value: &kind}
	return &out
}

// Schema returns the schema of that name, by which the bodies of a request are explained. list is the field that DecodeList takes out;
// empty for none.
func (s *Schemas) Schema(name, list string) (*openapi3.Schema, error) {
	one, err := s.shape(schemaName{name, list})
	if err != nil {
		return nil, err
	}
	return one.schema, nil
}

// Needed reports whether a body has needed its schema so far.
func (s *Schemas) Needed() (needed bool) {
	s.shapes.Range(func(any, any) bool {
		needed = true
		return false
	})
	return needed
}

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
	return decode[T, V, B](ctx, s, body, schemaName{name: schema}, build)
}

func decode[T, V any, B Body[T]](ctx context.Context, s *Schemas, body []byte, schema schemaName, build func(T) (V, error)) (V, error) {
	var none V
	in := withDefaults[T]()
	typed := !bound.Crowded(body, bound.Always/2) && unmarshal(body, &in) == nil
	if typed && B(&in).Valid() {
		return build(in)
	}
	body, err := s.check(ctx, body, schema)
	if err != nil {
		return none, err
	}
	if !typed {
		if in, err = fromPlain[T](body); err != nil {
			return none, err
		}
	}
	return build(in)
}

// withDefaults returns a value of a type with the defaults of the contract, which the fields that a body has replace.
func withDefaults[T any]() (in T) {
	if some, ok := any(&in).(interface{ SetDefaults() }); ok {
		some.SetDefaults()
	}
	return in
}

// decodeBySchema reads a body that must meet a schema, without trying its type first.
func decodeBySchema[T any](ctx context.Context, s *Schemas, body []byte, schema schemaName) (T, error) {
	body, err := s.check(ctx, body, schema)
	if err != nil {
		var none T
		return none, err
	}
	return fromPlain[T](body)
}

// Meets returns an error unless the body meets the schema of that name: an *Error with the first violations, or the error of the context.
func (s *Schemas) Meets(ctx context.Context, body []byte, schema string) error {
	_, err := s.check(ctx, body, schemaName{name: schema})
	return err
}

// check returns the body, with the names of its fields as the contract has them. It returns an error unless the body meets the schema of
// that name: an *Error with the first violations, or the error of the context.
func (s *Schemas) check(ctx context.Context, body []byte, schema schemaName) ([]byte, error) {
	shape, err := s.shape(schema)
	if err != nil {
		return nil, err
	}
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
	text, err := plain(body)
	if err == nil {
		err = json.Unmarshal(text, &out, json.RejectUnknownMembers(true))
	}
	if err != nil {
		return out, fmt.Errorf("a schema accepts what the type of its requests does not: %w", err)
	}
	return out, nil
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

// errNull is the error of unmarshal for a body that may hold null.
var errNull = errors.New("null is left to the schema")

// unmarshal reads a body by its type. An error does not mean that the body is wrong.
func unmarshal(body []byte, out any) error {
	// Only the schema says where null may be: in optional fields, and where it has a meaning.
	if bytes.Contains(body, []byte("null")) {
		return errNull
	}
	return json.Unmarshal(body, out, json.RejectUnknownMembers(true))
}
