package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"roem/internal/cli"
)

// readRows reads the rows of files, such as games, in order.
func readRows[Row any](files []string, read func(io.Reader) ([]Row, error)) (all []Row, err error) {
	for _, name := range files {
		file, err := os.Open(name) //nolint:gosec // the user names the files
		if err != nil {
			return nil, cli.UsageError{Err: cli.Plain(err)}
		}
		some, err := read(file)
		_ = file.Close() // only read
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// readWeights reads a file of weights. Without a name it returns the weights of the program.
func readWeights[N any](name string, embedded func() (N, error), decode func([]byte) (N, error)) (n N, err error) {
	if name == "" {
		return embedded()
	}
	file, err := os.ReadFile(name) //nolint:gosec // the user names the file
	if err != nil {
		return n, cli.UsageError{Err: cli.Plain(err)}
	}
	if n, err = decode(file); err != nil {
		return n, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// rateFlags adds the flags of the learning rate and the decay, whose defaults are their values. The function that it returns checks them.
func rateFlags(flags *flag.FlagSet, rate, decay *float64) func() error {
	flags.Float64Var(rate, "rate", *rate, "the learning `rate`")
	flags.Float64Var(decay, "decay", *decay, "the weight `decay`, in units of the rate")
	return func() error {
		if !(*rate > 0 && *rate < 1) || !(*decay >= 0 && *decay**rate < 1) {
			return cli.Usagef("expected -rate between 0 and 1, and -decay from 0 to 1/rate")
		}
		return nil
	}
}

// seedFlag adds the flag -seed of a command that draws the same each time unless it is given.
func seedFlag(flags *flag.FlagSet) *uint64 {
	return flags.Uint64("seed", 0, "the `number` from which everything is drawn")
}
