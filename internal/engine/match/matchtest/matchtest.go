// Package matchtest is for the tests of contests.
package matchtest

import (
	"errors"
	"testing"

	"roem/internal/engine/match"
)

// Interrupted runs a contest that ends after some deals, with an error, and returns what another one makes of the rest.
func Interrupted[R any](tb testing.TB, deals int, run func(match.Keeping) (R, error)) R {
	tb.Helper()
	enough := errors.New("enough")
	var saved []byte
	left := deals
	_, err := run(match.Keeping{Save: func(encode func() ([]byte, error)) (err error) {
		if left--; left > 0 {
			return nil
		}
		saved, err = encode()
		return errors.Join(err, enough)
	}})
	if !errors.Is(err, enough) {
		tb.Fatalf("the first contest ended with %v", err)
	}
	first := true
	result, err := run(match.Keeping{Saved: saved, Save: func(encode func() ([]byte, error)) error {
		if first {
			text, err := encode()
			var sum struct{}
			if n := match.Restore(match.Keeping{Saved: text}, &sum); err != nil || n != deals+1 {
				tb.Errorf("%v: the second contest begins with deal %d, want %d", err, n, deals+1)
			}
		}
		first = false
		return nil
	}})
	if err != nil || first {
		tb.Fatalf("the second contest: %v", err)
	}
	return result
}
