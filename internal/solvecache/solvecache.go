// Package solvecache remembers what has been solved. A Cache is a row of layers, fastest first, and makes concurrent
// equal requests share one computation. It carries bytes and knows nothing of what they mean.
package solvecache

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Key names a value. Its bytes are the caller's; equal keys must stand for interchangeable values for ever, so
// whatever a value depends on, the version of its own form included, belongs in the key.
type Key string

// Layer is one place where values are kept.
//
// A layer may lose values at any time. It must never return a value under another key than it was put under, must stop
// waiting when the context ends, and must be safe for concurrent use.
type Layer interface {
	// Name names the layer in answers and logs, in one word.
	Name() string
	// Local reports whether Get answers without leaving the process, so that asking once more costs next to nothing. A
	// layer that wraps another answers as the wrapped one does.
	Local() bool
	// Get returns a value for each key, in order, nil for those it does not have. It must not keep or change keys, and
	// the caller must not change the values. An error means that nothing was found.
	Get(ctx context.Context, keys []Key) ([][]byte, error)
	// Put keeps the value, which the caller must not change any more, or fails without harm. A layer may write it later
	// than Put returns; Get finds it from then on all the same.
	Put(ctx context.Context, key Key, value []byte) error
	// Stats counts what the layer has done.
	Stats() Stats
	// Close lets go of everything that the layer holds. It is called once, after every other call has returned.
	Close() error
}

// Answer is a value and where it came from.
type Answer struct {
	Key    Key    // the key that it was found under or computed for
	Value  []byte // nil where nothing was found; not to be changed
	Layer  string // the layer that had it; empty where it was computed
	Shared bool   // computed for an equal request that was under way already
	// Partial is what a computation returned that was stopped, for those who waited for its end. It is not kept.
	Partial []byte
}

// Request is what is asked of a Cache.
type Request struct {
	// Keys are the keys whose values would do, the best first. What is computed is kept under the first, and it alone
	// says whether two requests are equal.
	Keys []Key
	// Valid reports whether a value that a layer had can be used; one that cannot is a miss.
	Valid func(value []byte) bool
	// Compute makes the value. It must return soon after its context ends, which it does when everybody who waits for
	// the value has gone. What it returns with an error is Answer.Partial.
	Compute func(ctx context.Context) ([]byte, error)
}

// Cache is a row of layers. It is safe for concurrent use. A nil Cache keeps nothing and shares nothing: whoever asks has
// the value computed there and then, which saves the microseconds that sharing takes.
type Cache struct {
	layers []Layer
	shared atomic.Uint64

	mu      sync.Mutex
	flights map[Key]*flight
	running sync.WaitGroup
}

// flight is a computation under way and the number of those who wait for it.
type flight struct {
	done    chan struct{} // closed when answer and err are set
	answer  Answer
	err     error
	waiters int                       // guarded by Cache.mu
	until   atomic.Pointer[time.Time] // the deadline of the waiter with the most time; nil for none
	cancel  context.CancelFunc
}

// New returns a cache of the layers, fastest first. With none it keeps nothing but still shares computations.
func New(layers ...Layer) *Cache {
	return &Cache{layers: layers, flights: make(map[Key]*flight)}
}

// Once returns a context under which each key is looked for in the slower layers at most once. A request that needs many
// values looks for all of them first, with one Get, and then for one after the other as if it had not: a slow layer
// costs it one wait, not many. A context that is such a one already is returned as it is.
func Once(ctx context.Context) context.Context {
	if ctx.Value(onceKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, onceKey{}, &missed{})
}

type onceKey struct{}

// missed is what the slower layers were asked for in vain.
type missed struct {
	mu   sync.Mutex
	keys map[Key]struct{}
}

// without returns the keys that are not among the missed, with their places; nil places stand for 0, 1, 2 and so on.
func (m *missed) without(keys []Key, places []int) (left []Key, at []int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, key := range keys {
		if _, in := m.keys[key]; in {
			continue
		}
		left = append(left, key)
		if places != nil {
			i = places[i]
		}
		at = append(at, i)
	}
	return left, at
}

func (m *missed) add(keys []Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keys == nil && len(keys) > 0 {
		m.keys = make(map[Key]struct{}, len(keys))
	}
	for _, key := range keys {
		m.keys[key] = struct{}{}
	}
}

