// Package pages writes the blocks of Markdown pages that follow from code or from measurements. A block stands between the lines
// "<!-- generated: NAME -->" and "<!-- end -->". The programs write/ and lab/figures/write have the blocks, and their tests compare them;
// make pages runs both.
package pages

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

const end = "<!-- end -->"

var begins = regexp.MustCompile(`(?m)^<!-- generated: ([a-z-]+) -->\n`)

// Names returns the names of the blocks of a page.
func Names(page string) (names []string) {
	for _, found := range begins.FindAllStringSubmatch(page, -1) {
		names = append(names, found[1])
	}
	return names
}

// Replace returns a page with another text in its block of a name. A text ends with a newline.
func Replace(page, name, text string) (string, error) {
	before, rest, ok := strings.Cut(page, "<!-- generated: "+name+" -->\n")
	old, after, ended := strings.Cut(rest, end)
	if !ok || !ended || begins.MatchString(old) {
		return "", fmt.Errorf("the page has no block %s, or the block has no end", name)
	}
	return before + "<!-- generated: " + name + " -->\n" + text + end + after, nil
}

// Write writes a text into the block of a name in a file, unless it is there.
func Write(file, name, text string) error {
	page, err := os.ReadFile(file) //nolint:gosec // a page of the repository
	if err != nil {
		return err
	}
	now, err := Replace(string(page), name, text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if now == string(page) {
		return nil
	}
	return os.WriteFile(file, []byte(now), 0o644) //nolint:gosec // a page of the repository
}
