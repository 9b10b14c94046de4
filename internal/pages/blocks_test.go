package pages_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"roem/api/apitest"
	"roem/configs"
	"roem/internal/config"
	"roem/internal/metrics/metricstest"
	"roem/internal/pages"
	"roem/internal/service"
	"roem/internal/testkit"
)

type block struct {
	file, name string
	text       func(*testing.T) string
}

// blocks are the generated parts of the repository outside the laboratory: of a page, or, without a name, a whole file.
var blocks = []block{
	{"README.md", "questions", questions},
	{"README.md", "speed", speed},
	{"docs/reference/api.md", "operations", operations},
	{"docs/reference/errors.md", "kinds", kinds},
	{"docs/reference/errors.md", "codes", codes},
	{"docs/reference/configuration.md", "configuration", configuration},
	{"docs/reference/metrics.md", "metrics", metrics},
	{"docs/reference/command-line.md", "help", help},
	{"internal/web/board/facts.json", "", facts},
	{"internal/web/board/src/shared/errorwords-nl.ts", "", dutchErrors},
}

// Every block of a page is what its source says.
func TestPages(t *testing.T) {
	for _, b := range blocks {
		t.Run(cmp.Or(b.name, filepath.Base(b.file)), func(t *testing.T) { testkit.Generated(t, b.file, b.name, b.text(t)) })
	}
}

// Every block of a page is in the list: without a source it would stay as it is.
func TestBlocksHaveSources(t *testing.T) {
	root := os.DirFS("../..")
	check := func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := fs.ReadFile(root, path)
		for _, name := range pages.Names(string(text)) {
			if !slices.ContainsFunc(blocks, func(b block) bool { return b.file == path && b.name == name }) {
				t.Errorf("%s: nothing writes the block %s", path, name)
			}
		}
		return err
	}
	for _, top := range []string{"README.md", "docs"} {
		if err := fs.WalkDir(root, top, check); err != nil {
			t.Fatal(err)
		}
	}
}

// row writes a row of a table. An empty cell is one space.
func row(cells ...string) string {
	return strings.ReplaceAll("| "+strings.Join(cells, " | ")+" |\n", "|  |", "| |")
}

// operations lists every operation of the contract by its tag.
func operations(t *testing.T) string {
	t.Helper()
	doc, err := apitest.StrictDocument()
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]string{} // kinds by the path of the operation
	table := doc.Paths.Value("/v1/jobs").Post.Description
	for _, found := range regexp.MustCompile("\\| (`[^`]+`) \\| `([^`]+)` \\|").FindAllStringSubmatch(table, -1) {
		jobs[found[2]] = found[1]
	}
	var text strings.Builder
	for _, tag := range doc.Tags {
		fmt.Fprintf(&text, "\n### %s\n\n| operation | what it answers | kind of job |\n|---|---|---|\n", tag.Name)
		for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
			for _, method := range []string{"GET", "POST", "DELETE"} {
				o := doc.Paths.Value(path).GetOperation(method)
				if o == nil || o.Tags[0] != tag.Name {
					continue
				}
				job := ""
				if o.Responses.Value("202") != nil && path != "/v1/jobs" {
					if job = jobs[path]; job == "" {
						t.Errorf("POST /v1/jobs does not name the kind of %s", path)
					}
				}
				text.WriteString(row("`"+method+" "+path+"`", o.Summary, job))
			}
		}
	}
	return text.String()
}

// kinds lists the kinds of problems with their codes.
func kinds(*testing.T) string {
	text := "| type | status | codes |\n|---|---|---|\n"
	for _, kind := range service.Kinds() {
		info := kind.Info()
		var own []string
		for _, code := range service.KindCodes(kind) {
			own = append(own, "`"+string(code)+"`")
		}
		text += row("`"+info.Slug+"`", strconv.Itoa(info.Status), cmp.Or(strings.Join(own, ", "), "of `errors`"))
	}
	return text
}

// codes lists what the codes of errors mean that are not in the table of the kinds.
func codes(*testing.T) string {
	text := "| code | meaning |\n|---|---|\n"
	for _, code := range service.Codes() {
		if !slices.ContainsFunc(service.Kinds(), func(k service.Kind) bool { return slices.Contains(service.KindCodes(k), code.Code) }) {
			text += row("`"+string(code.Code)+"`", strings.ReplaceAll(code.Help, "|", `\|`))
		}
	}
	return text
}

// dutchErrors is what the Dutch pages say of an error.
func dutchErrors(*testing.T) string {
	text := "// What the server says of a request that it does not answer, in Dutch: by its code. The codes are explained at /docs/errors. " +
		"The page loads them after it is shown (problems.ts). make pages writes this.\n\nexport const texts: Record<string, string> = {\n"
	for _, code := range service.Codes() {
		text += "  " + string(code.Code) + ": '" + strings.ReplaceAll(code.Dutch, "'", "’") + "',\n"
	}
	return text + "}\n"
}

// metrics lists the metrics.
func metrics(t *testing.T) string {
	t.Helper()
	families, err := metricstest.Full().Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	text := "| name | type | labels | meaning |\n|---|---|---|---|\n"
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "roem_") {
			continue
		}
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, "`"+l.GetName()+"`")
		}
		sort.Strings(labels)
		text += row("`"+f.GetName()+"`", strings.ToLower(f.GetType().String()), strings.Join(labels, ", "), f.GetHelp())
	}
	return text
}

