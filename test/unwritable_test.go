package test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"roem/internal/testkit"
)

// aJob is a request for a job that takes milliseconds.
const aJob = `{"kind": "klaverjas.solve", "request": ` + solvable + `}`

// TestFileSizeLimit limits the size of the files of a running server (prlimit --fsize) so that writes fail: in the middle of the second
// page, all of them, and in the middle of the file. /readyz names the stores, and requests that need them are refused. When the limit is
// lifted, everything that was confirmed is there, and jobs that ran meanwhile have their results.
func TestFileSizeLimit(t *testing.T) {
	data := t.TempDir()
	h := &house{errors: []string{"a store fails", "changes of sessions could not be written"}}
	h.add(t, true, "ROEM_DATA="+data, "ROEM_HEALTH_INTERVAL=100ms", "ROEM_SEARCH_SEARCHERS=1", "ROEM_SEARCH_TABLE=8MiB")
	s, p := h.servers[0], newPatient(t, h.urls)
	limit := func(bytes uint64) {
		t.Helper()
		if err := unix.Prlimit(s.cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil); err != nil {
			t.Fatal(err)
		}
	}
	before := keep(t, p, 8, 8)
	info, err := os.Stat(filepath.Join(data, "jobs.db"))
	if err != nil {
		t.Fatal(err)
	}
	table := hardTable(t, 17)
	limits := []uint64{4096 + 40, 1, uint64(info.Size() / 2)}
	if !testkit.Full() {
		limits = limits[:1]
	}
	for round, bytes := range limits {
		running, err := p.submit(t.Context(), fmt.Sprint("table ", round), "klaverjas.table", table())
		if err != nil {
			t.Fatal(err)
		}
		limit(bytes)
		// A check may end without an answer on a busy machine: then the reason is another one until the next check.
		named := map[string]string{}
		const unwritable = "the data folder cannot be written"
		eventually(t, testkit.Patience, "/readyz says why jobs and sessions fail", func() bool {
			maps.Copy(named, s.failing(t))
			return named["jobs"] == unwritable && named["sessions"] == unwritable
		})
		for path, body := range map[string]string{"/v1/jobs": aJob, "/v1/klaverjas/sessions": `{}`} {
			if status, _, _, err := p.once(t.Context(), http.MethodPost, s.url+path, "", []byte(body)); err != nil || status != 503 {
				t.Errorf("%s: %d, %v, want 503", path, status, err)
			}
		}
		limit(unix.RLIM_INFINITY)
		eventually(t, testkit.Patience, "/readyz names no store any more", func() bool { return len(s.failing(t)) == 0 })
		if j, err := p.finish(t.Context(), running.ID); err != nil || j.Status != "succeeded" {
			t.Errorf("the job that ran: %+v, %v", j, err)
		}
		before.jobs = append(before.jobs, running.ID)
		later := keep(t, p, 4, 1)
		before.jobs, before.sessions = append(before.jobs, later.jobs...), append(before.sessions, later.sessions...)
	}
	for range 2 {
		if n := before.there(t, p, h.servers[0].url); n != len(before.jobs) {
			t.Errorf("%d of %d jobs are there", n, len(before.jobs))
		}
		if h.killed[0] == 0 {
			h.kill(t, 0)
		}
	}
}

// TestFolderOfOthers starts a server as a user who may not write to the data folder: the check fails and names it, and the server serves
// without jobs, names its stores, and plays sessions in memory.
func TestFolderOfOthers(t *testing.T) {
	const nobody = 65534
	if os.Getuid() != 0 {
		t.Skip("only root can start programs as another user")
	}
	program, data := serverProgram(t), filepath.Join(t.TempDir(), "data")
	for _, dir := range []string{filepath.Dir(program), filepath.Dir(filepath.Dir(data)), data} {
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.Chmod(dir, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	addr := freeAddr(t)
	command := func(args ...string) *exec.Cmd {
		c := exec.Command(program, args...)
		c.Env = []string{"ROEM_ADDR=" + addr, "ROEM_DATA=" + data, "ROEM_HEALTH_INTERVAL=100ms", "ROEM_SEARCH_TABLE=8MiB"}
		c.SysProcAttr = &syscall.SysProcAttr{
			Pdeathsig: syscall.SIGKILL, Credential: &syscall.Credential{Uid: nobody, Gid: nobody},
		}
		return c
	}
	check := command("-check")
	if out, _ := check.CombinedOutput(); check.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), data) {
		t.Errorf("-check: exit status %d, want 2: %s", check.ProcessState.ExitCode(), out)
	}
	serving := command()
	if err := serving.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = serving.Process.Kill(), serving.Wait() }()
	s := &server{url: "http://" + addr}
	eventually(t, testkit.Patience, "the server answers", func() bool {
		status, _, err := get(s.url + "/readyz")
		return err == nil && status == http.StatusOK
	})
	eventually(t, testkit.Patience, "/readyz names the stores", func() bool {
		named := s.failing(t)
		for _, store := range []string{"cache", "jobs", "sessions"} {
			if named[store] != "the data folder cannot be written" {
				return false
			}
		}
		return true
	})
	p := newPatient(t, func() []string { return []string{s.url} })
	keep(t, p, 4, 0)
	if status, _, _, err := p.once(t.Context(), http.MethodPost, s.url+"/v1/jobs", "", []byte(aJob)); err != nil || status != 503 {
		t.Errorf("a job: %d, %v", status, err)
	}
}
