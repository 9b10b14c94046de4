//go:build unix

package main

import (
	"math"
	"syscall"
)

// openFiles returns how many files the process may open.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return math.MaxInt64
	}
	return uint64(limit.Cur) //nolint:unconvert // it is signed on some systems
}
