package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"roem/internal/cards"
	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/hybrid"
	"roem/internal/lab/dataset"
	"roem/internal/lab/tradeoff"
	"roem/internal/model"
)

func evidenceCommand() cli.Command {
	return cli.Command{
		Name: "evidence", Args: "DIR ...",
		Short: "learns what a search that was stopped tells of the answer",
		Long: `Reads data sets of goal win, stops the search of each deal that takes long enough somewhere between 3,000 and 60,000 cards, and finds out
how far it had come there, beside what the model says, goes with who wins. It writes the scales of internal/hybrid/evidence.json.
There must be sets of both sides declaring, and no deals that the hybrid is measured on. To be run again whenever the model is trained again.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n       = flags.Int("n", 200_000, "read the first `n` deals of each set")
				workers = flags.Int("workers", runtime.GOMAXPROCS(0), "search on `n` cores")
				out     = flags.String("out", "", "the `file` to write")
			)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				switch {
				case *out == "":
					return cli.Usagef("-out is missing: the file to write")
				case len(args) == 0:
					return cli.Usagef("which data sets? Name their directories")
				case *n < 1:
					return cli.Usagef("-n %d: expected at least 1", *n)
				case *workers < 1 || *workers > cli.MaxWorkers:
					return cli.Usagef("-workers %d: expected 1 to %d", *workers, cli.MaxWorkers)
				}
				scales, err := fitEvidence(ctx, std, args, *n, *workers)
				if err != nil {
					return err
				}
				text, err := json.MarshalIndent(scales, "", "  ")
				if err != nil {
					return err
				}
				return cli.Plain(os.WriteFile(*out, append(text, '\n'), 0o644)) //nolint:gosec // no secret
			}
		},
	}
}

// fitEvidence learns from the first n deals of each set.
func fitEvidence(ctx context.Context, std cli.Stdio, dirs []string, n, workers int) (hybrid.Scales, error) {
	var scales hybrid.Scales
	predict, err := defaultPredict()
	if err != nil {
		return scales, err
	}
	weights, err := model.Default()
	if err != nil {
		return scales, err
	}
	var stopped [2][]tradeoff.Stopped // by the team that declares; north leads
	for i, dir := range dirs {
		set, err := dataset.Open(dir)
		if err != nil {
			return scales, cli.Plain(err)
		}
		deals, _, err := tradeoff.Read(set, n, predict)
		if err != nil {
			return scales, fmt.Errorf("%s: %w", dir, err)
		}
		bar := newMeter(std.Err, "roem-lab evidence", "deals", len(deals), 10*time.Second)
		some, err := tradeoff.StopAll(ctx, deals, uint64(i)<<32, workers, bar.add)
		bar.stop()
		if err != nil {
			return scales, err
		}
		stopped[set.Settings.Declarer] = append(stopped[set.Settings.Declarer], some...)
	}
	for team, scale := range map[cards.Team]*hybrid.Scale{cards.NorthSouth: &scales.Leaders, cards.EastWest: &scales.Others} {
		if *scale, err = tradeoff.FitScale(ctx, stopped[team]); err != nil {
			return scales, fmt.Errorf("%s declare: %w", team, err)
		}
		judge, _ := weights.WeightsFor(klaverjas.DefaultRules(klaverjas.Rotterdam), team == cards.NorthSouth)
		scale.Model = judge.SHA256
	}
	return scales, nil
}
