package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"roem/internal/handlers"
)

// disk is a writer that fails while it is full.
type disk struct {
	bytes.Buffer
	full   bool
	writes int
}

func (d *disk) Write(b []byte) (int, error) {
	d.writes++
	if d.full {
		return 0, errors.New("no space left on device")
	}
	return d.Buffer.Write(b)
}

// lines returns the messages that have been written.
func (d *disk) lines() string {
	var messages []string
	for line := range strings.Lines(d.String()) {
		_, rest, _ := strings.Cut(line, `"msg":"`)
		message, _, _ := strings.Cut(rest, `"`)
		messages = append(messages, message)
	}
	return strings.Join(messages, " ")
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
			if got := out.lines(); got != want || out.writes != writes {
				t.Fatalf("%q in %d writes, want %q in %d", got, out.writes, want, writes)
			}
			out.Reset()
			out.writes = 0
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

		out.full = true
		log.Info("lost")
		expect("", 1)
		out.full = false
		log.Info("room")
		expect("room", 1)

		log.Info(handlers.RequestLine)
		closeLog()
		expect("request", 1)
	})
}
