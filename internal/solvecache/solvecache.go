// Package solvecache keeps what has been solved. A Cache is a row of layers, fastest first. It carries bytes and knows nothing of
// what they mean. Package computation makes concurrent equal requests share one search.
package solvecache

import (
	"context"
	"fmt"
	"sync"
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
	Key   Key    // the key that it was found under
	Value []byte // nil where nothing was found; not to be changed
	Layer string // the layer that had it
}

// Cache is a row of layers. It is safe for concurrent use. A nil Cache keeps nothing.
type Cache struct{ layers []Layer }

// New returns a cache of the layers, fastest first.
func New(layers ...Layer) *Cache { return &Cache{layers: layers} }

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

// Close closes the layers. It is called once, after every other call has returned.
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
