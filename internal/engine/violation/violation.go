// Package violation says what is wrong with the description of a position, of any game: where, and what was expected.
package violation

import (
	"fmt"
	"strings"
)

// Violation is one error in the description of a position.
type Violation struct {
	Pointer string // RFC 6901 JSON pointer into the position object, such as /hands/N/3
	Detail  string // what is wrong and what was expected
	Also    string // another pointer, with which the detail ends; "" for none
}

// List is the error for an invalid position: all violations, in the order of the input.
type List []Violation

// Error lists the violations.
func (l List) Error() string {
	var b strings.Builder
	for i, v := range l {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s: %s", v.Pointer, v.Detail)
	}
	return b.String()
}

// OrNil returns the list as an error, or nil if it is empty.
func (l List) OrNil() error {
	if len(l) == 0 {
		return nil
	}
	return l
}
