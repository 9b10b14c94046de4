package service

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxNumber is how large a number may be. Up to it, a float64 has every integer.
const maxNumber = 1 << 53

// Number returns the number that the decoder has just read. Its error is an *Error.
func Number(dec *jsontext.Decoder, token jsontext.Token) (float64, error) {
	x, err := token.Float()
	if err != nil || math.Abs(x) > maxNumber {
		return 0, outOfRange(dec)
	}
	return x, nil
}

func outOfRange(dec *jsontext.Decoder) error {
	return NewMalformed(Violation{Pointer: short(string(dec.StackPointer())), Detail: "is a number out of range"})
}

// inRange is Number for a number of which only that matters. It parses only the numbers near the limit: parsing one near zero takes as
// long as reading thousands of bytes.
func inRange(dec *jsontext.Decoder, token jsontext.Token) error {
	switch n := digitsBefore(token.String()); {
	case n < digitsOfMax:
		return nil
	case n > digitsOfMax:
		return outOfRange(dec)
	}
	_, err := Number(dec, token)
	return err
}

// digitsOfMax is how many digits maxNumber has.
const digitsOfMax = 16

// digitsBefore returns how many digits a JSON number has before its point when it is written without an exponent, from its first digit
// that is not zero; it is negative for as many zeros behind the point.
func digitsBefore(number string) int {
	number = strings.TrimPrefix(number, "-")
	mantissa, exponent := number, 0
	if e := strings.IndexAny(number, "eE"); e >= 0 {
		var err error
		mantissa = number[:e]
		if exponent, err = strconv.Atoi(number[e+1:]); err != nil { // it is a number, so it is too long
			exponent = math.MaxInt32
			if number[e+1] == '-' {
				exponent = -exponent
			}
		}
		exponent = max(-math.MaxInt32, min(math.MaxInt32, exponent))
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole != "0" {
		return len(whole) + exponent
	}
	zeros := len(fraction) - len(strings.TrimLeft(fraction, "0"))
	if zeros == len(fraction) { // the number is zero
		return math.MinInt32
	}
	return exponent - zeros
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
