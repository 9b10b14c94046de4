package main

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"roem/internal/handlers"
)

// disk is a writer that fails while it is full.
type disk struct {
	mu     sync.Mutex
	text   bytes.Buffer
	full   bool
	writes int
}

func (d *disk) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes++
	if d.full {
		return 0, errors.New("no space left on device")
	}
	return d.text.Write(b)
}

func (d *disk) setFull(full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = full
}

// take returns the messages that have been written since it was called last, and the number of writes.
func (d *disk) take() (messages string, writes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []string
	for line := range strings.Lines(d.text.String()) {
		_, rest, _ := strings.Cut(line, `"msg":"`)
		message, _, _ := strings.Cut(rest, `"`)
		all = append(all, message)
	}
	writes = d.writes
	d.text.Reset()
	d.writes = 0
	return strings.Join(all, " "), writes
}

// TestLog checks that lines of requests are written together within flushEvery, and that any other line and each error is written at once,
// after the lines before it.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &disk{}
		log, closeLog, err := newLog("info", out)
		if err != nil {
			t.Fatal(err)
		}
		expect := func(want string, writes int) {
			t.Helper()
			synctest.Wait()
			if got, n := out.take(); got != want || n != writes {
				t.Fatalf("%q in %d writes, want %q in %d", got, n, want, writes)
			}
		}
		log.Info("listening")
		expect("listening", 1)
		log.Info(handlers.RequestLine)
		log.Info(handlers.RequestLine)
		expect("", 0)
		time.Sleep(flushEvery)
		expect("request request", 1)
		log.Info(handlers.RequestLine)
		log.Error(handlers.RequestLine, zap.Error(errors.New("a panic")))
		expect("request request", 1)
		log.Info(handlers.RequestLine)
		log.Info("stopping")
		expect("request stopping", 1)

		out.setFull(true)
		log.Info("lost")
		expect("", 1)
		out.setFull(false)
		log.Info("room")
		expect("room", 1)

		log.Info(handlers.RequestLine)
		closeLog()
		expect("request", 1)
	})
}
