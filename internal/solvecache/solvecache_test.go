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
	"go.uber.org/goleak"

	"roem/internal/redistest"
	"roem/internal/solvecache"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(putThenHang); dir != "" {
		hangAfterPuts(dir)
	}
	goleak.VerifyTestMain(m)
}

// fake is a layer in a map, which counts and can be told to fail.
type fake struct {
	name   string
	mu     sync.Mutex
	values map[solvecache.Key][]byte
	gets   []int       // the number of keys of each Get
	after  func(n int) // if set, called at the end of the nth Get
	err    error
	remote bool // it says that it is not local
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

func ask(keys ...solvecache.Key) solvecache.Request {
	return solvecache.Request{
		Keys:    keys,
		Valid:   func(value []byte) bool { return string(value) != "corrupt" },
		Compute: func(context.Context) ([]byte, error) { return []byte("computed"), nil },
	}
}

func TestMemoryIsBounded(t *testing.T) {
	if _, err := solvecache.NewMemory(0); err == nil {
		t.Error("a memory cache without room")
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
	deadline := time.Now().Add(10 * time.Second)
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
		if time.Now().After(deadline) { // it drops in the background
			t.Fatalf("%d values of %d bytes kept in %d", kept, size, bytes)
		}
		time.Sleep(time.Millisecond)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// A value is looked for layer by layer, each asked only for what the ones before it lack, and copied to those.
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
		t.Errorf("keys asked of the slow layer (-want +got)\n%s", diff)
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

func TestGetOrCompute(t *testing.T) {
	ctx := context.Background()
	layer := newFake("fake")
	c := solvecache.New(layer)
	get := func(r solvecache.Request) solvecache.Answer {
		t.Helper()
		a, err := c.GetOrCompute(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := get(ask("a")); string(a.Value) != "computed" || a.Layer != "" || a.Shared {
		t.Errorf("first: %+v", a)
	}
	if a := get(ask("a")); string(a.Value) != "computed" || a.Layer != "fake" {
		t.Errorf("second: %+v", a)
	}
	layer.values["dearer"] = []byte("other")
	if a := get(ask("b", "dearer")); string(a.Value) != "other" || a.Key != "dearer" {
		t.Errorf("by another key: %+v", a)
	}
	layer.values["c"] = []byte("corrupt")
	if a := get(ask("c")); string(a.Value) != "computed" || a.Layer != "" || string(layer.values["c"]) != "computed" {
		t.Errorf("a corrupt value: %+v", a)
	}
	layer.err = errors.New("down")
	if a := get(ask("a")); string(a.Value) != "computed" || a.Layer != "" {
		t.Errorf("a broken layer: %+v", a)
	}
}

// A list is one question to each layer, whatever its length. Under Once, what is missing of it is computed without
// another one to the slower layers.
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
		a, err := c.GetOrCompute(ctx, ask(key, "a dearer "+key))
		if err != nil || string(a.Value) != "computed" || string(slow.values[key]) != "computed" {
			t.Errorf("%s: %+v, %v", key, a, err)
		}
	}
	// First b, c and d; then what goes with c, d and e, and e.
	if diff := cmp.Diff([]int{3, 1, 1, 2}, slow.gets); diff != "" {
		t.Errorf("keys asked of the slow layer (-want +got)\n%s", diff)
	}
	// It is of that context alone.
	delete(fast.values, "c")
	if got := c.Get(context.Background(), []solvecache.Key{"c"}); got[0].Layer != "slow" {
		t.Errorf("%+v", got)
	}
	// And the fastest layer is asked every time.
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

// GetLocal asks the layers before the first that is not local, and no other.
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
		gets   []int // how often each layer is asked
	}{
		{"no layer", nil, []solvecache.Answer{{Key: "b"}, {Key: "a"}}, nil},
		{"all local", []layer{empty, disk}, fromDisk, []int{1, 1}},
		{"the last is remote", []layer{empty, disk, redis}, fromDisk, []int{1, 1, 0}},
		{"behind a remote one", []layer{empty, redis, disk}, []solvecache.Answer{{Key: "b"}, {Key: "a"}}, []int{1, 0, 0}},
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
				t.Errorf("questions to each layer (-want +got):\n%s", diff)
			}
			if len(fakes) > 1 && got[1].Layer == "disk" && string(fakes[0].values["a"]) != "1" {
				t.Error("what the disk has was not copied into the memory")
			}
		})
	}
}

// What GetLocal does not find has not been asked of the remote layers, so Get asks them under Once all the same.
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

// wrapped is a layer around another, as the server wraps each to trace it.
type wrapped struct {
	solvecache.Layer

	gets atomic.Int64
}

func (w *wrapped) Get(ctx context.Context, keys []solvecache.Key) ([][]byte, error) {
	w.gets.Add(1)
	return w.Layer.Get(ctx, keys)
}

