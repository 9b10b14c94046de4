// Package lines has the commands that answer lines: each line is the body of a request, and each answer is one of the HTTP API.
package lines

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/engine/violation"
	"roem/internal/jsonlines"
	"roem/internal/service"
)

const (
	// maxLine is the maximum length of a line in bytes. It is the server's default limit of a request body, and about forty times the
	// size of a position.
	maxLine = 64 << 10
	// stdinName is the name of standard input as an argument and in errors.
	stdinName = "-"
)

// FilesHelp is the end of the help of the commands that read lines.
const FilesHelp = `
Blank lines are skipped. For a line that cannot be answered, the output is {"error": ..., "file": ..., "line": ...} with the same problem
object as in the HTTP API. The other lines are answered, and the exit status is 1.
Without files, or for the file -, standard input is read.`

// answered is the answer to a line.
type answered struct {
	text   []byte // JSON with its newline
	head   []byte // written before the answer to the first line
	said   string // what is wrong, for standard error, where text has no place for it
	failed bool   // it is an error object
	fault  error  // the error, if it is not caused by the line
}

// lineError is the output for a line that cannot be answered.
type lineError struct {
	Error api.Problem `json:"error"`
	File  string      `json:"file"`
	Line  int         `json:"line"` // from 1
}

// Answerer answers a line. If the line is invalid, the answer contains the error. A returned error ends the command.
type Answerer func(context.Context, jsonlines.Line) (answered, error)

// NewAnswerer returns an answerer that parses a line and runs an operation of the service.
func NewAnswerer[In, Out any](
	decode func(context.Context, []byte) (In, error), answer func(context.Context, In) (Out, error),
) Answerer {
	return func(ctx context.Context, line jsonlines.Line) (answered, error) {
		out, err := func() (out Out, err error) {
			if line.TooLong {
				return out, service.NewUnusable(service.TooLarge,
					violation.New(violation.TooLarge, "The line has more than %d bytes.", maxLine).Between(0, maxLine))
			}
			in, err := decode(ctx, line.Text)
			if err != nil {
				return out, err
			}
			return answer(ctx, in)
		}()
		if ctx.Err() != nil {
			return answered{}, ctx.Err() // the result may be incomplete
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

// NewRowAnswerer returns an answerer whose answers are rows of CSV, after a row of titles. What is wrong with a line goes to standard
// error.
func NewRowAnswerer[In any](
	titles []string, decode func(context.Context, []byte) (In, error), answer func(context.Context, In) ([]string, error),
) Answerer {
	row := func(fields []string) ([]byte, error) {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		err := w.Write(fields)
		w.Flush()
		return b.Bytes(), err
	}
	inner := NewAnswerer(decode, answer)
	return func(ctx context.Context, line jsonlines.Line) (answered, error) {
		a, err := inner(ctx, line)
		if err != nil {
			return a, err
		}
		if a.head, err = row(titles); err != nil {
			return a, err
		}
		if a.failed {
			var wrong lineError
			if err := json.Unmarshal(a.text, &wrong); err != nil {
				return a, err
			}
			a.said, a.text = wrong.Error.Detail, nil
			return a, nil
		}
		var fields []string
		if err := json.Unmarshal(a.text, &fields); err != nil {
			return a, err
		}
		a.text, err = row(fields)
		return a, err
	}
}

// Game makes a game for a command. G is its type, such as *tarok.Game.
type Game[G any] struct {
	Version string // of the program, which answers have
	New     func(*service.Service) (G, error)
}

// Commands returns the commands of the operations that a game declares, in order.
func (g Game[G]) Commands(d *service.Declaration[G]) []cli.Command {
	var commands []cli.Command
	for _, c := range d.Commands() {
		commands = append(commands, g.Command(&c))
	}
	return commands
}

// Command returns the command of an operation.
func (g Game[G]) Command(c *service.Command[G]) cli.Command {
	return cli.Command{
		Name: c.Name, Args: "[FILE ...]", Short: c.Short, Long: c.Long + FilesHelp,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			read := c.Read
			return g.Setup(func(flags *flag.FlagSet) {
				if c.Flags != nil {
					read = c.Flags(flags)
				}
			}, Files, func(s *service.Service, game G) Answerer {
				return NewAnswerer(func(ctx context.Context, line []byte) (service.Run, error) { return read(ctx, s, game, line) },
					func(ctx context.Context, run service.Run) (any, error) { return run(ctx) })
			})(flags)
		},
	}
}

type (
	// Setup is cli.Command.Setup.
	Setup = func(*flag.FlagSet) func(context.Context, cli.Stdio, []string) error
	// Inputs converts arguments to inputs, as Files does. size is the number of bytes of all inputs, or 0 if it is not known.
	Inputs = func(args []string, std cli.Stdio) (inputs []jsonlines.Input, size int64, err error)
)

// Setup returns the setup of a command that answers lines. own adds the flags of the command, inputs converts its arguments to inputs, and
// newAnswerer returns its answerer.
func (g Game[G]) Setup(own func(*flag.FlagSet), inputs Inputs, newAnswerer func(*service.Service, G) Answerer) Setup {
	return func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
		var workers int
		cli.WorkersFlag(flags, &workers, "answer `n` lines at a time, each on one core")
		own(flags)
		return func(ctx context.Context, std cli.Stdio, args []string) error {
			from, size, err := inputs(args, std)
			if err != nil {
				return err
			}
			s, err := service.New(service.Options{Version: g.Version, Slots: workers})
			if err != nil {
				return err
			}
			game, err := g.New(s)
			if err != nil {
				return err
			}
			return answerLines(ctx, std, from, size, workers, newAnswerer(s, game))
		}
	}
}

// answerLines answers every line of the inputs. size is the number of bytes of all inputs, or 0 if it is not known.
func answerLines(ctx context.Context, std cli.Stdio, from []jsonlines.Input, size int64, workers int, answer Answerer) error {
	out := &lineOutput{out: bufio.NewWriter(std.Out), err: std.Err}
	// If the answers go to the same terminal, they show the progress, and a bar would be mixed with them.
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
	if o.lines == 1 {
		if _, err := o.out.Write(a.head); err != nil {
			return cli.Writing(err)
		}
	}
	if a.said != "" {
		cli.Say(o.err, "roem: %s:%d: %s\n", line.Input, line.Number, a.said)
	}
	if a.fault != nil {
		cli.Say(o.err, "roem: %s:%d: a fault of roem's, please report it: %v\n", line.Input, line.Number, a.fault)
	}
	o.progress.Add(line.Size)
	_, err := o.out.Write(a.text)
	return cli.Writing(err)
}

// Flush writes the buffered answers.
func (o *lineOutput) Flush() error { return cli.Writing(o.out.Flush()) }

// Files converts arguments to inputs: standard input if there are none. A missing file is an error before any line is answered. size is the
// number of bytes of all inputs, or 0 if one of them has no size, such as a pipe.
func Files(args []string, std cli.Stdio) (inputs []jsonlines.Input, size int64, err error) {
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
				info, _ = f.Stat() // without it the size is not known
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
