package main

import (
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"slices"
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

// memoryLimit returns the memory that the process may take: the least of GOMEMLIMIT and the limits of its cgroups. Without any it is the
// largest number.
func memoryLimit() int64 {
	limit := groupMemory(os.DirFS("/"))
	if os.Getenv("GOMEMLIMIT") != "" {
		limit = min(limit, debug.SetMemoryLimit(-1))
	}
	return limit
}

// groupMemory returns the least limit of memory of the cgroups of this process, in bytes. A group of version 1 is in a line of its own of
// /proc/self/cgroup, 4:memory:/a/b, and one of version 2 in the line 0::/a/b. The groups around it count too. A container may see only its
// own group, as the root, under a path that it does not have: the files that are missing are left out.
func groupMemory(root fs.FS) int64 {
	limit := int64(math.MaxInt64)
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines("1:memory:/\n0::/\n" + string(groups)) { // what is at the root counts without that file too
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		mount, file := "sys/fs/cgroup", "memory.max"
		if slices.Contains(strings.Split(parts[1], ","), "memory") {
			mount, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if parts[0] != "0" {
			continue
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			text, _ := fs.ReadFile(root, path.Join(mount, group, file))
			if bytes, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil { // "max" is no number
				limit = min(limit, bytes)
			}
			if group == "/" {
				break
			}
		}
	}
	return limit
}
