package solvecache_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/redistest"
	"roem/internal/solvecache"
	"roem/internal/testkit"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(putThenHang); dir != "" {
		hangAfterPuts(dir)
	}
	testkit.Main(m)
}

// fake is a layer in a map. It counts calls and can be set to fail.
type fake struct {
	name   string
	mu     sync.Mutex
	values map[solvecache.Key][]byte
	gets   []int       // the number of keys of each Get
	after  func(n int) // if set, called at the end of the nth Get
	err    error
	remote bool // Local returns false
	closed int
}

func newFake(name string) *fake {
	return &fake{name: name, values: map[solvecache.Key][]byte{}}
}

func (f *fake) Name() string { return f.name }

func (f *fake) Local() bool { return !f.remote }

func (f *fake) Get(_ context.Context, keys []solvecache.Key) ([][]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gets = append(f.gets, len(keys))
	if f.err != nil {
		return nil, f.err
	}
	out := make([][]byte, len(keys))
	for i, key := range keys {
		out[i] = f.values[key]
	}
	if f.after != nil {
		f.after(len(f.gets))
	}
	return out, nil
}

func (f *fake) Put(_ context.Context, key solvecache.Key, value []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return f.err
	}
	f.values[key] = value
	return nil
}

func (f *fake) Check(context.Context) error { return nil }

func (f *fake) Stats() solvecache.Stats {
	return solvecache.Stats{Layer: f.name, Hits: uint64(len(f.gets))}
}

func (f *fake) Close() error {
	f.closed++
	return f.err
}

