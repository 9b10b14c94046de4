package record_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/record"
	"roem/internal/testkit"
)

var update = flag.Bool("update", false, "rewrite what the vectors in testdata/records expect")

// vector is a source, and what it is read as: the hands in the three forms, or the errors.
type vector struct {
	Name   string            `json:"name"`
	Source string            `json:"source"`
	Text   string            `json:"text,omitempty"`
	Lines  []string          `json:"lines,omitempty"`
	Hands  []json.RawMessage `json:"hands,omitempty"`
	Errors []string          `json:"errors,omitempty"`
}

// The vectors of docs/reference/record-format.md.
func TestVectors(t *testing.T) {
	root, err := testkit.Root()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "testdata", "records", "vectors.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	n := 0
	for line := range bytes.Lines(text) {
		var want vector
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		got := vector{Name: want.Name, Source: want.Source}
		hands, err := all().Read(want.Source)
		errs, _ := record.AsErrors(err)
		for _, e := range errs {
			got.Errors = append(got.Errors, e.Error())
		}
		if len(hands) > 0 {
			got.Text = record.Write(hands...)
		}
		for _, h := range hands {
			object, err := record.JSON(h)
			if err != nil {
				t.Fatal(err)
			}
			got.Hands, got.Lines = append(got.Hands, object), append(got.Lines, record.Line(h))
			for _, form := range []string{record.Write(h), record.Line(h), string(object)} {
				again, err := all().Read(form)
				if diff := cmp.Diff([]record.Hand{h}, again); diff != "" || err != nil {
					t.Errorf("%s: %v, %s", want.Name, err, diff)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" && !*update {
			t.Errorf("%s: %s", want.Name, diff)
		}
		if err := enc.Encode(got); err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n < 30 {
		t.Errorf("%d vectors", n)
	}
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The first example of the page is a record as it is written.
func TestExampleOfThePage(t *testing.T) {
	root, err := testkit.Root()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "reference", "record-format.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```\n")
	text, _, _ = strings.Cut(text, "```")
	hands, err := all().Read(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, record.Write(hands...)); diff != "" {
		t.Error(diff)
	}
}
