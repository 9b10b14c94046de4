package jsonlines_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/jsonlines"
)

func input(name, text string) jsonlines.Input {
	return jsonlines.Input{Name: name, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(iotest.OneByteReader(strings.NewReader(text))), nil
	}}
}

// collect returns the lines and the error after the last one.
func collect(lines iter.Seq2[jsonlines.Line, error]) (all []jsonlines.Line, err error) {
	for line, err := range lines {
		if err != nil {
			return all, err
		}
		all = append(all, line)
	}
	return all, nil
}

func TestRead(t *testing.T) {
	line := func(number, size int, text string) jsonlines.Line {
		return jsonlines.Line{Input: "a", Number: number, Size: size, Text: []byte(text)}
	}
	tooLong := func(number, size int) jsonlines.Line {
		return jsonlines.Line{Input: "a", Number: number, Size: size, TooLong: true}
	}
	const limit = 20
	x := strings.Repeat("x", limit)
	for _, c := range []struct {
		name, text string
		want       []jsonlines.Line
	}{
		{"nothing", "", nil},
		{"only blank lines", "\n \r\n\t\n  ", nil},
		{"the mark of UTF-8", "\ufeffone\n\ufefftwo", []jsonlines.Line{line(1, 7, "one"), line(2, 6, "\ufefftwo")}},
		{"a line", "one\n", []jsonlines.Line{line(1, 4, "one")}},
		{"no newline at the end", "one\ntwo", []jsonlines.Line{line(1, 4, "one"), line(2, 3, "two")}},
		{"carriage returns", "one\r\ntwo\r\n", []jsonlines.Line{line(1, 5, "one"), line(2, 5, "two")}},
		{"blank lines count", "\none\n\n \ntwo\n\n", []jsonlines.Line{line(2, 5, "one"), line(5, 7, "two")}},
		{"white space is kept", " one \n", []jsonlines.Line{line(1, 6, " one ")}},
		{"as long as allowed", x + "\n" + x + "\r\n" + x, []jsonlines.Line{
			line(1, limit+1, x), line(2, limit+2, x), line(3, limit, x),
		}},
		{"one byte too long", x + "x\none\n", []jsonlines.Line{tooLong(1, limit+2), line(2, 4, "one")}},
		{"one byte too long at the end", x + "x", []jsonlines.Line{tooLong(1, limit+1)}},
		{"far too long", "one\n" + strings.Repeat(x, 9) + "\ntwo\n", []jsonlines.Line{
			line(1, 4, "one"), tooLong(2, 9*limit+1), line(3, 4, "two"),
		}},
		{"far too long at the end", strings.Repeat(x, 9), []jsonlines.Line{tooLong(1, 9*limit)}},
		{"blank lines can be too long", strings.Repeat(" ", 3*limit) + "\n", []jsonlines.Line{tooLong(1, 3*limit+1)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := collect(jsonlines.Read([]jsonlines.Input{input("a", c.text)}, limit))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

// A file in UTF-16 has one error, whatever is in its lines.
func TestReadUTF16(t *testing.T) {
	for _, text := range []string{"\xff\xfea\x00\n\x00b\x00\n\x00", "\xfe\xff\x00a\x00\n\x00b\x00\n"} {
		lines, err := collect(jsonlines.Read([]jsonlines.Input{input("a", text)}, 20))
		if len(lines) > 0 || err == nil || !strings.Contains(err.Error(), "reading a: it is UTF-16") {
			t.Errorf("%d lines, %v", len(lines), err)
		}
	}
}

func TestReadSeveralInputs(t *testing.T) {
	got, err := collect(jsonlines.Read([]jsonlines.Input{input("a", "1\n2"), input("b", ""), input("c", "\n3\n")}, 10))
	if err != nil {
		t.Fatal(err)
	}
	want := []jsonlines.Line{
		{Input: "a", Number: 1, Size: 2, Text: []byte("1")},
		{Input: "a", Number: 2, Size: 1, Text: []byte("2")},
		{Input: "c", Number: 2, Size: 3, Text: []byte("3")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

var errBroken = errors.New("broken")

func TestReadFails(t *testing.T) {
	cannotOpen := jsonlines.Input{Name: "b", Open: func() (io.ReadCloser, error) { return nil, errBroken }}
	breaks := jsonlines.Input{Name: "b", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("2\n3\n")))), nil
	}}
	for _, c := range []struct {
		name string
		bad  jsonlines.Input
		want error
	}{
		{"on opening", cannotOpen, errBroken},
		{"on reading", breaks, iotest.ErrTimeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := collect(jsonlines.Read([]jsonlines.Input{input("a", "1\n"), c.bad, input("c", "4\n")}, 10))
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), "reading b") {
				t.Errorf("error %v, want one of reading b that is %v", err, c.want)
			}
			if len(got) != 1 || string(got[0].Text) != "1" {
				t.Errorf("lines %v, want the line before the error", got)
			}
		})
	}
}

// output records what is written to it.
type output struct {
	answers   []string
	flushed   int // number of flushed answers
	put       func() error
	flushFail error
}

func (o *output) Put(_ jsonlines.Line, answer string) error {
	o.answers = append(o.answers, answer)
	if o.put != nil {
		return o.put()
	}
	return nil
}

func (o *output) Flush() error {
	o.flushed = len(o.answers)
	return o.flushFail
}

func numbers(n int) (text string, want []string) {
	for i := range n {
		want = append(want, strconv.Itoa(i))
	}
	return strings.Join(want, "\n"), want
}

func echo(_ context.Context, line jsonlines.Line) (string, error) { return string(line.Text), nil }

func TestProcessKeepsTheOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		synctest.Test(t, func(t *testing.T) {
			text, want := numbers(3000)
			var working, most atomic.Int32
			rng := rand.New(rand.NewPCG(1, uint64(workers)))
			delays := make([]time.Duration, len(want))
			for i := range delays {
				delays[i] = time.Duration(rng.ExpFloat64() * float64(time.Millisecond))
			}
			var out output
			err := jsonlines.Process(t.Context(), jsonlines.Read([]jsonlines.Input{input("a", text)}, 10), workers,
				func(_ context.Context, line jsonlines.Line) (string, error) {
					most.Store(max(most.Load(), working.Add(1)))
					time.Sleep(delays[line.Number-1])
					working.Add(-1)
					return string(line.Text), nil
				}, &out)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, out.answers); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			if out.flushed != len(want) {
				t.Errorf("%d answers flushed, want %d", out.flushed, len(want))
			}
			if int(most.Load()) != workers {
				t.Errorf("%d workers at a time, want %d", most.Load(), workers)
			}
		})
	}
}

// Each line is written only after the answer to the previous line has been flushed.
func TestProcessAnswersBeforeTheInputEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to := io.Pipe()
		lines := jsonlines.Read([]jsonlines.Input{{Name: "a", Open: func() (io.ReadCloser, error) { return from, nil }}}, 10)
		var out output
		ended := make(chan error)
		go func() { ended <- jsonlines.Process(t.Context(), lines, 2, echo, &out) }()
		for i, text := range []string{"one\n", "two\n", "three\n"} {
			if _, err := io.WriteString(to, text); err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // all goroutines wait for the next line
			if out.flushed != i+1 {
				t.Fatalf("%d answers flushed after %d lines", out.flushed, i+1)
			}
		}
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// While a line is processed forever, only a limited part of a long input is read into memory.
func TestProcessReadsNoFurtherThanItsWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var yielded atomic.Int32
		endless := func(yield func(jsonlines.Line, error) bool) {
			for yield(jsonlines.Line{Number: int(yielded.Add(1))}, nil) {
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- jsonlines.Process(ctx, endless, 3, func(ctx context.Context, line jsonlines.Line) (string, error) {
				if line.Number == 1 {
					<-ctx.Done()
				}
				return "", ctx.Err()
			}, &output{})
		}()
		synctest.Wait()
		if n := yielded.Load(); n < 100 || n > 2000 {
			t.Errorf("%d lines read while the first is being answered, want a few hundred", n)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want the error of the context", err)
		}
	})
}

func TestProcessStops(t *testing.T) {
	text, _ := numbers(100)
	lines := jsonlines.Read([]jsonlines.Input{input("a", text)}, 10)
	t.Run("at an error of the answer", func(t *testing.T) {
		var out output
		err := jsonlines.Process(t.Context(), lines, 4, func(ctx context.Context, line jsonlines.Line) (string, error) {
			if line.Number == 51 {
				return "", errBroken
			}
			return echo(ctx, line)
		}, &out)
		if !errors.Is(err, errBroken) {
			t.Errorf("error %v, want %v", err, errBroken)
		}
		if len(out.answers) != 50 || out.flushed != 50 {
			t.Errorf("%d answers, %d flushed, want the answers to the first 50 lines", len(out.answers), out.flushed)
		}
	})
	t.Run("at an error of the input", func(t *testing.T) {
		broken := func(yield func(jsonlines.Line, error) bool) {
			for line, err := range lines {
				if line.Number == 51 {
					yield(jsonlines.Line{}, errBroken)
					return
				}
				if !yield(line, err) {
					return
				}
			}
		}
		var out output
		err := jsonlines.Process(t.Context(), broken, 4, echo, &out)
		if !errors.Is(err, errBroken) {
			t.Errorf("error %v, want %v", err, errBroken)
		}
		if len(out.answers) != 50 || out.flushed != 50 {
			t.Errorf("%d answers, %d flushed, want the answers to the first 50 lines", len(out.answers), out.flushed)
		}
	})
	t.Run("at an error of putting", func(t *testing.T) {
		out := output{put: func() error { return errBroken }}
		if err := jsonlines.Process(t.Context(), lines, 4, echo, &out); !errors.Is(err, errBroken) || len(out.answers) != 1 {
			t.Errorf("error %v after %d answers, want %v after 1", err, len(out.answers), errBroken)
		}
	})
	t.Run("at an error of flushing", func(t *testing.T) {
		out := output{flushFail: errBroken}
		if err := jsonlines.Process(t.Context(), lines, 4, echo, &out); !errors.Is(err, errBroken) {
			t.Errorf("error %v, want %v", err, errBroken)
		}
	})
	t.Run("when the context ends, though the input does not", func(t *testing.T) {
		from, to := io.Pipe()
		defer to.Close() // the reader waits for it
		ctx, cancel := context.WithCancelCause(t.Context())
		out := output{put: func() error { cancel(errBroken); return nil }}
		go func() { _, _ = io.WriteString(to, "one\n") }()
		open := func() (io.ReadCloser, error) { return from, nil }
		err := jsonlines.Process(ctx, jsonlines.Read([]jsonlines.Input{{Name: "a", Open: open}}, 10), 2, echo, &out)
		if !errors.Is(err, errBroken) {
			t.Errorf("error %v, want the cause %v", err, errBroken)
		}
		if diff := cmp.Diff([]string{"one"}, out.answers); diff != "" || out.flushed != 1 {
			t.Errorf("answers (-want +got):\n%s\n%d flushed, want 1", diff, out.flushed)
		}
	})
}
