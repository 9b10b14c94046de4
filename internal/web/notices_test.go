package web_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roem/internal/web"
)

// Every module that is linked into the programs, and everything that is bundled into the pages, has its licence in the notices.
func TestNoticesAreComplete(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}",
		"roem/cmd/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Compact(slices.Sorted(strings.Lines(strings.TrimSpace(string(out)) + "\n")))
	if len(want) < 40 {
		t.Fatalf("%d modules: %s", len(want), out)
	}
	for name, folder := range map[string]string{"preact": "board/vendor/preact", "swagger-ui-dist": "swaggerui"} {
		release, err := os.ReadFile(filepath.Join(folder, "RELEASE"))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, name+" "+string(release))
	}
	notices := string(web.Notices())
	table, texts, _ := strings.Cut(notices, strings.Repeat("=", 80))
	for _, part := range append(want, "Go standard library") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if !strings.Contains(table, "\n"+part+" ") || !strings.Contains(texts, "\n"+part+"\n") {
			t.Errorf("the notices do not have %s: make generate writes them", part)
		}
	}
}

// Nothing is bundled whose licence nobody has looked at: each folder with a RELEASE has a LICENSE, whose text is in the notices.
func TestBundledLicences(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "RELEASE" {
			return err
		}
		found++
		files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
		if err != nil {
			return err
		}
		texts := 0
		for _, file := range files {
			name := filepath.Base(file)
			if !strings.Contains(name, "LICENSE") && name != "NOTICE" {
				continue
			}
			texts++
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for line := range strings.Lines(string(text)) {
				if line = strings.TrimRight(line, " \t\r\n"); !strings.Contains(string(web.Notices()), line) {
					t.Errorf("the notices do not have the line %q of %s", line, file)
				}
			}
		}
		if texts == 0 {
			t.Errorf("%s has no licence", filepath.Dir(path))
		}
		return nil
	})
	if err != nil || found < 2 {
		t.Errorf("%d parts, %v", found, err)
	}
}
