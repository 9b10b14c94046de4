package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"

	"roem/internal/cli"
	"roem/internal/model/klaverjas/policy"
	"roem/lab/klaverjas/games"
	"roem/lab/klaverjas/policynet"
)

func policyImitateCommand() cli.Command {
	return cli.Command{
		Name: "policy-imitate", Args: "FILE ...", Needs: []string{"out"},
		Short: "learns the choices of the players of games, and writes the weights of a policy",
		Long: `Trains a policy to choose as the players did in files of roem-lab klaverjas games, and writes the weights to -out. The
same flags and files give the same weights. Every 200 steps it writes the mean negative logarithm of the probability
of the choice to standard error.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				start = flags.String("start", "", "a `file` of weights to start from, in place of random ones; its hidden layer counts")
				out   = flags.String("out", "", "the `file` to write")
				s     = policynet.Imitation{Hidden: 64, Batch: 256, Steps: 6000, Rate: 0.002, Decay: 0.2}
			)
			cli.NumberFlag(flags, &s.Hidden, "hidden", 8, policy.MaxHidden, "the `size` of the hidden layer")
			cli.NumberFlag(flags, &s.Batch, "batch", 1, math.MaxInt, "the `number` of decisions of a step")
			cli.NumberFlag(flags, &s.Steps, "steps", 1, math.MaxInt, "the `number` of steps")
			rate := rateFlags(flags, &s.Rate, &s.Decay)
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if s.Hidden%8 != 0 {
					return cli.Usagef("-hidden %d: expected a multiple of 8 up to %d", s.Hidden, policy.MaxHidden)
				}
				if err := rate(); err != nil {
					return err
				}
				all, err := readRows(args, games.Read)
				if err != nil {
					return err
				}
				if *start != "" {
					if s.Start, err = readWeights(*start, policy.Default, policy.Decode); err != nil {
						return err
					}
				}
				s.Seed = *seed
				s.Progress = func(step int, loss float64) {
					_, _ = fmt.Fprintf(std.Err, "step %d of %d: %.4f\n", step, s.Steps, loss)
				}
				n, err := policynet.Imitate(ctx, decisionsOf(all), s)
				if err != nil {
					return err
				}
				return cli.Plain(os.WriteFile(*out, n.Encode(), 0o600))
			}
		},
	}
}

func policyImproveCommand() cli.Command {
	return cli.Command{
		Name: "policy-improve", Needs: []string{"start", "out"},
		Short: "trains a policy by its own results, and writes the weights",
		Long: `Trains the policy of -start by its own results in random hands and writes the weights to -out. The same flags
and start give the same weights. Every 200 steps it writes what the choices earned above a random card, in points a
decision, to standard error.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				start = flags.String("start", "", "the `file` of weights to start from")
				out   = flags.String("out", "", "the `file` to write")
				s     = policynet.Improvement{Batch: 512, PerGame: 4, Steps: 16000}
			)
			cli.NumberFlag(flags, &s.Batch, "batch", 1, math.MaxInt, "the `number` of decisions of a step")
			cli.NumberFlag(flags, &s.PerGame, "perhand", 1, math.MaxInt, "the `number` of decisions of a hand that are learned from")
			cli.NumberFlag(flags, &s.Steps, "steps", 1, math.MaxInt, "the `number` of steps")
			flags.Float64Var(&s.Rate, "rate", 0.001, "the learning `rate`")
			flags.Float64Var(&s.Entropy, "entropy", 0.01, fmt.Sprintf("what a nat of entropy is `worth`, in units of %d points", policynet.Scale))
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				if !(s.Rate > 0 && s.Rate < 1) || !(s.Entropy >= 0 && s.Entropy < 1) {
					return cli.Usagef("expected -rate between 0 and 1, and -entropy from 0 to 1")
				}
				n, err := readWeights(*start, policy.Default, policy.Decode)
				if err != nil {
					return err
				}
				s.Seed = *seed
				s.Progress = func(step int, gain float64) error {
					_, err := fmt.Fprintf(std.Err, "step %d of %d: %+.2f points\n", step, s.Steps, gain)
					return err
				}
				if err := policynet.Improve(ctx, n, s); err != nil {
					return err
				}
				return cli.Plain(os.WriteFile(*out, n.Encode(), 0o600))
			}
		},
	}
}

// decisionsOf returns the choices of games.
func decisionsOf(all []games.Game) []policynet.Decision {
	var list []policynet.Decision
	for i := range all {
		list = policynet.Decisions(list, &all[i])
	}
	return list
}