func memory(t *testing.T, bytes int) *solvecache.Memory {
	t.Helper()
	m, err := solvecache.NewMemory(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMemoryIsBounded(t *testing.T) {
	if _, err := solvecache.NewMemory(0); err == nil {
		t.Error("a memory cache that is too small: no error")
	}
	const bytes, size = 64 << 10, 1 << 10
	m := memory(t, bytes)
	ctx := context.Background()
	var keys []solvecache.Key
	for i := range 1000 {
		key := solvecache.Key(fmt.Sprint(i))
		keys = append(keys, key)
		if err := m.Put(ctx, key, make([]byte, size)); err != nil {
			t.Fatal(err)
		}
	}
	deadline := time.Now().Add(testkit.Patience)
	for {
		values, err := m.Get(ctx, keys)
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for _, v := range values {
			if v != nil {
				kept++
			}
		}
		if kept > 0 && kept*size <= bytes {
			break
		}
		if time.Now().After(deadline) { // values are dropped in the background
			t.Fatalf("%d values of %d bytes are stored with a limit of %d", kept, size, bytes)
		}
		time.Sleep(time.Millisecond)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// Get looks the keys up in the layers in order, in each layer only those that the layers before do not have, and copies values to those
// layers.
func TestGetGoesThroughTheLayers(t *testing.T) {
	ctx := context.Background()
	fast, broken, slow := newFake("fast"), newFake("broken"), newFake("slow")
	broken.err = errors.New("down")
	c := solvecache.New(fast, broken, slow)
	fast.values["a"] = []byte("A")
	slow.values["b"] = []byte("B")
	want := []solvecache.Answer{
		{Key: "a", Value: []byte("A"), Layer: "fast"}, {Key: "b", Value: []byte("B"), Layer: "slow"}, {Key: "c"},
	}
	if diff := cmp.Diff(want, c.Get(ctx, []solvecache.Key{"a", "b", "c"})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]int{2}, slow.gets); diff != "" {
		t.Errorf("numbers of keys looked up in the slow layer (-want +got)\n%s", diff)
	}
	if got := c.Get(ctx, []solvecache.Key{"b"}); got[0].Layer != "fast" {
		t.Errorf("the value was not copied: %+v", got)
	}
	c.Put(ctx, "d", []byte("D"))
	if string(fast.values["d"]) != "D" || string(slow.values["d"]) != "D" {
		t.Error("put did not reach every layer")
	}
	if err := c.Close(); !errors.Is(err, broken.err) || !strings.Contains(err.Error(), "broken") {
		t.Errorf("close: %v", err)
	}
	if fast.closed != 1 || slow.closed != 1 {
		t.Errorf("closed %d and %d times", fast.closed, slow.closed)
	}
}

// First asks a slower layer only if no value of the faster ones fits.
func TestFirst(t *testing.T) {
	ctx := context.Background()
	fast, slow := newFake("fast"), newFake("slow")
	c := solvecache.New(fast, slow)
	fast.values["b"] = []byte("B")
	fast.values["wrong"] = []byte("?")
	slow.values["a"] = []byte("A")
	fits := func(value []byte) bool { return value[0] != '?' }
	for _, tt := range []struct {
		keys  []solvecache.Key
		want  solvecache.Answer
		found bool
		slow  int // Gets of the slow layer
	}{
		{[]solvecache.Key{"c", "b"}, solvecache.Answer{Key: "b", Value: []byte("B"), Layer: "fast"}, true, 0},
		{[]solvecache.Key{"wrong", "a"}, solvecache.Answer{Key: "a", Value: []byte("A"), Layer: "slow"}, true, 1},
		{[]solvecache.Key{"wrong", "a"}, solvecache.Answer{Key: "a", Value: []byte("A"), Layer: "fast"}, true, 0},
		{[]solvecache.Key{"wrong", "c"}, solvecache.Answer{}, false, 1},
	} {
		slow.gets = nil
		got, found := c.First(ctx, tt.keys, fits)
		if diff := cmp.Diff(tt.want, got); diff != "" || found != tt.found || len(slow.gets) != tt.slow {
			t.Errorf("%v: %t with %d lookups in the slow layer, want %t with %d (-want +got)\n%s",
				tt.keys, found, len(slow.gets), tt.found, tt.slow, diff)
		}
	}
	if _, found := (*solvecache.Cache)(nil).First(ctx, []solvecache.Key{"a"}, fits); found {
		t.Error("a nil cache has a value")
	}
}

// Get looks up a list of keys with one call per layer. Within Once, later lookups of missing keys do not use the slower layers again.
func TestLists(t *testing.T) {
	fast, slow := newFake("fast"), newFake("slow")
	c := solvecache.New(fast, slow)
	fast.values["a"] = []byte("A")
	slow.values["b"] = []byte("B")
	want := []solvecache.Answer{
		{Key: "a", Value: []byte("A"), Layer: "fast"}, {Key: "c"}, {Key: "b", Value: []byte("B"), Layer: "slow"}, {Key: "d"},
	}
	ctx := solvecache.Once(context.Background())
	if diff := cmp.Diff(want, c.Get(ctx, []solvecache.Key{"a", "c", "b", "d"})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, key := range []solvecache.Key{"c", "d", "e"} {
		for _, a := range c.Get(ctx, []solvecache.Key{key, "a dearer " + key}) {
			if a.Value != nil {
				t.Errorf("%s: %+v", key, a)
			}
		}
		c.Put(ctx, key, []byte("computed"))
		if string(slow.values[key]) != "computed" {
			t.Errorf("%s is not in the slow layer", key)
		}
	}
	// First b, c and d; then one lookup each of c, d and e; then e.
	if diff := cmp.Diff([]int{3, 1, 1, 2}, slow.gets); diff != "" {
		t.Errorf("numbers of keys looked up in the slow layer (-want +got)\n%s", diff)
	}
	// It applies only to that context.
	delete(fast.values, "c")
	if got := c.Get(context.Background(), []solvecache.Key{"c"}); got[0].Layer != "slow" {
		t.Errorf("%+v", got)
	}
	// The fastest layer is used every time.
	fast.values["f"] = []byte("F")
	c.Get(ctx, []solvecache.Key{"g"})
	fast.values["g"] = []byte("G")
	if got := c.Get(ctx, []solvecache.Key{"g", "f"}); string(got[0].Value) != "G" || string(got[1].Value) != "F" {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff([]solvecache.Stats{fast.Stats(), slow.Stats()}, c.Stats()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// GetLocal uses only the layers before the first remote one.
func TestGetLocal(t *testing.T) {
	type layer struct {
		name   string
		remote bool
		values map[solvecache.Key][]byte
	}
	var (
		empty = layer{name: "memory"}
		disk  = layer{name: "disk", values: map[solvecache.Key][]byte{"a": []byte("1")}}
		redis = layer{name: "redis", remote: true, values: map[solvecache.Key][]byte{"a": []byte("2"), "b": []byte("3")}}
	)
	fromDisk := []solvecache.Answer{{Key: "b"}, {Key: "a", Value: []byte("1"), Layer: "disk"}}
	for _, tt := range []struct {
		name   string
		layers []layer
		want   []solvecache.Answer
		gets   []int // the number of lookups in each layer
	}{
		{"no layer", nil, []solvecache.Answer{{Key: "b"}, {Key: "a"}}, nil},
		{"all local", []layer{empty, disk}, fromDisk, []int{1, 1}},
		{"the last is remote", []layer{empty, disk, redis}, fromDisk, []int{1, 1, 0}},
		{"after a remote one", []layer{empty, redis, disk}, []solvecache.Answer{{Key: "b"}, {Key: "a"}}, []int{1, 0, 0}},
		{"all remote", []layer{redis}, []solvecache.Answer{{Key: "b"}, {Key: "a"}}, []int{0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var layers []solvecache.Layer
			var fakes []*fake
			for _, l := range tt.layers {
				f := newFake(l.name)
				f.remote = l.remote
				maps.Copy(f.values, l.values)
				fakes, layers = append(fakes, f), append(layers, f)
			}
			got := solvecache.New(layers...).GetLocal(t.Context(), []solvecache.Key{"b", "a"})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			var gets []int
			for _, f := range fakes {
				gets = append(gets, len(f.gets))
			}
			if diff := cmp.Diff(tt.gets, gets); diff != "" {
				t.Errorf("lookups in each layer (-want +got):\n%s", diff)
			}
			if len(fakes) > 1 && got[1].Layer == "disk" && string(fakes[0].values["a"]) != "1" {
				t.Error("the value of the disk was not copied into the memory")
			}
		})
	}
}

// GetLocal does not use the remote layers, so a later Get within Once uses them.
func TestGetLocalUnderOnce(t *testing.T) {
	first, second, remote := newFake("first"), newFake("second"), newFake("remote")
	remote.remote = true
	remote.values["a"] = []byte("1")
	c := solvecache.New(first, second, remote)
	ctx := solvecache.Once(t.Context())
	if got := c.GetLocal(ctx, []solvecache.Key{"a"}); got[0].Value != nil {
		t.Errorf("found %+v", got)
	}
	if got := c.Get(ctx, []solvecache.Key{"a"}); got[0].Layer != "remote" {
		t.Errorf("Get after GetLocal: %+v, want the value of the remote layer", got)
	}
}

// wrapped is a layer around another layer, as the server wraps each layer for tracing.
type wrapped struct {
	solvecache.Layer

	gets atomic.Int64
}

func (w *wrapped) Get(ctx context.Context, keys []solvecache.Key) ([][]byte, error) {
	w.gets.Add(1)
	return w.Layer.Get(ctx, keys)
}

// GetLocal uses a local layer and not Redis, with and without wrapping.
func TestWrappedLayers(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	for _, tt := range []struct {
		name  string
		layer solvecache.Layer
		want  int64
	}{
		{"memory", memory(t, 1<<20), 2},
		{"redis", openRedis(t, solvecache.RedisOptions{URL: server.URL()}), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			layer := &wrapped{Layer: tt.layer}
			c := solvecache.New(layer)
			t.Cleanup(func() { _ = c.Close() })
			for _, get := range []func(context.Context, []solvecache.Key) []solvecache.Answer{c.Get, c.GetLocal} {
				if a := get(t.Context(), []solvecache.Key{"a"}); a[0].Value != nil {
					t.Fatalf("%+v", a)
				}
			}
			if got := layer.gets.Load(); got != tt.want {
				t.Errorf("%d lookups of a missing value, want %d", got, tt.want)
			}
		})
	}
}

// A nil cache is empty.
func TestNilCache(t *testing.T) {
	var c *solvecache.Cache
	c.Put(t.Context(), "a", []byte("0"))
	want := []solvecache.Answer{{Key: "a"}, {Key: "b"}}
	if diff := cmp.Diff(want, c.Get(t.Context(), []solvecache.Key{"a", "b"})); diff != "" {
		t.Errorf("Get (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, c.GetLocal(t.Context(), []solvecache.Key{"a", "b"})); diff != "" {
		t.Errorf("GetLocal (-want +got):\n%s", diff)
	}
	if c.Stats() != nil || c.Close() != nil {
		t.Errorf("%v, %v", c.Stats(), c.Close())
	}
}
