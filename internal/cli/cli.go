// Package cli is what the commands of roem and roem-lab have in common: how a command is found by its name, its flags, its
// help, its exit status, and the progress that it shows.
package cli

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

// Exit statuses.
const (
	statusOK     = 0
	statusFailed = 1
	StatusUsage  = 2   // it was called wrongly
	StatusSignal = 128 // and the signal's number
)

// Program is a program of several commands.
type Program struct {
	Name     string // as it is called
	Version  string
	About    string // the help before the list of commands
	Example  string // the help after it
	Commands []Command
}

// Main runs the program with the arguments of the process, until a signal comes, and returns the exit status.
func (p Program) Main() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals) // a second one ends the program at once
		cancel(Interrupted{s})
	}()
	return p.Run(ctx, os.Args[1:], Stdio{os.Stdin, os.Stdout, os.Stderr})
}

// Interrupted is why the context of a command ended.
type Interrupted struct{ Signal os.Signal }

// Error names the signal.
func (i Interrupted) Error() string { return "stopped by signal: " + i.Signal.String() }

// Stdio is what a command reads and writes.
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// Command is what can be asked for by name.
type Command struct {
	Name  string
	Args  string // its arguments, as the help shows them
	Short string // what it does, in a line
	Long  string // the rest of its help
	// Setup adds the command's flags, and returns what runs once they are parsed, with the arguments beside them.
	Setup func(*flag.FlagSet) func(ctx context.Context, std Stdio, args []string) error
}

// UsageError is the error of a command that was called wrongly.
type UsageError struct{ Err error }

// Error says what was wrong.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns what was wrong.
func (e UsageError) Unwrap() error { return e.Err }

// Usagef makes a [UsageError].
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Run runs the program and returns its exit status.
func (p Program) Run(ctx context.Context, args []string, std Stdio) int {
	if len(args) == 0 {
		Say(std.Err, "%s", p.overview())
		return StatusUsage
	}
	name, args := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(args) == 0 {
			_, err := io.WriteString(std.Out, p.overview())
			return report(std.Err, p.Name+" help", Writing(err))
		}
		name, args = args[0], []string{"-h"}
	case "version", "-version", "--version":
		return report(std.Err, p.Name+" version", p.writeVersion(std.Out, args))
	}
	names := []string{"help", "version"}
	for _, c := range p.Commands {
		if c.Name == name {
			return report(std.Err, p.Name+" "+name, c.run(ctx, p.Name, std, args))
		}
		names = append(names, c.Name)
	}
	return report(std.Err, p.Name, Usagef("there is no command %q; the commands are %s", name, strings.Join(names, ", ")))
}

func (p Program) writeVersion(w io.Writer, args []string) error {
	if len(args) > 0 {
		return Usagef("unexpected argument %q", args[0])
	}
	_, err := fmt.Fprintf(w, "%s %s (solver %s, %s, %s/%s)\n", p.Name, p.Version, search.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return Writing(err)
}

// Say tells the user something beside the answers. If it cannot, there is nobody else to tell.
func Say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// report tells the user about the error of a command and returns the exit status that it means.
func report(w io.Writer, who string, err error) int {
	if err == nil {
		return statusOK
	}
	Say(w, "%s: %v\n", who, err)
	if _, ok := errors.AsType[UsageError](err); ok {
		program, name, ok := strings.Cut(who, " ")
		help := program + " help"
		if ok && name != "version" {
			help += " " + name
		}
		Say(w, "See %q.\n", help)
		return StatusUsage
	}
	if stop, ok := errors.AsType[Interrupted](err); ok {
		if number, ok := stop.Signal.(syscall.Signal); ok {
			return StatusSignal + int(number)
		}
	}
	return statusFailed
}

// overview is the help for the program as a whole.
func (p Program) overview() string {
	width := len("version")
	for _, c := range p.Commands {
		width = max(width, len(c.Name))
	}
	var b strings.Builder
	b.WriteString(p.About)
	for _, c := range p.Commands {
		fmt.Fprintf(&b, "  %-*s %s\n", width+1, c.Name, c.Short)
	}
	fmt.Fprintf(&b, "  %-*s help for a command: %s help %s\n", width+1, "help", p.Name, p.Commands[0].Name)
	fmt.Fprintf(&b, "  %-*s the version of the program\n", width+1, "version")
	b.WriteString(p.Example)
	return b.String()
}

// run parses the flags, which may stand before and after other arguments, and runs the command.
func (c Command) run(ctx context.Context, program string, std Stdio, args []string) error {
	flags := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // its errors are reported as all others are
	work := c.Setup(flags)
	rest, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		_, err := io.WriteString(std.Out, c.help(program, flags))
		return Writing(err)
	}
	if err != nil {
		return UsageError{Err: err}
	}
	err = work(ctx, std, rest)
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
		return cause // the search knows only that it was stopped
	}
	return err
}

// help is the help for the command.
func (c Command) help(program string, flags *flag.FlagSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n\nUsage: %s\n\n%s\n\nFlags:\n", program, c.Name, c.Short,
		strings.TrimSpace(program+" "+c.Name+" [FLAGS] "+c.Args), strings.TrimSpace(c.Long))
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
