//go:build race

package testkit

// Race says whether the test runs under the race detector, which makes programs slower and allocates more.
const Race = true
