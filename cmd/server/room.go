package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"go.uber.org/zap"
)

const (
	// connectionMemory is the most memory of a connection that sends small requests: its body, its buffers in the program and the kernel.
	connectionMemory = 96 << 10
	// spareFiles is how many files the server opens besides connections: its stores, their connections, and its log.
	spareFiles = 64
	// The least and the most connections if the configuration leaves their number open.
	leastConnections = 128
	mostConnections  = 10_000
	// clientConnections is the part of all connections that one client may have then.
	clientConnections = 4
)

// connectionBounds returns the bounds on connections: what the configuration says, or what the memory and the open files of the process
// allow.
func (a *app) connectionBounds() connections {
	c := a.config.HTTP
	bounds := connections{most: c.MaxConnections, each: c.MaxPerAddress, exempt: c.TrustedProxies}
	if bounds.most == 0 {
		bounds.most = roomForConnections(memoryLimit()-a.memoryBound(), openFiles())
	}
	if bounds.each == 0 {
		bounds.each = max(1, bounds.most/clientConnections)
	}
	a.log.Info("connections", zap.Int("most", bounds.most), zap.Int("of_one_client", bounds.each))
	return bounds
}

// roomForConnections returns how many connections there is room for, with the memory that nothing else takes, and the open files of the
// process.
func roomForConnections(memory int64, files uint64) int {
	room := min(memory/connectionMemory, mostConnections)
	if files < mostConnections+spareFiles {
		room = min(room, int64(files)-spareFiles)
	}
	return int(max(room, leastConnections))
}

// memoryLimit returns the memory that the process may take: GOMEMLIMIT, or the limit of its cgroup. Without both it is the largest number.
func memoryLimit() int64 {
	limit := int64(math.MaxInt64)
	if os.Getenv("GOMEMLIMIT") != "" {
		limit = debug.SetMemoryLimit(-1)
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} { // version 2, and 1
		text, err := os.ReadFile(file) //nolint:gosec // one of the two
		if err != nil {
			continue
		}
		if bytes, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil { // "max" is no number
			limit = min(limit, bytes)
		}
	}
	return limit
}
