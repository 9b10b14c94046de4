package web_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The Dutch pages say je, and "aan de beurt" as players do.
func TestDutchAddress(t *testing.T) {
	files, err := filepath.Glob("board/src/*/*words-nl.ts")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	formal := regexp.MustCompile(`(?i)(^|[^{\w])uw?e?\b|aan slag`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			// The names of fields are no Dutch.
			if formal.MatchString(line) && !strings.Contains(line, "urlUtility:") {
				t.Errorf("%s:%d: %s", file, n, strings.TrimSpace(line))
			}
		}
	}
}

// Where a number stands before what is counted, there is a form for one: a text never says "1 spellen" or "1 cards".
func TestPlurals(t *testing.T) {
	for language, plural := range map[string]*regexp.Regexp{
		"nl": regexp.MustCompile(`\{(n|of|points|worlds)\} (losse |mogelijke |)(kaarten|spellen|punten|verdelingen)\b`),
		"en": regexp.MustCompile(`\{(n|of|points|worlds)\} (possible |)(cards|hands|points|deals)\b`),
	} {
		files, err := filepath.Glob("board/src/*/*words-" + language + ".ts")
		if err != nil || len(files) < 5 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if plural.MatchString(line) {
					t.Errorf("%s: %s", file, strings.TrimSpace(line))
				}
			}
		}
	}
}
