package test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// startSmall starts a server that has 384 MiB: in a cgroup of its own where the test may make one, and otherwise by GOMEMLIMIT. It is
// killed if it takes more.
func startSmall(t *testing.T, environ ...string) *watched {
	t.Helper()
	c := exec.Command(serverProgram(t))
	if group := memoryGroup(t); group != "" {
		c.Path, c.Args = "/bin/sh", []string{"sh", "-c", `echo $$ >"$0/cgroup.procs" && exec "$1"`, group, c.Path}
	} else {
		environ = append(environ, fmt.Sprintf("GOMEMLIMIT=%dMiB", smallMachine>>20))
	}
	return limited(t, startCommand(t, c, "127.0.0.1:0", func([]byte) bool { return true }, environ...), smallMachine)
}

// memoryGroup makes a cgroup with the memory of a small machine, and returns its folder. It is "" if that is not permitted.
func memoryGroup(t *testing.T) string {
	t.Helper()
	for _, version := range []struct{ root, limit string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
		{"/sys/fs/cgroup", "memory.max"},
	} {
		dir := filepath.Join(version.root, fmt.Sprintf("roem-test-%d-%d", os.Getpid(), time.Now().UnixNano()))
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { _ = os.Remove(dir) })
		if file, err := os.OpenFile(filepath.Join(dir, version.limit), os.O_WRONLY, 0); err == nil {
			_, err = fmt.Fprint(file, smallMachine)
			if closed := file.Close(); err == nil && closed == nil {
				return dir
			}
		}
	}
	t.Log("no cgroup can be made: GOMEMLIMIT instead")
	return ""
}
