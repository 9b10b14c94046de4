package board_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inWords matches a text of a word file, with its key.
var inWords = regexp.MustCompile(`(?m)^  '?([\w-]+)'?:\s*'((?:[^'\\]|\\.)*)'`)

// aForm matches what depends on a number: {n|1 card|# cards}.
var aForm = regexp.MustCompile(`\{(\w+)\|([^|}]*)\|([^}]*)\}`)

// words returns a function from the keys of the word files of a page, and of all pages, to their texts. Values are pairs of a name and what
// stands in its place. Tests find what a page says by its key: what the words are is the page's business.
func words(t *testing.T, language, page string) func(key string, values ...string) string {
	t.Helper()
	texts := map[string]string{}
	for _, folder := range []string{"shared", page} {
		files, err := filepath.Glob("../../internal/web/board/src/" + folder + "/*words-" + language + ".ts")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range inWords.FindAllStringSubmatch(string(source), -1) {
				texts[found[1]] = found[2]
			}
		}
	}
	return func(key string, values ...string) string {
		t.Helper()
		text, ok := texts[key]
		if !ok {
			t.Fatalf("%s has no text %s in %s", page, key, language)
		}
		for i := 0; i < len(values); i += 2 {
			name, value := values[i], values[i+1]
			text = strings.ReplaceAll(text, "{"+name+"}", value)
			text = aForm.ReplaceAllStringFunc(text, func(form string) string {
				parts := aForm.FindStringSubmatch(form)
				switch {
				case parts[1] != name:
					return form
				case value == "1":
					return parts[2]
				}
				return strings.ReplaceAll(parts[3], "#", value)
			})
		}
		return text
	}
}
