package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service/klaverjas/hybrid"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/tradeoff"
)

func interruptedCommand() cli.Command {
	return cli.Command{
		Name: "interrupted", Args: "DIR ...", Needs: []string{"out"},
		Short: "learns the weights of the features of interrupted searches",
		Long: `Reads data sets of goal win and interrupts the search of each deal after a random number of cards between
3,000 and 60,000, if the search takes that long. From the progress of these searches and the model's predictions it
learns, by logistic regression, who wins, and writes the regressions to a file such as
internal/service/klaverjas/hybrid/interrupted.json. There must be sets for each declaring side, and they must not
contain the deals on which the hybrid is measured. Run it again after every training of the model.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n       = cli.Number(flags, "n", 200_000, 1, math.MaxInt, "read the first `n` deals of each set")
				workers int
				out     = flags.String("out", "", "the `file` to write")
			)
			cli.WorkersFlag(flags, &workers, "use `n` cores")
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				regressions, err := fitRegressions(ctx, std, args, *n, workers)
				if err != nil {
					return err
				}
				return writeJSON(*out, regressions, "  ")
			}
		},
	}
}

// fitRegressions learns from the first n deals of each set.
func fitRegressions(ctx context.Context, std cli.Stdio, dirs []string, n, workers int) (hybrid.Regressions, error) {
	var regressions hybrid.Regressions
	predict, err := defaultPredict()
	if err != nil {
		return regressions, err
	}
	weights, err := deal.Default()
	if err != nil {
		return regressions, err
	}
	var interrupted [2][]tradeoff.Interrupted // by the team that declares; north leads
	for i, dir := range dirs {
		set, err := dataset.Open(dir)
		if err != nil {
			return regressions, cli.Plain(err)
		}
		deals, _, err := tradeoff.Read(set, n, predict)
		if err != nil {
			return regressions, fmt.Errorf("%s: %w", dir, err)
		}
		bar := newMeter(std.Err, "roem-lab klaverjas interrupted", "deals", len(deals), 10*time.Second)
		some, err := tradeoff.InterruptAll(ctx, deals, uint64(i)<<32, workers, bar.add)
		bar.stop()
		if err != nil {
			return regressions, err
		}
		interrupted[set.Settings.Declarer] = append(interrupted[set.Settings.Declarer], some...)
	}
	for team, regression := range map[piquet.Team]*hybrid.Regression{
		piquet.NorthSouth: &regressions.Leaders,
		piquet.EastWest:   &regressions.Others,
	} {
		if *regression, err = tradeoff.FitRegression(ctx, interrupted[team]); err != nil {
			return regressions, fmt.Errorf("%s declare: %w", team, err)
		}
		w, _ := weights.WeightsFor(klaverjas.DefaultRules(klaverjas.Rotterdam), team == piquet.NorthSouth)
		regression.Model = w.SHA256
	}
	return regressions, nil
}
