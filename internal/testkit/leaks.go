package testkit

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

// NoLeaks fails the test if goroutines have not ended within Patience. goleak itself waits for less than a second.
func NoLeaks(tb testing.TB, options ...goleak.Option) {
	tb.Helper()
	if err := Leaks(options...); err != nil {
		tb.Error(err)
	}
}

// Main runs the tests of a package and ends the process, with an error if goroutines have not ended within Patience.
func Main(m *testing.M) { goleak.VerifyTestMain(patient{m}) }

type patient struct{ tests *testing.M }

func (p patient) Run() int {
	status := p.tests.Run()
	if status == 0 {
		_ = Leaks() // those that are left are reported afterwards
	}
	return status
}

// Leaks waits for the end of other goroutines. The error describes those that have not ended within Patience.
func Leaks(options ...goleak.Option) (err error) {
	for end := time.Now().Add(Patience); ; time.Sleep(time.Millisecond) {
		if err = goleak.Find(options...); err == nil || time.Now().After(end) {
			return err
		}
	}
}
