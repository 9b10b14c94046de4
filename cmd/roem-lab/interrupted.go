package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/lab/klaverjas/dataset"
	"roem/internal/lab/klaverjas/tradeoff"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service/klaverjas/hybrid"
)

func interruptedCommand() cli.Command {
	return cli.Command{
		Name: "interrupted", Args: "DIR ...",
		Short: "learns the weights of the features of interrupted searches",
		Long: `Reads data sets of goal win and interrupts the search of each deal after a random number of cards between
3,000 and 60,000, if the search takes that long. From the progress of these searches and the model's predictions it
learns, by logistic regression, who wins, and writes the regressions to a file such as
internal/service/klaverjas/hybrid/interrupted.json. There must be sets for each declaring side, and they must not
contain the deals on which the hybrid is measured. Run it again after every training of the model.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n       = flags.Int("n", 200_000, "read the first `n` deals of each set")
				workers = flags.Int("workers", runtime.GOMAXPROCS(0), "use `n` cores")
				out     = flags.String("out", "", "the `file` to write")
			)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				switch {
				case *out == "":
					return cli.Usagef("-out is missing: the file to write")
				case len(args) == 0:
					return cli.Usagef("no data set: give their directories")
				case *n < 1:
					return cli.Usagef("-n %d: expected at least 1", *n)
				case *workers < 1 || *workers > cli.MaxWorkers:
					return cli.Usagef("-workers %d: expected 1 to %d", *workers, cli.MaxWorkers)
				}
				regressions, err := fitRegressions(ctx, std, args, *n, *workers)
				if err != nil {
					return err
				}
				text, err := json.MarshalIndent(regressions, "", "  ")
				if err != nil {
					return err
				}
				return cli.Plain(os.WriteFile(*out, append(text, '\n'), 0o644)) //nolint:gosec // no secret
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
