package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"time"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	game "roem/internal/service/klaverjas"
	"roem/internal/service/klaverjas/hybrid"
	"roem/lab/klaverjas/dataset"
)

const (
	// datasetSeed is the default seed. It is constant, so that a repeated command continues its own set.
	datasetSeed = 1
	// datasetShardRows is the number of rows of a shard, which takes some seconds to make and a quarter of a megabyte.
	datasetShardRows = 16384
)

func datasetCommand() cli.Command {
	return cli.Command{
		Name: "dataset", Args: "-out DIR | verify DIR",
		Short: "makes sets of random deals with labels from the exact search",
		Long: `Draws deals, solves each, and writes them to a directory in shards of fixed-width rows: the holder of each card, whether the
declarers win, the outcome if -goal is value, and the nodes of the search. Clubs are trump, north leads, and north and south
declare, or their opponents with -declarer EW. The samplings are
  classes        one deal of each of the 981,541 suit-distribution classes
  class-uniform  deals of random classes, all classes equally likely
  uniform        random deals, all deals equally likely
With -gain it takes only deals with at least the given gain: the model is in doubt, and the search is expected to be short. The hands of
row i depend only on the sampling, the seed, i, and with -gain on the model. So a set is the same with any number of workers and machines.

If it is interrupted and started again with the same flags, it continues, and at most one shard for each worker is
lost. It does not write to a directory that contains another set. At the end it writes a summary of the set as one
line of JSON.

With -from and -to, several machines make parts of one set.

roem-lab klaverjas dataset verify DIR checks the files of a set against the checksums, and each row against the seed.

lab/docs/klaverjas/datasets.md describes the files.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &datasetFlags{
				settings: dataset.Settings{Sampling: dataset.Classes, Rules: klaverjas.DefaultRules(klaverjas.Rotterdam)},
			}
			c.add(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 && args[0] == "verify" {
					return c.verify(ctx, std, args[1:], flags)
				}
				if len(args) > 0 {
					return cli.Usagef("unexpected argument %q", args[0])
				}
				return c.make(ctx, std)
			}
		},
	}
}

// datasetFlags are the flags of the command.
type datasetFlags struct {
	settings      dataset.Settings
	out           string
	workers       int
	from, to      int
	model         string        // files of weights for -gain
	gain          float64       // 0 to take every deal
	progressEvery time.Duration // interval of progress lines if there is no terminal
}

func (c *datasetFlags) add(flags *flag.FlagSet) {
	c.progressEvery = 10 * time.Second
	flags.StringVar(&c.out, "out", "", "the `directory` of the data set; it is created if it does not exist")
	flags.Func("sampling", "how deals are `drawn`: classes, class-uniform or uniform (default classes)", func(text string) (err error) {
		c.settings.Sampling, err = dataset.ParseSampling(text)
		return err
	})
	flags.Func("goal", "the `goal`: win, or value for the outcome as well (default win)", func(text string) (err error) {
		if c.settings.Goal, err = search.ParseGoal(text); err == nil && c.settings.Goal == search.Moves {
			err = errors.New("expected win or value")
		}
		return err
	})
	flags.Func("rules", `the rules, a JSON `+"`object`"+` as in positions (default {"system":"rotterdam"})`, func(text string) (err error) {
		c.settings.Rules, err = parseRules(text)
		return err
	})
	flags.Func("declarer", "the `team` that declares: NS, which leads, or EW (default NS)", func(text string) (err error) {
		c.settings.Declarer, err = piquet.ParseTeam(text)
		return err
	})
	flags.Uint64Var(&c.settings.Rows, "n", 0, "how many `rows`; with -sampling classes there are 981541 (default)")
	flags.IntVar(&c.settings.ShardRows, "shard-rows", datasetShardRows, "the number of `rows` in a shard")
	flags.IntVar(&c.from, "from", 0, "the first `shard` to make or verify, counted from 0")
	flags.IntVar(&c.to, "to", 0, "the `shard` after the last one to make or verify; 0 for all")
	flags.IntVar(&c.workers, "workers", runtime.GOMAXPROCS(0), "make `n` shards at a time, on a core and with a table of 32 MiB each")
	flags.Float64Var(&c.gain, "gain", 0, "take only deals in which a million nodes of search avoid this number of `mistakes`; 0 for all")
	flags.StringVar(&c.model, "model", "", "with -gain, the `file` of weights of this model (default the embedded weights)")
	flags.Uint64Var(&c.settings.Seed, "seed", datasetSeed, "the `number` that the deals are drawn from")
}

// parseRules reads rules as strictly as the API does. Missing rules get their defaults.
func parseRules(text string) (klaverjas.Rules, error) {
	s, err := service.New(service.Options{Version: version})
	if err != nil {
		return klaverjas.Rules{}, err
	}
	if !json.Valid([]byte(text)) {
		return klaverjas.Rules{}, errors.New("expected a JSON object")
	}
	g := game.New(s, game.Options{})
	legal, err := func() (api.KlaverjasLegalMoves, error) { // rules are part of a position
		position, err := game.ParsePosition(context.Background(), g, []byte(`{"trump":"C","leader":"N","deal":"0","rules":`+text+`}`))
		if err != nil {
			return api.KlaverjasLegalMoves{}, err
		}
		return g.Legal(position)
	}()
	if wrong, ok := errors.AsType[*service.Error](err); ok && len(wrong.Violations) > 0 {
		first := wrong.Violations[0]
		return klaverjas.Rules{}, fmt.Errorf("%s: %s", first.Pointer, first.Detail)
	}
	if err != nil {
		return klaverjas.Rules{}, err
	}
	full, err := json.Marshal(legal.Rules)
	if err != nil {
		return klaverjas.Rules{}, err
	}
	var rules klaverjas.RulesJSON
	err = json.Unmarshal(full, &rules)
	return klaverjas.Rules(rules), err
}

// check sets the defaults that depend on other flags, and returns an error for invalid flags.
func (c *datasetFlags) check() error {
	if c.out == "" {
		return cli.Usagef("-out is missing: the directory of the data set")
	}
	if c.settings.Rows == 0 {
		if c.settings.Sampling != dataset.Classes {
			return cli.Usagef("-n is missing: how many rows")
		}
		c.settings.Rows = index.Classes
	}
	if err := c.choose(); err != nil {
		return err
	}
	if err := c.settings.Validate(); err != nil {
		return cli.UsageError{Err: err}
	}
	if c.workers < 1 || c.workers > cli.MaxWorkers {
		return cli.Usagef("-workers %d: expected 1 to %d", c.workers, cli.MaxWorkers)
	}
	return c.checkRange(c.settings.Shards())
}

func (c *datasetFlags) checkRange(shards int) error {
	if c.to == 0 {
		c.to = shards
	}
	if c.from < 0 || c.from >= c.to || c.to > shards {
		return cli.Usagef("-from %d -to %d: expected a part of the shards, which are 0 to %d", c.from, c.to, shards-1)
	}
	return nil
}

// choose sets the choice of deals by the model, if -gain is given.
func (c *datasetFlags) choose() error {
	switch {
	case c.gain == 0 && c.model == "":
		return nil
	case c.gain == 0:
		return cli.Usagef("-model is used only with -gain, which is missing")
	}
	m, err := readModel(c.model)
	if err != nil {
		return cli.Plain(err)
	}
	rules := c.settings.Rules
	weights, ok := m.WeightsFor(rules, c.settings.Declarer == piquet.NorthSouth) // north leads
	if !ok {
		return cli.Usagef("-gain: the model does not predict deals of these rules with this -declarer")
	}
	c.settings.Choice = &dataset.Choice{Model: weights.SHA256, Gain: c.gain, Takes: func(d klaverjas.Deal) bool {
		p, _ := m.Predict(rules, d)
		return hybrid.Gain(hybrid.Prediction{
			WinProbability: p.WinProbability, Effort: hybrid.HardnessOf(p.Log10Nodes, p.Log10Nodes90),
		}) >= c.gain
	}}
	return nil
}

// make makes the missing shards of the data set and writes the summary.
func (c *datasetFlags) make(ctx context.Context, std cli.Stdio) error {
	if err := c.check(); err != nil {
		return err
	}
	began := time.Now()
	b, err := dataset.NewBuilder(c.out, c.settings)
	if err != nil {
		return cli.Plain(err)
	}
	missing, err := b.Missing(c.from, c.to, func(err error) {
		cli.Say(std.Err, "roem-lab klaverjas dataset: %v; it is made again\n", err)
	})
	if err != nil {
		return cli.Plain(err)
	}
	rows := 0
	for _, number := range missing {
		rows += c.settings.RowsIn(number)
	}
	m := newMeter(std.Err, "roem-lab klaverjas dataset", "rows", rows, c.progressEvery)
	err = b.Make(ctx, missing, c.workers, m.add)
	m.stop()
	if err != nil {
		return err
	}
	return c.writeSummary(std, len(missing), rows, time.Since(began))
}

// datasetSummary is the summary line at the end.
type datasetSummary struct {
	Out      string           `json:"out"`
	Sampling dataset.Sampling `json:"sampling"`
	Goal     string           `json:"goal"`
	Seed     string           `json:"seed"`
	Declarer string           `json:"declarer"`
	Solver   string           `json:"solver"`
	Complete bool             `json:"complete"` // every shard is there
	Shards   int              `json:"shards"`   // the shards that exist
	Made     datasetMade      `json:"made"`
	dataset.Summary
}

// datasetMade describes the rows that this run of the command made.
type datasetMade struct {
	Shards        int     `json:"shards"`
	Rows          int     `json:"rows"`
	Seconds       float64 `json:"seconds"`
	RowsPerSecond float64 `json:"rows_per_second"`
	Workers       int     `json:"workers"`
}

func (c *datasetFlags) writeSummary(std cli.Stdio, shards, rows int, took time.Duration) error {
	set, err := dataset.Open(c.out)
	if err != nil {
		return err
	}
	sum, err := set.Summarise()
	if err != nil {
		return err
	}
	m := set.Manifest
	text, err := cli.Encode(datasetSummary{
		Out: c.out, Sampling: m.Sampling, Goal: m.Goal, Seed: m.Seed, Declarer: c.settings.Declarer.String(), Solver: m.Solver,
		Complete: m.Complete, Shards: len(m.Shards),
		Made: datasetMade{
			Shards: shards, Rows: rows, Seconds: took.Seconds(), RowsPerSecond: float64(rows) / took.Seconds(), Workers: c.workers,
		},
		Summary: sum,
	})
	if err != nil {
		return err
	}
	return cli.Print(std, text)
}

// verify checks a data set.
func (c *datasetFlags) verify(ctx context.Context, std cli.Stdio, args []string, flags *flag.FlagSet) error {
	if len(args) != 1 {
		return cli.Usagef("verify takes one directory")
	}
	var others []string
	flags.Visit(func(f *flag.Flag) {
		if f.Name != "from" && f.Name != "to" {
			others = append(others, "-"+f.Name)
		}
	})
	if len(others) > 0 {
		return cli.Usagef("verify takes only the flags -from and -to, not %s: the manifest says what the set contains",
			strings.Join(others, ", "))
	}
	set, err := dataset.Open(args[0])
	if err != nil {
		return cli.Plain(err)
	}
	if err := c.checkRange(set.Settings.Shards()); err != nil {
		return err
	}
	m := newMeter(std.Err, "roem-lab klaverjas dataset", "shards", c.to-c.from, c.progressEvery)
	found, err := set.Verify(ctx, c.from, c.to, m.add)
	m.stop()
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%s is damaged:\n%w", args[0], err)
	}
	if err != nil {
		return err
	}
	text, err := cli.Encode(found)
	if err != nil {
		return err
	}
	_, err = std.Out.Write(text)
	return cli.Writing(err)
}
