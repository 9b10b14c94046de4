package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
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

// NumberFlag adds the flag of a whole number from least to most, whose default is its value. If most is math.MaxInt there is no greatest.
func NumberFlag[N int | uint64](flags *flag.FlagSet, to *N, name string, least, most N, usage string) {
	flags.Var(&number[N]{to, least, most}, name, usage)
}

// Number is NumberFlag for a number that no struct has.
func Number[N int | uint64](flags *flag.FlagSet, name string, value, least, most N, usage string) *N {
	NumberFlag(flags, &value, name, least, most, usage)
	return &value
}

// WorkersFlag adds the flag -workers, whose default is the number of cores.
func WorkersFlag(flags *flag.FlagSet, to *int, usage string) {
	*to = runtime.GOMAXPROCS(0)
	NumberFlag(flags, to, "workers", 1, MaxWorkers, usage)
}

// number is the value of a flag. Its limits are checked when all flags have been read.
type number[N int | uint64] struct {
	to          *N
	least, most N
}

// String returns the number.
func (n *number[N]) String() string {
	if n.to == nil { // package flag asks a zero value whether the default is worth a word
		return "0"
	}
	return fmt.Sprint(*n.to)
}

// Set reads the number.
func (n *number[N]) Set(text string) error {
	value, err := strconv.ParseInt(text, 0, 64)
	if err != nil || cmp.Less(N(value), 0) != (value < 0) {
		return errors.New("expected a whole number")
	}
	*n.to = N(value)
	return nil
}

func (n *number[N]) check() error {
	switch {
	case *n.to >= n.least && *n.to <= n.most:
		return nil
	case uint64(n.most) == math.MaxInt:
		return fmt.Errorf("expected at least %d", n.least)
	}
	return fmt.Errorf("expected %d to %d", n.least, n.most)
}
