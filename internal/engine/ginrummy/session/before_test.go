package session_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/session"
)

// Sessions that the version before has stored are read, and stored again as they were, but for what was left out.
func TestStoredBefore(t *testing.T) {
	text, err := os.ReadFile("testdata/before.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		s, err := session.Decode([]byte(line), players.Kinds())
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		again, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		before, now := fields(t, []byte(line)), fields(t, again)
		for name, value := range before {
			if diff := cmp.Diff(value, now[name]); diff != "" {
				t.Errorf("%s stored again (-before +now)\n%s", name, diff)
			}
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
