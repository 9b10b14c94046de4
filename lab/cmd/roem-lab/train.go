package main

import (
	"context"
	"errors"
	"flag"
	"strings"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas/index"
	"roem/lab/klaverjas/floatnet"
	"roem/lab/klaverjas/train"
)

func trainCommand() cli.Command {
	return cli.Command{
		Name: "train", Args: "DIR ...", Needs: []string{"out"},
		Short: "trains the weights of the model on data sets",
		Long: `Trains the network on data sets of roem-lab klaverjas dataset, calibrates it on a part of the deals that is not used in
training, and writes a file of weights. Deals of the -held-out sets and their twins are not used in training.

The same flags and data sets give identical files, with any number of workers.

lab/docs/klaverjas/model-card.md contains the commands with which the embedded weights were made.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &trainFlags{}
			c.add(flags)
			return c.run
		},
	}
}

// trainFlags are the flags of the command.
type trainFlags struct {
	out, heldOut, start string
	limit               int
	options             train.Options
}

func (c *trainFlags) add(flags *flag.FlagSet) {
	o := &c.options
	flags.StringVar(&c.out, "out", "", "the `file` of weights to write")
	flags.StringVar(&c.heldOut, "held-out", "", "data sets whose deals are not used in training: `directories` separated by commas")
	flags.StringVar(&c.start, "start", "", "a `file` of weights to start from, which also determines the shape")
	cli.NumberFlag(flags, &c.limit, "limit", 0, index.Classes*1000, "use only the first `n` rows of each data set; 0 for all")
	flags.StringVar(&o.Version, "version", "1", "the `version` of the weights")
	cli.WorkersFlag(flags, &o.Workers, "use `n` cores")
	flags.Uint64Var(&o.Seed, "seed", 1, "the `number` from which the initial parameters and the order of the rows are drawn")
	flags.IntVar(&o.Shape.Width, "width", 64, "the `width` of the code of a suit, a multiple of 16")
	flags.IntVar(&o.Shape.Layers, "layers", 2, "the number of `layers` in which the codes of the suits are combined")
	flags.IntVar(&o.Shape.Head[0], "head", 128, "the `width` of the first dense layer; the second has 32")
	o.Shape.Head[1] = 32
	flags.IntVar(&o.Batch, "batch", 2048, "the number of `rows` of a step, a multiple of 512")
	flags.Int64Var(&o.Examples, "rows", 50_000_000, "the number of `examples`: rows used in training, including repetitions")
	flags.Float64Var(&o.Rate, "rate", 0.01, "the maximum learning `rate`")
	flags.Float64Var(&o.EndRate, "end-rate", 0, "the learning rate at the end, as a `share` of the maximum")
	flags.Float64Var(&o.Decay, "decay", 0.02, "the weight `decay`")
	flags.Float64Var(&o.OutcomeWeight, "outcome-weight", 0.1, "the `weight` of the loss of the outcome, relative to the winner's")
	flags.Float64Var(&o.EffortWeight, "effort-weight", 0.05, "the `weight` of the losses of the effort, relative to the winner's")
}

func (c *trainFlags) run(ctx context.Context, std cli.Stdio, dirs []string) error {
	if c.start != "" {
		var err error
		if c.options.Start, err = readWeights(c.start, nil, train.Open); err != nil {
			return err
		}
		c.options.Shape = c.options.Start.Network.Shape()
	}
	if err := floatnet.Validate(&c.options.Training); err != nil {
		return cli.UsageError{Err: err}
	}
	var heldOut []string
	if c.heldOut != "" {
		heldOut = strings.Split(c.heldOut, ",")
	}
	rows, err := train.Read(ctx, dirs, heldOut, c.limit)
	if err != nil {
		return cli.Plain(err)
	}
	cli.Say(std.Err, "roem-lab klaverjas train: %d rows to train on, %d for the calibration, %d dropped that are held out\n",
		len(rows.Train), len(rows.Calibration), rows.Dropped)
	c.options.Tell = func(p floatnet.Progress) {
		l := p.Losses
		cli.Say(std.Err, "roem-lab klaverjas train: step %d of %d: log loss %.4f, %.2f %% right, outcome off by %.1f, effort %.4f\n",
			p.Step, p.Steps, l.Win, 100*l.Right, 100*l.Outcome, l.Effort)
	}
	file, err := train.Train(ctx, rows, c.options)
	if err != nil {
		return err
	}
	if len(file) == 0 {
		return errors.New("no weights")
	}
	return cli.Plain(writeDocument(c.out, file))
}
