//go:build !js

package solvecache

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/maypok86/otter/v2"
)

// entryOverhead is the memory, in bytes, that an entry of the memory layer takes besides its key and value: the node, the two
// headers and its share of the hash table.
const entryOverhead = 160

// Memory is the layer in the memory of the process.
type Memory struct {
	values *otter.Cache[Key, []byte]
	closed atomic.Bool
	counters
}

// NewMemory returns a memory layer of about the given number of bytes at most, including keys and overhead. Above that it
// drops the values that are least useful.
func NewMemory(bytes int) (*Memory, error) {
	if bytes <= 0 {
		return nil, fmt.Errorf("the size of a memory cache must be positive: %d bytes", bytes)
	}
	values, err := otter.New(&otter.Options[Key, []byte]{
		MaximumWeight: uint64(bytes),
		Weigher: func(key Key, value []byte) uint32 {
			return uint32(min(len(key)+len(value)+entryOverhead, 1<<31))
		},
	})
	if err != nil {
		return nil, fmt.Errorf("making the memory cache: %w", err)
	}
	return &Memory{values: values}, nil
}

// Name returns "memory".
func (m *Memory) Name() string { return "memory" }

// Local returns true: the values are in the memory of the process.
func (m *Memory) Local() bool { return true }

// Get fails after Close only.
func (m *Memory) Get(_ context.Context, keys []Key) ([][]byte, error) {
	if m.closed.Load() {
		return nil, ErrClosed
	}
	values := make([][]byte, len(keys))
	hits := 0
	for i, key := range keys {
		if value, ok := m.values.GetIfPresent(key); ok {
			values[i] = value
			hits++
		}
	}
	m.asked(len(keys), hits)
	return values, nil
}

// CountRepeat counts a hit for the layer in memory, on behalf of a caller that remembers what it made of a value, and returns the name of
// the layer.
func (c *Cache) CountRepeat() string {
	for _, layer := range c.all() {
		if m, ok := layer.(*Memory); ok {
			m.asked(1, 1)
			return m.Name()
		}
	}
	return ""
}

// Put fails after Close only.
func (m *Memory) Put(_ context.Context, key Key, value []byte) error {
	if m.closed.Load() {
		return ErrClosed
	}
	m.values.Set(key, value)
	m.puts.Add(1)
	return nil
}

// Check fails after Close only.
func (m *Memory) Check(context.Context) error {
	if m.closed.Load() {
		return ErrClosed
	}
	return nil
}

// Stats returns the counters of the layer.
func (m *Memory) Stats() Stats {
	s := m.stats(m.Name())
	s.Bytes = int64(m.values.WeightedSize())
	return s
}

// Close drops the values.
func (m *Memory) Close() error {
	if m.closed.Swap(true) {
		return nil
	}
	m.values.InvalidateAll()
	m.values.StopAllGoroutines()
	return nil
}
