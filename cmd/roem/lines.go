package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/jsonlines"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

const (
	// maxLine is how long a line may be, in bytes: as large as the body of a request by the server's default, and some
	// forty times what a position needs.
	maxLine = 64 << 10
	// stdinName is what standard input is called as an argument and in errors.
	stdinName = "-"
)

// filesHelp is how the help of the commands that read lines ends.
const filesHelp = `
Blank lines are skipped. A line that cannot be answered gives {"error": ..., "file": ..., "line": ...} in its place, with
the problem as the HTTP API tells it; the others are answered, and the exit status is 1.
Without files, or for the file -, standard input is read.`

// answered is the answer to a line.
type answered struct {
	text   []byte // JSON with its newline
	failed bool   // it tells of an error
	fault  error  // the error, where it is the program's and not the line's
}

// lineError stands in the place of an answer.
type lineError struct {
	Error api.Problem `json:"error"`
	File  string      `json:"file"`
	Line  int         `json:"line"` // from 1
}

// answerer answers lines. Its error ends the work; what is wrong with the line is part of the answer.
type answerer func(context.Context, jsonlines.Line) (answered, error)

// newAnswerer joins the two steps of an operation of the service.
func newAnswerer[In, Out any](
	decode func([]byte) (In, error), answer func(context.Context, In) (Out, error),
) answerer {
	return func(ctx context.Context, line jsonlines.Line) (answered, error) {
		out, err := func() (out Out, err error) {
			if line.TooLong {
				return out, &service.Error{Kind: service.TooLarge, Detail: fmt.Sprintf("The line has more than %d bytes.", maxLine)}
			}
			in, err := decode(line.Text)
			if err != nil {
				return out, err
			}
			return answer(ctx, in)
		}()
		if ctx.Err() != nil {
			return answered{}, ctx.Err() // whatever came of it, it may be for that reason
		}
		a := answered{failed: err != nil}
		if err == nil {
			a.text, err = cli.Encode(out)
		} else {
			if service.KindOf(err) == service.Internal {
				a.fault = err
			}
			a.text, err = cli.Encode(lineError{service.Problem(err, ""), line.Input, line.Number})
		}
		return a, err
	}
}

// newQueryAnswerer answers queries of the service.
func newQueryAnswerer[Q service.Query](g *klaverjas.Game, parse func([]byte) (Q, error)) answerer {
	return newAnswerer(parse, func(ctx context.Context, q Q) (any, error) {
		answer, err := g.Answer(ctx, q)
		return answer.Body, err
	})
}

// lineCommand makes the setup of a command that answers lines: own adds its own flags, inputs turns its arguments into
// inputs as files does, and newAnswerer answers a line.
func lineCommand(
	own func(*flag.FlagSet), inputs func(args []string, std cli.Stdio) (inputs []jsonlines.Input, size int64, err error),
	newAnswerer func(*klaverjas.Game) answerer,
) func(*flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
	return lineCommandWith(func() (klaverjas.Options, error) { return klaverjas.Options{}, nil }, own, inputs, newAnswerer)
}

// lineCommandWith is lineCommand for a game of other options than the default ones.
func lineCommandWith(
	options func() (klaverjas.Options, error), own func(*flag.FlagSet),
	inputs func(args []string, std cli.Stdio) (inputs []jsonlines.Input, size int64, err error), newAnswerer func(*klaverjas.Game) answerer,
) func(*flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
	return func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
		workers := flags.Int("workers", runtime.GOMAXPROCS(0), "answer `n` lines at a time, on a core each")
		own(flags)
		return func(ctx context.Context, std cli.Stdio, args []string) error {
			if *workers < 1 || *workers > cli.MaxWorkers {
				return cli.Usagef("-workers %d: expected 1 to %d", *workers, cli.MaxWorkers)
			}
			from, size, err := inputs(args, std)
			if err != nil {
				return err
			}
			with, err := options()
			if err != nil {
				return err
			}
			s, err := service.New(service.Options{Version: version, Slots: *workers})
			if err != nil {
				return err
			}
			return answerLines(ctx, std, from, size, *workers, newAnswerer(klaverjas.New(s, with)))
		}
	}
}

// answerLines answers every line of the inputs, which have size bytes together, or 0 where nobody knows.
func answerLines(ctx context.Context, std cli.Stdio, from []jsonlines.Input, size int64, workers int, answer answerer) error {
	out := &lineOutput{out: bufio.NewWriter(std.Out), err: std.Err}
	// Answers that scroll by on the same terminal are progress enough, and a bar would be torn apart by them.
	if cli.IsTerminal(std.Err) && !cli.IsTerminal(std.Out) {
		out.progress = cli.NewProgress(std.Err, "lines", size, cli.ProgressDelay)
	}
	err := jsonlines.Process(ctx, jsonlines.Read(from, maxLine), workers, answer, out)
	out.progress.Stop()
	if err == nil && out.failed > 0 {
		return fmt.Errorf("%d of %d lines could not be answered, the first at %s:%d",
			out.failed, out.lines, out.firstFailed.Input, out.firstFailed.Number)
	}
	return err
}

// lineOutput writes answers.
type lineOutput struct {
	out           *bufio.Writer
	err           io.Writer
	progress      *cli.Progress
	lines, failed int
	firstFailed   jsonlines.Line
}

// Put writes an answer.
func (o *lineOutput) Put(line jsonlines.Line, a answered) error {
	o.lines++
	if a.failed {
		if o.failed == 0 {
			o.firstFailed = line
		}
		o.failed++
	}
	if a.fault != nil {
		cli.Say(o.err, "roem: %s:%d: a fault of roem's, please report it: %v\n", line.Input, line.Number, a.fault)
	}
	o.progress.Add(line.Size)
	_, err := o.out.Write(a.text)
	return cli.Writing(err)
}

// Flush writes what is still in memory.
func (o *lineOutput) Flush() error { return cli.Writing(o.out.Flush()) }

// files turns arguments into inputs, standard input if there are none. That a file is not there is found out here, before
// anything is answered. size is the number of bytes in all of them, or 0 if one has no size, as a pipe has none.
func files(args []string, std cli.Stdio) (inputs []jsonlines.Input, size int64, err error) {
	if len(args) == 0 {
		args = []string{stdinName}
		if cli.IsTerminal(std.In) {
			cli.Say(std.Err, "roem: reading lines from the terminal; ctrl-D ends them\n")
		}
	}
	known := true
	for _, name := range args {
		in := jsonlines.Input{Name: name}
		var info os.FileInfo
		if name == stdinName {
			in.Open = func() (io.ReadCloser, error) { return io.NopCloser(std.In), nil }
			if f, ok := std.In.(*os.File); ok {
				info, _ = f.Stat() // without it there is no size: no harm
			}
		} else {
			in.Open = func() (io.ReadCloser, error) { return os.Open(name) } //nolint:gosec // the user's own choice of a file
			if info, err = os.Stat(name); err != nil {
				return nil, 0, cli.UsageError{Err: cli.Plain(err)}
			}
			if info.IsDir() {
				return nil, 0, cli.Usagef("%s is a directory", name)
			}
		}
		if info != nil && info.Mode().IsRegular() {
			size += info.Size()
		} else {
			known = false
		}
		inputs = append(inputs, in)
	}
	if !known {
		size = 0
	}
	return inputs, size, nil
}
