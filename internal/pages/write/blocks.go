// Command write writes the generated parts of the repository outside the laboratory, where they are not what their sources say. It runs in
// the root of the repository.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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

	"roem/api/apitest"
	"roem/configs"
	"roem/internal/config"
	"roem/internal/metrics/metricstest"
	"roem/internal/pages"
	"roem/internal/service"
)

// blocks are the generated parts of the repository outside the laboratory.
var blocks = []pages.Block{
	{File: "README.md", Name: "questions", Text: questions},
	{File: "README.md", Name: "speed", Text: speed},
	{File: "docs/reference/api.md", Name: "operations", Text: operations},
	{File: "docs/reference/errors.md", Name: "kinds", Text: kinds},
	{File: "docs/reference/errors.md", Name: "codes", Text: codes},
	{File: "docs/reference/configuration.md", Name: "configuration", Text: configuration},
	{File: "docs/reference/metrics.md", Name: "metrics", Text: metrics},
	{File: "docs/reference/command-line.md", Name: "help", Text: help},
	{File: "internal/web/board/facts.json", Text: facts},
	{File: "internal/web/board/src/shared/errorwords-nl.ts", Text: dutchErrors},
}

func main() { os.Exit(pages.Main(".", blocks)) } //nolint:forbidigo // main ends the program

// row writes a row of a table. An empty cell is one space.
func row(cells ...string) string {
	return strings.ReplaceAll("| "+strings.Join(cells, " | ")+" |\n", "|  |", "| |")
}

// operations lists every operation of the contract by its tag.
func operations(src *pages.Source) string {
	doc, err := apitest.StrictDocument()
	if err != nil {
		src.Fatal(err)
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
						src.Errorf("POST /v1/jobs does not name the kind of %s", path)
					}
				}
				text.WriteString(row("`"+method+" "+path+"`", o.Summary, job))
			}
		}
	}
	return text.String()
}

// kinds lists the kinds of problems with their codes.
func kinds(*pages.Source) string {
	var text strings.Builder
	text.WriteString("| type | status | codes |\n|---|---|---|\n")
	for _, kind := range service.Kinds() {
		info := kind.Info()
		var own []string
		for _, code := range service.KindCodes(kind) {
			own = append(own, "`"+string(code)+"`")
		}
		text.WriteString(row("`"+info.Slug+"`", strconv.Itoa(info.Status), cmp.Or(strings.Join(own, ", "), "of `errors`")))
	}
	return text.String()
}

// codes lists what the codes of errors mean that are not in the table of the kinds.
func codes(*pages.Source) string {
	var text strings.Builder
	text.WriteString("| code | meaning |\n|---|---|\n")
	for _, code := range service.Codes() {
		if !slices.ContainsFunc(service.Kinds(), func(k service.Kind) bool { return slices.Contains(service.KindCodes(k), code.Code) }) {
			text.WriteString(row("`"+string(code.Code)+"`", strings.ReplaceAll(code.Help, "|", `\|`)))
		}
	}
	return text.String()
}

// dutchErrors is what the Dutch pages say of an error.
func dutchErrors(*pages.Source) string {
	var text strings.Builder
	text.WriteString("// What the server says of a request that it does not answer, in Dutch: by its code. The codes are explained at " +
		"/docs/errors. The page loads them after it is shown (problems.ts). make pages writes this.\n\n" +
		"export const texts: Record<string, string> = {\n")
	for _, code := range service.Codes() {
		text.WriteString("  " + string(code.Code) + ": '" + strings.ReplaceAll(code.Dutch, "'", "’") + "',\n")
	}
	text.WriteString("}\n")
	return text.String()
}

// metrics lists the metrics.
func metrics(src *pages.Source) string {
	families, err := metricstest.Full().Gatherer().Gather()
	if err != nil {
		src.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("| name | type | labels | meaning |\n|---|---|---|---|\n")
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "roem_") {
			continue
		}
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, "`"+l.GetName()+"`")
		}
		sort.Strings(labels)
		text.WriteString(row("`"+f.GetName()+"`", strings.ToLower(f.GetType().String()), strings.Join(labels, ", "), f.GetHelp()))
	}
	return text.String()
}

