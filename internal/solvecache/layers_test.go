package solvecache_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/redistest"
	"roem/internal/solvecache"
	"roem/internal/testkit"
)

// layerUnderTest is one kind of layer. Every call of open uses the same storage.
type layerUnderTest struct {
	name    string
	lasting bool // keeps its values after Close
	open    func(t *testing.T) solvecache.Layer
}

// layersUnderTest returns every kind of layer, each with its own storage.
func layersUnderTest(t *testing.T) []layerUnderTest {
	t.Helper()
	dir := t.TempDir()
	server := redistest.Start(t, redistest.Options{})
	return []layerUnderTest{
		{"fake", false, func(*testing.T) solvecache.Layer { return newFake("fake") }},
		{"memory", false, func(t *testing.T) solvecache.Layer {
			t.Helper()
			return memory(t, 1<<20)
		}},
		{"file", true, func(t *testing.T) solvecache.Layer {
			t.Helper()
			return file(t, solvecache.FileOptions{Dir: dir})
		}},
		{"redis", true, func(t *testing.T) solvecache.Layer {
			t.Helper()
			return openRedis(t, solvecache.RedisOptions{URL: server.URL()})
		}},
	}
}

// closing closes the layer at the end of the test, unless the test closes it.
func closing[L solvecache.Layer](t *testing.T, layer L) *closer[L] {
	t.Helper()
	c := &closer[L]{layer: layer}
	t.Cleanup(func() { c.close(t) })
	return c
}

type closer[L solvecache.Layer] struct {
	layer L
	once  sync.Once
}

func (c *closer[L]) close(t *testing.T) {
	t.Helper()
	c.once.Do(func() {
		if err := c.layer.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
}

// settle waits until all values are written.
func settle(t *testing.T, layer solvecache.Layer) {
	t.Helper()
	eventually(t, "everything put is written", func() bool { return layer.Stats().Pending == 0 })
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	testkit.Until(t, what, is)
}

func put(t *testing.T, layer solvecache.Layer, values map[solvecache.Key][]byte) {
	t.Helper()
	for key, value := range values {
		if err := layer.Put(context.Background(), key, value); err != nil {
			t.Fatal(err)
		}
	}
}

func get(t *testing.T, layer solvecache.Layer, keys ...solvecache.Key) [][]byte {
	t.Helper()
	values, err := layer.Get(context.Background(), keys)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// After Close, calls fail at once, and Close can be repeated.
func TestLayersAfterClose(t *testing.T) {
	for _, tt := range layersUnderTest(t) {
		if tt.name == "fake" {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			layer := tt.open(t)
			put(t, layer, map[solvecache.Key][]byte{"a": []byte("1")})
			for range 2 {
				if err := layer.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
				_, got := layer.Get(t.Context(), []solvecache.Key{"a"})
				for name, err := range map[string]error{
					"Get": got, "Put": layer.Put(t.Context(), "b", nil), "Check": layer.Check(t.Context()),
				} {
					if !errors.Is(err, solvecache.ErrClosed) {
						t.Errorf("%s after Close: %v", name, err)
					}
				}
				if s := layer.Stats(); s.Layer != tt.name || s.Pending != 0 {
					t.Errorf("the counters after Close: %+v", s)
				}
			}
		})
	}
}

// Every kind of layer satisfies the contract of Layer.
func TestLayers(t *testing.T) {
	for _, tt := range layersUnderTest(t) {
		t.Run(tt.name, func(t *testing.T) {
			layer := tt.open(t)
			closed := closing(t, layer)
			if layer.Name() != tt.name || layer.Stats().Layer != tt.name {
				t.Errorf("name %q, %q", layer.Name(), layer.Stats().Layer)
			}
			if want := tt.name != "redis"; layer.Local() != want {
				t.Errorf("local: %t, want %t", layer.Local(), want)
			}
			put(t, layer, map[solvecache.Key][]byte{"a": []byte("1"), "\x00\xff": []byte("2"), "empty": {}})
			keys := []solvecache.Key{"\x00\xff", "none", "a", "empty", "a", "A", "a\x00"}
			want := [][]byte{[]byte("2"), nil, []byte("1"), {}, []byte("1"), nil, nil}
			// A value can be read after Put has returned, both before and after it is written.
			for _, when := range []string{"at once", "written"} {
				if diff := cmp.Diff(want, get(t, layer, keys...)); diff != "" {
					t.Errorf("%s (-want +got)\n%s", when, diff)
				}
				settle(t, layer)
			}
			if diff := cmp.Diff(want, get(t, layer, keys...)); diff != "" {
				t.Errorf("once more (-want +got)\n%s", diff)
			}
			if s := layer.Stats(); tt.name != "fake" && (s.Hits != 12 || s.Misses != 9 || s.Puts != 3 || s.Errors+s.Corrupt+s.Dropped != 0) {
				t.Errorf("counted %+v", s)
			}
			put(t, layer, map[solvecache.Key][]byte{"a": []byte("3")})
			for range 2 {
				if got := get(t, layer, "a"); string(got[0]) != "3" {
					t.Errorf("after another put: %q", got)
				}
				settle(t, layer)
			}
			if got := get(t, layer); len(got) != 0 {
				t.Errorf("no keys: %q", got)
			}
			closed.close(t)
			if !tt.lasting {
				return
			}
			layer = tt.open(t)
			closing(t, layer)
			want[2], want[4] = []byte("3"), []byte("3")
			if diff := cmp.Diff(want, get(t, layer, keys...)); diff != "" {
				t.Errorf("opened again (-want +got)\n%s", diff)
			}
		})
	}
}

// Close writes values that were put immediately before.
func TestCloseWrites(t *testing.T) {
	for _, tt := range layersUnderTest(t) {
		if !tt.lasting {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			layer := tt.open(t)
			put(t, layer, map[solvecache.Key][]byte{"last": []byte("1")})
			if err := layer.Close(); err != nil {
				t.Fatal(err)
			}
			layer = tt.open(t)
			closing(t, layer)
			if got := get(t, layer, "last"); string(got[0]) != "1" {
				t.Errorf("%q", got)
			}
		})
	}
}

// Concurrent writers and readers, with lists and single keys, get the value of each key.
func TestLayersUnderManyReaders(t *testing.T) {
	const goroutines, each = 8, 60
	for _, tt := range layersUnderTest(t) {
		t.Run(tt.name, func(t *testing.T) {
			layer := tt.open(t)
			closing(t, layer)
			value := func(g, i int) string { return strings.Repeat(fmt.Sprintf("%d-%d ", g, i), 40) }
			var all sync.WaitGroup
			for g := range goroutines {
				all.Go(func() {
					var keys []solvecache.Key
					for i := range each {
						key := solvecache.Key(fmt.Sprintf("key %d of %d", i, g))
						keys = append(keys, key)
						if err := layer.Put(context.Background(), key, []byte(value(g, i))); err != nil {
							t.Error(err)
						}
						if i%10 != 9 {
							continue
						}
						got, err := layer.Get(context.Background(), keys)
						if err != nil {
							t.Error(err)
							return
						}
						for j := range got {
							if string(got[j]) != value(g, j) {
								t.Errorf("%q under %q", got[j], keys[j])
							}
						}
					}
				})
			}
			all.Wait()
			settle(t, layer)
			if s := layer.Stats(); tt.name != "fake" && (s.Puts != goroutines*each || s.Misses != 0) {
				t.Errorf("counted %+v", s)
			}
		})
	}
}
