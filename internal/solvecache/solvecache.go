// Package solvecache keeps the results of searches. A Cache is a list of layers, fastest first. Its values are bytes that it does not
// interpret. Package computation makes concurrent equal requests share one search.
package solvecache

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Key names a value. The caller chooses its bytes. Values of equal keys must be interchangeable for ever, so a key contains
// everything that its value depends on, including the version of the value's format.
type Key string

// Layer is one place where values are kept.
//
// A layer may lose values at any time. It must not return a value for a key under which it was not put. It must stop waiting when
// the context ends. It must be safe for concurrent use.
type Layer interface {
	// Name returns the name of the layer in answers and logs: one word.
	Name() string
	// Local reports whether Get reads within the process, so that a second Get costs almost nothing. A layer that wraps another
	// returns the value of the wrapped one.
	Local() bool
	// Get returns a value for each key, in order; nil for a key that it does not have. It must not keep or change keys, and
	// the caller must not change the values. After an error no value is used.
	Get(ctx context.Context, keys []Key) ([][]byte, error)
	// Put keeps the value, which the caller must not change afterwards. A layer may write it after Put has returned; Get returns
	// it from then on. An error means that the value is not kept.
	Put(ctx context.Context, key Key, value []byte) error
	// Check tries what the layer needs of the place where it keeps values, and changes none. Its error says what is refused there.
	Check(ctx context.Context) error
	// Stats counts what the layer has done.
	Stats() Stats
	// Close releases the resources of the layer. Later calls fail with ErrClosed, and a second Close does nothing.
	Close() error
}

// ErrClosed is the error of a call of a Layer after its Close.
var ErrClosed = errors.New("the cache is closed")

// Answer is a value and its origin.
type Answer struct {
	Key   Key    // the key that it was found under
	Value []byte // nil where there is none; not to be changed
	Layer string // the layer that had it
}

// Cache is a list of layers. It is safe for concurrent use. A nil Cache keeps nothing.
type Cache struct{ layers []Layer }

// New returns a cache of the layers, fastest first.
func New(layers ...Layer) *Cache { return &Cache{layers: layers} }

// Once returns a context under which Get looks up each key in the slower layers at most once. A request that needs many values
// first looks up all of them with one Get. Its later lookups of single values do not wait for a slow layer again. If ctx
// already is such a context, it is returned unchanged.
func Once(ctx context.Context) context.Context {
	if ctx.Value(onceKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, onceKey{}, &missed{})
}

type onceKey struct{}

// missed holds the keys that the slower layers did not have.
type missed struct {
	mu   sync.Mutex
	keys map[Key]struct{}
}

// without returns the keys that are not in m, with their places; nil places stand for 0, 1, 2 and so on.
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

// Get returns an answer for each key, in order. Values from a slower layer are copied into the faster ones. A layer that
// fails is treated as one that has no values.
func (c *Cache) Get(ctx context.Context, keys []Key) []Answer {
	return c.get(ctx, c.all(), keys, func([]Answer) bool { return false })
}

// First returns the first value that fits, of the fastest layer that has one. A value that does not fit is a miss.
func (c *Cache) First(ctx context.Context, keys []Key, fits func(value []byte) bool) (found Answer, ok bool) {
	c.get(ctx, c.all(), keys, func(answers []Answer) bool {
		found, ok = FirstOf(answers, fits)
		return ok
	})
	return found, ok
}

// FirstOf returns the first of the answers whose value fits.
func FirstOf(answers []Answer, fits func(value []byte) bool) (Answer, bool) {
	for _, a := range answers {
		if a.Value != nil && fits(a.Value) {
			return a, true
		}
	}
	return Answer{}, false
}

func (c *Cache) all() []Layer {
	if c == nil {
		return nil
	}
	return c.layers
}

// GetLocal is Get with only the local layers before the first one that is not local. It is for a second lookup of the same keys.
// Its misses do not count for [Once].
func (c *Cache) GetLocal(ctx context.Context, keys []Key) []Answer {
	return c.get(ctx, c.local(), keys, func([]Answer) bool { return false })
}

// local returns the local layers before the first one that is not local.
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

// get asks the layers for the keys, in order, until each key has a value or enough returns true for the answers so far.
func (c *Cache) get(ctx context.Context, layers []Layer, keys []Key, enough func([]Answer) bool) []Answer {
	answers := make([]Answer, len(keys))
	for i, key := range keys {
		answers[i].Key = key
	}
	asked, missing := keys, []int(nil) // missing holds the places of asked in keys; nil while asked is keys
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
		if enough(answers) {
			return answers
		}
		asked, missing = stillAsked, still
	}
	if once != nil && len(layers) > 1 && len(layers) == len(c.layers) {
		once.add(asked)
	}
	return answers
}

// Put keeps the value in every layer. Errors of layers are ignored.
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

// Check returns the errors of the layers' Check.
func (c *Cache) Check(ctx context.Context) error {
	if c == nil {
		return nil
	}
	var errs []error
	for _, layer := range c.layers {
		errs = append(errs, layer.Check(ctx))
	}
	return errors.Join(errs...)
}

// Stats returns the counters of each layer, fastest first.
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

// Close closes the layers. Later calls find nothing, and a second Close does nothing.
func (c *Cache) Close() error {
	if c == nil {
		return nil
	}
	var first error
	for _, layer := range c.layers {
		if err := layer.Close(); err != nil && first == nil {
			first = fmt.Errorf("closing the %s cache: %w", layer.Name(), err)
		}
	}
	return first
}