// Before a computation begins, a layer in the process is asked once more and Redis is not, wrapped or not.
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
			a, err := c.GetOrCompute(t.Context(), ask("a"))
			if err != nil || string(a.Value) != "computed" {
				t.Fatalf("%+v, %v", a, err)
			}
			if got := layer.gets.Load(); got != tt.want {
				t.Errorf("asked %d times for a value that it does not have, want %d", got, tt.want)
			}
		})
	}
}

// An error is told to all who wait and kept for nobody.
func TestErrorsAreNotKept(t *testing.T) {
	c := solvecache.New(newFake("fake"))
	failure := errors.New("failure")
	r := ask("a")
	r.Compute = func(context.Context) ([]byte, error) { return nil, failure }
	if _, err := c.GetOrCompute(context.Background(), r); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	if a, err := c.GetOrCompute(context.Background(), ask("a")); err != nil || string(a.Value) != "computed" {
		t.Errorf("then %+v, %v", a, err)
	}
	r = ask("b")
	r.Compute = func(context.Context) ([]byte, error) { panic("aargh") }
	var panicked *solvecache.PanicError
	if _, err := c.GetOrCompute(context.Background(), r); !errors.As(err, &panicked) || panicked.Value != "aargh" ||
		!strings.Contains(err.Error(), "solvecache_test.go") {
		t.Errorf("a panic: %v", err)
	}
}

func TestSingleFlight(t *testing.T) {
	c := solvecache.New(newFake("fake"))
	var computed atomic.Int64
	started, gate := make(chan struct{}, 1), make(chan struct{})
	r := ask("a")
	r.Compute = func(context.Context) ([]byte, error) {
		computed.Add(1)
		started <- struct{}{}
		<-gate
		return []byte("once"), nil
	}
	var shared atomic.Int64
	var all sync.WaitGroup
	join := func() {
		all.Go(func() {
			a, err := c.GetOrCompute(context.Background(), r)
			if err != nil || string(a.Value) != "once" {
				t.Errorf("%+v, %v", a, err)
			}
			if a.Shared {
				shared.Add(1)
			}
		})
	}
	join()
	<-started
	for range 199 {
		join()
	}
	// Another key does not wait.
	if _, err := c.GetOrCompute(context.Background(), ask("b")); err != nil {
		t.Error(err)
	}
	await(t, c, "a", 200)
	close(gate)
	all.Wait()
	if computed.Load() != 1 || shared.Load() != 199 || c.Shared() != 199 {
		t.Errorf("computed %d times, shared %d, %d counted", computed.Load(), shared.Load(), c.Shared())
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// await waits until n wait for the computation of the key.
func await(t *testing.T, c *solvecache.Cache, key solvecache.Key, n int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); c.Waiters(key) != n; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d wait for %q, want %d", c.Waiters(key), key, n)
		}
	}
}

// A request that was not found in the cache while an equal flight was ending still finds what that flight left.
func TestFlightLooksOnceMore(t *testing.T) {
	layer := newFake("fake")
	c := solvecache.New(layer)
	r := ask("a")
	r.Valid = func(value []byte) bool { return true }
	// The value comes between the look before the flight and the one in it.
	layer.after = func(n int) {
		if n == 1 {
			layer.values["a"] = []byte("found")
		}
	}
	a, err := c.GetOrCompute(context.Background(), r)
	if err != nil || string(a.Value) != "found" || a.Layer != "fake" || a.Shared {
		t.Errorf("%+v, %v", a, err)
	}
}

// Whoever leaves last has left nothing behind: what the computation held is free.
func TestLastWaiterSeesTheEnd(t *testing.T) {
	c := solvecache.New()
	for range 50 {
		var held atomic.Bool
		started := make(chan struct{})
		r := ask("a")
		r.Compute = func(ctx context.Context) ([]byte, error) {
			held.Store(true)
			close(started)
			<-ctx.Done()
			time.Sleep(time.Millisecond)
			held.Store(false)
			return nil, ctx.Err()
		}
		ctx, cancel := context.WithCancel(context.Background())
		go func() { <-started; cancel() }()
		if _, err := c.GetOrCompute(ctx, r); !errors.Is(err, context.Canceled) || held.Load() {
			t.Fatalf("%v; still held: %v", err, held.Load())
		}
	}
}

