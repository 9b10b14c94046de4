package service

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"roem/internal/engine/record"
	"roem/internal/preview"
)

// Declaration is what a game offers, declared once. The routes, the kinds of jobs and the commands follow from it; the contract has the
// requests and the answers. G is the type that answers, such as *tarok.Game.
type Declaration[G any] struct {
	Name       string           // the game in paths and commands: "gin-rummy"
	Operations []Declared[G]    // in the order of the commands
	Sessions   func(G) *Playing // the operations on sessions; nil for none
	Records    *record.Kind     // the records of its hands; nil for none
	Foreign    []record.Foreign // what is read of hands in the formats of other programs
	// Preview returns what is shown of a link to the page of the game; nil for no page. Its error is not read.
	Preview func(G, context.Context, Shared) (preview.Preview, error)
}

// Declared is the declaration of an operation. Now, NowWith, Waiting, OrJob, AsJob and Get make one.
type Declared[G any] struct {
	name    string
	mode    Mode
	list    bool
	large   bool
	fixed   bool
	read    Reader[G]
	asks    func(*Service, G) func(ctx context.Context, body []byte) (Query, error) // nil for an operation that becomes no job
	get     func(g G, parameters map[string]string) (any, error)
	named   []string // the parameters of get
	command Command[G]
}

// Command is how an operation is used at the command line: it answers each line as if it was the body of a request.
type Command[G any] struct {
	Name, Short, Long string // as cli.Command has them; the help of the input files follows Long
	// Flags, if not nil, adds the flags that say what lines mean that leave something open. The Reader that it returns reads the lines.
	Flags func(*FlagSet) Reader[G]
	Read  Reader[G] // reads lines where there are no flags
}

// File is an answer that is not JSON.
type File struct {
	MediaType string
	Body      []byte
}

// Run answers a request that has been read.
type Run func(ctx context.Context) (answer any, err error)

// Reader reads the body of a request to a game of a service.
type Reader[G any] func(ctx context.Context, s *Service, g G, body []byte) (Run, error)

// Reads returns the Reader of a parser and a function that answers.
func Reads[G, Q, Out any](parse Parser[G, Q], answer func(G, context.Context, Q) (Out, error)) Reader[G] {
	return func(ctx context.Context, _ *Service, g G, body []byte) (Run, error) {
		in, err := parse(ctx, g, body)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (any, error) { return answer(g, ctx, in) }, nil
	}
}

// Now declares an operation that is answered at once. answer makes the answer, a type of the contract.
func Now[G, Q, Out any](name string, parse Parser[G, Q], answer func(G, Q) (Out, error)) Declared[G] {
	return NowWith(name, parse, func(g G, _ context.Context, in Q) (Out, error) { return answer(g, in) })
}

// NowWith is Now for an answer that needs the context of the request, such as to note what is logged. It waits for nothing.
func NowWith[G, Q, Out any](name string, parse Parser[G, Q], answer func(G, context.Context, Q) (Out, error)) Declared[G] {
	return Declared[G]{name: name, mode: ModeNow, read: Reads(parse, answer)}
}

// Waiting declares an operation whose answer may wait for a slot, for at most the longest wait of the server.
func Waiting[G, Q, Out any](name string, parse Parser[G, Q], answer func(G, context.Context, Q) (Out, error)) Declared[G] {
	return Declared[G]{name: name, mode: ModeWaiting, read: Reads(parse, answer)}
}

// OrJob declares an operation that becomes a job if its answer takes longer than its client waits.
func OrJob[G any, Q TypedQuery[R], R any](name string, o Op[G, Q, R]) Declared[G] {
	return Declared[G]{name: name, mode: ModeOrJob, read: o.Reader(), asks: o.asks}
}

// AsJob declares an operation that always becomes a job.
func AsJob[G any, Q TypedQuery[R], R any](name string, o Op[G, Q, R]) Declared[G] {
	return Declared[G]{name: name, mode: ModeAsJob, read: o.Reader(), asks: o.asks}
}

