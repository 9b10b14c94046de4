package service

import (
	"errors"

	"roem/internal/engine/violation"
)

// Problems collects what is wrong with a request that its schema accepts, so that all is reported at once.
type Problems []Violation

// Add adds an error: what an engine or a *Error says, each with its own pointer, or what is wrong with the value at the pointer. nil adds
// nothing.
// Any other error is a fault of the program, which Err returns.
func (ps *Problems) Add(pointer string, err error) {
	if err == nil {
		return
	}
	if e, ok := errors.AsType[*Error](err); ok && len(e.Violations) > 0 {
		*ps = append(*ps, e.Violations...)
		return
	}
	found := violation.Of(pointer, err)
	if found == nil {
		found = violation.List{{Pointer: pointer, Detail: err.Error()}}
	}
	*ps = append(*ps, found...)
}

// AddIn adds what is wrong with a parameter. nil adds nothing.
func (ps *Problems) AddIn(parameter string, err error) {
	before := len(*ps)
	ps.Add("", err)
	for i := range (*ps)[before:] {
		(*ps)[before+i].Parameter = parameter
	}
}

// Addf adds an error with a formatted detail.
func (ps *Problems) Addf(pointer string, code violation.Code, format string, args ...any) {
	*ps = append(*ps, violation.New(code, format, args...).At(pointer))
}

// OptionalSeed reads the seed of a request. If it is absent, it is otherwise.
func (ps *Problems) OptionalSeed(text *string, otherwise uint64) uint64 {
	if text == nil {
		return otherwise
	}
	return ps.Seed(*text)
}

// Seed reads the seed of a request.
func (ps *Problems) Seed(text string) uint64 {
	seed, err := ParseSeed(text)
	ps.Add("/seed", err)
	return seed
}

// Err returns what was collected as an error, and nil if it is nothing.
func (ps *Problems) Err() error {
	if len(*ps) == 0 {
		return nil
	}
	return Refused(*ps...)
}

// Or returns the value of an optional field, or what stands for it if it is absent.
func Or[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}

// Read reads an optional text, and adds the error of parse. If the text is absent, it returns otherwise.
func Read[T any, S ~string](ps *Problems, pointer string, text *S, parse func(string) (T, error), otherwise T) T {
	if text == nil {
		return otherwise
	}
	value, err := parse(string(*text))
	ps.Add(pointer, err)
	return value
}
