//go:build race

package model_test

// raceEnabled says that the race detector is on, under which a sync.Pool forgets some of what it is given.
const raceEnabled = true
