package handlers_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/service"
)

// answersFile has the answers to bad requests. With -update they are written there.
const answersFile = "testdata/bad_requests.txt"

// answers are answers to bad requests as text, each below the name of its request.
type answers struct {
	text  strings.Builder
	names map[string]bool
}

func newAnswers(t *testing.T) *answers {
	t.Helper()
	return &answers{names: map[string]bool{}}
}

// add adds an answer.
func (a *answers) add(name string, p api.Problem) {
	if a.names[name] {
		panic("two bad requests are named " + name)
	}
	a.names[name] = true
	fmt.Fprintf(&a.text, "# %s\n%d %s: %s\n", name, p.Status, strings.TrimPrefix(p.Type, service.ProblemType), p.Detail)
	if p.Errors == nil {
		return
	}
	for _, e := range *p.Errors {
		place := "the request"
		switch {
		case e.Parameter != nil:
			place = "?" + *e.Parameter
		case e.Pointer != nil && *e.Pointer == "":
			place = "the body"
		case e.Pointer != nil:
			place = *e.Pointer
		}
		fmt.Fprintf(&a.text, "    %s %s: %s\n", place, e.Code, e.Detail)
		if e.Value != nil {
			fmt.Fprintf(&a.text, "        value %q\n", *e.Value)
		}
		if e.Expected != nil {
			fmt.Fprintf(&a.text, "        expected%s\n", expectedText(e.Expected))
		}
	}
}

func expectedText(e *api.Expected) (text string) {
	if e.OneOf != nil {
		text += " one of " + strings.Join(*e.OneOf, ", ")
	}
	for _, bound := range []struct {
		name string
		x    *float64
	}{{"least", e.Least}, {"most", e.Most}, {"a multiple of", e.MultipleOf}} {
		if bound.x != nil {
			text += fmt.Sprintf(" %s %.0f", bound.name, *bound.x)
		}
	}
	return text
}

// check compares the answers with the file.
func (a *answers) check(t *testing.T) {
	t.Helper()
	if *update {
		if err := os.WriteFile(answersFile, []byte(a.text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(answersFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(a.text.String(), "\n")); diff != "" {
		t.Errorf("the answers differ from %s; if they are correct, run with -update (-file +server)\n%s", answersFile, diff)
	}
}
