package service

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
)

// positionsField is the field of a request that lists positions.
const positionsField = "positions"

// DecodeList reads a request that lists positions. The list is taken apart without a look into its items, so that one item spoils no
// other: begin is called with their number, then item with the text of each. The rest is read into *rest as any other request is.
func DecodeList[T any](d *Decoder, body []byte, schema string, rest *T, begin func(n int), item func(i int, text []byte)) error {
	outside, raw, err := takeOut(body)
	if err != nil {
		return err
	}
	if *rest, err = Decode[T](d, outside, schema); err != nil {
		return err
	}
	begin(len(raw))
	for i, one := range raw {
		item(i, one)
	}
	return nil
}

// takeOut cuts the items out of a list of positions. What is left of the body has an empty object in the place of each. A
// body in which there is nothing to cut is left as it is, for decode to say what is wrong.
func takeOut(body []byte) (outside []byte, items [][]byte, err error) {
	// Names may stand twice in an item, and strings be broken: that is for the item to answer for.
	dec := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if !toList(dec) {
		return body, nil, nil
	}
	begin := dec.InputOffset()
	for dec.PeekKind() != ']' {
		value, err := dec.ReadValue()
		if err != nil {
			return nil, nil, listSyntax(err)
		}
		end := int(dec.InputOffset())
		items = append(items, body[end-len(value):end])
	}
	// A second list is left where it is: a name given twice, which decode finds.
	outside = append(outside, body[:begin]...)
	for i := range items {
		if i > 0 {
			outside = append(outside, ',')
		}
		outside = append(outside, "{}"...)
	}
	return append(outside, body[dec.InputOffset():]...), items, nil
}

// toList reads as far as into the list of positions, if there is one.
func toList(dec *jsontext.Decoder) bool {
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return false
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if name.String() == positionsField && dec.PeekKind() == '[' {
			_, err := dec.ReadToken()
			return err == nil
		}
		if dec.SkipValue() != nil {
			return false
		}
	}
	return false
}

func listSyntax(err error) error {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return NewMalformed(Violation{
			Pointer: Short(string(syntax.JSONPointer)),
			Detail:  fmt.Sprintf("is not JSON, at byte %d: %v", syntax.ByteOffset, syntax.Err),
		})
	}
	return NewMalformed(Violation{Detail: "is not JSON"})
}

// anyItems returns the schema of a request that lists positions, with any object for an item.
func anyItems(schema *openapi3.Schema) (*openapi3.Schema, error) {
	list := schema.Properties[positionsField]
	if list == nil || list.Value == nil {
		return nil, fmt.Errorf("the contract lists no %s where they are expected", positionsField)
	}
	loose := *list.Value
	loose.Items = &openapi3.SchemaRef{Value: openapi3.NewObjectSchema()}
	out := *schema
	out.Properties = maps.Clone(schema.Properties)
	out.Properties[positionsField] = &openapi3.SchemaRef{Value: &loose}
	return &out, nil
}

// InList turns the error of a position into that of the request whose list has it in place i.
func InList(err error, i int) error {
	var e *Error
	if !errors.As(err, &e) || len(e.Violations) == 0 {
		return err
	}
	out := *e
	out.Violations = make([]Violation, len(e.Violations))
	for j, v := range e.Violations {
		if v.Parameter == "" {
			v.Pointer = Short("/" + positionsField + "/" + strconv.Itoa(i) + v.Pointer)
		}
		out.Violations[j] = v
	}
	switch e.Kind {
	case Malformed:
		return NewMalformed(out.Violations...)
	case Impossible:
		return NewImpossible(out.Violations...)
	}
	return &out
}

// anyRequest returns the schema of a request for a job with any object in place of the request of the operation.
func anyRequest(schema *openapi3.Schema) (*openapi3.Schema, error) {
	out := *schema
	out.Properties = maps.Clone(schema.Properties)
	out.Properties["request"] = &openapi3.SchemaRef{Value: openapi3.NewObjectSchema()}
	return &out, nil
}
