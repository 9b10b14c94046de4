// Package jsonlines reads lines of text from several inputs, answers them with several workers, and writes the answers
// in the order of the lines. The number of lines in memory is bounded, so inputs can have any length. An answer is written as soon as
// all earlier ones are, so a program can wait for it before it writes its next line.
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

// Input is a source of lines.
type Input struct {
	Name string                        // for errors and for Line.Input
	Open func() (io.ReadCloser, error) // called before its first line is read
}

// Line is a line that is not blank.
type Line struct {
	Input   string // the name of the input
	Number  int    // in the input, from 1, including blank lines
	Size    int    // bytes of the input, including its newline and the blank lines before it
	Text    []byte // without the newline; nil if it is too long
	TooLong bool   // it has more bytes than Read allows
}

// Read yields the lines of the inputs, one input after the other, and ends after the first error. A line ends with a
// newline or at the end of its input. Blank lines, which consist of white space, are skipped. The text of a line with more than maxBytes
// bytes is not kept.
func Read(inputs []Input, maxBytes int) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for _, in := range inputs {
			if !in.read(maxBytes, yield) {
				return
			}
		}
	}
}

// read yields the lines of one input, and reports whether to continue with the next input.
func (in Input) read(maxBytes int, yield func(Line, error) bool) bool {
	fail := func(err error) bool {
		yield(Line{}, fmt.Errorf("reading %s: %w", in.Name, err))
		return false
	}
	from, err := in.Open()
	if err != nil {
		return fail(err)
	}
	defer func() { _ = from.Close() }() // an error of closing a file that was only read does not matter
	// The buffer has room for the longest line, its newline, and one byte to detect a longer line.
	buffer := bufio.NewReaderSize(from, maxBytes+len("\r\n")+1)
	line := Line{Input: in.Name}
	for {
		text, err := buffer.ReadSlice('\n')
		line.Size += len(text)
		if line.Number++; line.Number == 1 {
			if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
				return fail(errors.New("it is UTF-16: save it as UTF-8"))
			}
			text = bytes.TrimPrefix(text, []byte("\ufeff")) // which text programs of Windows put before UTF-8
		}
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
			line.Text = bytes.Clone(text) // the buffer is reused while workers use the line
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

// The window is the number of lines, for each worker, that are read and not yet written. It is large enough that the other workers are not
// idle if one line takes a hundred times as long as the others, and small enough to need little memory. It moves in steps, so that the
// reader is not woken for every line.
const (
	stepLines      = 64
	stepsPerWorker = 4
)

// Output receives the answers in the order of their lines.
type Output[A any] interface {
	// Put writes an answer. Its error ends the work.
	Put(Line, A) error
	// Flush is called when the next answer is not available yet, so that a reader gets the answers before it. It is also called after the
	// last answer.
	Flush() error
}

// task is a line to answer, or the error that ended the input.
type task struct {
	number int // in the order of the lines, from 0
	line   Line
	err    error
}

// Process answers the lines with several workers and writes the answers to out in the order of the lines. It ends when all lines are
// answered, at the first error of the input, of answer or of out, or soon after ctx ends, with the cause of ctx. The answers to the lines
// before an error are written first.
//
// All workers have returned when Process returns. The goroutine that reads may still be blocked by its input, since reads cannot be
// interrupted. It ends when the read returns.
func Process[A any](
	ctx context.Context, lines iter.Seq2[Line, error], workers int,
	answer func(context.Context, Line) (A, error), out Output[A],
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	steps := workers * stepsPerWorker
	q := &queue[A]{
		todo: make(chan task, (steps+1)*stepLines), steps: make(chan struct{}, steps), read: make(chan int, 1),
		out: out, done: map[int]result[A]{}, fail: cancel,
	}
	go q.reading(ctx, lines)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() { q.working(ctx, answer) })
	}
	working.Wait()
	err := q.err
	if err == nil && !q.complete() {
		err = context.Cause(ctx)
	}
	if failed := out.Flush(); err == nil {
		err = failed
	}
	return err
}

// queue is the state that the reader and the workers of a Process share. The workers themselves write the answers: to wake another
// goroutine for each answer would take as long as many answers do.
type queue[A any] struct {
	todo  chan task
	steps chan struct{} // one element for each step of the window; the reader adds one when it begins a step
	read  chan int      // the number of lines, when all are read

	mu   sync.Mutex
	out  Output[A]
	done map[int]result[A] // by number: answers that cannot be written yet
	next int               // the number of the next answer to write
	err  error             // the error of the first line, in order, that has one; nothing is written after it
	fail func()            // called with the first error
}

type result[A any] struct {
	line   Line
	answer A
	err    error
}

// reading passes every line to the workers.
func (q *queue[A]) reading(ctx context.Context, lines iter.Seq2[Line, error]) {
	defer close(q.todo)
	number := 0
	for line, err := range lines {
		if number%stepLines == 0 {
			select {
			case q.steps <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
		q.todo <- task{number, line, err} // the channel has room for the whole window
		if err != nil {
			return
		}
		number++
	}
	q.read <- number
}

// working answers lines until todo is closed or ctx ends. The reader, which closes todo, may be blocked by its input.
func (q *queue[A]) working(ctx context.Context, answer func(context.Context, Line) (A, error)) {
	for {
		select {
		case t, ok := <-q.todo:
			if !ok {
				return
			}
			r := result[A]{line: t.line, err: t.err}
			if r.err == nil {
				r.answer, r.err = answer(ctx, t.line)
			}
			q.put(t.number, r)
		case <-ctx.Done():
			return
		}
	}
}

// put writes the answer and the following ones that are available, or keeps it until all earlier answers are written.
func (q *queue[A]) put(number int, r result[A]) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done[number] = r
	if number != q.next || q.err != nil {
		return
	}
	for r, ok := q.done[q.next]; ok && q.err == nil; r, ok = q.done[q.next] {
		delete(q.done, q.next)
		if q.err = r.err; q.err == nil {
			q.err = q.out.Put(r.line, r.answer)
		}
		if q.next++; q.next%stepLines == 0 {
			<-q.steps
		}
	}
	if q.err == nil {
		q.err = q.out.Flush() // the next answer may take long
	}
	if q.err != nil {
		q.fail()
	}
}

// complete reports whether every line has been read and its answer written. It is called after the workers have returned.
func (q *queue[A]) complete() bool {
	select {
	case n := <-q.read:
		return n == q.next
	default:
		return false
	}
}
