package main

import (
	"context"
	"flag"
	"runtime"
	"sync"
	"time"

	"roem/internal/lab/baselines"
	"roem/internal/lab/dataset"
)

// ladderDocuments are what the experiment leaves behind.
func ladderDocuments() documents[baselines.Results] {
	return documents[baselines.Results]{make: "roem ladder -train ... -test ... -out", render: baselines.Render}
}

func ladderCommand() command {
	return command{
		name: "ladder", args: "-train DIR -test DIR ... -out DIR | render DIR",
		short: "classical models, trained on one data set and measured on others",
		long: `Trains the models that a network must beat on one data set, and measures them on others: for who wins the share of wins,
logistic regression, the paper's random forest and gradient boosting; for how much searching a deal takes, gradient boosting
from suit counts alone and from the hands. Deals of the test sets are left out of the training, under whatever names of suits.

  roem dataset -out data/train -sampling class-uniform -seed 101 -n 1500000
  roem dataset -out data/test -sampling class-uniform -seed 9001 -n 200000
  roem ladder -train data/train -test data/test -out docs/baselines

It writes results.json, and from that a page and two CSV files. The same sets, seed, -n, -trees and -rounds give the same files,
byte for byte, whatever the number of workers.

roem ladder render DIR writes the page and the CSV files of DIR anew from its results.json.`,
		setup: func(flags *flag.FlagSet) func(context.Context, stdio, []string) error {
			o := baselines.Default()
			c := &ladderFlags{options: o, progressEvery: 10 * time.Second}
			flags.StringVar(&c.train, "train", "", "the `directory` of the data set to train on")
			flags.Func("test", "the `directory` of a data set to measure on; may be given again", func(dir string) error {
				c.tests = append(c.tests, dir)
				return nil
			})
			flags.StringVar(&c.out, "out", "", "the `directory` to write to, made if need be")
			flags.IntVar(&c.options.Rows, "n", 0, "train on the first `n` deals of the set; 0 for all")
			flags.IntVar(&c.options.Trees, "trees", o.Trees, "how many `trees` the random forest has")
			flags.IntVar(&c.options.Rounds, "rounds", o.Rounds, "how many `trees` gradient boosting makes")
			flags.IntVar(&c.options.Workers, "workers", runtime.GOMAXPROCS(0), "work on `n` cores")
			c.seed = seedFlag(flags)
			flags.Lookup("seed").Usage = "the `number` that trees are drawn from, 0 to 18446744073709551615 (default 1)"
			return func(ctx context.Context, std stdio, args []string) error {
				return ladderDocuments().command(flags, args, func() error { return c.run(ctx, std) })
			}
		},
	}
}

// ladderFlags are the flags of the command.
type ladderFlags struct {
	train, out    string
	tests         []string
	options       baselines.Options
	seed          *seed
	progressEvery time.Duration
}

func (c *ladderFlags) run(ctx context.Context, std stdio) error {
	const most = 100_000
	o := c.options
	switch {
	case c.train == "":
		return usagef("-train is missing: the directory of the data set to train on")
	case len(c.tests) == 0:
		return usagef("-test is missing: the directory of a data set to measure on")
	case c.out == "":
		return usagef("-out is missing: the directory to write to")
	case o.Rows < 0:
		return usagef("-n %d: expected 0 or more", o.Rows)
	case o.Trees < 1 || o.Trees > most:
		return usagef("-trees %d: expected 1 to %d", o.Trees, most)
	case o.Rounds < 1 || o.Rounds > most:
		return usagef("-rounds %d: expected 1 to %d", o.Rounds, most)
	case o.Workers < 1 || o.Workers > maxWorkers:
		return usagef("-workers %d: expected 1 to %d", o.Workers, maxWorkers)
	}
	if c.seed.text != "" {
		o.Seed = c.seed.value
	}
	train, err := dataset.Open(c.train)
	if err != nil {
		return plain(err)
	}
	var tests []*dataset.Set
	for _, dir := range c.tests {
		set, err := dataset.Open(dir)
		if err != nil {
			return plain(err)
		}
		tests = append(tests, set)
	}
	o.Told = c.tell(std)
	r, err := baselines.Run(ctx, train, tests, o)
	if err != nil {
		return err
	}
	return ladderDocuments().write(c.out, r)
}

// tell returns what says how far the work is: each step as it begins, and then its progress now and then.
func (c *ladderFlags) tell(std stdio) func(string, int, int) {
	var mu sync.Mutex
	step, last := "", time.Now()
	return func(now string, done, of int) {
		mu.Lock()
		defer mu.Unlock()
		if now == step && time.Since(last) < c.progressEvery {
			return
		}
		if now != step {
			say(std.err, "roem ladder: %s\n", now)
		} else {
			say(std.err, "roem ladder: %s: %d of %d\n", now, done, of)
		}
		step, last = now, time.Now()
	}
}
