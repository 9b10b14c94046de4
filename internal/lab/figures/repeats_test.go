package figures_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// precise matches a number of three digits or more with a unit or an interval: two pages that have it probably state one measurement.
var precise = regexp.MustCompile(`(?:^|[^\w.,])[+−-]?(\d[\d,.]*\d\s(?:ms|µs|us|ns|seconds?|minutes?|hours?|[KMG]i?B|kB|points?|nats?|` +
	`±\s[\d.]+|\([+−-]?[\d.]+ to [+−-]?[\d.]+\)|(?:[a-z]+ ){0,2}a second|%))`)

// coincidences are numbers that pages of the lab share without stating one measurement.
var coincidences = []string{
	"100 ms", "250 ms", "300 ms", "100 points", "128 KiB", "256 KiB", // periods, limits and bounds
	"19.7 ms", "53.82 %", "75.0 %",
}

// A number that the prose of one page of the lab has, and another page too, is a figure of the file.
func TestLabStatesFiguresOnce(t *testing.T) {
	values := stated(t)
	in, prose := map[string][]string{}, map[string]bool{}
	err := filepath.WalkDir(root+"docs/lab", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		page := strings.TrimPrefix(path, root)
		for number, inProse := range numbers(t, page, string(text), values) {
			in[number] = append(in[number], page)
			prose[number] = prose[number] || inProse
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for number, pages := range in {
		if len(pages) > 1 && prose[number] && !slices.Contains(coincidences, number) {
			t.Errorf("%q is in %s, and is no figure of the file there", number, strings.Join(pages, " and "))
		}
	}
	if len(in) < 300 {
		t.Errorf("only %d numbers", len(in))
	}
}

// numbers returns the precise numbers of a page that are not places of figures, and whether its prose has them.
func numbers(t *testing.T, page, text string, values map[string]float64) map[string]bool {
	t.Helper()
	known := knownSpans(t, page, text, values, map[int]bool{})
	visible := withoutCode(text)
	all := map[string]bool{}
	for _, m := range precise.FindAllStringSubmatchIndex(visible, -1) {
		begin, end := m[2], m[3]
		number := strings.Join(strings.Fields(visible[begin:end]), " ")
		digits := regexp.MustCompile(`\D`).ReplaceAllString(strings.Fields(number)[0], "")
		if len(strings.TrimLeft(digits, "0")) < 3 ||
			slices.ContainsFunc(known, func(span [2]int) bool { return span[0] < end && begin < span[1] }) {
			continue
		}
		line := visible[strings.LastIndex(visible[:begin], "\n")+1 : begin]
		all[number] = all[number] || !strings.HasPrefix(line, "|")
	}
	return all
}
