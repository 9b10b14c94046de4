// Command roem computes exact values of Klaverjas deals at the command line, with the same JSON objects as the HTTP API,
// one a line. docs/command-line.md describes it; `roem help` lists the commands.
//
// Exit status: 0 when all went well; 1 when a line of input could not be answered or reading or writing failed; 2 when it
// was called wrongly; 128 and the number of the signal when it was interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"roem/internal/engine/klaverjas/search"
)

// version is set by the linker (-ldflags "-X main.version=v1.2.3").
var version = "devel"

// Exit statuses.
const (
	statusOK     = 0
	statusFailed = 1
	statusUsage  = 2
	statusSignal = 128 // and the signal's number
)

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals) // a second one ends the program at once
		cancel(interrupted{s})
	}()
	os.Exit(run(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}))
}

// interrupted is why the context of a command ended.
type interrupted struct{ signal os.Signal }

func (i interrupted) Error() string { return "stopped by signal: " + i.signal.String() }

// stdio is what a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// command is what can be asked for by name.
type command struct {
	name  string
	args  string // its arguments, as the help shows them
	short string // what it does, in a line
	long  string // the rest of its help
	// setup adds the command's flags, and returns what runs once they are parsed, with the arguments beside them.
	setup func(*flag.FlagSet) func(ctx context.Context, std stdio, args []string) error
}

func commands() []command {
	return []command{
		solveCommand(), legalCommand(), analyseCommand(), tableCommand(), predictCommand(), hybridCommand(), rankCommand(), unrankCommand(),
		randomCommand(), benchCommand(), datasetCommand(), paperCommand(), ladderCommand(), trainCommand(), evalCommand(), evidenceCommand(), curveCommand(), loadCommand(),
	}
}

// usageError is the error of a command that was called wrongly.
type usageError struct{ error }

// Unwrap returns what was wrong.
func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run runs the program and returns its exit status.
func run(ctx context.Context, args []string, std stdio) int {
	if len(args) == 0 {
		say(std.err, "%s", overview())
		return statusUsage
	}
	name, args := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(args) == 0 {
			_, err := io.WriteString(std.out, overview())
			return report(std.err, "roem help", writing(err))
		}
		name, args = args[0], []string{"-h"}
	case "version", "-version", "--version":
		return report(std.err, "roem version", writeVersion(std.out, args))
	}
	names := []string{"help", "version"}
	for _, c := range commands() {
		if c.name == name {
			return report(std.err, "roem "+name, c.run(ctx, std, args))
		}
		names = append(names, c.name)
	}
	return report(std.err, "roem", usagef("there is no command %q; the commands are %s", name, strings.Join(names, ", ")))
}

func writeVersion(w io.Writer, args []string) error {
	if len(args) > 0 {
		return usagef("unexpected argument %q", args[0])
	}
	_, err := fmt.Fprintf(w, "roem %s (solver %s, %s, %s/%s)\n", version, search.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return writing(err)
}

// say tells the user something beside the answers. If it cannot, there is nobody else to tell.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// report tells the user about the error of a command and returns the exit status that it means.
func report(w io.Writer, who string, err error) int {
	if err == nil {
		return statusOK
	}
	say(w, "%s: %v\n", who, err)
	if _, ok := errors.AsType[usageError](err); ok {
		help := "roem help"
		if _, name, ok := strings.Cut(who, " "); ok && name != "version" {
			help += " " + name
		}
		say(w, "See %q.\n", help)
		return statusUsage
	}
	if stop, ok := errors.AsType[interrupted](err); ok {
		if number, ok := stop.signal.(syscall.Signal); ok {
			return statusSignal + int(number)
		}
	}
	return statusFailed
}

// overview is the help for the program as a whole.
func overview() string {
	var b strings.Builder
	b.WriteString(`roem computes the exact value of Klaverjas deals, all cards open.

Usage: roem COMMAND [FLAGS] [FILE ...]

Positions are read as JSON, one a line, from the files or from standard input; answers are written as JSON, one a line, in
the same order. Positions and answers are those of the HTTP API.

`)
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-8s %s\n", c.name, c.short)
	}
	b.WriteString(`  help     help for a command: roem help solve
  version  the version of the program

An example: roem random -n 3 | roem solve -goal moves
`)
	return b.String()
}

// run parses the flags, which may stand before and after other arguments, and runs the command.
func (c command) run(ctx context.Context, std stdio, args []string) error {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // its errors are reported as all others are
	work := c.setup(flags)
	rest, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		_, err := io.WriteString(std.out, c.help(flags))
		return writing(err)
	}
	if err != nil {
		return usageError{err}
	}
	err = work(ctx, std, rest)
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
		return cause // the search knows only that it was stopped
	}
	return err
}

// help is the help for the command.
func (c command) help(flags *flag.FlagSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "roem %s: %s\n\nUsage: %s\n\n%s\n\nFlags:\n", c.name, c.short,
		strings.TrimSpace("roem "+c.name+" [FLAGS] "+c.args), strings.TrimSpace(c.long))
	flags.SetOutput(&b)
	flags.PrintDefaults()
	return b.String()
}

// parse parses flags wherever they stand and returns the other arguments. After "--" there are no flags any more.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		left := flags.Args()
		if len(left) == 0 {
			return rest, nil
		}
		if parsed := len(args) - len(left); parsed > 0 && args[parsed-1] == "--" {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}