// Get declares an operation that is a GET. P is a struct with a field for each parameter of the query and of the path, all of them texts,
// as the types of the contract have them.
func Get[G, P, Out any](name string, answer func(G, P) (Out, error)) Declared[G] {
	fields := slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[P]()), func(f reflect.StructField) bool { return nameOf(f) == "" })
	var named []string
	for _, field := range fields {
		named = append(named, nameOf(field))
	}
	return Declared[G]{
		name: name, mode: ModeGet, named: named,
		get: func(g G, parameters map[string]string) (any, error) {
			var p P
			to := reflect.ValueOf(&p).Elem()
			for _, field := range fields {
				if text, given := parameters[nameOf(field)]; given {
					setText(to.FieldByIndex(field.Index), text)
				}
			}
			return answer(g, p)
		},
	}
}

// nameOf returns the name of a field of a struct in JSON; empty for none.
func nameOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// setText sets a text, or a text that may be absent.
func setText(to reflect.Value, text string) {
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	to.SetString(text)
}

// List returns the declaration of an operation whose body is a list. If it may become a job, AtOnce says when it does so at once.
func (d Declared[G]) List() Declared[G] {
	d.list = true
	return d
}

// Large returns the declaration of an operation whose body has a text as long as a list.
func (d Declared[G]) Large() Declared[G] {
	d.large = true
	return d
}

// Fixed returns the declaration of an operation whose answers never change.
func (d Declared[G]) Fixed() Declared[G] {
	d.fixed = true
	return d
}

// Command returns the declaration with a command of this name.
func (d Declared[G]) Command(name, short, long string) Declared[G] {
	return d.CommandWith(name, short, long, nil)
}

// CommandWith is Command for a command with flags.
func (d Declared[G]) CommandWith(name, short, long string, flags func(*FlagSet) Reader[G]) Declared[G] {
	d.command = Command[G]{Name: name, Short: short, Long: long, Flags: flags, Read: d.read}
	return d
}

// Commands returns the commands of the operations that have one, in order.
func (d *Declaration[G]) Commands() []Command[G] {
	var commands []Command[G]
	for i := range d.Operations {
		if c := d.Operations[i].command; c.Name != "" {
			commands = append(commands, c)
		}
	}
	return commands
}

// Declare adds what a game offers to the service, and returns the game. It is called before the service is used.
func Declare[G any](s *Service, d *Declaration[G], g G) G {
	game := Game{Name: d.Name}
	for i := range d.Operations {
		game.Operations = append(game.Operations, d.Operations[i].of(s, d.Name, g))
	}
	if d.Sessions != nil {
		game.Sessions = d.Sessions(g)
	}
	if d.Preview != nil {
		game.Preview = func(ctx context.Context, in Shared) (preview.Preview, error) { return d.Preview(g, ctx, in) }
	}
	s.games = append(s.games, game)
	if d.Records != nil {
		s.records.Kinds = append(s.records.Kinds, d.Records)
	}
	s.records.Foreign = append(s.records.Foreign, d.Foreign...)
	for _, o := range game.Operations {
		if o.Parse != nil {
			s.Register(o)
		}
	}
	return g
}

// of returns the operation of a game.
func (d *Declared[G]) of(s *Service, game string, g G) Operation {
	o := Operation{Path: "/v1/" + game + "/" + d.name, Mode: d.mode, List: d.list, Large: d.large, Fixed: d.fixed}
	if read := d.read; read != nil {
		o.Read = func(ctx context.Context, body []byte) (Run, error) { return read(ctx, s, g, body) }
	}
	if d.asks != nil {
		o.Kind, o.Parse = KindOfJob(game, d.name), d.asks(s, g)
	}
	if get := d.get; get != nil {
		o.Get = func(parameters map[string]string) (any, error) { return get(g, parameters) }
		for _, name := range d.named {
			if strings.Contains(d.name, "{"+name+"}") {
				o.InPath = append(o.InPath, name)
			} else {
				o.InQuery = append(o.InQuery, name)
			}
		}
	}
	return o
}

// KindOfJob returns the kind of the jobs of an operation: "gin_rummy.match", "klaverjas.hand_strength_batch".
func KindOfJob(game, name string) string {
	words := strings.NewReplacer("-", "_", "/", "_")
	return words.Replace(game) + "." + words.Replace(name)
}
