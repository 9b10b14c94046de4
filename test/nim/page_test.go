package nim

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// quoted matches a block of a page with the file that it is from.
var quoted = regexp.MustCompile("(?s)`test/nim/([a-z_.]+)`:\n\n```[a-z]+\n(.*?)```\n")

// The blocks of the page are in the files.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/project/adding-a-game.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := quoted.FindAllStringSubmatch(string(page), -1)
	if all := strings.Count(string(page), "\n```\n"); len(blocks) < 10 || len(blocks) != all {
		t.Errorf("%d blocks with the name of their file, %d blocks", len(blocks), all)
	}
	for _, block := range blocks {
		file, err := os.ReadFile(block[1])
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(file), block[2]) {
			t.Errorf("%s does not have this:\n%s", block[1], block[2])
		}
	}
}

// A game takes at most 400 lines that people write.
func TestLines(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "../../scripts/count-game.sh").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
