package solvecache

import "sync/atomic"

// Stats counts what a layer has done since it was opened.
type Stats struct {
	Layer   string // its name
	Hits    uint64 // keys asked for that it had
	Misses  uint64 // keys asked for that it did not have, or not in time
	Errors  uint64 // reads and writes that failed; those that a Redis layer leaves out while its breaker is open are none
	Corrupt uint64 // values that were not what had been put; each is a miss too
	Puts    uint64 // values kept; those of File and Redis once they are written
	Dropped uint64 // values that could not be kept
	Pending int    // values put and not yet written
	Bytes   int64  // what it takes at present, in memory or on disk; 0 for Redis, whose memory is not the layer's
	Breaker string // of Redis: closed (all is well), open (left alone) or half-open (being tried); empty for others
}

// counters is the part of a layer that counts.
type counters struct {
	hits, misses, errors, corrupt, puts, dropped atomic.Uint64
}

// asked counts a read of that many keys.
func (c *counters) asked(keys, hits int) {
	c.hits.Add(uint64(hits))
	c.misses.Add(uint64(keys - hits))
}

func (c *counters) stats(layer string) Stats {
	return Stats{
		Layer: layer, Hits: c.hits.Load(), Misses: c.misses.Load(), Errors: c.errors.Load(), Corrupt: c.corrupt.Load(),
		Puts: c.puts.Load(), Dropped: c.dropped.Load(),
	}
}