// help lists the commands of roem, as it does itself.
func help(t *testing.T) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "run", "-pgo=off", "./cmd/roem", "help")
	command.Dir = "../.."
	said, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	text := "| command | what it does |\n|---|---|\n"
	for _, found := range regexp.MustCompile(`(?m)^  ([a-z-]+) +(.*)$`).FindAllStringSubmatch(string(said), -1) {
		text += row("`"+found[1]+"`", found[2])
	}
	return text
}

// configuration has a row for each key of configs/roem.yaml, which explains it in a comment that ends with its variable: the first
// sentence, and what 0 or an empty value means.
func configuration(t *testing.T) string {
	t.Helper()
	names, err := config.Variables()
	if err != nil {
		t.Fatal(err)
	}
	rows, section := map[string]string{}, ""
	var comment []string
	for line := range strings.Lines(string(configs.Default)) {
		line = strings.TrimRight(line, "\n")
		name, value, isKey := strings.Cut(strings.TrimSpace(line), ": ")
		switch text, isComment := strings.CutPrefix(strings.TrimSpace(line), "#"); {
		case isComment && strings.TrimSpace(text) == "":
			comment = append(comment, "\n")
		case isComment:
			comment = append(comment, strings.Fields(text)...)
		case isKey && len(comment) > 0:
			variable, key := comment[len(comment)-1], strings.TrimPrefix(section+"."+name, ".")
			if !strings.HasPrefix(line, " ") {
				key = name
			}
			code := "`" + strings.Join([]string{key, variable, strings.Trim(value, `"`)}, "` | `") + "`"
			rows[variable] = strings.ReplaceAll(row(code, meaning(comment)), "| `` |", "| |")
			comment = nil
		default:
			section, comment = strings.TrimSuffix(strings.TrimSpace(line), ":"), nil
		}
	}
	text := "| key | variable | default | meaning |\n|---|---|---|---|\n"
	for _, name := range names {
		if rows[name] == "" {
			t.Errorf("configs/roem.yaml does not have %s at the end of the comment above its key", name)
		}
		text += rows[name]
	}
	if len(rows) != len(names) {
		t.Errorf("%d keys with a comment, %d variables", len(rows), len(names))
	}
	return text
}

// meaning returns the first sentence of a comment on a key, and those that begin with the value 0 or an empty one.
func meaning(comment []string) string {
	paragraph, _, _ := strings.Cut(strings.Join(comment[:len(comment)-1], " "), " \n")
	sentences := regexp.MustCompile(`(?:[^.]|\.\S)+\.(?: |$)`).FindAllString(paragraph, -1)
	if len(sentences) == 0 {
		return ""
	}
	text := sentences[0]
	for _, sentence := range sentences[1:] {
		if strings.HasPrefix(sentence, "0 ") || strings.HasPrefix(sentence, "0s ") || strings.HasPrefix(sentence, `"" `) {
			text += strings.ReplaceAll(sentence, `""`, "`\"\"`")
		}
	}
	return strings.TrimSpace(text)
}

// figure returns a function from the names of figures of docs/figures.json to their milliseconds.
func figure(t *testing.T) func(name string) float64 {
	t.Helper()
	text, err := os.ReadFile("../../docs/figures.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Name  string  `json:"name"`
		Value float64 `json:"value"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return func(name string) float64 {
		t.Helper()
		for _, f := range all {
			if f.Name == name {
				return f.Value
			}
		}
		t.Errorf("docs/figures.json does not have %s; make figures measures it", name)
		return 0
	}
}

// questions is the table of what to ask, with the time of each answer.
func questions(t *testing.T) string {
	t.Helper()
	ms := figure(t)
	text := "| question | operation | answer | time |\n|---|---|---|---|\n"
	for _, q := range []struct{ question, operation, answer, time string }{
		{"What may be played?", "`legal-moves`", "exact", "legal-moves"},
		{"What is a deal worth?", "`solve`", "exact", "solve"},
		{"With which trump?", "`table`", "exact", "table"},
		{"What did each card cost?", "`analyse`", "exact", "analyse"},
		{"Who probably wins?", "`predict`", "estimated", "predict"},
		{"Exact or estimated, within 5 ms?", "`hybrid`", "says which", "hybrid"},
		{"What can a player know?", "`knowledge`", "exact", "knowledge"},
		{"Which card with hidden cards?", "`advise`", "estimated", "advise"},
		{"How strong are eight cards, what to call?", "`hand-strength`, `bid`", "estimated", "bid"},
		{"Could the player have known?", "`review`", "both", "review"},
	} {
		text += row(q.question, q.operation, q.answer, whole(ms("klaverjas.time."+q.time)))
	}
	return text
}

// whole writes milliseconds as a whole number of the largest unit of which they are one or more.
func whole(ms float64) string {
	switch {
	case ms >= 999.5:
		return fmt.Sprintf("%.0f s", ms/1000)
	case ms >= 0.9995:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.0f µs", ms*1000)
}

// speed is the table of how long a search takes.
func speed(t *testing.T) string {
	t.Helper()
	ms := figure(t)
	text := "| 1,000 random deals | mean | longest |\n|---|---|---|\n"
	for _, goal := range [][2]string{{"who wins", "win"}, {"the outcome", "value"}, {"every card", "moves"}} {
		name := "klaverjas.search.uniform." + goal[1]
		text += row(goal[0], twoDigits(ms(name+".mean"))+" ms", twoDigits(ms(name+".longest"))+" ms")
	}
	return text
}

// twoDigits writes a number with two digits that count.
func twoDigits(x float64) string {
	return strconv.FormatFloat(x, 'f', max(0, 1-int(math.Floor(math.Log10(x)))), 64)
}