// Get returns an answer for each key, in order. What a slower layer has is copied into the faster ones. A layer that
// fails counts as one that has nothing.
func (c *Cache) Get(ctx context.Context, keys []Key) []Answer {
	var layers []Layer
	if c != nil {
		layers = c.layers
	}
	return c.get(ctx, layers, keys)
}

// GetLocal is Get with the leading layers that are local, up to the first that is not. It is for whoever asks a second time.
// A key that it does not find has not been looked for as [Once] counts.
func (c *Cache) GetLocal(ctx context.Context, keys []Key) []Answer {
	return c.get(ctx, c.local(), keys)
}

// local returns the leading layers that are local.
func (c *Cache) local() []Layer {
	if c == nil {
		return nil
	}
	n := 0
	for n < len(c.layers) && c.layers[n].Local() {
		n++
	}
	return c.layers[:n]
}

func (c *Cache) get(ctx context.Context, layers []Layer, keys []Key) []Answer {
	answers := make([]Answer, len(keys))
	for i, key := range keys {
		answers[i].Key = key
	}
	asked, missing := keys, []int(nil) // missing holds where in keys those asked stand; nil while all are
	once, _ := ctx.Value(onceKey{}).(*missed)
	for depth, layer := range layers {
		if depth == 1 && once != nil {
			asked, missing = once.without(asked, missing)
		}
		if len(asked) == 0 {
			break
		}
		values, err := layer.Get(ctx, asked)
		if err != nil || len(values) != len(asked) {
			continue
		}
		var (
			stillAsked []Key
			still      []int
		)
		for i, value := range values {
			at := i
			if missing != nil {
				at = missing[i]
			}
			if value == nil {
				stillAsked, still = append(stillAsked, keys[at]), append(still, at)
				continue
			}
			answers[at].Value, answers[at].Layer = value, layer.Name()
			c.put(ctx, layers[:depth], keys[at], value)
		}
		asked, missing = stillAsked, still
	}
	if once != nil && len(layers) > 1 && len(layers) == len(c.layers) {
		once.add(asked)
	}
	return answers
}

// Put keeps the value in every layer. A layer that fails does without it.
func (c *Cache) Put(ctx context.Context, key Key, value []byte) {
	if c != nil {
		c.put(ctx, c.layers, key, value)
	}
}

func (c *Cache) put(ctx context.Context, layers []Layer, key Key, value []byte) {
	for _, layer := range layers {
		_ = layer.Put(ctx, key, value) // a cache that cannot keep a value only makes the next request slower
	}
}

// usable returns the first answer that the request can use.
func (r Request) usable(answers []Answer) Answer {
	for _, a := range answers {
		if a.Value != nil && r.Valid(a.Value) {
			return a
		}
	}
	return Answer{}
}

// GetOrCompute answers the request from the layers or else computes the value and keeps it. Equal requests that come
// meanwhile wait for the same computation, which ends early only when all of them have gone. The error is that of
// Compute, not kept and shared by all who waited, or ctx.Err().
func (c *Cache) GetOrCompute(ctx context.Context, r Request) (Answer, error) {
	if c == nil {
		if err := ctx.Err(); err != nil {
			return Answer{}, err
		}
		return compute(ctx, r)
	}
	if a := r.usable(c.Get(ctx, r.Keys)); a.Value != nil {
		return a, nil
	}
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	key := r.Keys[0]
	f, joined := c.join(ctx, r)
	if joined {
		c.shared.Add(1)
	}
	select {
	case <-f.done:
		c.leave(key, f)
		if joined && errors.Is(f.err, context.DeadlineExceeded) && !over(ctx) {
			return c.GetOrCompute(ctx, r) // the deadline of the others had passed just before it was put off
		}
		answer := f.answer
		answer.Shared = joined
		return answer, f.err
	case <-ctx.Done():
		if last := c.leave(key, f); last {
			// It lets go of what it holds, such as a place in a queue, before the request is over.
			select {
			case <-f.done:
				return Answer{Partial: f.answer.Partial}, ctx.Err()
			case <-time.After(endLimit):
			}
		}
		return Answer{}, ctx.Err()
	}
}

// endLimit is how long the last one who waited for a computation waits for its end.
const endLimit = 50 * time.Millisecond

