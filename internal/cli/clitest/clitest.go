// Package clitest is what the tests of the command lines have in common.
package clitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"roem/internal/cli"
)

// Run runs a command of a program in this process.
func Run(t *testing.T, p cli.Program, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, err bytes.Buffer
	status = p.Run(t.Context(), args, cli.Stdio{In: strings.NewReader(stdin), Out: &out, Err: &err})
	return out.String(), err.String(), status
}

// Help checks that every command of a program has help that names each of its flags, and that the overview lists it.
func Help(t *testing.T, p cli.Program) {
	t.Helper()
	overview, _, status := Run(t, p, "", "help")
	if status != 0 {
		t.Fatalf("exit status %d", status)
	}
	for _, c := range p.Commands {
		t.Run(c.Name, func(t *testing.T) {
			if !strings.Contains(overview, "  "+c.Name+" ") {
				t.Error("the overview does not list it")
			}
			if c.Commands != nil {
				Help(t, cli.Program{Name: p.Name + " " + c.Name, About: c.Long, Commands: c.Commands})
				return
			}
			help, stderr, status := Run(t, p, "", "help", c.Name)
			if status != 0 || stderr != "" {
				t.Fatalf("exit status %d, %s", status, stderr)
			}
			flags := flag.NewFlagSet(c.Name, flag.ContinueOnError)
			c.Setup(flags)
			flags.VisitAll(func(f *flag.Flag) {
				if f.Usage == "" || !strings.Contains(help, "  -"+f.Name) {
					t.Errorf("no help for -%s", f.Name)
				}
			})
		})
	}
}

// Commands are the commands that scripts have in addition to the commands of testscript.
func Commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "fields": fields, "repeat": repeat}
}

// exits STATUS COMMAND ... runs a command as exec does and fails unless it exits with the status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits status command...")
	}
	status := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		status = exit.ExitCode()
	}
	if got := strconv.Itoa(status); got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// fields FILE NAME ... writes, for each line of JSON in FILE, the values of the fields, to the standard output that
// stdout and cmp see. A name may lead into objects, as stats.nodes does. An absent field is written as -.
func fields(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fields file name...")
	}
	var out strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var object map[string]any
		ts.Check(json.Unmarshal([]byte(line), &object))
		for i, name := range args[1:] {
			var value any = object
			for part := range strings.SplitSeq(name, ".") {
				inner, _ := value.(map[string]any)
				value = inner[part]
			}
			if i > 0 {
				out.WriteByte(' ')
			}
			if text, ok := value.(string); ok {
				out.WriteString(text)
			} else if value == nil {
				out.WriteByte('-')
			} else {
				text, err := json.Marshal(value)
				ts.Check(err)
				out.Write(text)
			}
		}
		out.WriteByte('\n')
	}
	_, err := io.WriteString(ts.Stdout(), out.String())
	ts.Check(err)
}

// repeat N TEXT FILE writes FILE with N repetitions of the text in one line.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	var n int
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat n text file")
	}
	_, err := fmt.Sscan(args[0], &n)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Repeat(args[1], n)+"\n"), 0o600))
}
