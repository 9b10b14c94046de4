package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShareProcessors(t *testing.T) {
	type share struct{ Searchers, Processors int }
	for _, tt := range []struct {
		name       string
		before     int
		limited    bool
		configured int
		want       share
	}{
		{"one core", 1, false, 0, share{1, 2}},
		{"two cores", 2, false, 0, share{2, 4}},
		{"eight cores", 8, false, 0, share{7, 15}},
		{"eight cores, 3 searchers", 8, false, 3, share{3, 11}},
		{"half of the only core", 1, true, 0, share{1, 2}},
		{"a quota of 2 or less", 2, true, 0, share{1, 2}},
		{"a quota of 2.5", 3, true, 0, share{2, 3}},
		{"a quota of 8", 8, true, 0, share{7, 8}},
		{"a quota of 8, 3 searchers", 8, true, 3, share{3, 8}},
		{"a quota of 2, 2 searchers", 2, true, 2, share{2, 3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got share
			got.Searchers, got.Processors = shareProcessors(tt.before, tt.limited, tt.configured)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// quotaGroup creates a cgroup with a quota of half a CPU. It skips the test if that is not permitted.
func quotaGroup(t *testing.T) string {
	t.Helper()
	name := fmt.Sprintf("roem-test-%d", os.Getpid())
	for _, kind := range []struct{ root, file, quota string }{
		{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "50000"}, // version 1; the period is 100 ms
		{"/sys/fs/cgroup", "cpu.max", "50000 100000"},       // version 2
	} {
		dir := filepath.Join(kind.root, name)
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { _ = os.Remove(dir) })
		file, err := os.OpenFile(filepath.Join(dir, kind.file), os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		_, err = file.WriteString(kind.quota)
		if closed := file.Close(); err == nil && closed == nil {
			return dir
		}
	}
	t.Skip("this test needs permission to create a cgroup with a CPU quota")
	return ""
}

// In a cgroup whose quota is less than a core, one search runs at a time and Go uses two threads: one for the search and one for
// requests.
func TestCPUQuota(t *testing.T) {
	if os.Getenv("GOMAXPROCS") != "" {
		t.Skip("GOMAXPROCS is set")
	}
	c := command()
	server := c.Path
	c.Path, c.Args = "/bin/sh", []string{"sh", "-c", `echo $$ >"$0/cgroup.procs" && exec "$1"`, quotaGroup(t), server}
	p := startCommand(t, c)
	t.Cleanup(func() { // before the cgroup is removed
		_ = p.Process.Kill()
		<-p.done
	})
	for metric, want := range map[string]int{"roem_searchers": 1, "go_sched_gomaxprocs_threads": 2} {
		if got := gauge(t, p, metric); got != want {
			t.Errorf("%s is %d, want %d", metric, got, want)
		}
	}
}

// gauge returns the value of a metric without labels.
func gauge(t *testing.T, p *process, name string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^` + name + ` (\d+)$`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in the metrics", name)
	}
	value, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return value
}
