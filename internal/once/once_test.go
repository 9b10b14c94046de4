package once_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"roem/internal/once"
)

// Of many callers at once one makes the value, and all get it.
func TestValue(t *testing.T) {
	t.Parallel()
	var (
		v    once.Value[*int]
		made atomic.Int64
		all  sync.WaitGroup
	)
	for range 8 {
		all.Go(func() {
			got := v.Get(func() *int { made.Add(1); return new(7) })
			if *got != 7 {
				t.Errorf("got %d", *got)
			}
		})
	}
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
}

// A file that is damaged names itself.
func TestJSON(t *testing.T) {
	t.Parallel()
	var good once.JSON[map[string]int]
	if got := good.Read("good.json", []byte(`{"a": 1}`)); got["a"] != 1 {
		t.Errorf("read %v", got)
	}
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "bad.json") {
			t.Errorf("panicked with %q", text)
		}
	}()
	var bad once.JSON[map[string]int]
	bad.Read("bad.json", []byte(`{"a": `))
}
