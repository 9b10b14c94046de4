//go:build race

package test

// raceEnabled reports whether the test runs under the race detector. If so, the server is also built with it.
const raceEnabled = true
