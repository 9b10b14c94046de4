package violation_test

import (
	"testing"

	"roem/internal/engine/violation"
)

func TestList(t *testing.T) {
	l := violation.List{{Pointer: "/hands/N/3", Detail: "is held twice"}, {Pointer: "/trump", Detail: "is missing"}}
	if got, want := l.Error(), "/hands/N/3: is held twice; /trump: is missing"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if l.OrNil() == nil {
		t.Error("a list with violations is no error")
	}
	if err := l[:0].OrNil(); err != nil {
		t.Errorf("an empty list is the error %v", err)
	}
}
