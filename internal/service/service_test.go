package service

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// The problem of an error without a kind does not contain the error. Other problems have the detail and the violations.
func TestProblem(t *testing.T) {
	for _, err := range []error{
		errors.New("password"), fmt.Errorf("wrapped: %w", errors.New("password")), &Error{Kind: Internal, Detail: "password"},
		&computation.PanicError{Value: "password", Stack: []byte("password")}, &Error{Kind: 200, Detail: "password"},
	} {
		p := Problem(err, "id")
		if p.Status != 500 || *p.RequestId != "id" || strings.Contains(fmt.Sprint(p), "password") {
			t.Errorf("%v: %+v", err, p)
		}
	}
	pointer, parameter, value := "/x", "y", "v"
	got := Problem(fmt.Errorf("wrapped: %w", &Error{
		Kind: Malformed, Detail: "public", Cause: errors.New("secret"),
		Violations: []Violation{{Pointer: "/x", Code: "c", Detail: "a", Value: "v"}, {Parameter: "y", Detail: "b"}},
	}), "")
	want := api.Problem{
		Type: "/docs/errors#malformed", Code: "c", Title: "Malformed request", Status: 400, Detail: "public",
		Errors: &[]api.ProblemError{{Pointer: &pointer, Code: "c", Detail: "a", Value: &value}, {Parameter: &parameter, Detail: "b"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestEveryKindIsExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds() {
		info := k.Info()
		if info.Slug == "" || info.Title == "" || info.Help == "" || info.Status < 400 || seen[info.Slug] {
			t.Errorf("kind %d: %+v", k, info)
		}
		seen[info.Slug] = true
	}
	if len(seen) != int(kinds) {
		t.Errorf("%d of %d kinds have an explanation", len(seen), kinds)
	}
}
