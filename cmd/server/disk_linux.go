package main

import "syscall"

// freeBytes returns the free space of the disk with the folder.
func freeBytes(dir string) (free int64, ok bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return 0, false
	}
	return int64(s.Bavail) * s.Bsize, true
}
