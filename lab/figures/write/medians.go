package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"roem/internal/pages"
)

// medians is the table of the medians in counts.csv.
func medians(src *pages.Source) string {
	file, err := os.Open(filepath.Join(src.Root, "lab", "docs", "belote", "counts.csv"))
	if err != nil {
		src.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		src.Fatal(err)
	}
	cells := map[string]string{}
	for _, r := range rows[1:] {
		suits, algorithm, utility, pruning := r[0], r[1], r[2], r[3]
		deals, limited, median, atLeast := r[4], r[5], r[7], r[8]
		cell := thousands(median)
		if atLeast == "true" {
			cell = fmt.Sprintf("more; %s of %s reached this limit", limited, deals)
		}
		cells[suits+algorithm+utility+pruning] = cell
	}
	var b strings.Builder
	b.WriteString("| suits | algorithm | points | contract | with forward pruning: points | contract |\n|---|---|---|---|---|---|\n")
	for suits := '1'; suits <= '4'; suits++ {
		for _, a := range [][2]string{{"minimax", "minimax"}, {"alphabeta", "alpha-beta"}, {"table", "our search, with a table"}} {
			var line []string
			for _, way := range []string{"pointsfalse", "contractfalse", "pointstrue", "contracttrue"} {
				if cell := cells[string(suits)+a[0]+way]; cell != "" {
					line = append(line, cell)
				}
			}
			if len(line) == 4 {
				fmt.Fprintf(&b, "| %c | %s | %s |\n", suits, a[1], strings.Join(line, " | "))
			}
		}
	}
	return b.String()
}

// thousands writes a whole number with commas.
func thousands(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
