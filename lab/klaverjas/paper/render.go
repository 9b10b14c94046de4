package paper

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"roem/lab/klaverjas/dataset"
)

// MaxTrees is the maximum number of trees of a forest.
const MaxTrees = 10_000

// readme is the template of the page.
//
//go:embed readme.md.tmpl
var readme string

// ErrResults is the error for a file that does not hold the results of Run.
var ErrResults = errors.New("not the results of the experiment")

// Render returns the files that present the results, by name: a page, and the numbers of each figure and table as CSV and as a drawing.
func Render(r *Results) (map[string][]byte, error) {
	if len(r.Accuracies) != 6 || len(r.Folds) != folds || len(r.Importance) < 3 || r.Data.Rows == 0 {
		return nil, ErrResults
	}
	for _, groups := range [][]Effort{r.Effort, r.Values} {
		if len(groups) != 4 {
			return nil, ErrResults
		}
		for _, e := range groups {
			if len(e.Counts) != len(groups[0].Counts) || len(e.Counts) == 0 {
				return nil, ErrResults
			}
		}
	}
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"README.md":    page,
		"figure-1.svg": figure1(r),
		"figure-2.svg": figure2(r),
		"figure-3.svg": figure3(r),
	}
	for name, lines := range map[string][][]string{
		"figure-1.csv": r.distribution(),
		"figure-2.csv": r.importances(),
		"figure-3.csv": r.mistakes(),
		"table-3.csv":  r.table3(),
	} {
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
			return nil, err
		}
		files[name] = b.Bytes()
	}
	return files, nil
}

// digits formats a number with n digits after the decimal point.
func digits(x float64, n int) string { return strconv.FormatFloat(x, 'f', n, 64) }

// total returns the rows of all groups by bin.
func total(groups []Effort) []int {
	sum := make([]int, len(groups[0].Counts))
	for _, e := range groups {
		for k, n := range e.Counts {
			sum[k] += n
		}
	}
	return sum
}

// atLeast returns the least whole number of nodes of a bin.
func atLeast(k int) string {
	if k == 0 {
		return "0"
	}
	return strconv.FormatFloat(math.Ceil(edge(k)), 'f', 0, 64)
}

// distribution returns the table of Figure 1.
func (r *Results) distribution() [][]string {
	lines := [][]string{{"nodes_below", "rows", "cumulative_share"}}
	sum := 0
	for k, n := range total(r.Effort) {
		sum += n
		lines = append(lines, []string{atLeast(k + 1), strconv.Itoa(n), digits(float64(sum)/float64(r.Data.Rows), 6)})
	}
	return lines
}

// table3 returns Table 3.
func (r *Results) table3() [][]string {
	lines := [][]string{{"features", "columns", "model", "accuracy", "plus_minus_95", "paper", "difference"}}
	for _, a := range r.Accuracies {
		lines = append(lines, []string{
			string(a.Subset), strconv.Itoa(a.Columns), string(a.Model),
			digits(a.Percent, 3), digits(r.margin(a), 3), digits(a.Paper, 2), digits(a.Percent-a.Paper, 3),
		})
	}
	return lines
}

// margin returns half the width of the 95 % interval of an accuracy, in percentage points, for another sample of test rows.
func (r *Results) margin(a Accuracy) float64 {
	p := a.Percent / 100
	return 100 * 1.96 * math.Sqrt(p*(1-p)/float64(r.Data.Rows))
}

// ranked returns the columns in descending order of their importance in the forest on all columns.
func (r *Results) ranked() []Importance {
	out := slices.Clone(r.Importance)
	slices.SortStableFunc(out, func(a, b Importance) int {
		switch {
		case a.All > b.All:
			return -1
		case a.All < b.All:
			return 1
		}
		return 0
	})
	return out
}

