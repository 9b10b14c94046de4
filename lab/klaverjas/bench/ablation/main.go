// Command ablation writes the Markdown table of lab/scripts/ablation.sh, which calls it:
//
//	ablation TECHNIQUES REPORTS
//
// TECHNIQUES is the file with the constants, whose comments describe the techniques. REPORTS is a directory of reports of `roem-lab
// bench -json`, named VARIANT.ROUND.json. The variant is "every" with all techniques, "none" without any, or the name of the one
// constant that is false.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"

	"roem/internal/engine/klaverjas/dealstest"
	"roem/lab/klaverjas/bench"
)

func main() {
	err := errors.New("usage: ablation TECHNIQUES REPORTS")
	if len(os.Args) == 3 {
		err = run(os.Stdout, os.Args[1], os.Args[2])
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "ablation: %v\n", err)
		os.Exit(1) //nolint:forbidigo // this is main
	}
}

// technique is a constant and its comment.
type technique struct{ name, about string }

// techniques reads the constants in their order.
func techniques(path string) ([]technique, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var list []technique
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			list = append(list, technique{spec.Names[0].Name, strings.TrimSpace(spec.Comment.Text())})
		}
		return true
	})
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no constants", path)
	}
	return list, nil
}

// column is a set of deals and a goal.
type column struct{ set, goal string }

func columns() []column {
	var list []column
	for _, set := range dealstest.Sets() {
		for _, goal := range []string{"win", "value"} {
			list = append(list, column{string(set), goal})
		}
	}
	return list
}

// cell holds the means of a column: the nodes, which are the same in every round, and the milliseconds of the fastest round.
type cell struct {
	nodes, ms float64
	won       int
}

// measured reads all reports of a variant.
func measured(dir, variant string) (map[column]cell, error) {
	files, err := filepath.Glob(filepath.Join(dir, variant+".*.json"))
	if err != nil {
		return nil, err
	}
	cells := map[column]cell{}
	for _, file := range files {
		text, err := os.ReadFile(file) //nolint:gosec // the user's own choice of a directory
		if err != nil {
			return nil, err
		}
		var report bench.Report
		if err := json.Unmarshal(text, &report); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, row := range report.Rows {
			at := column{string(row.Set), row.Goal}
			c := cell{nodes: row.Nodes.Mean, ms: row.Milliseconds.Mean, won: row.Won}
			if before, ok := cells[at]; ok {
				c.ms = min(c.ms, before.ms)
			}
			cells[at] = c
		}
	}
	for _, at := range columns() {
		if _, ok := cells[at]; !ok {
			return nil, fmt.Errorf("%s: nothing of %s %s", variant, at.set, at.goal)
		}
	}
	return cells, nil
}

func run(out io.Writer, constants, dir string) error {
	list, err := techniques(constants)
	if err != nil {
		return err
	}
	every, err := measured(dir, "every")
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("| without |")
	for _, at := range columns() {
		fmt.Fprintf(&b, " %s `%s` |", at.set, at.goal)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(columns())) + "\n| nothing: nodes, ms |")
	for _, at := range columns() {
		fmt.Fprintf(&b, " %.0f, %.2f |", every[at].nodes, every[at].ms)
	}
	b.WriteString("\n")
	for _, t := range append(list, technique{"none", "all of these"}) {
		cells, err := measured(dir, t.name)
		if err != nil {
			return err
		}
		about := t.about
		if t.name != "none" {
			about += " (`" + t.name + "`)"
		}
		fmt.Fprintf(&b, "| %s |", about)
		for _, at := range columns() {
			c, reference := cells[at], every[at]
			if c.won != reference.won {
				return fmt.Errorf("%s: %d deals of %s won, %d with everything", t.name, c.won, at.set, reference.won)
			}
			fmt.Fprintf(&b, " %s, %s |", change(c.nodes, reference.nodes), change(c.ms, reference.ms))
		}
		b.WriteString("\n")
	}
	_, err = io.WriteString(out, b.String())
	return err
}

// change formats the change of a number relative to a reference: as a percentage, or as a factor if it is at least 2.
func change(v, reference float64) string {
	ratio := v / reference
	if ratio >= 2 {
		return fmt.Sprintf("× %.1f", ratio)
	}
	percent := fmt.Sprintf("%+.0f %%", 100*(ratio-1))
	if percent == "-0 %" || percent == "+0 %" {
		return "0"
	}
	return strings.Replace(percent, "-", "−", 1)
}
