package service

import (
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"roem/internal/engine/violation"
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
	return Refused(violation.New(violation.TooLarge, "is a number out of range").At(short(string(dec.StackPointer()))))
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
	return Refused(violation.New(violation.TooComplex, "nests deeper than %d", MaxDepth))
}

// AtEnd returns an *Error unless the body ends after the value that the decoder has read.
func AtEnd(dec *jsontext.Decoder) error {
	_, err := dec.ReadToken()
	switch {
	case err == nil:
		return Refused(violation.New(violation.NotJSON, "has data after the JSON value, at byte %d", dec.InputOffset()))
	case errors.Is(err, io.EOF):
		return nil
	default:
		return NotJSON(err)
	}
}

// Empty is the error for a body without a value.
func Empty() error {
	return Refused(violation.New(violation.NotJSON, "is empty: expected a JSON object"))
}

// NotJSON returns the error of a decoder as an *Error.
func NotJSON(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
		return Refused(violation.New(violation.GivenTwice, "is given twice").At(short(string(syntax.JSONPointer))))
	case errors.As(err, &syntax):
		return Refused(violation.New(violation.NotJSON, "is not JSON, at byte %d: %v%s", syntax.ByteOffset, syntax.Err, remedy(syntax)).
			At(short(string(syntax.JSONPointer))))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Refused(violation.New(violation.NotJSON, "is not JSON: it ends too early"))
	default:
		return Refused(violation.New(violation.NotJSON, "is not JSON"))
	}
}

// remedy returns what is probably to be done about a character that JSON does not have there, and is empty for any other error.
func remedy(err *jsontext.SyntacticError) string {
	_, character, _ := strings.Cut(err.Err.Error(), "invalid character ")
	switch mark := err.ByteOffset == 0 && (strings.HasPrefix(character, `'\xff'`) || strings.HasPrefix(character, `'\xfe'`)); {
	case strings.HasPrefix(character, `'\''`):
		return "; names and texts are in double quotes"
	case strings.HasPrefix(character, `'\ufeff'`):
		return "; send the text without a byte order mark"
	case mark, strings.HasPrefix(character, `'\x00'`):
		return "; send UTF-8, not UTF-16"
	}
	return ""
}
