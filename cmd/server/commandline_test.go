package main

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"roem/internal/testkit"
)

func TestCommandLine(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte("addr: :8080\nport: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	busy, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, jobsFile), []byte(strings.Repeat("no jobs\n", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		args    []string
		environ []string
		status  int
		says    string
	}{
		{"version", []string{"-version"}, nil, 0, "server "},
		{"help", []string{"-help"}, nil, 0, "-config"},
		{"check", []string{"-check"}, nil, 0, "the configuration is good"},
		{"check a file", []string{"-check", "-config", "../../configs/roem.yaml"}, nil, 0, "the configuration is good"},
		{"check a bad file", []string{"-check", "-config", bad}, nil, 2, "field port not found"},
		{"check a bad environment", []string{"-check"}, []string{"ROEM_SEARCH_TABLE=1"}, 2, "search.table is 1"},
		{"check an address of another machine", []string{"-check"}, []string{"ROEM_ADDR=192.0.2.1:80"}, 2, "addr: cannot listen on 192.0.2.1:80"},
		{"check an address in use", []string{"-check"}, []string{"ROEM_ADDR=" + busy.Addr().String()}, 0, "the address is in use already"},
		{"check another address", []string{"-check"}, []string{"ROEM_METRICS_ADDR=192.0.2.1:80"}, 2, "metrics.addr: cannot listen"},
		{"check a folder", []string{"-check"}, []string{"ROEM_DATA=" + folder}, 0, "the configuration is good"},
		{"check a missing folder", []string{"-check"}, []string{"ROEM_DATA=" + filepath.Join(folder, "a", "b")}, 0, "the configuration is good"},
		{"check a file as folder", []string{"-check"}, []string{"ROEM_DATA=" + bad}, 2, `bad.yaml": is not a folder`},
		{"check a folder below a file", []string{"-check"}, []string{"ROEM_DATA=" + filepath.Join(bad, "a")}, 2, "not a directory"},
		{"check a damaged file of jobs", []string{"-check"}, []string{"ROEM_DATA=" + damaged}, 0, jobsFile + `","error":"the file`},
		{
			"check the URL of Redis",
			[]string{"-check"},
			[]string{"ROEM_REDIS_URL=redis://:hunter2@127.0.0.1:1/zero"},
			2,
			"redis.url cannot be read",
		},
		{"check keys", []string{"-check"}, []string{"ROEM_AUTH_KEYS=ann:hunter2"}, 2, "the sha256 of the key ann"},
		{"a new key", []string{"-new-key", "ann"}, nil, 0, "{id: ann, sha256: "},
		{"a new key with an invalid name", []string{"-new-key", "ann smith"}, nil, 2, "-new-key wants a name"},
		{"check a misspelt variable", []string{"-check"}, []string{"ROEM_AUTH_KEY=ann:1"}, 2, "did you mean ROEM_AUTH_KEYS?"},
		{"a misspelt variable", nil, []string{"ROEM_AUTH_KEY=ann:1"}, 2, "did you mean ROEM_AUTH_KEYS?"},
		{"no keys", nil, []string{"ROEM_AUTH_KEYS="}, 2, "ROEM_AUTH_KEYS is empty"},
		{"check no keys", []string{"-check"}, []string{"ROEM_AUTH_KEYS="}, 2, "ROEM_AUTH_KEYS is empty"},
		{"check the mode keys without keys", []string{"-check"}, []string{"ROEM_AUTH_MODE=keys"}, 2, "auth.keys has none"},
		{"check keys in the mode open", []string{"-check"}, []string{"ROEM_AUTH_KEYS=ann:" + strings.Repeat("0", 64)}, 2, "auth.mode is open"},
		{"check the mode", []string{"-check"}, nil, 0, `"mode":"open"`},
		{"no such file", []string{"-config", "no-such.yaml"}, nil, 2, "no-such.yaml"},
		{"no such flag", []string{"-port", "80"}, nil, 2, "-port"},
		{"an argument", []string{"start"}, nil, 2, `unexpected argument "start"`},
		{"a port that is not available", nil, []string{"ROEM_ADDR=256.0.0.1:80"}, 1, "cannot listen on 256.0.0.1:80"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := command(tt.args...)
			c.Env = append(c.Env, tt.environ...)
			out, _ := c.CombinedOutput()
			if got := c.ProcessState.ExitCode(); got != tt.status {
				t.Errorf("exit status %d, want %d", got, tt.status)
			}
			if !strings.Contains(string(out), tt.says) || strings.Contains(string(out), "hunter2") {
				t.Errorf("output %s\nwant it to contain %s and no secret", out, tt.says)
			}
		})
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) > 0 {
		t.Errorf("files after the check: %v, %v", left, err)
	}
}

// On a full disk the check fails and says why. A server in a new folder starts, and says which stores are missing.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 64<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	c := command("-check")
	c.Env = append(c.Env, "ROEM_DATA="+dir)
	out, _ := c.CombinedOutput()
	text := string(out)
	if got := c.ProcessState.ExitCode(); got != 2 || !strings.Contains(text, "no space left on device") || !strings.Contains(text, dir) {
		t.Errorf("check: exit status %d, want 2: %s", got, text)
	}
	p := start(t, "ROEM_DATA="+dir, "ROEM_HEALTH_INTERVAL=100ms")
	await(t, "/readyz to name the stores", func() bool {
		return strings.Count(p.body(t, p.url+"/readyz"), "the disk is full") == 3
	})
	p.signal(t, syscall.SIGTERM)
	p.ends(t, testkit.Patience) // the file system is in use until then
}

// The server accepts a key that -new-key has created.
func TestNewKey(t *testing.T) {
	out, err := command("-new-key", "ann").Output()
	if err != nil {
		t.Fatal(err)
	}
	key := regexp.MustCompile(`(?m)^roem_[A-Z2-7]{52}$`).FindString(string(out))
	sum := regexp.MustCompile(`[0-9a-f]{64}`).FindString(string(out))
	if key == "" || sum == "" {
		t.Fatalf("output %s", out)
	}
	p := start(t, "ROEM_AUTH_MODE=keys", "ROEM_AUTH_KEYS=ann:"+sum)
	for secret, want := range map[string]int{key: 200, key + "A": 401} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/v1/klaverjas/deals/0", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+secret)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("status %d, want %d", answer.StatusCode, want)
		}
	}
	p.signal(t, syscall.SIGTERM)
	p.ends(t, testkit.Patience) // the log is complete afterwards
	if strings.Contains(p.logged(), key) || !strings.Contains(p.logged(), "key:ann") {
		t.Errorf("the log contains the key, or does not contain its name: %s", p.logged())
	}
}
