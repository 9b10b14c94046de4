package web_test

import (
	"bytes"
	"compress/gzip"
	"regexp"
	"testing"

	"roem/internal/web"
)

// The board stays small: the limits are in bytes, as sent and compressed. A page loads the texts of one language, and its dialogs after it is shown.
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
	for _, page := range []struct {
		files             []string
		plain, compressed int
	}{
		{[]string{"board.js", "board-chunk.js", "words-en.js"}, 120 << 10, 40 << 10},
		{[]string{"board.js", "board-chunk.js", "words-nl.js"}, 120 << 10, 40 << 10},
		{[]string{"board-ondemand.js"}, 16 << 10, 6 << 10},
		{[]string{"jobs.js", "words-nl.js"}, 120 << 10, 40 << 10},
		{[]string{"belote.js", "words-en.js", "words-belote-en.js"}, 120 << 10, 40 << 10},
		{[]string{"belote.js", "words-nl.js", "words-belote-nl.js"}, 120 << 10, 40 << 10},
		{[]string{"tarok.js", "tarok-chunk.js", "words-en.js", "words-tarok-en.js"}, 120 << 10, 40 << 10},
		{[]string{"tarok.js", "tarok-chunk.js", "words-nl.js", "words-tarok-nl.js"}, 120 << 10, 40 << 10},
		{[]string{"tarok-ondemand.js"}, 16 << 10, 6 << 10},
		{[]string{"gin-rummy.js", "words-en.js", "words-gin-en.js"}, 120 << 10, 40 << 10},
		{[]string{"gin-rummy.js", "words-nl.js", "words-gin-nl.js"}, 120 << 10, 40 << 10},
		{[]string{"board.css"}, 24 << 10, 24 << 10},
		{[]string{"board.css", "belote.css"}, 24 << 10, 24 << 10},
		{[]string{"board.css", "gin-rummy.css"}, 24 << 10, 24 << 10},
		{[]string{"board.css", "tarok.css"}, 24 << 10, 24 << 10},
	} {
		plain, compressed := 0, 0
		for _, name := range page.files {
			a, b := size(name)
			plain, compressed = plain+a, compressed+b
		}
		if plain > page.plain || compressed > page.compressed {
			t.Errorf("%v: %d bytes, %d compressed, at most %d and %d", page.files, plain, compressed, page.plain, page.compressed)
		}
	}
}

// Every file that a page refers to is served.
func TestPagesFindTheirFiles(t *testing.T) {
	assets, err := web.Assets()
	if err != nil {
		t.Fatal(err)
	}
	reference := regexp.MustCompile(`"/docs/assets/([^"]+)"`)
	for name, page := range map[string]func() ([]byte, error){"board": web.Board, "jobs": web.Jobs, "belote": web.Belote, "gin-rummy": web.GinRummy, "tarok": web.Tarok, "docs": web.Docs} {
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
