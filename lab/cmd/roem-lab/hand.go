package main

import (
	"context"
	"flag"
	"math"
	"strconv"
	"strings"
	"time"

	"roem/internal/cli"
	"roem/internal/model/klaverjas/hand"
	"roem/lab/klaverjas/handnet"
)

func handTrainCommand() cli.Command {
	return cli.Command{
		Name: "hand-train", Args: "DIR ...", Needs: []string{"out"},
		Short: "distils the hand model from the deal network",
		Long: `Trains the network of the hand model on predictions of the deal network for random deals, and writes a file
of weights. The data sets, of goal value with uniform sampling, one for each declaring side of each rule set, give the
outcomes of deals by what the deal network predicts of them. The deal network must not have been trained on them.

The same flags and data sets give identical files, with any number of workers.

lab/docs/klaverjas/hand-model.md contains the commands with which the embedded weights were made.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &handTrainFlags{}
			c.add(flags)
			return c.run
		},
	}
}

// handTrainFlags are the flags of hand-train.
type handTrainFlags struct {
	out, model, hidden string
	options            handnet.Options
}

func (c *handTrainFlags) add(flags *flag.FlagSet) {
	o := &c.options
	flags.StringVar(&c.out, "out", "", "the `file` of weights to write")
	flags.StringVar(&c.model, "model", "", "`files` of weights of the deal network, separated by commas (default: the embedded weights)")
	flags.StringVar(&o.Version, "version", "1", "the `version` of the weights")
	flags.IntVar(&o.Width, "width", 128, "the `width` of the tables, a multiple of 16")
	flags.StringVar(&c.hidden, "hidden", "96,64", "the `widths` of the hidden layers, multiples of 16, separated by commas")
	cli.WorkersFlag(flags, &o.Workers, "use `n` cores")
	flags.Uint64Var(&o.Seed, "seed", 1, "the `number` from which the initial parameters and the deals are drawn")
	flags.Int64Var(&o.Examples, "rows", 20_000_000, "the number of `examples`: hands with their labels")
	flags.IntVar(&o.Batch, "batch", 1024, "the number of `examples` of a step, a multiple of 512")
	flags.Float64Var(&o.Rate, "rate", 0.004, "the maximum learning `rate`; it falls to 0")
	flags.Float64Var(&o.Decay, "decay", 0.02, "the weight `decay`")
	flags.Float64Var(&o.RestDecay, "rest-decay", 0.1, "the weight `decay` of the terms for sets of more than two cards")
	flags.Float64Var(&o.PitWeight, "pit-weight", 0.3, "the `weight` of the loss of the pit, relative to the winner's")
	flags.Float64Var(&o.MeanWeight, "mean-weight", 0.05, "the `weight` of the loss of the mean outcome, relative to the winner's")
	flags.Float64Var(&o.QuantileWeight, "quantile-weight", 0.05, "the `weight` of the losses of the quantiles, relative to the winner's")
}

func (c *handTrainFlags) run(ctx context.Context, std cli.Stdio, dirs []string) error {
	for text := range strings.SplitSeq(c.hidden, ",") {
		width, err := strconv.Atoi(text)
		if err != nil {
			return cli.Usagef("-hidden %.40q: expected widths separated by commas", c.hidden)
		}
		c.options.Hidden = append(c.options.Hidden, width)
	}
	if err := handnet.Validate(&c.options); err != nil {
		return cli.UsageError{Err: err}
	}
	m, err := readModel(c.model)
	if err != nil {
		return cli.Plain(err)
	}
	rules, teachers, err := handnet.ReadTeachers(ctx, m, dirs)
	if err != nil {
		return cli.Plain(err)
	}
	c.options.Tell = func(p handnet.Progress) {
		l := p.Losses
		cli.Say(std.Err, "roem-lab klaverjas hand-train: step %d of %d: log loss %.5f over the least, off by %.2f points, mean outcome by %.2f, "+
			"quantiles by %.2f points\n",
			p.Step, p.Steps, l.Win, 100*l.Error, 100*l.Mean, 100*l.Quantile)
	}
	file, err := handnet.Train(ctx, m, rules, teachers, c.options)
	if err != nil {
		return err
	}
	return cli.Plain(writeDocument(c.out, file))
}

func handEvalCommand() cli.Command {
	return cli.Command{
		Name:  "hand-eval",
		Short: "measures the hand model",
		Long: `Compares the hand model with the deal network over many deals of the other cards, for hands that are held out
from its training. It writes the document lab/docs/klaverjas/hand-model.md.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				c     = handnet.Check{Hands: 100, Worlds: 20_000}
				file  = flags.String("model", "", "the `file` of weights of the hand model (default: the embedded weights)")
				deals = flags.String("deal-model", "", "`files` of weights of the deal network, separated by commas (default: the embedded weights)")
			)
			cli.NumberFlag(flags, &c.Hands, "n", 1, math.MaxInt, "the number of `hands` for each rule set, place of the leader and declaring side")
			cli.NumberFlag(flags, &c.Worlds, "worlds", 1, math.MaxInt, "the number of `deals` of the other cards for each hand")
			flags.Uint64Var(&c.Seed, "seed", 9001, "the `number` from which the hands and the deals are drawn")
			cli.WorkersFlag(flags, &c.Workers, "use `n` cores")
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				return measureHands(ctx, std, c, *file, *deals)
			}
		},
	}
}

func measureHands(ctx context.Context, std cli.Stdio, c handnet.Check, file, dealFiles string) error {
	deals, err := readModel(dealFiles)
	if err != nil {
		return cli.Plain(err)
	}
	r := handnet.Report{Check: c}
	if r.Model, err = readWeights(file, hand.Embedded, hand.Load); err != nil {
		return err
	}
	bar := newMeter(std.Err, "roem-lab klaverjas hand-eval", "hands", 8*len(r.Model.Header().Rules)*c.Hands, 10*time.Second)
	c.Tell = bar.add
	r.Errors, err = handnet.Measure(ctx, r.Model, deals, c)
	bar.stop()
	if err != nil {
		return err
	}
	return cli.Print(std, r.Markdown())
}
