package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"roem/internal/cli"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/paper"
)

// paperSeed is the default seed, with which the files of lab/docs/klaverjas/paper are made.
const paperSeed = 1

// resultsFile has the results of the experiment; the other files follow from it.
const resultsFile = "results.json"

func paperCommand() cli.Command {
	return cli.Command{
		Name: "paper", Args: "-data DIR -out DIR | render DIR",
		Short: "repeats the paper's experiment (section 6) on a data set",
		Long: `Repeats section 6 of the paper: the distribution of search effort (Figure 1), decision trees and random forests in a twofold
cross-validation on three sets of features (Table 3), the Gini importance of the features (Figure 2), and the search effort of
deals that the forest predicts correctly and incorrectly (Figure 3). The data set has the goal win. With the sampling classes it is
the paper's, one deal of each class; any other sampling works too:

  roem-lab klaverjas dataset -out data/classes
  roem-lab klaverjas paper -data data/classes -out lab/docs/klaverjas/paper

It writes results.json, and from that a CSV and an SVG for each figure and the tables of README.md. The same set, seed and number
of trees give identical files, with any number of workers. With 2 cores it takes about ten minutes and 2 GB of memory.

roem-lab klaverjas paper render DIR draws the figures and tables of DIR again from its results.json.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &paperFlags{progressEvery: 10 * time.Second, trees: paper.PaperTrees}
			flags.StringVar(&c.data, "data", "", "the `directory` of the data set")
			flags.StringVar(&c.out, "out", "", "the `directory` to write to; it is created if it does not exist")
			cli.NumberFlag(flags, &c.trees, "trees", 1, paper.MaxTrees, "the number of `trees` of a random forest")
			cli.WorkersFlag(flags, &c.workers, "grow `n` trees at a time, each on one core")
			flags.Uint64Var(&c.seed, "seed", paperSeed, "the `number` from which folds and trees are drawn")
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				switch {
				case len(args) == 2 && args[0] == "render" && flags.NFlag() == 0:
					return renderPaper(args[1])
				case len(args) > 0 && args[0] == "render":
					return cli.Usagef("render takes one directory, and no flags")
				case len(args) > 0:
					return cli.Usagef("unexpected argument %q", args[0])
				}
				return c.run(ctx, std)
			}
		},
	}
}

// paperFlags are the flags of the command.
type paperFlags struct {
	data, out      string
	trees, workers int
	seed           uint64
	progressEvery  time.Duration
}

func (c *paperFlags) run(ctx context.Context, std cli.Stdio) error {
	switch {
	case c.data == "":
		return cli.Usagef("-data is missing: the directory of the data set")
	case c.out == "":
		return cli.Usagef("-out is missing: the directory to write to")
	}
	o := paper.Options{Seed: c.seed, Trees: c.trees, Workers: c.workers}
	set, err := dataset.Open(c.data)
	if err != nil {
		return cli.Plain(err)
	}
	const parts = 10_000
	m := newMeter(std.Err, "roem-lab klaverjas paper", "parts", parts, c.progressEvery)
	var mu sync.Mutex
	share, told := 0.0, 0
	o.Told = func(more float64) {
		mu.Lock()
		defer mu.Unlock()
		share += more
		for ; told < int(math.Round(share*parts)); told++ {
			m.add()
		}
	}
	r, err := paper.Run(ctx, set, o)
	m.stop()
	if err != nil {
		return err
	}
	if err := writeFiles(c.out, nil); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(c.out, resultsFile), r, " "); err != nil {
		return err
	}
	return renderPaper(c.out)
}

// renderPaper writes the files of a directory that follow from its results.
func renderPaper(dir string) error {
	path := filepath.Join(dir, resultsFile)
	text, err := os.ReadFile(path) //nolint:gosec // the user's own choice of a directory
	if err != nil {
		return cli.Plain(err)
	}
	var results paper.Results
	if err := json.Unmarshal(text, &results); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	files, err := paper.Render(&results)
	if err != nil {
		return err
	}
	return writeFiles(dir, files)
}