// Stats counts what each layer has done, fastest first.
func (c *Cache) Stats() []Stats {
	if c == nil {
		return nil
	}
	stats := make([]Stats, len(c.layers))
	for i, layer := range c.layers {
		stats[i] = layer.Stats()
	}
	return stats
}

// Shared returns how many requests have joined the computation of an equal one.
func (c *Cache) Shared() uint64 {
	if c == nil {
		return 0
	}
	return c.shared.Load()
}

// join adds a waiter to the flight of the request, which it starts if there is none.
func (c *Cache) join(ctx context.Context, r Request) (f *flight, joined bool) {
	key := r.Keys[0]
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.flights[key]; ok {
		f.waiters++
		f.putOff(ctx)
		return f, true
	}
	f = &flight{done: make(chan struct{}), waiters: 1}
	if until, ok := ctx.Deadline(); ok {
		f.until.Store(&until)
	}
	// The values of the first waiter's context (its trace) go along, its end does not: others may still be waiting.
	flying, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f.cancel = cancel
	c.flights[key] = f
	c.running.Go(func() {
		defer cancel()
		f.answer, f.err = c.fly(flying, f, r)
		c.mu.Lock()
		c.forget(key, f)
		c.mu.Unlock()
		close(f.done)
	})
	return f, false
}

// flightContext is the context of a computation, whose deadline is that of the waiter with the most time. Nobody tells when it has
// passed: the last waiter to leave ends the flight. It is for those who look at the clock themselves.
type flightContext struct {
	context.Context
	flight *flight
}

// Deadline returns the deadline of the moment.
func (c flightContext) Deadline() (until time.Time, ok bool) {
	if until := c.flight.until.Load(); until != nil {
		return *until, true
	}
	return time.Time{}, false
}

// putOff makes room for a waiter who has more time than those before.
func (f *flight) putOff(ctx context.Context) {
	until := f.until.Load()
	if until == nil {
		return
	}
	if later, ok := ctx.Deadline(); !ok {
		f.until.Store(nil)
	} else if later.After(*until) {
		f.until.Store(&later)
	}
}

// over reports whether the deadline of a context has passed, whether or not the context knows.
func over(ctx context.Context) bool {
	until, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(until)
}

// fly answers the request for all who wait. It looks into the fastest layer once more, if that is local: an
// equal flight may have ended after the request was not found there and before it took off.
func (c *Cache) fly(ctx context.Context, f *flight, r Request) (Answer, error) {
	key := r.Keys[0]
	if len(c.layers) > 0 && c.layers[0].Local() {
		if a := r.usable(c.get(ctx, c.layers[:1], []Key{key})); a.Value != nil {
			return a, nil
		}
	}
	a, err := compute(flightContext{ctx, f}, r) //nolint:contextcheck // it wraps ctx
	if err == nil {
		c.Put(ctx, key, a.Value) // before the flight ends: whoever comes after it finds the value
	}
	return a, err
}

// compute has the value computed.
func compute(ctx context.Context, r Request) (Answer, error) {
	value, err := protect(ctx, r.Compute)
	if err != nil {
		return Answer{Partial: value}, err
	}
	return Answer{Key: r.Keys[0], Value: value}, nil
}

// leave takes a waiter from the flight; the last one to leave ends it.
func (c *Cache) leave(key Key, f *flight) (last bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiters--; f.waiters > 0 {
		return false
	}
	c.forget(key, f) // a cancelled flight must not be joined
	f.cancel()
	return true
}

// forget makes way for another flight of the key. The caller holds c.mu.
func (c *Cache) forget(key Key, f *flight) {
	if c.flights[key] == f {
		delete(c.flights, key)
	}
}

// PanicError is the error of a computation that panicked.
type PanicError struct {
	Value any
	Stack []byte
}

// Error returns the value of the panic and where it happened. It is for the log, not for clients.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// protect turns a panic into an error: the goroutine of a flight has nobody above it who could recover.
func protect(ctx context.Context, compute func(context.Context) ([]byte, error)) (value []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			value, err = nil, &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return compute(ctx)
}

// Close waits for the computations under way, whose waiters must be leaving, and closes the layers.
func (c *Cache) Close() error {
	if c == nil {
		return nil
	}
	c.running.Wait()
	var first error
	for _, layer := range c.layers {
		if err := layer.Close(); err != nil && first == nil {
			first = fmt.Errorf("closing the %s cache: %w", layer.Name(), err)
		}
	}
	return first
}
