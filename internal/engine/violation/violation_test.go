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

// The word that is probably meant is near, or the beginning of the text.
func TestNearest(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"opponents", "opponent"},
		{"OPP", "opponent"},
		{"tromp", "trump"},
		{"trump_suit", "trump"},
		{"me_and_you", ""},
		{"x", ""},
		{"troef", "trump"},
		{"Troef", "trump"},
		{"tegenstander", "opponent"},
		{"berač", ""}, // no such word here
		{"", ""},
	} {
		if got := violation.Nearest(tt.text, []string{"opponent", "trump"}); got != tt.want {
			t.Errorf("near %q is %q, want %q", tt.text, got, tt.want)
		}
	}
}
