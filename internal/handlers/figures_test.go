package handlers_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// figure is a number that a command has written into a page of the lab, and where else it stands.
type figure struct {
	source, pattern string              // the page below docs/lab, and what finds the number
	said            func(string) string // how other pages write it; nil as it is
	stands          map[string]string   // the pages below docs, and the text around the number, which is %s
}

// figures are the numbers that pages for users repeat. make readme writes the table of the search, roem-lab the card of the model and the
// page of the model of hands.
var figures = []figure{
	{
		"klaverjas/search.md", `(?m)^\| uniform +\| value \| +1000 \| +\d+ \| +([\d.]+)`, rounded(1),
		map[string]string{
			"explanation/search.md": "This one takes %s ms on average",
		},
	},
	{
		"klaverjas/search.md", `(?m)^\| uniform +\| win +\| +1000 \| +\d+ \| +([\d.]+)`, rounded(1),
		map[string]string{"how-to/solve-predict-or-hybrid.md": "%s ms for `win`"},
	},
	{
		"klaverjas/search.md", `(?m)^\| uniform +\| moves \| +1000 \| +\d+ \| +([\d.]+)`, rounded(0),
		map[string]string{"how-to/solve-predict-or-hybrid.md": "%s ms for `moves`"},
	},
	{
		"klaverjas/search.md", `(?m)^\| uniform +\| value \|(?: +[\d.]+ \|){5} +([\d.]+)`, rounded(0),
		map[string]string{"explanation/search.md": "%s ms for the slowest of 1,000 random deals"},
	},
	{
		"klaverjas/model-card.md", `(?m)^\| uniform, seed 9002 \| \d+ \| [\d.]+ % \| \*\*([\d.]+ %)`, nil,
		map[string]string{"explanation/models.md": "%s of random deals right", "lab/klaverjas/hybrid.md": "and %s on its uniform ones"},
	},
	{
		"klaverjas/model-card.md", `(?m)^\| class-uniform, seed 9001 \| \d+ \| [\d.]+ % \| \*\*([\d.]+ %)`, nil,
		map[string]string{"lab/klaverjas/hybrid.md": "%s on its class-uniform deals"},
	},
	{
		"klaverjas/model-card.md", `(?m)^\| uniform, seed 9002 .* ([\d.]+) points \([\d.]+ to`, nil,
		map[string]string{
			"explanation/models.md": "calibration error %s points", "reference/outcome-and-signs.md": "`predict` by %s",
		},
	},
	{
		"klaverjas/bidding.md", "(?m)^\\| `bid` \\| [\\d.]+ \\| [\\d.]+ \\| ([\\d.]+) points \\(0\\.5", nil,
		map[string]string{"reference/outcome-and-signs.md": "the probabilities of `bid` are off by %s points"},
	},
	{
		"klaverjas/bidding.md", `(?m)^\| at the table \| [\d.]+ \| [\d.]+ \| ([\d.]+) points`, nil,
		map[string]string{
			"explanation/models.md": "players | calibration error %s points", "explanation/open-cards-and-the-table.md": "2.7 points against %s",
		},
	},
	{
		"klaverjas/hand-strength.md", `(?m)^\| network, all cards open \| [\d.]+ \| [\d.]+ \| ([\d.]+) points`, rounded(0),
		map[string]string{"explanation/open-cards-and-the-table.md": "off by %s points on average"},
	},
	{
		"klaverjas/hand-strength.md", `(?m)^\| map of deals \| [\d.]+ \| [\d.]+ \| ([\d.]+) points`, nil,
		map[string]string{"explanation/open-cards-and-the-table.md": "they are off by %s points"},
	},
	{
		"klaverjas/hand-strength.md", `(?m)^\| root mean square error \| ([\d.]+) points \| 0\.94`, nil,
		map[string]string{"explanation/models.md": "%s points of probability off"},
	},
	{
		"klaverjas/advice.md", `has the verdict of 1,500 worlds for (608 of all 644) choices`, func(s string) string {
			return strings.Replace(s, "all ", "", 1)
		},
		map[string]string{"how-to/show-mistakes.md": "in %s choices"},
	},
}

// rounded returns what writes a number with a number of places.
func rounded(places int) func(string) string {
	return func(text string) string {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return text
		}
		return strings.TrimSuffix(strconv.FormatFloat(x, 'f', places, 64), ".0")
	}
}

// A number that stands on several pages is the same everywhere.
func TestFigures(t *testing.T) {
	read := func(page string) string {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, f := range figures {
		found := regexp.MustCompile(f.pattern).FindStringSubmatch(read("lab/" + f.source))
		if found == nil {
			t.Errorf("docs/lab/%s has nothing like %s", f.source, f.pattern)
			continue
		}
		number := found[1]
		if f.said != nil {
			number = f.said(number)
		}
		for page, around := range f.stands {
			want := fmt.Sprintf(around, number)
			if !strings.Contains(strings.Join(strings.Fields(read(page)), " "), want) {
				t.Errorf("docs/%s does not say %q, as docs/lab/%s does", page, want, f.source)
			}
		}
	}
}
