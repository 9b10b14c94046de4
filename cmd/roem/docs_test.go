package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/cli/clitest"
)

// session matches a block of commands and their output in a page. The commands begin with "$ ".
var session = regexp.MustCompile("(?s)```console\n(.*?)```\n")

// TestPages runs every command of the pages in a shell and compares its output. With -update the output is written there.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes start slowly under the race detector")
	}
	for _, program := range []string{"sh", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	for name, least := range map[string]int{
		"lab/klaverjas/hidden-cards.md": 6, "lab/klaverjas/advice.md": 1, "lab/klaverjas/bidding.md": 3,
		"lab/belote/README.md": 4, "lab/gin-rummy/README.md": 6, "lab/tarok/README.md": 3,
	} {
		t.Run(name, func(t *testing.T) { checkPage(t, "../../docs/"+name, least) })
	}
}

// checkPage checks a page that has at least a number of blocks of commands.
func checkPage(t *testing.T, page string, least int) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	blocks := session.FindAllSubmatch(text, -1)
	if len(blocks) < least {
		t.Fatalf("%d blocks of commands, want at least %d", len(blocks), least)
	}
	for _, block := range blocks {
		var got bytes.Buffer
		for line := range strings.Lines(string(block[1])) {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			got.WriteString(line)
			got.Write(shell(t, strings.TrimSpace(command)))
		}
		if *update {
			text = bytes.Replace(text, block[1], got.Bytes(), 1)
			continue
		}
		if diff := cmp.Diff(string(block[1]), got.String()); diff != "" {
			t.Errorf("the page shows another output; if this one is right, run with -update (-page +roem)\n%s", diff)
		}
	}
	if *update {
		if err := os.WriteFile(page, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// shell runs a command, in which roem is the program of this test, and returns its standard output.
func shell(t *testing.T, command string) []byte {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "sh", "-c", command).Output()
	if err != nil {
		exit, _ := errors.AsType[*exec.ExitError](err)
		t.Fatalf("%s: %v\n%s", command, err, exit.Stderr)
	}
	return out
}

// The page of the command line has every command.
func TestCommandsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/command-line.md")
	if err != nil {
		t.Fatal(err)
	}
	all := program().Commands
	if len(all) < 20 {
		t.Errorf("only %d commands", len(all))
	}
	for i := range all {
		if !bytes.Contains(page, []byte("`"+all[i].Name+"`")) {
			t.Errorf("docs/reference/command-line.md does not have %s", all[i].Name)
		}
	}
}

// The commands of the pages exist.
func TestWritten(t *testing.T) { clitest.Written(t, program(), "../../docs") }
