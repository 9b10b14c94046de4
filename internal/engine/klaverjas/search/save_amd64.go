package search

// setShared writes the two words of an entry that other workers may be reading or writing. An aligned MOVQ does that whole, and in
// order, which is all that an entry needs; atomic.StoreUint64 is an XCHG, and has the core wait until the cache line is its
// own, which another core may have.
//
//go:noescape
func setShared(e *entry, first, second uint64)
