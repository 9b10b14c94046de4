// Package cli contains what the commands of roem and roem-lab share: the selection of a command, flags, help, exit statuses, and the
// display of progress.
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
	"roem/internal/engine/violation"
)

// Exit statuses.
const (
	statusOK     = 0
	statusFailed = 1
	StatusUsage  = 2   // the arguments are invalid
	StatusSignal = 128 // plus the number of the signal
)

// Program is a program with several commands.
type Program struct {
	Name     string // the name of the program
	Version  string
	About    string // the help before the list of commands
	Example  string // the help after it
	Commands []Command
}

// Main runs the program with the arguments of the process and returns the exit status. A signal cancels the context of the command.
func (p Program) Main() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals) // a second signal ends the program at once
		cancel(Interrupted{s})
	}()
	return p.Run(ctx, os.Args[1:], Stdio{os.Stdin, os.Stdout, os.Stderr})
}

// Interrupted is the cause of the end of a command's context.
type Interrupted struct{ Signal os.Signal }

// Error names the signal.
func (i Interrupted) Error() string { return "stopped by signal: " + i.Signal.String() }

// Stdio holds the standard streams of a command.
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// Command is a command of a program.
type Command struct {
	Name string
	// Args are its arguments, for the help. "" is none, "FILE" one, "FILE ..." one or more; the command checks any other text itself.
	Args  string
	Needs []string // the flags that must be given
	Short string   // one line of description
	Long  string   // the rest of its help
	// Commands, if not nil, makes the command a group: its first argument names one of them. Setup is not used.
	Commands []Command
	// Setup adds the command's flags and returns the function that runs it, which is called with the other arguments when the flags are
	// parsed.
	Setup func(*flag.FlagSet) func(ctx context.Context, std Stdio, args []string) error
}

// UsageError is the error for invalid arguments.
type UsageError struct{ Err error }

// Error returns the text of the error.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the underlying error.
func (e UsageError) Unwrap() error { return e.Err }

// Usagef returns a [UsageError].
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
		name, args = args[0], append(args[1:len(args):len(args)], "-h")
	case "version", "-version", "--version":
		return report(std.Err, p.Name+" version", p.writeVersion(std.Out, args))
	}
	names := []string{"help", "version"}
	for _, c := range p.Commands {
		if c.Name == name && c.Commands != nil {
			group := Program{Name: p.Name + " " + name, Version: p.Version, About: c.Long, Commands: c.Commands}
			return group.Run(ctx, args, std)
		}
		if c.Name == name {
			return report(std.Err, p.Name+" "+name, c.run(ctx, p.Name, std, args))
		}
		names = append(names, c.Name)
	}
	hint := ""
	if near := violation.Nearest(name, names); near != "" {
		hint = ": did you mean " + near + "?"
	}
	return report(std.Err, p.Name, Usagef("there is no command %q%s; the commands are %s", name, hint, strings.Join(names, ", ")))
}

func (p Program) writeVersion(w io.Writer, args []string) error {
	if len(args) > 0 {
		return Usagef("unexpected argument %q", args[0])
	}
	_, err := fmt.Fprintf(w, "%s %s (solver %s, %s, %s/%s)\n", p.Name, p.Version, search.Version, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	return Writing(err)
}

// Say writes a message to the user. Errors are ignored, because they cannot be reported anywhere else.
func Say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// report writes the error of a command and returns its exit status.
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

// overview returns the help of the program.
func (p Program) overview() string {
	width := len("version")
	for _, c := range p.Commands {
		width = max(width, len(c.Name))
	}
	var b strings.Builder
	b.WriteString(p.About)
	for _, c := range p.Commands {
		fmt.Fprintf(&b, "  %-*s %s%s\n", width+1, c.Name, c.Short, c.names())
	}
	fmt.Fprintf(&b, "  %-*s explains a command: %s help %s\n", width+1, "help", p.Name, p.Commands[0].Name)
	fmt.Fprintf(&b, "  %-*s prints the version of the program\n", width+1, "version")
	b.WriteString(p.Example)
	return b.String()
}

// names returns the names of the commands of a group, after a colon.
func (c Command) names() string {
	if c.Commands == nil {
		return ""
	}
	names := make([]string, len(c.Commands))
	for i, of := range c.Commands {
		names[i] = of.Name
	}
	return ": " + strings.Join(names, ", ")
}

// run parses the flags, which may be before and after other arguments, and runs the command.
func (c Command) run(ctx context.Context, program string, std Stdio, args []string) error {
	flags := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // its errors are reported like all others
	work := c.Setup(flags)
	rest, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		_, err := io.WriteString(std.Out, c.help(program, flags))
		return Writing(err)
	}
	if err == nil {
		err = c.check(flags, rest)
	}
	if err != nil {
		return UsageError{Err: err}
	}
	err = work(ctx, std, rest)
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
		return cause // the error of the search contains only that the context ended
	}
	return err
}

// check returns an error if the command does not accept the arguments or the values of the flags.
func (c Command) check(flags *flag.FlagSet, args []string) (err error) {
	name, more := strings.CutSuffix(c.Args, " ...")
	one := name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	switch {
	case one && len(args) == 0:
		return fmt.Errorf("expected %s", c.Args)
	case c.Args == "" && len(args) > 0:
		return fmt.Errorf("unexpected argument %q", args[0])
	case one && !more && len(args) > 1:
		return fmt.Errorf("unexpected argument %q", args[1])
	}
	for _, name := range c.Needs {
		if f := flags.Lookup(name); f.Value.String() == "" {
			_, usage := flag.UnquoteUsage(f)
			return fmt.Errorf("-%s is missing: %s", name, usage)
		}
	}
	flags.VisitAll(func(f *flag.Flag) {
		if n, ok := f.Value.(interface{ check() error }); ok && err == nil {
			if wrong := n.check(); wrong != nil {
				err = fmt.Errorf("-%s %s: %w", f.Name, f.Value, wrong)
			}
		}
	})
	return err
}

// help returns the help of the command.
func (c Command) help(program string, flags *flag.FlagSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n\nUsage: %s\n\n%s\n\nFlags:\n", program, c.Name, c.Short,
		strings.TrimSpace(program+" "+c.Name+" [FLAGS] "+c.needs(flags)+c.Args), strings.TrimSpace(c.Long))
	flags.SetOutput(&b)
	flags.PrintDefaults()
	return b.String()
}

// needs returns the flags that must be given as the help shows them.
func (c Command) needs(flags *flag.FlagSet) string {
	var b strings.Builder
	for _, name := range c.Needs {
		value, _ := flag.UnquoteUsage(flags.Lookup(name))
		fmt.Fprintf(&b, "-%s %s ", name, strings.ToUpper(value))
	}
	return b.String()
}

// parse parses flags, also after other arguments, and returns the other arguments. Arguments after "--" are not flags.
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