// help lists the commands of roem, as it does itself.
func help(src *pages.Source) string {
	command := exec.CommandContext(context.Background(), "go", "run", "-pgo=off", "./cmd/roem", "help")
	command.Dir = src.Root
	said, err := command.Output()
	if err != nil {
		src.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("| command | what it does |\n|---|---|\n")
	for _, found := range regexp.MustCompile(`(?m)^  ([a-z-]+) +(.*)$`).FindAllStringSubmatch(string(said), -1) {
		text.WriteString(row("`"+found[1]+"`", found[2]))
	}
	return text.String()
}

// configuration has a row for each key of configs/roem.yaml, which explains it in a comment that ends with its variable: the first
// sentence, and what 0 or an empty value means.
func configuration(src *pages.Source) string {
	names, err := config.Variables()
	if err != nil {
		src.Fatal(err)
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
	var text strings.Builder
	text.WriteString("| key | variable | default | meaning |\n|---|---|---|---|\n")
	for _, name := range names {
		if rows[name] == "" {
			src.Errorf("configs/roem.yaml does not have %s at the end of the comment above its key", name)
		}
		text.WriteString(rows[name])
	}
	if len(rows) != len(names) {
		src.Errorf("%d keys with a comment, %d variables", len(rows), len(names))
	}
	return text.String()
}

// meaning returns the first sentence of a comment on a key, and those that begin with the value 0 or an empty one.
func meaning(comment []string) string {
	paragraph, _, _ := strings.Cut(strings.Join(comment[:len(comment)-1], " "), " \n")
	sentences := regexp.MustCompile(`(?:[^.]|\.\S)+\.(?: |$)`).FindAllString(paragraph, -1)
	if len(sentences) == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString(sentences[0])
	for _, sentence := range sentences[1:] {
		if strings.HasPrefix(sentence, "0 ") || strings.HasPrefix(sentence, "0s ") || strings.HasPrefix(sentence, `"" `) {
			text.WriteString(strings.ReplaceAll(sentence, `""`, "`\"\"`"))
		}
	}
	return strings.TrimSpace(text.String())
}

// figure returns a function from the names of figures of docs/figures.json to their milliseconds.
func figure(src *pages.Source) func(name string) float64 {
	text, err := os.ReadFile(filepath.Join(src.Root, "docs", "figures.json"))
	if err != nil {
		src.Fatal(err)
	}
	var all []struct {
		Name  string  `json:"name"`
		Value float64 `json:"value"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		src.Fatal(err)
	}
	return func(name string) float64 {
		for _, f := range all {
			if f.Name == name {
				return f.Value
			}
		}
		src.Errorf("docs/figures.json does not have %s; make figures measures it", name)
		return 0
	}
}

// questions is the table of what to ask, with the time of each answer.
func questions(src *pages.Source) string {
	ms := figure(src)
	var text strings.Builder
	text.WriteString("| question | operation | answer | time |\n|---|---|---|---|\n")
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
		text.WriteString(row(q.question, q.operation, q.answer, whole(ms("klaverjas.time."+q.time))))
	}
	return text.String()
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
func speed(src *pages.Source) string {
	ms := figure(src)
	var text strings.Builder
	text.WriteString("| 1,000 random deals | mean | longest |\n|---|---|---|\n")
	for _, goal := range [][2]string{{"who wins", "win"}, {"the outcome", "value"}, {"every card", "moves"}} {
		name := "klaverjas.search.uniform." + goal[1]
		text.WriteString(row(goal[0], twoDigits(ms(name+".mean"))+" ms", twoDigits(ms(name+".longest"))+" ms"))
	}
	return text.String()
}

// twoDigits writes a number with two digits that count.
func twoDigits(x float64) string {
	return strconv.FormatFloat(x, 'f', max(0, 1-int(math.Floor(math.Log10(x)))), 64)
}
