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

// maxNumber is how large a number may be. Up to it, a float64 has every integer. No schema of the contract accepts a larger one.
const maxNumber = 1 << 53

// Numeral is a number as it is written in a body.
type Numeral string

// Float returns the number, and whether it is within maxNumber. One that no float64 has becomes the greatest or the least of them.
func (n Numeral) Float() (x float64, within bool) {
	x, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		x = math.Copysign(math.MaxFloat64, x)
	}
	return x, math.Abs(x) <= maxNumber
}

// exactDigits is how many digits a number may have so that its float64 says which number it is.
const exactDigits = 15

// Exact reports whether the float64 of the number is within maxNumber and says which number it is.
func (n Numeral) Exact() bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(string(n)), "e")
	digits, zeros := len(mantissa)-strings.Count(mantissa, "-")-strings.Count(mantissa, "."), strings.Count(mantissa, "0")
	x, within := n.Float()
	return digits <= exactDigits && within && (x != 0 || digits == zeros)
}

// String writes the number without an exponent, unless that is very long, and never rounded.
func (n Numeral) String() string {
	const longest = 40
	switch {
	case n.Exact():
		x, _ := n.Float()
		return number(x)
	case len(n) > longest:
		return string(n[:longest]) + "…"
	default:
		return string(n)
	}
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
	case errors.As(err, &syntax) && strings.Count(string(syntax.JSONPointer), "/") > MaxDepth: // that nobody has to see what is wrong there
		return TooDeep()
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
