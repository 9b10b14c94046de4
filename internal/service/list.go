package service

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"

	"roem/internal/api"
)

// positionsField is the field of a request that lists positions.
const positionsField = "positions"

// ListItem is a position of a list, or what is wrong with it.
type ListItem struct {
	Position api.Position
	Err      error // an *Error whose pointers lead from the top of the request
}

// PredictBatch is the request for many predictions.
type PredictBatch struct{ Items []ListItem }

// HybridBatch is the request for many answers within one budget.
type HybridBatch struct {
	Items         []ListItem
	BudgetMs      *float64
	MinConfidence *float64
}

// PredictBatch reads the body of predict/batch. What is wrong with a position alone is the error of its item.
func (d *Decoder) PredictBatch(body []byte) (PredictBatch, error) {
	_, items, err := decodeList[api.PredictBatchRequest](d, body, "PredictBatchRequest")
	return PredictBatch{Items: items}, err
}

// HybridBatch reads the body of hybrid/batch. What is wrong with a position alone is the error of its item.
func (d *Decoder) HybridBatch(body []byte) (HybridBatch, error) {
	rest, items, err := decodeList[api.HybridBatchRequest](d, body, "HybridBatchRequest")
	return HybridBatch{Items: items, BudgetMs: rest.BudgetMs, MinConfidence: rest.MinConfidence}, err
}

// decodeList reads a request that lists positions. The list is taken apart without a look into its items, so that one item
// spoils no other; the rest is read as any other request is, against the schema as anyItems has changed it.
func decodeList[T any](d *Decoder, body []byte, schema string) (rest T, items []ListItem, err error) {
	outside, raw, err := takeOut(body)
	if err != nil {
		return rest, nil, err
	}
	if rest, err = decode[T](d, outside, schema); err != nil {
		return rest, nil, err
	}
	items = make([]ListItem, len(raw))
	for i, one := range raw {
		items[i].Position, err = d.Position(one)
		items[i].Err = inList(err, i)
	}
	return rest, items, nil
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
		return malformed(Violation{
			Pointer: short(string(syntax.JSONPointer)),
			Detail:  fmt.Sprintf("is not JSON, at byte %d: %v", syntax.ByteOffset, syntax.Err),
		})
	}
	return malformed(Violation{Detail: "is not JSON"})
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

// inList turns the error of a position into that of the request whose list has it in place i.
func inList(err error, i int) error {
	var e *Error
	if !errors.As(err, &e) || len(e.Violations) == 0 {
		return err
	}
	out := *e
	out.Violations = make([]Violation, len(e.Violations))
	for j, v := range e.Violations {
		if v.Parameter == "" {
			v.Pointer = short("/" + positionsField + "/" + strconv.Itoa(i) + v.Pointer)
		}
		out.Violations[j] = v
	}
	switch e.Kind {
	case Malformed:
		return malformed(out.Violations...)
	case Impossible:
		return impossible(out.Violations...)
	}
	return &out
}
