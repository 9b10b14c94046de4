// Package jobstest is the test suite of jobs.Queue. It has a handler whose behaviour is scripted by payloads, and worker
// processes that can be killed.
package jobstest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"roem/internal/jobs"
)

// Script is a payload for Handler, which follows the fields in their order.
type Script struct {
	Log      string        `json:"log,omitempty"`       // file to which "begin NAME" and, before the end, "end NAME" are appended
	Name     string        `json:"name,omitempty"`      // in the log and the result
	Progress int           `json:"progress,omitempty"`  // number of progress reports: "1", "2" and so on
	Until    string        `json:"until,omitempty"`     // waits until this file exists, at most until the context ends
	Sleep    time.Duration `json:"sleep,omitempty"`     // at most until the context ends
	Save     string        `json:"save,omitempty"`      // the state to save; then "saved NAME" is in the log
	Block    bool          `json:"block,omitempty"`     // until the context ends
	Die      bool          `json:"die,omitempty"`       // kills the process with SIGKILL
	DieUntil int           `json:"die_until,omitempty"` // kills it in attempts before this one
	Panic    bool          `json:"panic,omitempty"`
	Fail     bool          `json:"fail,omitempty"`
	FailTo   int           `json:"fail_to,omitempty"` // fails attempts up to this one
	Final    bool          `json:"final,omitempty"`   // fails with a permanent error
	Size     int           `json:"size,omitempty"`    // bytes to add to the result
	// BlockWithout blocks until the context ends if the task has another state.
	BlockWithout string `json:"block_without,omitempty"`
}

// Bytes returns the payload.
func (s Script) Bytes() []byte {
	raw, err := json.Marshal(s)
	if err != nil { // impossible for these fields
		return nil
	}
	return raw
}

// Detail is the detail of Handler's errors.
const Detail = `{"why":"it was told to"}`

// Handler follows the Script in the payload. Its result is "NAME ok".
func Handler(ctx context.Context, task jobs.Task, progress func([]byte)) ([]byte, error) {
	var s Script
	if err := json.Unmarshal(task.Payload, &s); err != nil {
		return nil, jobs.Permanent(err)
	}
	if err := s.log("begin"); err != nil {
		return nil, err
	}
	for i := range s.Progress {
		progress(fmt.Appendf(nil, "%d", i+1))
	}
	for s.Until != "" && ctx.Err() == nil {
		if _, err := os.Stat(s.Until); err == nil {
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	if s.Save != "" {
		if err := errors.Join(task.Save([]byte(s.Save)), s.log("saved")); err != nil {
			return nil, err
		}
	}
	if s.Block || ctx.Err() != nil || s.BlockWithout != "" && string(task.State) != s.BlockWithout {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-time.After(s.Sleep):
	}
	if s.Die || task.Attempt < s.DieUntil {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	failure := jobs.WithDetail(errors.New("told to fail"), []byte(Detail))
	switch {
	case s.Panic:
		panic("told to")
	case s.Final:
		return nil, jobs.Permanent(failure)
	case s.Fail, task.Attempt <= s.FailTo:
		return nil, failure
	}
	if err := s.log("end"); err != nil {
		return nil, err
	}
	return append([]byte(s.Name+" ok"), bytes.Repeat([]byte{'.'}, s.Size)...), nil
}

// log appends a line in one write, so that lines of several processes do not mix.
func (s Script) log(what string) error {
	if s.Log == "" {
		return nil
	}
	f, err := os.OpenFile(s.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(what + " " + s.Name + "\n")
	return errors.Join(err, f.Close())
}

// Clock is a clock that stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that shows some time.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 4, 5, 6, 7, 8, 0, time.UTC)} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
