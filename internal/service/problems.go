package service

import (
	"errors"
	"fmt"

	"roem/internal/engine/violation"
)

// Problems collects what is wrong with a request that meets its schema, so that all is reported at once.
type Problems []Violation

// Add adds an error: what an engine has found, each with its own pointer, or another error with the pointer given. nil adds nothing.
func (ps *Problems) Add(pointer string, err error) {
	if found, ok := errors.AsType[violation.List](err); ok {
		*ps = append(*ps, FromEngine(found)...)
	} else if err != nil {
		*ps = append(*ps, Violation{Pointer: pointer, Detail: err.Error()})
	}
}

// Addf adds an error with a formatted detail.
func (ps *Problems) Addf(pointer, format string, args ...any) {
	*ps = append(*ps, Violation{Pointer: pointer, Detail: fmt.Sprintf(format, args...)})
}

// Seed reads the seed of a request.
func (ps *Problems) Seed(text string) uint64 {
	seed, err := ParseSeed(text)
	ps.Add("/seed", err)
	return seed
}

// Err returns what was collected as an error of kind Impossible, and nil if it is nothing.
func (ps *Problems) Err() error {
	if len(*ps) == 0 {
		return nil
	}
	return NewImpossible(*ps...)
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
