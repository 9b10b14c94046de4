package figures_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"roem/internal/lab/figures"
)

// measurement matches a number that could have been measured: a number with a unit of time, of memory or of shares, with "points", or a
// rate.
var measurement = regexp.MustCompile(`(?:^|[^\w./:#%-])([+−-]?\d(?:[\d,.]*\d)?[ -]?(?:` +
	`(?:ms|µs|us|ns|s|seconds?|seconden|minutes?|minuten|hours?|uur|days?|dagen|KiB|MiB|GiB|KB|kB|MB|GB|bytes|points?|punten)\b|` +
	`%|(?:[a-z]+ ){0,3}(?:a|per|in a|each) (?:second|minute|hour)\b|times (?:as|long|fast)|(?:of|in) 1?\d{0,2},?\d{2,3}\b))`)

// notMeasured are numbers with such units that are neither figures nor limits. Each has its reason.
var notMeasured = []struct{ page, pattern, why string }{
	{"README.md", `width="75%"`, "the width of a picture"},
	{"README.md", `within 5 ms`, "a question"},
	{"SECURITY.md", `within 30 days`, "a promise"},
	{"docs/reference/rules/", `.+`, "rules of the games"},
	{"docs/reference/klaverjas-reasons.md", `(?m)^(?:\| .+ \||> .+)$`, "examples: the reasons of positions"},
	{"docs/reference/glossary.md", `\d+ points (?:for|of) `, "rules of the games"},
	{"docs/reference/outcome-and-signs.md", `162 points|with 70 %, 70 in 100`, "rules of the game, and an example of calibration"},
	{"docs/reference/command-line.md", `less than 99 % sure`, "the example below"},
	{"docs/reference/metrics.md", `5xx has a second`, "a second line"},
	{"docs/explanation/hybrid.md", `budget of 1 ms|1 ms for each`, "a budget"},
	{"docs/explanation/search.md", `1\.5 minutes`, "the paper"},
	{"docs/explanation/open-cards-and-the-table.md", `lose 40 points`, "an example: docs/how-to/show-mistakes.md"},
	{"docs/how-to/show-mistakes.md", `cost 40 points`, "the example below"},
	{"docs/how-to/solve-predict-or-hybrid.md", `With 1 ms|with 1 ms|at least 99 %`, "budgets, and the example above"},
	{"docs/how-to/play-against-the-program.md", `game to 100 points`, "the rules of Gin Rummy"},
	{"docs/how-to/size-a-deployment.md", `With the defaults that is \d+ MiB on 2 cores, and \d+ MiB on 8`, "TestMemoryBoundIsDocumented"},
	{"docs/how-to/size-a-deployment.md", "`drain` \\+ 1 s|some 20 KB", "a margin, and an estimate that the bound of memory includes"},
	{
		"docs/tutorials/a-thousand-positions.md", `after 30 seconds|lose 22 points`,
		"the request, and the answer above, which TestUserPagesRun compares",
	},
	{"docs/tutorials/first-solve.md", `by 34 points`, "the answer above, which TestReadme compares"},
	{"docs/tutorials/the-board.md", `costs 14 points`, "an example"},
	{"deploy/kubernetes/README.md", `\(30 s\)`, "http.max_wait of the example"},
	{
		"api/src/", `\d+ %\s+(?:quantile|confidence|of the (?:decisions|worlds))|in \d+ % of the worlds|interval of 95 %|that 99 % of`,
		"quantiles and intervals",
	},
	{"api/src/common.yaml", `[52] points in `, "the least cost of a mistake, which answers of reviews have as rule"},
	{"api/src/belote.yaml", `\d+ points|8[02] of 162`, "rules of the game"},
	{"api/src/gin-rummy.yaml", `\d+ points?`, "rules of the game"},
	{"api/src/klaverjas-play.yaml", `1500 points|10 points`, "rules of the game"},
	{"api/src/tarok.yaml", `\d+ points|70 % of its games`, "rules of the game and of the program's bidding"},
	{"cmd/", `95 %`, "intervals"},
	{"api/src/belote.yaml", `In 24 of 24 possible`, "the example of a reason"},
	{"api/src/gin-rummy.yaml", `In 63 of 96 worlds`, "the example of a reason"},
	{"api/src/tarok.yaml", `In 60 of 60 possible`, "the example of a reason"},
	{"cmd/roem-lab/load.go", `30s`, "the duration of an example"},
	{"cmd/roem-lab/logical.go", `tolerance \(2 points`, "the tolerance of a comparison"},
	{"cmd/roem-lab/paper.go", `2 GB`, "what one experiment needs, roughly"},
}

