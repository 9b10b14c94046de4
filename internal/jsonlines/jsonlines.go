// Package jsonlines reads lines of text from several inputs, has several workers answer them, and hands the answers over
// in the order of the lines. It keeps no more than a bounded number of lines in memory, so that inputs can be of any
// length, and hands an answer over as soon as it is that one's turn, so that the input may be a conversation.
package jsonlines

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
)

// Input is somewhere that lines come from.
type Input struct {
	Name string                        // names it in errors and in its lines
	Open func() (io.ReadCloser, error) // called when its first line is needed
}

// Line is a line that is not blank.
type Line struct {
	Input   string // the name of the input
	Number  int    // in the input, from 1, blank lines included
	Size    int    // how many bytes of the input it took, with its end and the blank lines before it
	Text    []byte // without its end; nil when it is too long
	TooLong bool   // it has more bytes than Read allows
}

// Read yields the lines of the inputs, one input after the other, and ends after the first error. A line ends with a
// newline or where its input does. Lines of nothing but white space are blank and left out, for they cannot be JSON.
// Of a line with more than maxBytes bytes nothing is kept but that it was there.
func Read(inputs []Input, maxBytes int) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for _, in := range inputs {
			if !in.read(maxBytes, yield) {
				return
			}
		}
	}
}

// read yields the lines of one input, and reports whether the next is wanted.
func (in Input) read(maxBytes int, yield func(Line, error) bool) bool {
	fail := func(err error) bool {
		yield(Line{}, fmt.Errorf("reading %s: %w", in.Name, err))
		return false
	}
	from, err := in.Open()
	if err != nil {
		return fail(err)
	}
	defer func() { _ = from.Close() }() // it was only read
	// The buffer has room for the longest line, its end, and one byte that tells that a line is longer.
	buffer := bufio.NewReaderSize(from, maxBytes+len("\r\n")+1)
	line := Line{Input: in.Name}
	for {
		text, err := buffer.ReadSlice('\n')
		line.Number++
		line.Size += len(text)
		line.TooLong = errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			var more []byte
			more, err = buffer.ReadSlice('\n')
			line.Size += len(more)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fail(err)
		}
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
		if line.TooLong = line.TooLong || len(text) > maxBytes; line.TooLong {
			line.Text = nil
		} else {
			line.Text = bytes.Clone(text) // the buffer is used again while workers still have the line
		}
		if line.TooLong || len(bytes.TrimSpace(line.Text)) > 0 {
			if !yield(line, nil) {
				return false
			}
			line.Size = 0
		}
		if err != nil {
			return true
		}
	}
}

// windowPerWorker is how many lines a worker's share of the window is. Wide enough that a line a hundred times as hard as
// its neighbours does not leave the other workers idle; narrow enough that it costs no memory worth mentioning.
const windowPerWorker = 256

// Output takes the answers in the order of their lines.
type Output[A any] interface {
	// Put takes an answer. Its error ends the work.
	Put(Line, A) error
	// Flush is called when the next answer is not there yet: whoever waits for the answers put before should get
	// them now. It is called a last time when no answer will follow.
	Flush() error
}

// task is a line on its way through.
type task[A any] struct {
	line   Line
	answer chan result[A] // has room for the one result
}

type result[A any] struct {
	answer A
	err    error
}

// Process has workers answer the lines, and puts the answers out in the order of the lines. It ends when all are
// answered, or at the first error of the input, of answer or of out, or with the cause of ctx soon after that ends; what
// was answered of the lines before is put out first.
//
// The workers have returned when Process returns. The goroutine that reads may still be waiting for its input, which
// nothing can interrupt; it ends when that does.
func Process[A any](
	ctx context.Context, lines iter.Seq2[Line, error], workers int,
	answer func(context.Context, Line) (A, error), out Output[A],
) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	defer working.Wait()
	defer cancel()

	todo := make(chan task[A])
	inOrder := make(chan task[A], workers*windowPerWorker)
	go read(ctx, lines, todo, inOrder)
	for range workers {
		working.Go(func() {
			for {
				select {
				case t, ok := <-todo:
					if !ok {
						return
					}
					a, err := answer(ctx, t.line)
					t.answer <- result[A]{a, err}
				case <-ctx.Done(): // the one who closes todo may be waiting for input
					return
				}
			}
		})
	}

	defer func() {
		if failed := out.Flush(); err == nil {
			err = failed
		}
	}()
	for {
		t, ok, err := next(ctx, inOrder, out.Flush)
		if err != nil || !ok {
			return err
		}
		r, _, err := next(ctx, t.answer, out.Flush)
		if err == nil {
			err = r.err
		}
		if err == nil {
			err = out.Put(t.line, r.answer)
		}
		if err != nil {
			return err
		}
	}
}

// read gives every line to the workers and, in order, to whoever waits for the answers. An error of the input comes as
// the answer to a line after the last.
func read[A any](ctx context.Context, lines iter.Seq2[Line, error], todo, inOrder chan<- task[A]) {
	defer close(inOrder)
	defer close(todo)
	for line, err := range lines {
		t := task[A]{line, make(chan result[A], 1)}
		if err != nil {
			t.answer <- result[A]{err: err}
		}
		select {
		case inOrder <- t:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
		select {
		case todo <- t:
		case <-ctx.Done():
			return
		}
	}
}

// next receives from the channel. It calls idle first when that means waiting, and gives up when ctx ends.
func next[T any](ctx context.Context, from <-chan T, idle func() error) (value T, ok bool, err error) {
	select {
	case value, ok = <-from:
		return value, ok, nil
	default:
	}
	if err := idle(); err != nil {
		return value, false, err
	}
	select {
	case value, ok = <-from:
		return value, ok, nil
	case <-ctx.Done():
		return value, false, context.Cause(ctx)
	}
}
