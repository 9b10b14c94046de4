package figures_test

import (
	"bytes"
	"cmp"
	"os"
	"slices"
	"testing"

	"roem/internal/testkit"
	"roem/lab/figures"
)

// The file of figures has what its sources say.
func TestFiguresFile(t *testing.T) {
	old, err := figures.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	now, err := figures.Collect(root, old, nil, "now")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range now {
		if f.Since == "now" {
			t.Errorf("%s does not have %s = %v, as %s does: roem-lab figures writes it", figures.Path, f.Name, f.Value, f.Source)
		}
	}
	have, err := os.ReadFile(root + figures.Path)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := old.Text(); err != nil || !bytes.Equal(have, want) || len(old) != len(now) {
		t.Errorf("%s is not as roem-lab figures writes it (%v)", figures.Path, err)
	}
}

// The pages state the figures of the file and the limits of the contract, the configuration and the code. make pages writes them.
func TestFigures(t *testing.T) {
	values := stated(t)
	byPage := map[string][]figures.Place{}
	for _, p := range slices.Concat(places, limitPlaces) {
		byPage[p.Page] = append(byPage[p.Page], p)
	}
	used := map[string]bool{}
	for page, all := range byPage {
		text, err := os.ReadFile(root + page)
		if err != nil {
			t.Fatal(err)
		}
		var said []figures.Said
		for _, p := range all {
			found, err := p.Find(string(text), values)
			switch {
			case err != nil && testkit.WritesPages():
				t.Log(err) // the test without writing fails
			case err != nil:
				t.Error(err)
			}
			said = append(said, found...)
		}
		// From the end, so that the places before stay where they are.
		slices.SortFunc(said, func(a, b figures.Said) int { return cmp.Compare(b.Begin, a.Begin) })
		now, last := string(text), len(text)
		for _, s := range said {
			used[s.Name] = true
			if s.Begin == last { // two places with one number
				continue
			}
			last = s.Begin
			switch {
			case s.Is == s.Want:
			case testkit.WritesPages():
				now = now[:s.Begin] + s.Want + now[s.End:]
			default:
				t.Errorf("%s says %s, but %s is %s: make pages writes it", page, s.Is, s.Name, s.Want)
			}
		}
		if now != string(text) {
			if err := os.WriteFile(root+page, []byte(now), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name := range values {
		if isLimit(name) && !used[name] {
			t.Errorf("no page states %s", name)
		}
	}
}
