package service

import (
	"math"
	"math/rand/v2"
	"strconv"

	"roem/internal/engine/violation"
)

// SeedOf returns the seed of a request, or a drawn one if text is nil.
func SeedOf(text *string) (uint64, error) {
	if text != nil {
		return ParseSeed(*text)
	}
	return rand.Uint64(), nil // the runtime seeds it from the system
}

// ParseSeed reads a seed.
func ParseSeed(text string) (uint64, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	switch {
	case !Decimal(text):
		return 0, violation.New(violation.WrongForm, "is not a decimal number from 0 to %d", uint64(math.MaxUint64)).Of(text)
	case err != nil:
		return 0, violation.New(violation.TooLarge, "is too large: expected a number from 0 to %d", uint64(math.MaxUint64)).Of(text)
	}
	return seed, nil
}
