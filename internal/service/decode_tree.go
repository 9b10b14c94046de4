package service

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep a request may nest. Requests of the contract nest at most 3 deep.
const maxDepth = 16

// ParseTree reads exactly one JSON value in UTF-8. No object may have the same name twice, and the value may not nest deeper than
// maxDepth.
func ParseTree(body []byte) (any, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, NewMalformed(Violation{Detail: "is empty: expected a JSON object"})
	}
	dec := jsontext.NewDecoder(bytes.NewReader(body))
	tree, err := parseValue(dec)
	if err == nil {
		if _, more := dec.ReadToken(); more == nil {
			return nil, NewMalformed(Violation{Detail: fmt.Sprintf("has data after the JSON value, at byte %d", dec.InputOffset())})
		} else if !errors.Is(more, io.EOF) {
			err = more
		}
	}
	if err == nil {
		return tree, nil
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return nil, known
	}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
		return nil, NewMalformed(Violation{Pointer: short(string(syntax.JSONPointer)), Detail: "is given twice"})
	case errors.As(err, &syntax):
		return nil, NewMalformed(Violation{
			Pointer: short(string(syntax.JSONPointer)),
			Detail:  fmt.Sprintf("is not JSON, at byte %d: %v", syntax.ByteOffset, syntax.Err),
		})
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, NewMalformed(Violation{Detail: "is not JSON: it ends too early"})
	default:
		return nil, NewMalformed(Violation{Detail: "is not JSON"})
	}
}

func parseValue(dec *jsontext.Decoder) (any, error) {
	token, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	if dec.StackDepth() > maxDepth {
		return nil, NewMalformed(Violation{Detail: fmt.Sprintf("nests deeper than %d", maxDepth)})
	}
	switch token.Kind() {
	case '{':
		object := map[string]any{}
		for dec.PeekKind() != '}' {
			name, err := dec.ReadToken()
			if err != nil {
				return nil, err
			}
			key := name.String()
			if object[key], err = parseValue(dec); err != nil {
				return nil, err
			}
		}
		_, err := dec.ReadToken()
		return object, err
	case '[':
		array := []any{}
		for dec.PeekKind() != ']' {
			value, err := parseValue(dec)
			if err != nil {
				return nil, err
			}
			array = append(array, value)
		}
		_, err := dec.ReadToken()
		return array, err
	case '"':
		return token.String(), nil
	case '0':
		number, err := strconv.ParseFloat(token.String(), 64)
		if err != nil || math.Abs(number) > 1<<53 {
			return nil, NewMalformed(Violation{Pointer: short(string(dec.StackPointer())), Detail: "is a number out of range"})
		}
		return number, nil
	case 't', 'f':
		return token.Bool(), nil
	default:
		return nil, nil
	}
}
