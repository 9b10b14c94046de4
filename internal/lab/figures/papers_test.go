package figures_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const papers = "docs/lab/papers.md"

var (
	link   = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)
	stands = regexp.MustCompile(`\d+(?:,\d{3})*(?:\.\d+)?`)
	ticked = regexp.MustCompile("`[^`]*`")
	target = regexp.MustCompile(`\]\([^)]*\)`)
)

// The page of the papers states no number of ours that the page which its row names does not have. A row has five columns: what the paper
// describes, what was published, what came out here, where it is, and the command.
func TestPapers(t *testing.T) {
	text, err := os.ReadFile(root + papers)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| the paper |") {
			continue
		}
		line = strings.TrimSpace(line)
		cells := strings.Split(line[1:len(line)-1], "|")
		if len(cells) != 5 {
			t.Errorf("%d columns, want 5: %s", len(cells), line)
			continue
		}
		pages, places := "", 0
		for _, to := range link.FindAllStringSubmatch(cells[2]+cells[3], -1) {
			page, err := os.ReadFile(filepath.Join(root, filepath.Dir(papers), to[1]))
			if err != nil {
				t.Error(err)
			}
			if places++; strings.HasSuffix(to[1], ".csv") {
				page = bytes.ReplaceAll(page, []byte(","), []byte(" "))
			}
			pages += plain(string(page))
		}
		if places == 0 && !strings.Contains(cells[2], "*not built*") {
			t.Errorf("no place: %s", line)
		}
		for _, number := range stands.FindAllString(target.ReplaceAllString(ticked.ReplaceAllString(cells[2], ""), ""), -1) {
			if number = plain(number); len(number) < 2 {
				continue
			}
			compared++
			if !regexp.MustCompile(`(^|[^\d.])` + regexp.QuoteMeta(number) + `($|[^\d.]|\.\D)`).MatchString(pages) {
				t.Errorf("%s is on none of the pages of its row: %s", number, line)
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d numbers", compared)
	}
}

// plain returns a text without the commas of its numbers.
func plain(text string) string {
	return regexp.MustCompile(`\d{1,3}(?:,\d{3})+`).ReplaceAllStringFunc(text, func(number string) string {
		return strings.ReplaceAll(number, ",", "")
	})
}
