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

func policyEvalCommand() cli.Command {
	return cli.Command{
		Name: "policy-eval", Args: "FILE ...",
		Short: "measures policies on games that they were not trained on",
		Long: `Measures the embedded policies, or the policies of -policy and -imitation, on files of roem-lab klaverjas games, and writes
two Markdown tables. The first says for each trick how well the policies predict the choices of the players. The
second says for each trick what the weights of worlds tell about the hidden cards: by how much the logarithm of the
probability of the true world exceeds the logarithm under equal weights, with intervals of 95 % over the hands, and which share of
the worlds is effective. The true world is one of -worlds drawn ones, or of all.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				best      = flags.String("policy", "", "a `file` of weights in place of the embedded policy")
				imitation = flags.String("imitation", "", "a `file` of weights in place of the embedded imitation")
				worlds    = cli.Number(flags, "worlds", 200, 2, 100_000, "the `number` of worlds that are weighed in a view")
				seed      = seedFlag(flags)
			)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				var networks [2]*policy.Network
				var err error
				if networks[0], err = readWeights(*best, policy.Default, policy.Decode); err != nil {
					return err
				}
				if networks[1], err = readWeights(*imitation, policy.Imitation, policy.Decode); err != nil {
					return err
				}
				all, err := readRows(args, games.Read)
				if err != nil {
					return err
				}
				if err := writePrediction(std, networks, decisionsOf(all)); err != nil {
					return cli.Writing(err)
				}
				rows, err := policynet.Weighing(ctx, networks[0], networks[1], all, policynet.WeighingSettings{Worlds: *worlds, Seed: *seed})
				if err != nil {
					return err
				}
				return cli.Writing(writeWeighing(std, rows))
			}
		},
	}
}

func writePrediction(std cli.Stdio, networks [2]*policy.Network, all []policynet.Decision) error {
	best, imitation := policynet.Measure(networks[0], all), policynet.Measure(networks[1], all)
	_, err := fmt.Fprintf(std.Out, "| trick | decisions | uniform | policy | imitation | right, policy / imitation "+
		"|\n|---|---|---|---|---|---|\n")
	for i := range best {
		name := fmt.Sprint(i + 1)
		if i == len(best)-1 {
			name = "all"
		}
		if best[i].Decisions == 0 { // the last trick leaves no choice
			continue
		}
		b, m := &best[i], &imitation[i]
		if err == nil {
			_, err = fmt.Fprintf(std.Out, "| %s | %d | %.3f | %.3f | %.3f | %.1f %% / %.1f %% |\n",
				name, b.Decisions, b.Uniform, b.Loss, m.Loss, 100*b.Right, 100*m.Right)
		}
	}
	return err
}

func writeWeighing(std cli.Stdio, rows []policynet.Weighed) error {
	_, err := fmt.Fprintf(std.Out, "\n| players | power |")
	for t := range policynet.WeighedTricks {
		if err == nil {
			_, err = fmt.Fprintf(std.Out, " trick %d |", t+1)
		}
	}
	if err == nil {
		_, err = fmt.Fprintf(std.Out, "\n|---|---|---|---|---|---|---|---|---|\n")
	}
	for i := range rows {
		r := &rows[i]
		if err == nil {
			_, err = fmt.Fprintf(std.Out, "| %s | %g |", r.Players, r.Power)
		}
		for t := range r.Tricks {
			s := &r.Tricks[t]
			if err == nil {
				_, err = fmt.Fprintf(std.Out, " %+.3f ± %.3f, %.0f %% |", s.Gain(), 1.96*s.GainError(), 100*s.Effective())
			}
		}
		if err == nil {
			_, err = fmt.Fprintln(std.Out)
		}
	}
	return err
}

// decisionsOf returns the choices of games.
func decisionsOf(all []games.Game) []policynet.Decision {
	var list []policynet.Decision
	for i := range all {
		list = policynet.Decisions(list, &all[i])
	}
	return list
}
