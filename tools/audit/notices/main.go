// Command notices writes the licences and notices of everything that is linked or bundled into the programs, to internal/web/notices.txt.
// It fails if a part has no licence, or one that is not in the list of accepted ones.
//
//	go -C tools/audit run ./notices
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"

	"roem/tools/audit/bundled"
)

const (
	root   = "../.."
	output = root + "/internal/web/notices.txt"
)

// accepted are the licences that allow the parts to be passed on within the programs if their texts go with them.
var accepted = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense"}

// platforms are those for which the programs are built. A module can be linked on some of them only.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64"}

// part is something that the programs contain.
type part struct {
	name, version string
	licences      []string // SPDX identifiers
	texts         []string
}

func main() {
	if err := run(); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run() error {
	folders, err := modules()
	if err != nil {
		return err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	// Without its version, which is the version of the compiler. /version and `go version -m` state it.
	folders[module{Path: "Go standard library"}] = []string{strings.TrimSpace(string(goroot))}
	embedded, err := bundled.List(root)
	if err != nil {
		return err
	}
	for _, p := range embedded {
		folders[module{Path: p.Name, Version: p.Release}] = []string{filepath.Join(root, p.Folder)}
	}
	var (
		parts []part
		errs  []error
	)
	for m, dirs := range folders {
		p, err := read(m, dirs)
		parts, errs = append(parts, p), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.name, b.name) })
	return os.WriteFile(output, page(parts), 0o644)
}

// module is a module as `go list` names it.
type module struct{ Path, Version string }

// modules returns the modules of all packages that are linked into the programs, each with the folders of those packages and the folders
// above them up to the folder of the module.
func modules() (map[module][]string, error) {
	found := map[module]map[string]bool{}
	for _, platform := range platforms {
		system, machine, _ := strings.Cut(platform, "/")
		list := exec.Command("go", "list", "-deps", "-json=Dir,Module", "./cmd/...")
		list.Dir, list.Stderr = root, os.Stderr
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=0", "GOWORK=off")
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: go list: %w", platform, err)
		}
		for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct {
				Dir    string
				Module *struct {
					module
					Dir  string
					Main bool
				}
			}
			if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Module == nil || p.Module.Main { // the standard library, or Roem
				continue
			}
			if found[p.Module.module] == nil {
				found[p.Module.module] = map[string]bool{}
			}
			for dir := p.Dir; strings.HasPrefix(dir, p.Module.Dir); dir = filepath.Dir(dir) {
				found[p.Module.module][dir] = true
			}
		}
	}
	folders := map[module][]string{}
	for m, dirs := range found {
		folders[m] = slices.Sorted(maps.Keys(dirs))
	}
	return folders, nil
}

var (
	// isLicence matches the names of files with a licence, isNotice those that go with one, such as NOTICE files (Apache-2.0, 4.d).
	isLicence = regexp.MustCompile(`(?i)^(un)?licen[cs]e(\.(txt|md))?$|^copying(\.(txt|md))?$`)
	isNotice  = regexp.MustCompile(`(?i)^(notice|patents)(\.(txt|md))?$|\.license(\.txt)?$`)
)

// read collects the texts of a part. The licence is in the first of its folders.
func read(m module, dirs []string) (part, error) {
	p := part{name: m.Path, version: m.Version}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return p, err
		}
		for _, e := range entries {
			licence := isLicence.MatchString(e.Name())
			if e.IsDir() || !licence && !isNotice.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return p, err
			}
			p.texts = append(p.texts, tidy(text))
			if !licence {
				continue
			}
			for _, match := range licensecheck.Scan(text).Match {
				if !slices.Contains(accepted, match.ID) {
					return p, fmt.Errorf("%s has the licence %s in %s, which is not among %s", p.name, match.ID, e.Name(), strings.Join(accepted, ", "))
				}
				if !slices.Contains(p.licences, match.ID) {
					p.licences = append(p.licences, match.ID)
				}
			}
		}
	}
	if len(p.licences) == 0 {
		return p, fmt.Errorf("%s has no licence that is known", p.name)
	}
	slices.Sort(p.licences)
	return p, nil
}

// tidy returns the text with line feeds only, without spaces at the ends of lines, so that equal texts are equal and can be committed.
func tidy(text []byte) string {
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// page writes a table of the parts, and each text once, under the names of the parts that it belongs to.
func page(parts []part) []byte {
	var b bytes.Buffer
	b.WriteString("Roem is under the Apache License 2.0. Its programs contain the parts below, under " +
		"their own licences, whose texts follow.\n\n")
	of := map[string][]string{}
	var texts []string // in the order of the parts
	for _, p := range parts {
		name := strings.TrimSpace(p.name + " " + p.version)
		fmt.Fprintf(&b, "%-100s  %s\n", name, strings.Join(p.licences, ", "))
		for _, text := range p.texts {
			if of[text] == nil {
				texts = append(texts, text)
			}
			of[text] = append(of[text], name)
		}
	}
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(of[text], "\n"), text)
	}
	return b.Bytes()
}
