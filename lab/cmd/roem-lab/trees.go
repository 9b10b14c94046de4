package main

import (
	"context"
	"flag"
	"strings"
	"sync/atomic"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/model/klaverjas/forest"
	"roem/lab/klaverjas/paper"
	"roem/lab/klaverjas/train"
)

func treesTrainCommand() cli.Command {
	return cli.Command{
		Name: "trees-train", Args: "DIR ...",
		Short: "grows the random forest and the decision tree of the paper on data sets",
		Long: `Grows the models of the paper (section 6.2) on data sets of roem-lab klaverjas dataset: a random forest, a decision tree, or both.
They are calibrated on a part of the deals that is not used in training, and measured on the -held-out sets, whose deals and their twins
are not used in training, with the network beside them. The measurements are in the files, and are printed, a line of JSON for each file.

  roem-lab klaverjas dataset -out data/train -sampling class-uniform -seed 101 -n 200000
  roem-lab klaverjas dataset -out data/test -sampling class-uniform -seed 9001 -n 40000
  roem-lab klaverjas trees-train -forest klaverjas.forest -tree klaverjas.tree -held-out data/test data/train

A server with models.forest and models.tree in its configuration, and roem predict with -forest and -tree, answer with them. The same
flags and data sets give identical files, with any number of workers.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &treesFlags{options: train.TreesOptions{Trees: paper.PaperTrees}}
			o := &c.options
			flags.StringVar(&c.forest, "forest", "", "the `file` of the forest to write")
			flags.StringVar(&c.tree, "tree", "", "the `file` of the tree to write")
			flags.StringVar(&c.heldOut, "held-out", "", "data sets whose deals are not used in training: `directories` separated by commas")
			cli.NumberFlag(flags, &c.limit, "limit", 0, index.Classes*1000, "use only the first `n` rows of each data set; 0 for all")
			cli.NumberFlag(flags, &o.Trees, "trees", 1, paper.MaxTrees, "the number of `trees` of the forest")
			flags.StringVar(&o.Version, "version", "1", "the `version` of the models")
			flags.Uint64Var(&o.Seed, "seed", 1, "the `number` from which trees are drawn")
			cli.WorkersFlag(flags, &o.Workers, "grow `n` trees at a time, each on one core")
			return c.run
		},
	}
}

// treesFlags are the flags of the command.
type treesFlags struct {
	forest, tree, heldOut string
	limit                 int
	options               train.TreesOptions
}

func (c *treesFlags) run(ctx context.Context, std cli.Stdio, dirs []string) error {
	if c.forest == "" && c.tree == "" {
		return cli.Usagef("-forest and -tree are missing: the files to write")
	}
	var heldOut []string
	if c.heldOut != "" {
		heldOut = strings.Split(c.heldOut, ",")
	}
	deals, err := train.ReadDeals(ctx, dirs, heldOut, c.limit)
	if err != nil {
		return cli.Plain(err)
	}
	rows, calibration := deals.Len()
	cli.Say(std.Err, "roem-lab klaverjas trees-train: %d rows to train on, %d for the calibration, %d dropped that are held out\n",
		rows, calibration, deals.Dropped)
	for _, one := range []struct {
		kind forest.Kind
		path string
	}{{forest.Tree, c.tree}, {forest.Forest, c.forest}} {
		if one.path == "" {
			continue
		}
		o, trees := c.options, atomic.Int64{}
		o.Kind = one.kind
		o.Grown = func() { cli.Say(std.Err, "roem-lab klaverjas trees-train: %s: tree %d\n", one.kind, trees.Add(1)) }
		grown, err := train.GrowTrees(ctx, deals, o)
		if err != nil {
			return err
		}
		if err := writeDocument(one.path, grown.File); err != nil {
			return cli.Plain(err)
		}
		text, err := cli.Encode(grown)
		if err != nil {
			return err
		}
		if _, err := std.Out.Write(text); err != nil {
			return cli.Writing(err)
		}
	}
	return nil
}
