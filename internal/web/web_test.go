package web_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"roem/internal/web"
)

// The board stays small: the limits are in bytes, as sent and compressed. A page loads the texts of one language, and its dialogs after it
// is shown.
func TestSizeOfTheBoard(t *testing.T) {
	assets, err := web.Assets()
	if err != nil {
		t.Fatal(err)
	}
	size := func(name string) (plain, compressed int) {
		t.Helper()
		body := assets[name].Body
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d compressed", name, len(body), b.Len())
		if len(body) == 0 {
			t.Errorf("%s is empty", name)
		}
		return len(body), b.Len()
	}
	check := func(plain, compressed int, names ...string) {
		t.Helper()
		ofAll, ofAllCompressed := 0, 0
		for _, name := range names {
			a, b := size(name)
			ofAll, ofAllCompressed = ofAll+a, ofAllCompressed+b
		}
		if ofAll > plain || ofAllCompressed > compressed {
			t.Errorf("%v: %d bytes, %d compressed, at most %d and %d", names, ofAll, ofAllCompressed, plain, compressed)
		}
	}
	for _, page := range web.Pages {
		for _, language := range web.Languages {
			check(120<<10, 40<<10, slices.Concat(page.Scripts(), page.Texts(language))...)
		}
		check(24<<10, 24<<10, page.Styles()...)
		check(16<<10, 6<<10, page.LaterScripts()...)
	}
}

// Every file that a page refers to is served.
func TestPagesFindTheirFiles(t *testing.T) {
	assets, err := web.Assets()
	if err != nil {
		t.Fatal(err)
	}
	reference := regexp.MustCompile(`"/docs/assets/([^"]+)"`)
	pages := map[string]func() ([]byte, error){"docs": web.Docs}
	for _, p := range web.Pages {
		pages[p.Name] = p.HTML
		for _, name := range p.Assets() {
			if _, ok := assets[name]; !ok {
				t.Errorf("%s needs %s", p.Name, name)
			}
		}
	}
	for name, page := range pages {
		body, err := page()
		if err != nil {
			t.Fatal(err)
		}
		found := reference.FindAllSubmatch(body, -1)
		if len(found) == 0 {
			t.Errorf("%s refers to no file", name)
		}
		for _, m := range found {
			if _, ok := assets[string(m[1])]; !ok {
				t.Errorf("%s refers to %s", name, m[1])
			}
		}
	}
}

// What is bundled is what the pages need: no asset of a page is there that no page has.
func TestNoOtherAssets(t *testing.T) {
	assets, err := web.Assets()
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"roem.css", "docs.css", "docs.js", "icon.svg", "swagger-ui.css", "swagger-ui-bundle.js"}
	for _, p := range web.Pages {
		known = append(known, p.Assets()...)
	}
	for name := range assets {
		if !slices.Contains(known, name) {
			t.Errorf("%s is served, and no page has it", name)
		}
	}
}

var importedFrom = regexp.MustCompile(`(?:from |import\()'(\.[^']*)'`)

// A game knows itself and what is shared. The program of a page, main.tsx, alone may know other games.
func TestGamesAreApart(t *testing.T) {
	imports := 0
	sources, err := filepath.Glob("board/src/*/*.ts*")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		own := filepath.Base(filepath.Dir(source))
		for _, m := range importedFrom.FindAllSubmatch(text, -1) {
			imports++
			folder := filepath.Base(filepath.Dir(filepath.Join(filepath.Dir(source), string(m[1]))))
			if folder != own && folder != "shared" && folder != "src" && filepath.Base(source) != "main.tsx" {
				t.Errorf("%s imports %s", source, m[1])
			}
		}
	}
	if imports < 300 {
		t.Errorf("%d imports", imports)
	}
}
