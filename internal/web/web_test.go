package web_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"

	"roem/internal/web"
)

// The board stays small: the limits are in bytes, as sent and compressed. A page loads the texts of one language. What is not needed for
// its first view, such as dialogs, it loads after it is shown.
func TestSizeOfTheBoard(t *testing.T) {
	assets, err := web.Assets()
	if err != nil {
		t.Fatal(err)
	}
	size := func(name string) (plain, compressed int) {
		t.Helper()
		asset := assets[name]
		if len(asset.Body) == 0 {
			t.Fatalf("there is no %s", name)
		}
		var out bytes.Buffer
		w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(asset.Body); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d with gzip", name, len(asset.Body), out.Len())
		return len(asset.Body), out.Len()
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
		check(40<<10, 10<<10, page.Styles()...)
		for _, language := range web.Languages {
			check(120<<10, 40<<10, slices.Concat(page.LaterScripts(), page.LaterTexts(language))...)
		}
	}
}

// Every file that a page refers to is served.
func TestPagesFindTheirFiles(t *testing.T) {
	assets, err := web.Assets()
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]bool{}
	for _, asset := range assets {
		served[asset.Name] = true
	}
	reference := regexp.MustCompile(`"docs/assets/([^"]+)"`)
	pages := map[string]func() ([]byte, error){"docs": web.Docs}
	for _, p := range web.Pages {
		pages[p.Name] = func() ([]byte, error) { return p.HTML(web.Worker{}) }
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
			if !served[string(m[1])] {
				t.Errorf("%s refers to %s", name, m[1])
			}
		}
	}
}

// The name of an asset has the hash of its content, and scripts refer to each other by these names.
func TestNamesOfAssets(t *testing.T) {
	assets, err := web.Assets()
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]bool{}
	for _, asset := range assets {
		served[asset.Name] = true
	}
	reference := regexp.MustCompile(`"\./([a-z-]+(?:-[0-9a-f]{10})?\.js)"`)
	references := 0
	for name, asset := range assets {
		body := asset.Body
		if want := web.HashedName(name, body); asset.Name != want {
			t.Errorf("%s is named %s, its content says %s", name, asset.Name, want)
		}
		if asset.Type == "" {
			t.Errorf("%s has no media type", name)
		}
		if name == "swagger-ui-bundle.js" {
			continue // has paths of its own modules
		}
		for _, m := range reference.FindAllSubmatch(body, -1) {
			references++
			if !served[string(m[1])] {
				t.Errorf("%s refers to %s", name, m[1])
			}
		}
	}
	if references < 20 {
		t.Errorf("%d references", references)
	}
}

// What is bundled is what the pages need: no asset of a page is there that no page has.
func TestNoOtherAssets(t *testing.T) {
	assets, err := web.Assets()
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"roem.css", "docs.css", "docs.js", "theme.js", "icon.svg", "site.js", "kit.js", "swagger-ui.css", "swagger-ui-bundle.js"}
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

// A game knows itself and what is shared, and a page that is about a game knows this game. The program of a page, main.tsx, alone may know
// other games.
func TestGamesAreApart(t *testing.T) {
	about := map[string]string{}
	for _, p := range web.Pages {
		about[p.Name] = p.Game
	}
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
			if !slices.Contains([]string{own, about[own], "shared", "src"}, folder) && filepath.Base(source) != "main.tsx" {
				t.Errorf("%s imports %s", source, m[1])
			}
		}
	}
	if imports == 0 {
		t.Error("no import was found")
	}
}