// The computation outlives any one who waits, the first too, and stops when nobody does. Whoever comes then gets a new
// one.
func TestFlightEndsWithItsLastWaiter(t *testing.T) {
	c := solvecache.New()
	started, stopped := make(chan struct{}, 2), make(chan struct{}, 2)
	r := ask("a")
	r.Compute = func(ctx context.Context) ([]byte, error) {
		started <- struct{}{}
		<-ctx.Done()
		stopped <- struct{}{}
		return nil, ctx.Err()
	}
	wait := func() (leave func() error) {
		ctx, cancel := context.WithCancel(context.Background())
		result := make(chan error, 1)
		go func() {
			_, err := c.GetOrCompute(ctx, r)
			result <- err
		}()
		return func() error { cancel(); return <-result }
	}
	leaveFirst := wait()
	<-started
	leaveSecond := wait()
	await(t, c, "a", 2)
	if err := leaveFirst(); !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %v", err)
	}
	select {
	case <-stopped:
		t.Fatal("stopped while one waits")
	case <-time.After(20 * time.Millisecond):
	}
	if err := leaveSecond(); !errors.Is(err, context.Canceled) {
		t.Errorf("the second: %v", err)
	}
	<-stopped
	leaveThird := wait()
	<-started
	if err := leaveThird(); !errors.Is(err, context.Canceled) {
		t.Errorf("the third: %v", err)
	}
	<-stopped
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.GetOrCompute(gone, r); !errors.Is(err, context.Canceled) {
		t.Errorf("one who has gone already: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// A computation may know by when it must end: at the deadline of the waiter who has the most time. Whoever joins too late for
// that starts another.
func TestDeadlineOfAFlight(t *testing.T) {
	c := solvecache.New()
	soon, later := time.Now().Add(time.Hour), time.Now().Add(2*time.Hour)
	until := func(at time.Time) context.Context {
		ctx, cancel := context.WithDeadline(t.Context(), at)
		t.Cleanup(cancel)
		return ctx
	}
	seen := func(ctx context.Context) time.Time {
		at, _ := ctx.Deadline()
		return at
	}
	begun, joined := make(chan context.Context), make(chan struct{})
	flights := 0
	request := ask("a")
	request.Compute = func(ctx context.Context) ([]byte, error) {
		if flights++; flights > 1 {
			return []byte("computed"), nil
		}
		begun <- ctx
		<-joined
		return nil, context.DeadlineExceeded // as if the first deadline had passed before it was put off
	}
	first, second := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := c.GetOrCompute(until(soon), request)
		first <- err
	}()
	ctx := <-begun
	if got := seen(ctx); !got.Equal(soon) {
		t.Errorf("deadline %v, want the only waiter's, %v", got, soon)
	}
	go func() {
		_, err := c.GetOrCompute(until(later), request)
		second <- err
	}()
	for seen(ctx).Equal(soon) {
		time.Sleep(time.Millisecond)
	}
	if got := seen(ctx); !got.Equal(later) {
		t.Errorf("deadline %v, want that of the one who has more time, %v", got, later)
	}
	close(joined)
	if err := <-first; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the first: %v", err)
	}
	if err := <-second; err != nil {
		t.Errorf("the second: %v", err)
	}

	// Without a deadline there is none, nor with a waiter who has none.
	begun, joined, flights = make(chan context.Context), make(chan struct{}), 0
	go func() {
		_, err := c.GetOrCompute(until(soon), request)
		first <- err
	}()
	ctx = <-begun
	ended, leave := context.WithCancel(t.Context())
	go func() {
		_, err := c.GetOrCompute(ended, request)
		second <- err
	}()
	for seen(ctx).Equal(soon) {
		time.Sleep(time.Millisecond)
	}
	if at, ok := ctx.Deadline(); ok {
		t.Errorf("deadline %v, want none", at)
	}
	close(joined)
	<-first
	leave()
	<-second
}

// No cache at all computes each time, for the one who asks.
func TestNilCache(t *testing.T) {
	var c *solvecache.Cache
	computed := 0
	request := func(err error) solvecache.Request {
		return solvecache.Request{
			Keys: []solvecache.Key{"a", "b"}, Valid: func([]byte) bool { return true },
			Compute: func(context.Context) ([]byte, error) { computed++; return []byte("1"), err },
		}
	}
	c.Put(t.Context(), "a", []byte("0"))
	want := []solvecache.Answer{{Key: "a"}, {Key: "b"}}
	if diff := cmp.Diff(want, c.Get(t.Context(), []solvecache.Key{"a", "b"})); diff != "" {
		t.Errorf("Get (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, c.GetLocal(t.Context(), []solvecache.Key{"a", "b"})); diff != "" {
		t.Errorf("GetLocal (-want +got):\n%s", diff)
	}
	for range 2 {
		got, err := c.GetOrCompute(t.Context(), request(nil))
		if diff := cmp.Diff(solvecache.Answer{Key: "a", Value: []byte("1")}, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
	if computed != 2 {
		t.Errorf("computed %d times, want 2", computed)
	}
	failure := errors.New("failure")
	got, err := c.GetOrCompute(t.Context(), request(failure))
	if !errors.Is(err, failure) || string(got.Partial) != "1" || got.Value != nil {
		t.Errorf("%+v, %v", got, err)
	}
	panics := request(nil)
	panics.Compute = func(context.Context) ([]byte, error) { panic("a bug") }
	_, err = c.GetOrCompute(t.Context(), panics)
	if _, ok := errors.AsType[*solvecache.PanicError](err); !ok {
		t.Errorf("error %v, want the panic", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.GetOrCompute(ended, request(nil)); !errors.Is(err, context.Canceled) || computed != 3 {
		t.Errorf("%v; computed %d times, want 3", err, computed)
	}
	if c.Stats() != nil || c.Shared() != 0 || c.Close() != nil {
		t.Errorf("%v, %d, %v", c.Stats(), c.Shared(), c.Close())
	}
}
