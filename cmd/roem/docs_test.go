package main

import (
	"bytes"
	"os"
	"testing"

	"roem/internal/cli/clitest"
)

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
