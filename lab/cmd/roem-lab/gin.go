package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"

	"roem/internal/cli"
	"roem/internal/model/ginrummy/hand"
	"roem/lab/ginrummy"
)

// ginHeldSeed is the seed of the deals that estimates of Gin Rummy are measured on. No training has it.
const ginHeldSeed = 9002

func ginTrainCommand() cli.Command {
	return cli.Command{
		Name: "train", Needs: []string{"out"},
		Short: "learns to estimate the hand of the opponent in Gin Rummy, and writes the weights",
		Long: `Lets simple players play the deals 0 to -deals - 1 of the seed -data, trains the network of the estimate on
what each of them saw, and writes the weights to -out. The same flags give the same weights. Every 200 steps it writes
the gain in the logarithm of the probability of the true hand over uniform hands to standard error, and after each
epoch the log loss of a card on other deals.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			out := flags.String("out", "", "the `file` to write")
			s := ginrummy.Settings{Hidden: 48, Batch: 64, Epochs: 4, Rate: 0.002, Decay: 1, Deals: 15000}
			cli.NumberFlag(flags, &s.Hidden, "hidden", 16, hand.MaxHidden, "the `width` of the network, a multiple of 16")
			cli.NumberFlag(flags, &s.Batch, "batch", 8, math.MaxInt, "the `rows` of a step")
			cli.NumberFlag(flags, &s.Epochs, "epochs", 1, math.MaxInt, "how many `times` the network learns from each row")
			rate := rateFlags(flags, &s.Rate, &s.Decay)
			cli.NumberFlag(flags, &s.Deals, "deals", 1, math.MaxInt, "the `number` of deals")
			flags.Uint64Var(&s.Data, "data", 9001, "the `seed` of the deals")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				switch {
				case s.Hidden%16 != 0:
					return cli.Usagef("-hidden %d: expected a multiple of 16", s.Hidden)
				case s.Data == ginHeldSeed:
					return cli.Usagef("-data %d is the seed of the held-out deals", ginHeldSeed)
				}
				if err := rate(); err != nil {
					return err
				}
				held, err := ginrummy.Held(ctx, ginHeldSeed, 400)
				if err != nil {
					return err
				}
				s.Seed = *seed
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
