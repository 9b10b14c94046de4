package bench

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"roem/internal/engine/klaverjas/search"
)

// Report holds the measurements, with the machine and the versions.
type Report struct {
	Version string  `json:"version"` // of the program
	Solver  string  `json:"solver"`  // the version of the search
	Machine Machine `json:"machine"`
	Seed    string  `json:"seed"` // a decimal number: it may exceed 2^53
	Rows    []Row   `json:"rows"`
}

// Machine describes the machine of a measurement.
type Machine struct {
	CPU   string `json:"cpu"`   // the manufacturer's name
	Cores int    `json:"cores"` // logical cores that the program may use
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	Go    string `json:"go"`
}

// ThisMachine describes the machine on which the program runs.
func ThisMachine() Machine {
	m := Machine{CPU: cpuid.CPU.BrandName, Cores: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version()}
	if m.CPU == "" {
		m.CPU = "unnamed processor"
	}
	return m
}

// NewReport returns a report without rows.
func NewReport(version, seed string) Report {
	return Report{Version: version, Solver: search.Version, Machine: ThisMachine(), Seed: seed, Rows: []Row{}}
}

// Markdown writes the report as a Markdown table, after a line with the versions and the machine.
func (r Report) Markdown(w io.Writer) error {
	m := r.Machine
	if _, err := fmt.Fprintf(w, "roem %s (solver %s), one of the %d cores of %s, %s/%s, %s, seed %s.\n\n",
		r.Version, r.Solver, m.Cores, m.CPU, m.OS, m.Arch, m.Go, r.Seed); err != nil {
		return err
	}
	table := [][]string{{
		"deals", "goal", "number", "won", "mean ms", "p50 ms", "p99 ms", "max ms",
		"mean nodes", "p50 nodes", "p99 nodes", "max nodes", "nodes/ms",
	}}
	for _, row := range r.Rows {
		cells := []string{string(row.Set), row.Goal, strconv.Itoa(row.Deals), strconv.Itoa(row.Won)}
		for _, v := range row.Milliseconds.list() {
			cells = append(cells, threeDigits(v))
		}
		for _, v := range row.Nodes.list() {
			cells = append(cells, fmt.Sprintf("%.0f", v))
		}
		table = append(table, append(cells, fmt.Sprintf("%.0f", row.NodesPerSecond/1000)))
	}
	return markdownTable(w, table, 2)
}

func (s Spread) list() []float64 { return []float64{s.Mean, s.P50, s.P99, s.Max} }

// markdownTable writes a padded table whose first row is the header. The first columns, as many as words says, are aligned left. The others
// are numbers and are aligned right.
func markdownTable(w io.Writer, table [][]string, words int) error {
	width := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			width[i] = max(width[i], len(cell))
		}
	}
	var b strings.Builder
	for n, row := range table {
		for i, cell := range row {
			if i < words {
				fmt.Fprintf(&b, "| %-*s ", width[i], cell)
			} else {
				fmt.Fprintf(&b, "| %*s ", width[i], cell)
			}
		}
		b.WriteString("|\n")
		if n > 0 {
			continue
		}
		for i, dashes := range width {
			if i < words {
				fmt.Fprintf(&b, "|%s", strings.Repeat("-", dashes+2))
			} else {
				fmt.Fprintf(&b, "|%s:", strings.Repeat("-", dashes+1))
			}
		}
		b.WriteString("|\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// threeDigits formats a number with three significant digits, or with all digits before the decimal point if there are more.
func threeDigits(v float64) string {
	if v == 0 {
		return "0"
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	return fmt.Sprintf("%.*f", decimals, v)
}
