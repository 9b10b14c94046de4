package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSystemd reads the unit of systemd as systemd does, where it is there, and runs its command with its variables, to check the
// configuration.
func TestSystemd(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../deploy/systemd/roem.service")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, from := range map[string]string{"server": serverProgram(t), "roem.yaml": "../configs/roem.yaml"} {
		from, err := filepath.Abs(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(from, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	unit := strings.NewReplacer("/opt/roem", folder, "/var/lib/roem", filepath.Join(folder, "data")).Replace(string(text))
	path := filepath.Join(folder, "roem.service")
	if err := os.WriteFile(path, []byte(unit), 0o600); err != nil {
		t.Fatal(err)
	}
	var command []string
	var environ []string
	for line := range strings.Lines(unit) {
		if value, ok := strings.CutPrefix(line, "ExecStart="); ok {
			command = strings.Fields(value)
		} else if value, ok := strings.CutPrefix(line, "Environment="); ok {
			environ = append(environ, strings.TrimSpace(value))
		}
	}
	check := exec.CommandContext(t.Context(), command[0], append(command[1:], "-check")...)
	check.Env = environ
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip(err)
	}
	if out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", path).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}
