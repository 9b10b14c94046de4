package solvecache

import "sync/atomic"

// Stats are the counters of a layer since it was opened.
type Stats struct {
	Layer   string // its name
	Hits    uint64 // keys looked up that it had
	Misses  uint64 // keys looked up that it did not have, or not in time
	Errors  uint64 // reads and writes that failed; those that a Redis layer skips while its breaker is open do not count
	Corrupt uint64 // values that differed from what was put; each is also a miss
	Puts    uint64 // values kept; File and Redis count them when they are written
	Dropped uint64 // values that could not be kept
	Pending int    // values put and not yet written
	Bytes   int64  // the present size in memory or on disk; 0 for Redis, whose memory is not the layer's
	Breaker string // only for Redis: closed (in use), open (not used) or half-open (being probed); empty for others
}

// counters are the counters of a layer.
type counters struct {
	hits, misses, errors, corrupt, puts, dropped atomic.Uint64
}

// asked counts a lookup of keys, of which hits were found.
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
