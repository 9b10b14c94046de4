package testkit

import (
	"bytes"
	"sync"
	"testing"
	"time"
)

// Until polls until is returns true. The test fails after Patience.
func Until(tb testing.TB, what string, is func() bool) {
	tb.Helper()
	for end := time.Now().Add(Patience); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			tb.Fatalf("not within %v: %s", Patience, what)
		}
	}
}

// Output is a buffer that a test can read while others write.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends to the output.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String returns what has been written.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
