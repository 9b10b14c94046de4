//go:build !js

package solvecache

import (
	"errors"
	"sync"
	"time"

	"go.uber.org/zap"
)

// errFull is the error of a put when the pending values reach their limit.
var errFull = errors.New("too many values wait to be written")

// writeBehind writes values in batches, in its own goroutine, so that no request waits for a disk or a network.
// Values that are not yet written can be read.
type writeBehind struct {
	layer string
	every time.Duration // how long values gather before they are written
	limit int           // how many bytes may wait; values beyond it are dropped
	write func(batch map[Key][]byte) (kept int, err error)
	n     *counters
	log   *zap.Logger

	mu      sync.Mutex
	pending map[Key][]byte // put since the last write began
	writing map[Key][]byte // being written
	bytes   int            // the size of both
	failing bool           // the last write failed; only the writer uses it
	closed  bool

	wake chan struct{} // has room for one; signals that values are pending
	stop chan struct{}
	done chan struct{}
}

func newWriteBehind(
	layer string, every time.Duration, limit int, n *counters, log *zap.Logger, write func(map[Key][]byte) (int, error),
) *writeBehind {
	b := &writeBehind{
		layer: layer, log: log, every: every, limit: limit, write: write, n: n, pending: map[Key][]byte{},
		wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
	}
	go b.run()
	return b
}

func (b *writeBehind) put(key Key, value []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ErrClosed
	}
	size := len(key) + len(value) + entryOverhead
	if b.bytes+size > b.limit {
		b.n.dropped.Add(1)
		return errFull
	}
	if old, ok := b.pending[key]; ok {
		size = len(value) - len(old)
	}
	b.pending[key] = value
	b.bytes += size
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return nil
}

// get returns the value if it is not yet written.
func (b *writeBehind) get(key Key) ([]byte, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if value, ok := b.pending[key]; ok {
		return value, true
	}
	value, ok := b.writing[key]
	return value, ok
}

// waiting returns how many values are not yet written.
func (b *writeBehind) waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.pending) + len(b.writing)
}

func (b *writeBehind) run() {
	defer close(b.done)
	for {
		select {
		case <-b.wake:
		case <-b.stop:
			b.flush()
			return
		}
		select {
		case <-time.After(b.every):
		case <-b.stop:
		}
		b.flush()
	}
}

// flush writes the pending values.
func (b *writeBehind) flush() {
	b.mu.Lock()
	b.writing, b.pending = b.pending, map[Key][]byte{}
	size := 0
	for key, value := range b.writing {
		size += len(key) + len(value) + entryOverhead
	}
	batch := b.writing
	b.mu.Unlock()
	if len(batch) > 0 {
		kept, err := b.write(batch)
		b.n.puts.Add(uint64(kept))
		b.n.dropped.Add(uint64(len(batch) - kept))
		b.report(err)
	}
	b.mu.Lock()
	b.writing = nil
	b.bytes -= size
	b.mu.Unlock()
}

// report logs when writes start to fail and when they succeed again.
func (b *writeBehind) report(err error) {
	switch {
	case errors.Is(err, errOpen): // the breaker has logged it
		return
	case err != nil && !b.failing:
		b.log.Warn("the cache cannot write results", zap.String("layer", b.layer), zap.Error(err))
	case err == nil && b.failing:
		b.log.Info("the cache can write results again", zap.String("layer", b.layer))
	}
	b.failing = err != nil
}

// close writes the pending values and ends the writer. It reports whether this is the first call.
func (b *writeBehind) close() (first bool) {
	b.mu.Lock()
	first, b.closed = !b.closed, true
	b.mu.Unlock()
	if first {
		close(b.stop)
	}
	<-b.done
	return first
}

// isClosed reports whether close was called.
func (b *writeBehind) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}
