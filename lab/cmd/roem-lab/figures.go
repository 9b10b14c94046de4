package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/pages"
	"roem/lab/figures"
	"roem/lab/klaverjas/bench"
)

// figuresDeals is the number of deals of each set of the table of the search.
const figuresDeals = 1000

func figuresCommand() cli.Command {
	return cli.Command{
		Name: "figures", Args: "",
		Short: "measures the figures of generated blocks: docs/figures.json",
		Long: `Measures what generated blocks of pages state: the search (roem-lab klaverjas bench), whose table it writes into
lab/docs/klaverjas/search.md, and the time of each question of the README. It writes docs/figures.json, each figure with what it was
measured on and when. make figures runs it and then make pages. Run it on a quiet machine; it takes a minute.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			root := flags.String("root", ".", "the `directory` of the repository")
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 {
					return cli.Usagef("unexpected argument %q", args[0])
				}
				return measureFigures(ctx, std, *root)
			}
		},
	}
}

// measureFigures measures the figures, and writes them and the table of the search.
func measureFigures(ctx context.Context, std cli.Stdio, root string) error {
	r := bench.NewReport(version, strconv.Itoa(benchSeed))
	if err := measure(ctx, std, &r, dealstest.Sets(), bench.Goals(), figuresDeals, benchSeed); err != nil {
		return err
	}
	var table bytes.Buffer
	if err := r.Markdown(&table); err != nil {
		return err
	}
	if err := pages.Write(filepath.Join(root, "lab", "docs", "klaverjas", "search.md"), "bench", table.String()); err != nil {
		return cli.Plain(err)
	}
	times, err := figures.Times(ctx, version, func(name string) { cli.Say(std.Err, "%s\n", name) })
	if err != nil {
		return err
	}
	m := r.Machine
	since := fmt.Sprintf("%s, roem %s, %d cores of %s, %s", time.Now().UTC().Format(time.DateOnly), version, m.Cores, m.CPU, m.Go)
	text, err := figures.Text(append(figures.Search(&r), times...), since)
	if err != nil {
		return err
	}
	return cli.Plain(writeDocument(filepath.Join(root, figures.Path), text))
}
