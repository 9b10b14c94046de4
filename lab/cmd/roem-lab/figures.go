package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/pages"
	"roem/lab/figures"
	"roem/lab/klaverjas/bench"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/questions"
	"roem/lab/klaverjas/train"
)

// figuresDeals is the number of deals of each set of the table of the search.
const figuresDeals = 1000

func figuresCommand() cli.Command {
	return cli.Command{
		Name: "figures", Args: "",
		Short: "writes docs/figures.json, the figures that the documentation states",
		Long: `Reads the figures that other commands have written into pages and results of lab/docs, and writes them to docs/figures.json, each
with what it was measured on, the command, and since when it has this value. Figures that were not measured now stay as they are.

With -measure, it also measures what takes little time, which is three minutes of two cores: the table of the search (roem-lab klaverjas
bench), which it writes into lab/docs/klaverjas/search.md; the time of each question of the README; and the model of deals on its held-out
sets, whose card must say the same. With -results it takes the figures of a JSON object, {"NAME": VALUE, ...}, that tests have measured.

make figures does all of this. Run it on a quiet machine.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &figuresFlags{}
			flags.StringVar(&c.root, "root", ".", "the `directory` of the repository")
			flags.BoolVar(&c.measure, "measure", false, "measure what takes little time")
			flags.StringVar(&c.results, "results", "", "take the figures of this `file`")
			return c.run
		},
	}
}

// figuresFlags are the flags of the command.
type figuresFlags struct {
	root, results string
	measure       bool
}

func (c *figuresFlags) run(ctx context.Context, std cli.Stdio, args []string) error {
	if len(args) > 0 {
		return cli.Usagef("unexpected argument %q", args[0])
	}
	old, err := figures.Load(c.root)
	if err != nil {
		return err
	}
	measured := figures.Measured{}
	if c.results != "" {
		text, err := os.ReadFile(c.results)
		if err != nil {
			return cli.Plain(err)
		}
		if err := json.Unmarshal(text, &measured); err != nil {
			return fmt.Errorf("%s: %w", c.results, err)
		}
	}
	if c.measure {
		if err := c.measureAll(ctx, std, measured); err != nil {
			return err
		}
	}
	m := bench.ThisMachine()
	stamp := fmt.Sprintf("%s, roem %s, %d cores of %s, %s", time.Now().UTC().Format(time.DateOnly), version, m.Cores, m.CPU, m.Go)
	file, err := figures.Collect(c.root, old, measured, stamp)
	if err != nil {
		return err
	}
	text, err := file.Text()
	if err != nil {
		return err
	}
	return cli.Plain(writeDocument(filepath.Join(c.root, figures.Path), text))
}

// measureAll measures what takes little time.
func (c *figuresFlags) measureAll(ctx context.Context, std cli.Stdio, measured figures.Measured) error {
	if err := c.writeSearchTable(ctx, std); err != nil {
		return err
	}
	took, err := questions.Measure(ctx, version, func(name string) { cli.Say(std.Err, "%s\n", name) })
	if err != nil {
		return err
	}
	for name, ms := range took {
		measured["klaverjas.time."+name] = threeDigits(ms)
	}
	return checkCard(ctx, std)
}

// threeDigits rounds to three digits that count.
func threeDigits(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}

// writeSearchTable measures the search and writes the table of its page.
func (c *figuresFlags) writeSearchTable(ctx context.Context, std cli.Stdio) error {
	r := bench.NewReport(version, strconv.Itoa(benchSeed))
	if err := measure(ctx, std, &r, dealstest.Sets(), bench.Goals(), figuresDeals, benchSeed); err != nil {
		return err
	}
	var table bytes.Buffer
	if err := r.Markdown(&table); err != nil {
		return err
	}
	name := filepath.Join(c.root, "lab", "docs", "klaverjas", "search.md")
	return cli.Plain(pages.Write(name, "bench", table.String()))
}

// checkCard measures the model on its held-out sets, and compares the results with its card. They are the same on every machine.
func checkCard(ctx context.Context, std cli.Stdio) error {
	card, err := deal.DefaultCard()
	if err != nil {
		return err
	}
	m, err := deal.Default()
	if err != nil {
		return err
	}
	for _, of := range card.Sets {
		rotterdam := of.Rules != nil && klaverjas.Rules(*of.Rules) == klaverjas.DefaultRules(klaverjas.Rotterdam)
		if !rotterdam || !of.LeaderDeclares || of.Rows != heldOutRows {
			continue
		}
		report, err := heldOut(ctx, m, of)
		if err != nil {
			return err
		}
		cli.Say(std.Err, "%s, seed %s: accuracy %.4f, calibration error %.5f\n", of.Sampling, of.Seed, report.Accuracy.Value, report.ECE.Value)
		if report.Accuracy != of.Accuracy || report.ECE != of.ECE {
			return fmt.Errorf("the model has an accuracy of %v and a calibration error of %v on %s, seed %s; its card says %v and %v",
				report.Accuracy, report.ECE, of.Sampling, of.Seed, of.Accuracy, of.ECE)
		}
	}
	return nil
}

// heldOutRows is the number of rows of the sets on which the model is measured here. The smaller sets of its card are left out.
const heldOutRows = 200_000

// heldOut makes a held-out set and measures the model on it.
func heldOut(ctx context.Context, m *deal.Model, of deal.SetReport) (report deal.SetReport, err error) {
	s := dataset.Settings{
		Sampling: dataset.Sampling(of.Sampling), Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Goal: search.Win,
		Rows: uint64(of.Rows), ShardRows: datasetShardRows,
	}
	if s.Seed, err = strconv.ParseUint(of.Seed, 10, 64); err != nil {
		return report, err
	}
	dir, err := os.MkdirTemp("", "held-out")
	if err != nil {
		return report, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b, err := dataset.NewBuilder(dir, s)
	if err != nil {
		return report, err
	}
	shards := make([]int, s.Shards())
	for i := range shards {
		shards[i] = i
	}
	if err := b.Make(ctx, shards, runtime.GOMAXPROCS(0), func() {}); err != nil {
		return report, err
	}
	return train.Evaluate(ctx, m, dir)
}
