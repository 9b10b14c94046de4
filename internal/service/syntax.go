package service

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/go-json-experiment/json/jsontext"
)

// maxNumber is how large a number may be. Up to it, a float64 has every integer.
const maxNumber = 1 << 53

// Number returns the number that the decoder has just read. Its error is an *Error.
func Number(dec *jsontext.Decoder, token jsontext.Token) (float64, error) {
	x, err := token.Float()
	if err != nil || math.Abs(x) > maxNumber {
		return 0, NewMalformed(Violation{Pointer: short(string(dec.StackPointer())), Detail: "is a number out of range"})
	}
	return x, nil
}

// TooDeep is the error for a body that nests too deep.
func TooDeep() error {
	return NewMalformed(Violation{Detail: fmt.Sprintf("nests deeper than %d", MaxDepth)})
}

// AtEnd returns an *Error unless the body ends after the value that the decoder has read.
func AtEnd(dec *jsontext.Decoder) error {
	_, err := dec.ReadToken()
	switch {
	case err == nil:
		return NewMalformed(Violation{Detail: fmt.Sprintf("has data after the JSON value, at byte %d", dec.InputOffset())})
	case errors.Is(err, io.EOF):
		return nil
	default:
		return NotJSON(err)
	}
}

// NotJSON returns the error of a decoder as an *Error.
func NotJSON(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
		return NewMalformed(Violation{Pointer: short(string(syntax.JSONPointer)), Detail: "is given twice"})
	case errors.As(err, &syntax):
		return NewMalformed(Violation{
			Pointer: short(string(syntax.JSONPointer)),
			Detail:  fmt.Sprintf("is not JSON, at byte %d: %v", syntax.ByteOffset, syntax.Err),
		})
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return NewMalformed(Violation{Detail: "is not JSON: it ends too early"})
	default:
		return NewMalformed(Violation{Detail: "is not JSON"})
	}
}