// scanned are the pages and the parts of the contract in which every measurement is known.
var scanned = []string{
	"README.md", "SECURITY.md", "SUPPORT.md", "docs/README.md", "docs/nl.md", "docs/tutorials/*.md",
	"docs/how-to/*.md", "docs/reference/*.md",
	"docs/reference/rules/*.md", "docs/explanation/*.md", "clients/*/README.md", "examples/README.md",
	"deploy/*/README.md", "api/src/*.yaml",
}

// Every number on the pages for users, in the contract and in the help that could have been measured is a figure of the file or a limit, or
// is listed with the reason why it is neither.
func TestEveryFigureIsKnown(t *testing.T) {
	values := stated(t)
	used := map[int]bool{}
	n := 0
	for page, text := range texts(t) {
		known := knownSpans(t, page, text, values, used)
		visible := withoutCode(text)
		for _, m := range measurement.FindAllStringSubmatchIndex(visible, -1) {
			n++
			begin, end := m[2], m[3]
			if !slices.ContainsFunc(known, func(span [2]int) bool { return span[0] < end && begin < span[1] }) {
				t.Errorf("%s:%d: %q is no figure of %s and no limit", page, 1+strings.Count(text[:begin], "\n"), text[begin:end], figures.Path)
			}
		}
	}
	for i, e := range notMeasured {
		if !used[i] {
			t.Errorf("%s: nothing is %s any more", e.page, e.pattern)
		}
	}
	if n < 100 {
		t.Errorf("only %d numbers", n)
	}
}

// knownSpans returns where the figures, the limits and the listed numbers of a page are. used gets the numbers of the list that it has.
func knownSpans(t *testing.T, page, text string, values map[string]float64, used map[int]bool) (known [][2]int) {
	t.Helper()
	for _, p := range slices.Concat(places, limitPlaces) {
		if p.Page != page {
			continue
		}
		said, err := p.Find(text, values)
		if err != nil {
			t.Error(err)
		}
		for _, s := range said {
			known = append(known, [2]int{s.Begin, s.End})
		}
	}
	for i, e := range notMeasured {
		if strings.HasPrefix(page, e.page) {
			for _, span := range regexp.MustCompile(e.pattern).FindAllStringIndex(text, -1) {
				used[i] = true
				known = append(known, [2]int{span[0], span[1]})
			}
		}
	}
	return known
}

// withoutCode replaces code, and parts of pages that follow from the code, by spaces.
func withoutCode(text string) string {
	blank := func(part string) string { return regexp.MustCompile(`[^\n]`).ReplaceAllString(part, " ") }
	blanks := regexp.MustCompile("(?s)```.*?```|<!-- [\\w-]+: begin -->.*?<!-- [\\w-]+: end -->|`[^`\n]*`")
	var out strings.Builder
	at := 0
	for _, span := range blanks.FindAllStringIndex(text, -1) {
		out.WriteString(text[at:span[0]])
		// As many bytes as before, so that places in both texts are the same.
		part := blank(text[span[0]:span[1]])
		out.WriteString(part + strings.Repeat(" ", span[1]-span[0]-len(part)))
		at = span[1]
	}
	return out.String() + text[at:]
}

// texts returns the pages, the contract, and the help of the commands, by name.
func texts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range scanned {
		names, err := filepath.Glob(root + pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d pages, %v", pattern, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[strings.TrimPrefix(name, root)] = string(text)
		}
	}
	for _, pattern := range []string{"cmd/*/*.go", "internal/cli/*.go", "internal/service/*/operations.go", "internal/service/*/flags.go"} {
		names, err := filepath.Glob(root + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				all[strings.TrimPrefix(name, root)] = literals(t, name)
			}
		}
	}
	return all
}

// literals returns the texts in a file of Go, a line each. A text that is a format has no verb where it has "%%".
func literals(t *testing.T, name string) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil {
				all.WriteString(text + "\n")
			}
		}
		return true
	})
	return all.String()
}
