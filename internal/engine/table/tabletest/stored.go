package tabletest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// StoredBefore decodes the sessions in testdata/before.jsonl, which the version before has stored, and encodes them. Each field must be as
// it was. more are the fields that the version before left out.
func StoredBefore[S interface{ Encode() ([]byte, error) }](t *testing.T, decode func([]byte) (S, error), more ...string) {
	t.Helper()
	text, err := os.ReadFile("testdata/before.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(text) == 0 {
		t.Fatal("no stored session")
	}
	for line := range strings.Lines(string(text)) {
		s, err := decode([]byte(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		again, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		before, now := fields(t, []byte(line)), fields(t, again)
		for _, name := range more {
			if _, had := before[name]; !had {
				delete(now, name)
			}
		}
		if diff := cmp.Diff(before, now); diff != "" {
			t.Errorf("stored again (-before +now)\n%s", diff)
		}
	}
}

func fields(t *testing.T, text []byte) (out map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
