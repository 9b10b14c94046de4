//go:build !amd64

package search

import "sync/atomic"

// setShared writes the two words of an entry that other workers may be reading or writing.
func setShared(e *entry, first, second uint64) {
	atomic.StoreUint64(&e.bounds, first)
	atomic.StoreUint64(&e.about, second)
}
