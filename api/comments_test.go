package api

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Vale reads documents, the contract and the words of the pages (make lint-prose). It reads a comment line by line, and most sentences
// break over lines. So this test applies the same rules to the comments of the code.

// styles are the rules of tools/prose that hold for comments too.
var styles = []string{"Nouns", "Riddles", "Filler"}

// commentRules returns the rules of the styles as one expression.
func commentRules(t *testing.T) *regexp.Regexp {
	t.Helper()
	token := regexp.MustCompile(`(?m)^  - '?(.*?)'?$`)
	lookahead := regexp.MustCompile(`\(\?!.*?\)`) // which the expressions of Go do not have
	var tokens []string
	for _, style := range styles {
		text, err := os.ReadFile(filepath.Join("..", "tools", "prose", "styles", "Roem", style+".yml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range token.FindAllStringSubmatch(string(text), -1) {
			tokens = append(tokens, strings.TrimSpace(lookahead.ReplaceAllString(m[1], "")))
		}
	}
	if !slices.Contains(tokens, "that of") || !slices.Contains(tokens, "so many") {
		t.Fatalf("the rules lack words that they must have: %q", tokens)
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(tokens, "|") + `)\b`)
}

// comments returns the comments of Go or TypeScript, each with the line on which it begins. Lines that follow each other are one comment.
func comments(source string) (texts []string, lines []int) {
	whole := regexp.MustCompile(`^\s*(?://|/\*\*?|\*/?)\s?(.*)$`)
	open := false
	for i, line := range strings.Split(source, "\n") {
		if m := whole.FindStringSubmatch(line); m != nil {
			if !open {
				texts, lines = append(texts, ""), append(lines, i+1)
			}
			texts[len(texts)-1] += " " + strings.TrimSpace(m[1])
			open = true
			continue
		}
		open = false
		if _, after, ok := strings.Cut(line, " // "); ok {
			texts, lines = append(texts, after), append(lines, i+1)
		}
	}
	return texts, lines
}

// walkSources calls a function with every source in Go and TypeScript that is not generated.
func walkSources(t *testing.T, visit func(path, source string)) {
	t.Helper()
	read := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains([]string{"node_modules", "assets", "dist", "bin", "contract"}, d.Name()) &&
			path != "../tools/contract" ||
			strings.HasPrefix(d.Name(), ".") && path != ".."):
			return filepath.SkipDir
		case d.IsDir() || strings.Contains(d.Name(), ".gen.") || !slices.Contains([]string{".go", ".ts", ".tsx"}, filepath.Ext(path)):
			return nil
		}
		source, err := os.ReadFile(path)
		read++
		visit(path, string(source))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 1000 {
		t.Errorf("only %d files were read", read)
	}
}

// The comments of the program, its tests, tools and clients keep the rules of CONTRIBUTING.md that a program can check.
func TestCommentsKeepTheStyle(t *testing.T) {
	rules, code := commentRules(t), regexp.MustCompile("`[^`]*`")
	walkSources(t, func(path, source string) {
		texts, lines := comments(source)
		for i, text := range texts {
			if found := rules.FindString(code.ReplaceAllString(text, "")); found != "" {
				t.Errorf("%s:%d: %q in a comment: see CONTRIBUTING.md, \"Writing\"", path, lines[i], found)
			}
		}
	})
}

// afterPackage are the words that follow "package" in comments without being the name of one.
var afterPackage = strings.Fields("and cards clause comment comments contains describes documentation does folder follows hidden in " +
	"is level of only or share swagger that which with")

// Comments in Go name packages that exist: after the word package, with or without a part of the path, and in links to their names.
func TestCommentsNamePackages(t *testing.T) {
	var dirs []string                     // of packages, with a slash before and after
	names := map[string]map[string]bool{} // by the name of a package, the words of its code
	clause, word := regexp.MustCompile(`(?m)^package (\w+)`), regexp.MustCompile(`\b[A-Z]\w*`)
	imported := regexp.MustCompile(`(?m)^\s+(?:(\w+) )?"(?:\S*/)?([\w.-]+)"$`)
	note := regexp.MustCompile(`//.*`)
	walkSources(t, func(path, source string) {
		m := clause.FindStringSubmatch(source)
		if filepath.Ext(path) != ".go" || m == nil {
			return
		}
		dirs = append(dirs, filepath.ToSlash(filepath.Dir(path))+"/", "/"+m[1]+"/")
		if names[m[1]] == nil {
			names[m[1]] = map[string]bool{}
		}
		for _, name := range word.FindAllString(note.ReplaceAllString(source, ""), -1) {
			names[m[1]][name] = true
		}
	})
	named := regexp.MustCompile(`\bpackages? ([a-z][a-z0-9/]*)`)
	link := regexp.MustCompile(`\[([a-z][a-z0-9]*)\.([A-Z]\w*)[].]`)
	walkSources(t, func(path, source string) {
		if filepath.Ext(path) != ".go" {
			return
		}
		known := map[string]bool{} // what the file imports from elsewhere
		for _, m := range imported.FindAllStringSubmatch(source, -1) {
			known[m[1]], known[m[2]] = true, true
		}
		texts, lines := comments(source)
		for i, text := range texts {
			for _, m := range named.FindAllStringSubmatch(text, -1) {
				if !slices.Contains(afterPackage, m[1]) && !known[m[1]] &&
					!slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasSuffix(dir, "/"+m[1]+"/") }) {
					t.Errorf("%s:%d: there is no package %s", path, lines[i], m[1])
				}
			}
			for _, m := range link.FindAllStringSubmatch(text, -1) {
				if !known[m[1]] && !names[m[1]][m[2]] {
					t.Errorf("%s:%d: there is no %s.%s", path, lines[i], m[1], m[2])
				}
			}
		}
	})
}
