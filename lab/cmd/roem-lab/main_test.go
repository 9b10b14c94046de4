package main

import (
	"flag"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"roem/internal/cli"
	"roem/internal/cli/clitest"
)

var update = flag.Bool("update", false, "write what the commands answer into the scripts, to be read before it is committed")

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"roem-lab": main}) }

// TestScripts runs the commands as a user enters them.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred processes start slowly under the race detector; other tests run the commands in this process")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Cmds:                clitest.Commands(),
	})
}

// lab runs a command of Klaverjas in this process.
func lab(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	return clitest.Run(t, program(), "", append([]string{"klaverjas"}, args...)...)
}

// Every command has help with a description of each of its flags.
func TestHelp(t *testing.T) { clitest.Help(t, program()) }

// The commands of the pages exist.
func TestWritten(t *testing.T) { clitest.Written(t, program(), "../../docs") }

func TestOutputFails(t *testing.T) {
	for _, args := range [][]string{
		{"klaverjas", "bench", "-n", "1", "-set", "uniform", "-goal", "win"},
		{"klaverjas", "bench", "-json", "-n", "1", "-set", "uniform", "-goal", "win"},
		{"version"},
		{"help"},
		{"help", "klaverjas", "bench"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var stderr strings.Builder
			status := program().Run(t.Context(), args, cli.Stdio{In: strings.NewReader(""), Out: full{}, Err: &stderr})
			if status != 1 || !strings.Contains(stderr.String(), "writing standard output: no space left on device") {
				t.Errorf("exit status %d, stderr %q, want 1 and the write error", status, &stderr)
			}
		})
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }
