package test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"roem/internal/testkit"
)

// Every image that is built from or run has a digest, and the image that compiles has the Go that go.mod requires: it loads no other.
func TestImagesArePinned(t *testing.T) {
	images := regexp.MustCompile(`(?m)^(?:ARG \w+_IMAGE=|FROM |\s*image: )(\S+)`)
	pinned := regexp.MustCompile(`^([a-z0-9./-]+):([A-Za-z0-9._-]+)@sha256:[0-9a-f]{64}$`)
	own := map[string]bool{"roem": true, "scratch": true, "${GO_IMAGE}": true}
	module, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(module)[1]
	files := []string{"../Dockerfile", "../deploy/compose/compose.yaml"}
	more, err := filepath.Glob("../deploy/kubernetes/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(files, more...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range images.FindAllSubmatch(text, -1) {
			image := string(match[1])
			if own[image] {
				continue
			}
			found++
			parts := pinned.FindStringSubmatch(image)
			if parts == nil {
				t.Errorf("%s: %s has no digest: make pin-images", file, image)
			} else if parts[1] == "golang" && !strings.HasPrefix(parts[2], string(version)+"-") {
				t.Errorf("%s: %s, but go.mod requires Go %s", file, image, version)
			}
		}
	}
	if found != 4 {
		t.Errorf("%d images, want the images of the compiler, of nginx and of Redis twice", found)
	}
}

// The workflow for forks runs what every change must pass, may only read, and runs no code of others that can change.
func TestWorkflowIsPinned(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no workflow: %v", err)
	}
	pinned, runs := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`), false
	for _, file := range files {
		workflow := documents(t, file)[0]
		if may := object(workflow["permissions"]); len(may) != 1 || may["contents"] != "read" {
			t.Errorf("%s has the permissions %v", file, may)
		}
		for name, job := range object(workflow["jobs"]) {
			for _, step := range list(at(job, "steps")) {
				if uses, ok := at(step, "uses").(string); ok && !pinned.MatchString(uses) {
					t.Errorf("%s: %s uses %s, without a digest", file, name, uses)
				}
				command, _ := at(step, "run").(string)
				runs = runs || strings.Contains(command, "bash .ci/run")
			}
		}
	}
	if !runs {
		t.Error("no workflow runs .ci/run")
	}
}

// The check for vulnerabilities tells apart that there are none, that there are some, and that nothing was checked.
func TestVulncheck(t *testing.T) {
	if !testkit.Long() {
		t.Skip("it builds and runs govulncheck, as make test-long does")
	}
	database := func(modules, report string) string {
		t.Helper()
		dir := t.TempDir()
		for name, text := range map[string]string{
			"index/db.json": `{"modified": "2026-01-01T00:00:00Z"}`, "index/modules.json": modules, "index/vulns.json": "[]",
			"ID/GO-2026-0001.json": report,
		} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return "file://" + dir
	}
	const module = "github.com/agnivade/levenshtein"
	known := fmt.Sprintf(`[{"path": %q, "vulns": [{"id": "GO-2026-0001", "modified": "2026-01-01T00:00:00Z"}]}]`, module)
	report := fmt.Sprintf(`{"schema_version": "1.3.1", "id": "GO-2026-0001", "modified": "2026-01-01T00:00:00Z",
		"summary": "A distance that is too long",
		"database_specific": {"url": "https://pkg.go.dev/vuln/GO-2026-0001"},
		"affected": [{"package": {"name": %q, "ecosystem": "Go"}, "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
		"ecosystem_specific": {"imports": [{"path": %[1]q, "symbols": ["ComputeDistance"]}]}}]}`, module)
	for name, tt := range map[string]struct {
		database string
		status   int
		says     string
	}{
		"none":        {database("[]", report), 0, "No vulnerabilities found."},
		"one":         {database(known, report), 3, "A distance that is too long"},
		"no database": {"http://127.0.0.1:1", 75, "NOT CHECKED"},
	} {
		t.Run(name, func(t *testing.T) {
			check := exec.Command("../scripts/vulncheck.sh", "./internal/config")
			check.Env = append(os.Environ(), "GOVULNDB="+tt.database)
			out, _ := check.CombinedOutput()
			if status := check.ProcessState.ExitCode(); status != tt.status || !strings.Contains(string(out), tt.says) {
				t.Errorf("exit status %d, want %d and %q\n%s", status, tt.status, tt.says, out)
			}
		})
	}
}
