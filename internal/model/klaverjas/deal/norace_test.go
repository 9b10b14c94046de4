//go:build !race

package deal_test

// raceEnabled says whether the race detector is on. With it, a sync.Pool drops some of its items.
const raceEnabled = false
