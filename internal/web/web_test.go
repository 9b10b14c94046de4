package web_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"roem/internal/web"
)

// The board stays small: the limits are in bytes, as sent and compressed.
func TestSizeOfTheBoard(t *testing.T) {
	assets, err := web.Assets()
	if err != nil {
		t.Fatal(err)
	}
	for name, most := range map[string]struct{ plain, compressed int }{
		"board.js":  {120 << 10, 40 << 10},
		"board.css": {24 << 10, 24 << 10},
	} {
		body := assets[name].Body
		var compressed bytes.Buffer
		w := gzip.NewWriter(&compressed)
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d compressed", name, len(body), compressed.Len())
		if len(body) == 0 || len(body) > most.plain || compressed.Len() > most.compressed {
			t.Errorf("%s: %d bytes, %d compressed, at most %d and %d", name, len(body), compressed.Len(), most.plain, most.compressed)
		}
	}
}
