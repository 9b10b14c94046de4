package testkit

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var writePages = flag.Bool("write-pages", false, "write the generated parts of docs/, which make pages does")

// Generated fails the test unless a page of docs/ has a text between its marks "<!-- NAME: begin -->" and "<!-- NAME: end -->". With
// -write-pages the text is written there.
func Generated(t *testing.T, page, name, text string) {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "docs", page)
	have, err := os.ReadFile(file) //nolint:gosec // a page of this repository
	if err != nil {
		t.Fatal(err)
	}
	marks := regexp.MustCompile(fmt.Sprintf("(?s)(<!-- %s: begin -->\n)(.*?)(<!-- %s: end -->)", name, name))
	found := marks.FindSubmatchIndex(have)
	if found == nil {
		t.Fatalf("docs/%s has no marks of %s", page, name)
	}
	switch {
	case string(have[found[4]:found[5]]) == text:
	case *writePages:
		now := string(have[:found[4]]) + text + string(have[found[5]:])
		if err := os.WriteFile(file, []byte(now), 0o644); err != nil { //nolint:gosec // a page of this repository
			t.Fatal(err)
		}
	default:
		diff := cmp.Diff(string(have[found[4]:found[5]]), text)
		t.Errorf("docs/%s: the part %s is not what the code says; make pages writes it (-page +code)\n%s", page, name, diff)
	}
}

// WritesPages says whether tests write what they otherwise compare with pages.
func WritesPages() bool { return *writePages }
