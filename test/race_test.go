//go:build race

package test

// raceEnabled says that the test runs under the race detector, and so shall the server.
const raceEnabled = true
