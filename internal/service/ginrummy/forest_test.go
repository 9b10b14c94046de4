package ginrummy

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/model/ginrummy/forest"
	"roem/internal/model/trees"
	"roem/internal/service"
)

// forestFile writes a forest that says of each card what it is given.
func forestFile(t *testing.T, of func(c int) float32) string {
	t.Helper()
	b := trees.NewBuilder(trees.Shape{Inputs: forest.Inputs, Columns: forest.Columns, Outputs: ginrummy.DeckSize, Levels: 255})
	leaf := make([]float32, ginrummy.DeckSize)
	for c := range leaf {
		leaf[c] = of(c)
	}
	b.Leaf(leaf)
	f, err := b.Forest()
	if err != nil {
		t.Fatal(err)
	}
	file, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "gin.forest")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const forestView = `"seat": "A", "starter": "A", "upcard": "KH", "hand": ["AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C"]`

// Without a file the method and the player are refused with what to do; with one they answer, and the keys of matches name the file.
func TestForest(t *testing.T) {
	none, err := Learned(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := newGameOf(t, none)
	_, err = ParseEstimate(t.Context(), g, []byte(`{`+forestView+`, "method": "forest"}`))
	if e, ok := errors.AsType[*service.Error](err); !ok || e.Kind != service.NoModel ||
		!strings.Contains(e.Violations[0].Detail, "models.gin_rummy_forest") {
		t.Errorf("the method without a forest: %v", err)
	}
	_, err = ParseMatch(t.Context(), g, []byte(`{"a": "ohe:forest", "b": "simple"}`))
	if e, ok := errors.AsType[*service.Error](err); !ok || e.Violations[0].Pointer != "/a" ||
		!strings.Contains(e.Violations[0].Detail, "roem-lab") {
		t.Errorf("the player without a forest: %v", err)
	}
	keys := map[string]bool{}
	for _, of := range []func(int) float32{func(c int) float32 { return float32(c) / 100 }, func(int) float32 { return 0.2 }} {
		f, err := OpenForest(forestFile(t, of))
		if err != nil {
			t.Fatal(err)
		}
		learned, err := Learned(f)
		if err != nil {
			t.Fatal(err)
		}
		g := newGameOf(t, learned)
		for _, symmetric := range []string{"false", "true"} {
			q, err := ParseEstimate(t.Context(), g, []byte(`{`+forestView+`, "method": "forest", "symmetric": `+symmetric+`}`))
			if err != nil {
				t.Fatal(err)
			}
			got, err := g.Estimate(q)
			if err != nil {
				t.Fatal(err)
			}
			p := got.Probabilities
			apart := of(50) != of(24) && symmetric == "false" // the queen of diamonds and the queen of hearts
			if got.Method != api.GinMethodForest || got.Model.Sha256 != f.SHA256() || (p["QD"]-p["QH"] > 1e-9) != apart || p["KH"] != 0 {
				t.Errorf("symmetric %s: %+v", symmetric, got)
			}
		}
		q, err := ParseMatch(t.Context(), g, []byte(`{"a": "ohe:forest", "b": "simple", "deals": 2}`))
		if err != nil {
			t.Fatal(err)
		}
		keys[string(q.Key())] = true
		_, err = ParseEstimateBatch(t.Context(), g, []byte(`{"views": [{`+forestView+`, "method": "forest", "symmetric": true}]}`))
		if err == nil || !strings.Contains(err.Error(), "Send the view alone") {
			t.Errorf("a mean over the orders in a list: %v", err)
		}
	}
	if len(keys) != 2 {
		t.Error("matches with two forests have one key")
	}
	if _, err := OpenForest(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is read")
	}
}
