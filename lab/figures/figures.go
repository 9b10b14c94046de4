// Package figures has the figures that the documentation states: docs/figures.json, which roem-lab figures writes. Each is read from a
// table or a result that another command writes, or is measured by roem-lab figures itself. A test compares the pages with the file.
package figures

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Path is where the file is, below the root of the repository.
const Path = "docs/figures.json"

// Figure is one figure.
type Figure struct {
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	On      string  `json:"on"`               // what it was measured on: deals, set, seed
	Command string  `json:"command"`          // what measures it
	Source  string  `json:"source,omitempty"` // the file that it is read from; empty if roem-lab figures measures it
	Since   string  `json:"since"`            // when the file got this value, and with which version or machine
}

// File is the file.
type File []Figure

// Load reads the file of a repository. Without the file it is empty.
func Load(root string) (File, error) {
	text, err := os.ReadFile(filepath.Join(root, Path)) //nolint:gosec // a file of the repository
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var f File
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", Path, err)
	}
	return f, nil
}

// Text returns the file as text: one figure a line.
func (f File) Text() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	out.WriteString("[\n")
	for i := range f {
		if err := enc.Encode(f[i]); err != nil {
			return nil, err
		}
		if i < len(f)-1 {
			out.Truncate(out.Len() - 1)
			out.WriteString(",\n")
		}
	}
	out.WriteString("]\n")
	return out.Bytes(), nil
}

// Values returns the values by name.
func (f File) Values() map[string]float64 {
	values := make(map[string]float64, len(f))
	for i := range f {
		values[f[i].Name] = f[i].Value
	}
	return values
}

func (f File) find(name string) (Figure, bool) {
	i := slices.IndexFunc(f, func(g Figure) bool { return g.Name == name })
	if i < 0 {
		return Figure{}, false
	}
	return f[i], true
}

// Measured are the values that roem-lab figures has measured, by name.
type Measured map[string]float64

// Collect returns the file as it should be now: with the values that its sources have, and the measured ones. What was not measured now is
// as it was. stamp says when and with what this was.
func Collect(root string, old File, measured Measured, stamp string) (File, error) {
	var f File
	texts := map[string]string{}
	for _, s := range append(read(), own()...) {
		g := Figure{Name: s.name, Unit: s.unit, On: s.on, Command: s.command, Source: s.file, Since: stamp}
		before, had := old.find(s.name)
		value, now := measured[s.name]
		switch {
		case s.file != "":
			if _, ok := texts[s.file]; !ok {
				text, err := os.ReadFile(filepath.Join(root, s.file)) //nolint:gosec // a file of the repository
				if err != nil {
					return nil, err
				}
				texts[s.file] = string(text)
			}
			var err error
			if g.Value, err = s.in(texts[s.file]); err != nil {
				return nil, err
			}
			if had && before.Value == g.Value {
				g.Since = before.Since
			}
		case now:
			g.Value = value
		case had:
			g.Value, g.Since = before.Value, before.Since
		default:
			return nil, fmt.Errorf("%s has never been measured: make figures measures it", s.name)
		}
		f = append(f, g)
	}
	slices.SortFunc(f, func(a, b Figure) int { return strings.Compare(a.Name, b.Name) })
	for name := range measured {
		if _, ok := f.find(name); !ok {
			return nil, fmt.Errorf("%s was measured, but is not declared", name)
		}
	}
	return f, nil
}

// source is where a figure comes from: a pattern with one group in a file, or, without a file, the measurement of roem-lab figures.
type source struct {
	name, unit, on, command string
	file, pattern           string
	turn                    func(float64) float64 // makes the figure of the number that is found; nil for the number itself
}

// in reads the figure from the text of its file.
func (s *source) in(text string) (float64, error) {
	found := regexp.MustCompile(s.pattern).FindStringSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("%s has nothing like %s, which is %s", s.file, s.pattern, s.name)
	}
	value, err := Number(found[1])
	if err != nil {
		return 0, fmt.Errorf("%s: %s: %w", s.file, s.name, err)
	}
	if s.turn != nil {
		value = s.turn(value)
	}
	return value, nil
}

// Number reads a number as pages write it.
func Number(text string) (float64, error) {
	return strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-", "+", "").Replace(text), 64)
}
