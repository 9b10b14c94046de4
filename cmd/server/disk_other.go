//go:build !linux

package main

// freeBytes returns false: it is known on Linux only.
func freeBytes(string) (free int64, ok bool) { return 0, false }
