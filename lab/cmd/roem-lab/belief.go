package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"

	"roem/internal/cli"
	"roem/internal/model/klaverjas/belief"
	"roem/lab/klaverjas/beliefnet"
	"roem/lab/klaverjas/games"
)

func beliefTrainCommand() cli.Command {
	return cli.Command{
		Name: "belief-train", Args: "FILE ...", Needs: []string{"out"},
		Short: "learns where hidden cards are from games, and writes the weights",
		Long: `Trains the network of beliefs on files of roem-lab klaverjas games and writes the weights to -out. The same flags and
files give the same weights. Every 100 steps it writes the gain in the logarithm of the probability of the true world
to standard error.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				out = flags.String("out", "", "the `file` to write")
				s   = beliefnet.Settings{Hidden: 64, Batch: 128, Steps: 8000, Rate: 0.002, Decay: 1}
			)
			cli.NumberFlag(flags, &s.Hidden, "hidden", 1, belief.MaxHidden, "the `size` of the hidden layer")
			cli.NumberFlag(flags, &s.Batch, "batch", 1, math.MaxInt, "the `number` of views of a step")
			cli.NumberFlag(flags, &s.Steps, "steps", 1, math.MaxInt, "the `number` of steps")
			rate := rateFlags(flags, &s.Rate, &s.Decay)
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if err := rate(); err != nil {
					return err
				}
				all, err := readRows(args, games.Read)
				if err != nil {
					return err
				}
				s.Seed = *seed
				s.Progress = func(step int, loss float64) {
					_, _ = fmt.Fprintf(std.Err, "step %d of %d: %+.4f\n", step, s.Steps, -loss)
				}
				n, err := beliefnet.Train(ctx, all, s)
				if err != nil {
					return err
				}
				return cli.Plain(os.WriteFile(*out, n.Encode(), 0o600))
			}
		},
	}
}

func beliefEvalCommand() cli.Command {
	return cli.Command{
		Name: "belief-eval", Args: "FILE ...",
		Short: "measures beliefs on games that they were not trained on",
		Long: `Measures the embedded belief, or the weights of -model, on files of roem-lab klaverjas games, and writes a Markdown
table: for each trick, the log score of a card under exact uniform knowledge and under the belief, the gain with its
interval of 95 %, how often the most likely holder is the true one, the calibration error, and the error that a
perfectly calibrated belief with these probabilities would show: its mean, and what 95 % of such beliefs do not
exceed.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			file := flags.String("model", "", "a `file` of weights in place of the embedded one")
			simulations := flags.Int("simulations", 200, "simulate the error of a calibrated belief `n` times")
			seed := seedFlag(flags)
			return func(_ context.Context, std cli.Stdio, args []string) error {
				n, err := readWeights(*file, belief.Default, belief.Decode)
				if err != nil {
					return err
				}
				all, err := readRows(args, games.Read)
				if err != nil {
					return err
				}
				views, err := beliefnet.Views(all, *seed)
				if err != nil {
					return err
				}
				uniform, err := beliefnet.Measure(beliefnet.Uniform(), &views, *seed, *simulations)
				if err != nil {
					return err
				}
				scores, err := beliefnet.Measure(beliefnet.Belief("belief", n), &views, *seed, *simulations)
				if err != nil {
					return err
				}
				return cli.Writing(writeScores(std, &uniform, &scores))
			}
		},
	}
}

func writeScores(std cli.Stdio, uniform, scores *[beliefnet.Tricks]beliefnet.Score) error {
	_, err := fmt.Fprintf(std.Out, "| trick | views | cards | uniform | belief | gain a card | gain a world | "+
		"holder right, uniform / belief | "+
		"calibration error | of a calibrated belief |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for t := range scores {
		u, s := &uniform[t], &scores[t]
		gain, deviation := s.Gain(u)
		c := &s.Calibration
		if err == nil {
			_, err = fmt.Fprintf(std.Out, "| %d | %d | %d | %.4f | %.4f | %+.4f ± %.4f | %+.3f | %.1f %% / %.1f %% | "+
				"%.2f points | %.2f, at most %.2f |\n",
				t+1, s.Views, s.Cards, u.Log, s.Log, gain, 1.96*deviation, s.World, 100*u.Right, 100*s.Right, 100*c.ECE(), 100*c.Expected, 100*c.Limit)
		}
	}
	return err
}
