//go:build race

package hand_test

// raceEnabled says whether the race detector is on. With it, a sync.Pool drops some of its items.
const raceEnabled = true
