package clitest

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roem/internal/cli"
)

// Written demands that every line of a program in the pages below a folder names a command that exists, with flags that it has. Lines are
// in blocks of code, and in sentences between backticks. There must be one.
func Written(t *testing.T, p cli.Program, folder string) {
	t.Helper()
	found := 0
	err := filepath.WalkDir(folder, func(page string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(page) != ".md" {
			return err
		}
		text, err := os.ReadFile(page) //nolint:gosec // a page of the repository
		if err != nil {
			return err
		}
		for _, line := range Lines(string(text), p.Name) {
			found++
			if wrong := wrongIn(p.Commands, line); wrong != "" {
				t.Errorf("%s: %s %s: %s", page, p.Name, strings.Join(line, " "), wrong)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Errorf("no line of %s below %s", p.Name, folder)
	}
}

var (
	fence    = regexp.MustCompile("(?ms)^```[a-z]*\n.*?^```$") //nolint:gocritic // with m, ^ is the beginning of any line
	shells   = regexp.MustCompile("^```(sh|bash|console)?\n")
	span     = regexp.MustCompile("`[^`]+`")
	joined   = regexp.MustCompile(`\\\n\s*`)
	word     = regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"|;&<>()#]+|[|;&<>()\n]|#[^\n]*`)
	name     = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	flagName = regexp.MustCompile(`^--?([a-z][a-z0-9-]*)`)
)

// Lines returns the lines of a program in a page, each as its words after the name of the program.
func Lines(page, program string) (lines [][]string) {
	parts := slices.DeleteFunc(fence.FindAllString(page, -1), func(block string) bool { return !shells.MatchString(block) })
	for _, s := range span.FindAllString(fence.ReplaceAllString(page, "\n"), -1) {
		parts = append(parts, strings.ReplaceAll(strings.Trim(s, "`"), "\n", " "))
	}
	for _, part := range parts {
		var line []string
		inside := false
		end := func() {
			if inside {
				lines = append(lines, line)
			}
			line, inside = nil, false
		}
		for _, w := range word.FindAllString(joined.ReplaceAllString(part, " "), -1) {
			switch {
			case strings.ContainsAny(w[:1], "|;&<>()\n#"):
				end()
			case inside:
				line = append(line, w)
			case w == program || strings.HasSuffix(w, "/"+program):
				inside = true
			}
		}
		end()
	}
	return lines
}

// wrongIn returns what is wrong in a line of a program, or "". The line may end before its command. What has not the form of a command
// stands for one, as COMMAND does, or is no line of a shell, as in an error message.
func wrongIn(commands []cli.Command, line []string) string {
	if len(line) == 0 || !name.MatchString(line[0]) || line[0] == "help" || line[0] == "version" {
		return ""
	}
	i := slices.IndexFunc(commands, func(c cli.Command) bool { return c.Name == line[0] })
	if i < 0 {
		return "there is no command " + line[0]
	}
	if commands[i].Commands != nil {
		return wrongIn(commands[i].Commands, line[1:])
	}
	flags := flag.NewFlagSet(line[0], flag.ContinueOnError)
	commands[i].Setup(flags)
	for _, w := range line[1:] {
		if given := flagName.FindStringSubmatch(w); len(given) > 1 && flags.Lookup(given[1]) == nil && given[1] != "h" {
			return "there is no flag -" + given[1]
		}
	}
	return ""
}
