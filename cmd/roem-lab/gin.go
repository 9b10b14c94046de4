package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"roem/internal/cli"
	"roem/internal/lab/ginrummy"
	"roem/internal/model/ginrummy/hand"
)

// ginHeldSeed is the seed of the deals that estimates of Gin Rummy are measured on. No training has it.
const ginHeldSeed = 9002

func ginTrainCommand() cli.Command {
	return cli.Command{
		Name:  "train",
		Short: "learns to estimate the hand of the opponent in Gin Rummy, and writes the weights",
		Long: `Lets simple players play the deals 0 to -deals - 1 of the seed -data, trains the network of the estimate on
what each of them saw, and writes the weights to -out. The same flags give the same weights. Every 200 steps it writes
the gain in the logarithm of the probability of the true hand over uniform hands to standard error, and after each
epoch the log loss of a card on other deals.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			out := flags.String("out", "", "the `file` to write")
			var s ginrummy.Settings
			flags.IntVar(&s.Hidden, "hidden", 48, "the `width` of the network, a multiple of 16")
			flags.IntVar(&s.Batch, "batch", 64, "the `rows` of a step")
			flags.IntVar(&s.Epochs, "epochs", 4, "the `number` of times that each row is learned from")
			flags.Float64Var(&s.Rate, "rate", 0.002, "the learning `rate`")
			flags.Float64Var(&s.Decay, "decay", 1, "the weight `decay`, in units of the rate")
			flags.Uint64Var(&s.Deals, "deals", 15000, "the `number` of deals")
			flags.Uint64Var(&s.Data, "data", 9001, "the `seed` of the deals")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				switch {
				case *out == "" || len(args) > 0:
					return cli.Usagef("expected -out and no argument")
				case s.Hidden < 16 || s.Hidden > hand.MaxHidden || s.Hidden%16 != 0 || s.Batch < 8 || s.Epochs < 1 || s.Deals < 1:
					return cli.Usagef("expected -hidden from 16 to %d in steps of 16, -batch, -epochs and -deals from 1", hand.MaxHidden)
				case !(s.Rate > 0 && s.Rate < 1) || !(s.Decay >= 0 && s.Decay*s.Rate < 1):
					return cli.Usagef("expected -rate between 0 and 1, and -decay from 0 to 1/rate")
				case s.Data == ginHeldSeed:
					return cli.Usagef("-data %d is the seed of the deals that are held back", ginHeldSeed)
				}
				held, err := ginrummy.Held(ctx, ginHeldSeed, 400)
				if err != nil {
					return err
				}
				s.Seed = seed.Value
				s.Progress = func(step, steps int, loss float64) {
					_, _ = fmt.Fprintf(std.Err, "step %d of %d: %+.4f\n", step, steps, -loss)
				}
				s.Each = func(epoch int, n *hand.Network) error {
					score := ginrummy.Measure(ginrummy.Network("network", n), held)
					_, err := fmt.Fprintf(std.Err, "epoch %d: log loss %.4f, top ten %.4f, calibration error %.4f\n", epoch+1,
						score.LogLoss().Mean, score.TopTen().Mean, score.ECE())
					if err != nil {
						return err
					}
					return os.WriteFile(*out, n.Encode(), 0o600)
				}
				_, err = ginrummy.Train(ctx, s)
				return cli.Plain(err)
			}
		},
	}
}
