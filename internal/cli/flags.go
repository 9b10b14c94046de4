package cli

import (
	"errors"
	"flag"
	"math/rand/v2"
	"strconv"
)

// MaxWorkers is the maximum of -workers. It limits the memory of the tables, which use 32 MiB each.
const MaxWorkers = 1024

// Seed is the value of the flag that [SeedFlag] adds. Text is empty if the flag is not given.
type Seed struct {
	Text  string
	Value uint64
}

// Chosen returns the number given, or else another one each time.
func (s *Seed) Chosen() uint64 {
	if s.Text == "" {
		return rand.Uint64()
	}
	return s.Value
}

// SeedFlag adds the flag -seed.
func SeedFlag(flags *flag.FlagSet) *Seed {
	s := &Seed{}
	flags.Func("seed", "the `number` that the deals are drawn from, 0 to 18446744073709551615 (default another each time)",
		func(text string) (err error) {
			s.Text = text
			if s.Value, err = strconv.ParseUint(text, 10, 64); err != nil {
				return errors.New("expected a whole number from 0 to 18446744073709551615")
			}
			return nil
		})
	return s
}
