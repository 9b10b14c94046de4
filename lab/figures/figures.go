// Package figures measures the figures that generated blocks of pages take from docs/figures.json, which roem-lab figures writes.
package figures

import (
	"bytes"
	"encoding/json"
	"strconv"

	"roem/internal/engine/klaverjas/dealstest"
	"roem/lab/klaverjas/bench"
)

// Path is where the file is, below the root of the repository.
const Path = "docs/figures.json"

// Figure is one figure, in the file.
type Figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	On    string  `json:"on"`    // what it was measured on: deals, set, seed
	Since string  `json:"since"` // when it was measured, and with which version and machine
}

// milliseconds is a time, with three digits that count.
func milliseconds(name string, ms float64, on string) Figure {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(ms, 'g', 3, 64), 64)
	if err != nil {
		rounded = ms
	}
	return Figure{Name: name, Value: rounded, Unit: "ms", On: on}
}

// Search returns the figures of the search on uniform deals.
func Search(r *bench.Report) (all []Figure) {
	for _, row := range r.Rows {
		if row.Set != dealstest.Uniform {
			continue
		}
		name := "klaverjas.search.uniform." + row.Goal
		on := strconv.Itoa(row.Deals) + " deals of the set uniform, seed " + r.Seed + ", each with an empty table, one core"
		all = append(all, milliseconds(name+".mean", row.Milliseconds.Mean, on), milliseconds(name+".longest", row.Milliseconds.Max, on))
	}
	return all
}

// Text returns the file as text, one figure a line, all measured at a time and with a version and machine.
func Text(all []Figure, since string) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	out.WriteString("[\n")
	for i, f := range all {
		f.Since = since
		if err := enc.Encode(f); err != nil {
			return nil, err
		}
		if i < len(all)-1 {
			out.Truncate(out.Len() - 1)
			out.WriteString(",\n")
		}
	}
	out.WriteString("]\n")
	return out.Bytes(), nil
}