// importances returns the table of Figure 2, with all columns.
func (r *Results) importances() [][]string {
	lines := [][]string{{"rank", "column", "all", "own_subset", "subset"}}
	for i, x := range r.ranked() {
		subset := Handcrafted
		if isOwner(x) {
			subset = Ownership
		}
		lines = append(lines, []string{strconv.Itoa(i + 1), x.Column, digits(x.All, 6), digits(x.own(), 6), string(subset)})
	}
	return lines
}

// own returns the importance in the forest on the smaller subset that contains the column.
func (x Importance) own() float64 { return x.Ownership + x.Handcrafted }

func isOwner(x Importance) bool { return strings.HasPrefix(x.Column, "owner_") }

// The goals of Figure 3.
const (
	whoWins   = "win"   // who wins
	byHowMuch = "value" // by how much
)

// mistakes returns the table of Figure 3.
func (r *Results) mistakes() [][]string {
	lines := [][]string{{"goal", "nodes_from", "nodes_below", "won_right", "won_wrong", "lost_right", "lost_wrong", "share_wrong"}}
	for _, part := range []struct {
		goal   string
		groups []Effort
	}{{whoWins, r.Effort}, {byHowMuch, r.Values}} {
		for k, n := range total(part.groups) {
			line := []string{part.goal, atLeast(k), atLeast(k + 1)}
			wrong := 0
			for _, e := range part.groups {
				line = append(line, strconv.Itoa(e.Counts[k]))
				if !e.Right {
					wrong += e.Counts[k]
				}
			}
			share := ""
			if n > 0 {
				share = digits(float64(wrong)/float64(n), 6)
			}
			lines = append(lines, append(line, share))
		}
	}
	return lines
}

// count formats a whole number with commas.
func count[T int | uint64 | float64](n T) string {
	text := strconv.FormatFloat(math.Round(float64(n)), 'f', 0, 64)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func (r *Results) page() ([]byte, error) {
	t, err := template.New("readme").Funcs(template.FuncMap{
		"count": func(n any) (string, error) {
			switch n := n.(type) {
			case int:
				return count(n), nil
			case uint64:
				return count(n), nil
			case float64:
				return count(n), nil
			}
			return "", fmt.Errorf("%T is no number", n)
		},
		"percent": func(x float64) string { return digits(x, 2) },
		"signed": func(x float64) string {
			text := digits(x, 2)
			if x >= 0 {
				text = "+" + text
			}
			return strings.Replace(text, "-", "−", 1)
		},
		"minus": func(a, b float64) float64 { return a - b },
	}).Parse(readme)
	if err != nil {
		return nil, err
	}
	type group struct {
		Name string
		Effort
	}
	named := func(of []Effort) (groups []group) {
		for _, e := range of {
			name := map[bool]string{true: "won", false: "lost"}[e.Won] + ", forest " + map[bool]string{true: "right", false: "wrong"}[e.Right]
			groups = append(groups, group{name, e})
		}
		return groups
	}
	sampled := 0
	for _, e := range r.Values {
		sampled += e.Rows
	}
	margin := 0.0
	for _, a := range r.Accuracies {
		margin = max(margin, r.margin(a))
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"R": r, "Classes": r.Data.Sampling == dataset.Classes,
		"Groups": named(r.Effort), "Values": named(r.Values), "Sampled": sampled, "Margin": margin,
		"Top": r.ranked()[:3],
		"Won": 100 * float64(r.Data.Won) / float64(r.Data.Rows), "PaperWon": 100 * float64(publishedWon) / publishedRows,
		"PaperRows": publishedRows, "PaperWonRows": publishedWon,
		"Cells": r.cells(),
	})
	return b.Bytes(), err
}

// line is a row of Table 3.
type line struct {
	Subset       Subset
	Columns      int
	Tree, Forest Accuracy
}

func (r *Results) cells() []line {
	var out []line
	for _, subset := range Subsets() {
		l := line{Subset: subset}
		for _, a := range r.Accuracies {
			if a.Subset != subset {
				continue
			}
			l.Columns = a.Columns
			if a.Model == DecisionTree {
				l.Tree = a
			} else {
				l.Forest = a
			}
		}
		out = append(out, l)
	}
	return out
}
