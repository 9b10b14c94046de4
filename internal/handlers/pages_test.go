package handlers_test

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roem/internal/service"
	"roem/internal/testkit"
)

// The page of the interface has every operation of the contract, by its tag.
func TestOperationsPage(t *testing.T) {
	doc := loadContract(t)
	kinds := map[string]string{} // by the path of the operation
	table := doc.Paths.Value("/v1/jobs").Post.Description
	for _, row := range regexp.MustCompile("\\| (`[^`]+`) \\| `([^`]+)` \\|").FindAllStringSubmatch(table, -1) {
		kinds[row[2]] = row[1]
	}
	var page strings.Builder
	for _, tag := range doc.Tags {
		fmt.Fprintf(&page, "\n### %s\n\n| operation | what it answers | kind of job |\n|---|---|---|\n", tag.Name)
		for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
			for _, method := range []string{"GET", "POST", "DELETE"} {
				o := doc.Paths.Value(path).GetOperation(method)
				if o == nil || o.Tags[0] != tag.Name {
					continue
				}
				job := ""
				if o.Responses.Value("202") != nil && path != "/v1/jobs" {
					if job = kinds[path]; job == "" {
						t.Errorf("POST /v1/jobs does not name the kind of %s", path)
					}
				}
				row := fmt.Sprintf("| `%s %s` | %s | %s |\n", method, path, o.Summary, job)
				page.WriteString(strings.ReplaceAll(row, "|  |", "| |"))
			}
		}
	}
	testkit.Generated(t, "reference/api.md", "operations", page.String())
}

// The page of errors has every kind of problem with its codes, and what the codes of errors mean.
func TestErrorsPages(t *testing.T) {
	var kinds, codes strings.Builder
	kinds.WriteString("| type | status | codes |\n|---|---|---|\n")
	for _, kind := range service.Kinds() {
		info := kind.Info()
		var own []string
		for _, code := range service.KindCodes(kind) {
			own = append(own, "`"+string(code)+"`")
		}
		fmt.Fprintf(&kinds, "| `%s` | %d | %s |\n", info.Slug, info.Status, cmp.Or(strings.Join(own, ", "), "of `errors`"))
	}
	codes.WriteString("| code | meaning |\n|---|---|\n")
	for _, code := range service.Codes() {
		if slices.ContainsFunc(service.Kinds(), func(k service.Kind) bool { return slices.Contains(service.KindCodes(k), code.Code) }) {
			continue // the table of the kinds has it
		}
		fmt.Fprintf(&codes, "| `%s` | %s |\n", code.Code, strings.ReplaceAll(code.Help, "|", `\|`))
	}
	testkit.Generated(t, "reference/errors.md", "kinds", kinds.String())
	testkit.Generated(t, "reference/errors.md", "codes", codes.String())
}
