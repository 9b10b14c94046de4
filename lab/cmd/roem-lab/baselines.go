package main

import (
	"context"
	"flag"
	"math"
	"sync"
	"time"

	"roem/internal/cli"
	"roem/lab/klaverjas/baselines"
	"roem/lab/klaverjas/dataset"
)

// baselinesDocuments are the files that the command writes.
func baselinesDocuments() documents[baselines.Results] {
	return documents[baselines.Results]{make: "roem-lab klaverjas baselines -train ... -test ... -out", render: baselines.Render}
}

func baselinesCommand() cli.Command {
	return cli.Command{
		Name: "baselines", Args: "-train DIR -test DIR ... -out DIR | render DIR",
		Short: "trains the baselines on one data set and measures them on others",
		Long: `Trains the baselines, with which the network is compared, on one data set and measures them on others. For
the winner they are the share of wins, logistic regression, the paper's random forest and gradient boosting. For the
effort of the search they are gradient boosting from suit counts alone and from the hands. Deals of the test sets and
their twins are not used in training.

  roem-lab klaverjas dataset -out data/train -sampling class-uniform -seed 101 -n 1500000
  roem-lab klaverjas dataset -out data/test -sampling class-uniform -seed 9001 -n 200000
  roem-lab klaverjas baselines -train data/train -test data/test -out lab/docs/klaverjas/baselines

It writes results.json, and from that a page, models.json and two CSV files. The same sets, seed, -n, -trees and
-rounds give identical files, with any number of workers.

roem-lab klaverjas baselines render DIR writes the other files of DIR again from its results.json.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			const most = 100_000
			c := &baselinesFlags{options: baselines.Default(), progressEvery: 10 * time.Second}
			flags.StringVar(&c.train, "train", "", "the `directory` of the data set to train on")
			flags.Func("test", "the `directory` of a data set to measure on; can be repeated", func(dir string) error {
				c.tests = append(c.tests, dir)
				return nil
			})
			flags.StringVar(&c.out, "out", "", "the `directory` to write to; it is created if it does not exist")
			cli.NumberFlag(flags, &c.options.Rows, "n", 0, math.MaxInt, "train on the first `n` deals of the set; 0 for all")
			cli.NumberFlag(flags, &c.options.Trees, "trees", 1, most, "the number of `trees` of the random forest")
			cli.NumberFlag(flags, &c.options.Rounds, "rounds", 1, most, "the number of `trees` of gradient boosting")
			cli.WorkersFlag(flags, &c.options.Workers, "use `n` cores")
			flags.Uint64Var(&c.options.Seed, "seed", c.options.Seed, "the `number` from which trees are drawn")
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				return baselinesDocuments().command(flags, args, func() error { return c.run(ctx, std) })
			}
		},
	}
}

// baselinesFlags are the flags of the command.
type baselinesFlags struct {
	train, out    string
	tests         []string
	options       baselines.Options
	progressEvery time.Duration
}

func (c *baselinesFlags) run(ctx context.Context, std cli.Stdio) error {
	o := c.options
	switch {
	case c.train == "":
		return cli.Usagef("-train is missing: the directory of the data set to train on")
	case len(c.tests) == 0:
		return cli.Usagef("-test is missing: the directory of a data set to measure on")
	case c.out == "":
		return cli.Usagef("-out is missing: the directory to write to")
	}
	train, err := dataset.Open(c.train)
	if err != nil {
		return cli.Plain(err)
	}
	var tests []*dataset.Set
	for _, dir := range c.tests {
		set, err := dataset.Open(dir)
		if err != nil {
			return cli.Plain(err)
		}
		tests = append(tests, set)
	}
	o.Told = c.tell(std)
	r, err := baselines.Run(ctx, train, tests, o)
	if err != nil {
		return err
	}
	return baselinesDocuments().write(c.out, r)
}

// tell returns a function that prints progress: each step when it starts, and then at intervals.
func (c *baselinesFlags) tell(std cli.Stdio) func(string, int, int) {
	var mu sync.Mutex
	step, last := "", time.Now()
	return func(now string, done, of int) {
		mu.Lock()
		defer mu.Unlock()
		if now == step && time.Since(last) < c.progressEvery {
			return
		}
		if now != step {
			cli.Say(std.Err, "roem-lab klaverjas baselines: %s\n", now)
		} else {
			cli.Say(std.Err, "roem-lab klaverjas baselines: %s: %d of %d\n", now, done, of)
		}
		step, last = now, time.Now()
	}
}
