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

// The window is how many lines may be on their way: so many for each worker. Wide enough that a line a hundred times as
// hard as its neighbours does not leave the other workers idle; narrow enough that it costs no memory worth mentioning.
// It moves by steps, so that the reader is not woken for every line.
const (
	stepLines      = 64
	stepsPerWorker = 4
)

// Output takes the answers in the order of their lines.
type Output[A any] interface {
	// Put takes an answer. Its error ends the work.
	Put(Line, A) error
	// Flush is called when the next answer is not there yet: whoever waits for the answers put before should get
	// them now. It is called a last time when no answer will follow.
	Flush() error
}

// task is a line on its way through, or the error that ended the input.
type task struct {
	number int // in the order of the lines, from 0
	line   Line
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

// queue is what the reader and the workers of a Process share. There is nobody who only hands answers on: to wake somebody
// for each answer takes as long as many an answer does.
type queue[A any] struct {
	todo  chan task
	steps chan struct{} // has room for as many steps as the window has; the reader takes one for each that it begins
	read  chan int      // how many lines there were, once all are read

	mu   sync.Mutex
	out  Output[A]
	done map[int]result[A] // by number: answers whose turn it is not yet
	next int               // whose turn it is
	err  error             // of the first line, in their order, that had one; nothing is put out after it
	fail func()            // called with the first error
}

type result[A any] struct {
	line   Line
	answer A
	err    error
}

// reading gives every line to the workers.
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
		q.todo <- task{number, line, err} // there is room for the window
		if err != nil {
			return
		}
		number++
	}
	q.read <- number
}

// working answers lines until there are none, or ctx ends: the one who closes todo may be waiting for input.
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

// put puts out the answer and those that waited for it, or keeps it until its turn.
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
		q.err = q.out.Flush() // the next answer may take its time
	}
	if q.err != nil {
		q.fail()
	}
}

// complete reports whether every line has been read and its answer put out. The workers have returned.
func (q *queue[A]) complete() bool {
	select {
	case n := <-q.read:
		return n == q.next
	default:
		return false
	}
}
