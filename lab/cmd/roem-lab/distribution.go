package main

import (
	"context"
	"flag"
	"fmt"
	"math"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/distribution"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/tradeoff"
)

func distributionCommand() cli.Command {
	return cli.Command{
		Name: "distribution", Args: "DIR ...", Needs: []string{"out"},
		Short: "learns how many nodes a search takes from the suit distribution alone",
		Long: `Reads data sets of goal win and fits, by least squares, the logarithm of the nodes of the search to numbers of the
suit-distribution class of each deal. It writes the regressions to a file such as
internal/model/klaverjas/distribution/weights.json. There must be sets of the default rules of rotterdam and of amsterdam for each
declaring side, and they must not contain the deals on which the hybrid is measured.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n   = cli.Number(flags, "n", 0, 0, math.MaxInt, "read the first `n` deals of each set (default all)")
				out = flags.String("out", "", "the `file` to write")
			)
			return func(_ context.Context, _ cli.Stdio, args []string) error {
				regressions, err := fitClasses(args, *n)
				if err != nil {
					return err
				}
				return writeJSON(*out, regressions, "  ")
			}
		},
	}
}

// fitClasses learns from the first n deals of each set.
func fitClasses(dirs []string, n int) (*distribution.Regressions, error) {
	rows := map[*distribution.Regression][]tradeoff.ClassRow{}
	regressions := new(distribution.Regressions)
	for _, dir := range dirs {
		set, err := dataset.Open(dir)
		if err != nil {
			return nil, cli.Plain(err)
		}
		rules := set.Settings.Rules
		if rules != klaverjas.DefaultRules(rules.System) {
			return nil, fmt.Errorf("%s: its rules are not the default rules of a system", dir)
		}
		some, err := tradeoff.ClassRows(set, n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		of := regressions.Of(rules.System, set.Settings.Declarer == piquet.NorthSouth)
		rows[of] = append(rows[of], some...)
	}
	for _, system := range []klaverjas.System{klaverjas.Rotterdam, klaverjas.Amsterdam} {
		for _, leaders := range []bool{true, false} {
			of := regressions.Of(system, leaders)
			r, err := tradeoff.FitClasses(rows[of])
			if err != nil {
				return nil, fmt.Errorf("%s, the leader's team declares: %v: %w", system, leaders, err)
			}
			*of = r
		}
	}
	return regressions, nil
}
