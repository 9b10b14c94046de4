package pages_test

import (
	"os"
	"path/filepath"
	"testing"

	"roem/internal/pages"
)

// Only the text of the block changes, and a page without the block, or with a block that does not end before the next, is refused.
func TestWrite(t *testing.T) {
	const page = "a\n<!-- generated: one -->\nold\n<!-- end -->\nb\n<!-- generated: two -->\n<!-- end -->\n"
	file := filepath.Join(t.TempDir(), "page.md")
	for _, tt := range []struct{ page, name, want string }{
		{page, "one", "a\n<!-- generated: one -->\nnew\n<!-- end -->\nb\n<!-- generated: two -->\n<!-- end -->\n"},
		{page, "two", "a\n<!-- generated: one -->\nold\n<!-- end -->\nb\n<!-- generated: two -->\nnew\n<!-- end -->\n"},
		{page, "three", ""},
		{"<!-- generated: one -->\n<!-- generated: two -->\n<!-- end -->\n", "one", ""},
	} {
		if err := os.WriteFile(file, []byte(tt.page), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := pages.Write(file, tt.name, "new\n"); (err == nil) != (tt.want != "") {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got, err := os.ReadFile(file); err != nil || tt.want != "" && string(got) != tt.want {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
}
