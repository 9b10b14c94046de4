// Package merge makes openapi.yaml of its parts: src/*.yaml, which people write, and examples/*.yaml, the answers that the test of the
// examples writes.
//
// A part is YAML with the sections paths and components; root.yaml alone has the others. It joins the text of each section, so
// that the contract keeps the comments and the layout of its parts. It uses no $ref between files, which oapi-codegen and kin-openapi do
// not follow in the same way.
package merge

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const header = `# Generated from api/src and api/examples by api/merge (make generate). Do not edit.
# The comment in api/src/root.yaml says how to change it.

`

// first and last are the parts with a fixed place. The other parts stand between them, in the order of their names.
var first, last = []string{"root", "common"}, []string{"jobs", "server"}

// sections are the sections that parts share, in the order of the contract. The schemas are the last.
var sections = []string{
	"paths", "components/securitySchemes", "components/parameters", "components/headers", "components/responses",
	"components/schemas",
}

// Contract returns the contract of the parts in the folder dir, which is api, and of further files.
func Contract(dir string, more ...string) ([]byte, error) {
	names, err := parts(filepath.Join(dir, "src"))
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(names), len(names)+len(more))
	for i, name := range names {
		paths[i] = filepath.Join(dir, "src", name+".yaml")
	}
	out, merged := bytes.NewBufferString(header), map[string]*strings.Builder{}
	for _, s := range sections {
		merged[s] = &strings.Builder{}
	}
	for i, path := range append(paths, more...) {
		rest, err := split(path, merged)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			out.WriteString(rest)
		} else if strings.TrimSpace(comments.ReplaceAllString(rest, "")) != "" {
			return nil, fmt.Errorf("%s: only root.yaml has sections other than paths and components", path)
		}
	}
	answers, err := examples(filepath.Join(dir, "examples"))
	if err != nil {
		return nil, err
	}
	schemas, err := withJobs(merged["components/schemas"].String(), merged["paths"].String())
	if err != nil {
		return nil, err
	}
	out.WriteString("paths:\n" + merged["paths"].String() + "\ncomponents:\n")
	for _, s := range sections[1 : len(sections)-1] {
		fmt.Fprintf(out, "  %s:\n%s", strings.TrimPrefix(s, "components/"), merged[s])
	}
	out.WriteString("  schemas:\n" + schemas)
	out.WriteString("  examples:\n" + answers)
	var check yaml.Node // a key that two parts have is an error here
	if err := yaml.Unmarshal(out.Bytes(), &check); err != nil {
		return nil, fmt.Errorf("the merged contract: %w", err)
	}
	if err := anchorsOnce(&check, map[string]bool{}); err != nil {
		return nil, err
	}
	return out.Bytes(), check.Decode(new(map[string]any))
}

// anchorsOnce returns an error for an anchor that two values have. YAML 1.2 lets the later one count, but readers of YAML 1.1, such as
// PyYAML, refuse the file; and with parts in another order an alias would mean another value.
func anchorsOnce(n *yaml.Node, seen map[string]bool) error {
	if n.Anchor != "" && seen[n.Anchor] {
		return fmt.Errorf("the merged contract, line %d: two values have the anchor &%s", n.Line, n.Anchor)
	}
	seen[n.Anchor] = true
	for _, part := range n.Content {
		if err := anchorsOnce(part, seen); err != nil {
			return err
		}
	}
	return nil
}

// parts returns the names of the parts in folder dir, in the order of the contract.
func parts(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var between []string
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".yaml"); !slices.Contains(first, name) && !slices.Contains(last, name) {
			between = append(between, name)
		}
	}
	slices.Sort(between) // glob sorts a-b.yaml before a.yaml
	return slices.Concat(first, between, last), nil
}

var (
	comments = regexp.MustCompile(`(?m)^#.*$`)
	section  = regexp.MustCompile(`^  ([A-Za-z]+):\s*$`)
)

// split adds the sections of a part to merged, and returns its other text.
func split(path string, merged map[string]*strings.Builder) (rest string, err error) {
	text, err := os.ReadFile(path) //nolint:gosec // a part of the contract
	if err != nil {
		return "", err
	}
	whole, err := withSessions(withIDs(withObjects(string(text))))
	if err == nil {
		whole, err = withAnswers(whole)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	var other strings.Builder
	to := &other // where the lines go
	for line := range strings.Lines(whole) {
		name, isSection := "", false
		if m := section.FindStringSubmatch(line); m != nil {
			name, isSection = m[1], true
		}
		switch {
		case line == "components:\n":
			to = nil
		case line == "paths:\n":
			to = merged["paths"]
		case isSection && (to == nil || isComponent(to, merged)):
			if to = merged["components/"+name]; to == nil {
				return "", fmt.Errorf("%s: components has no section %s", path, name)
			}
		case to == nil && strings.TrimSpace(line) != "":
			return "", fmt.Errorf("%s: %q stands between components and its first section", path, strings.TrimSpace(line))
		case line[0] != ' ' && line[0] != '#' && line[0] != '\n':
			to = &other
			fallthrough
		case to != nil:
			to.WriteString(line)
		}
	}
	return other.String(), nil
}

// isComponent says whether to is a section of components.
func isComponent(to *strings.Builder, merged map[string]*strings.Builder) bool {
	return slices.ContainsFunc(sections[1:], func(s string) bool { return merged[s] == to })
}

// examples returns the answers of the files in folder dir, indented for the section, in the order of their names.
func examples(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file) //nolint:gosec // the answers of the contract
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(string(text)) {
			if line[0] != '#' {
				out.WriteString("    " + line)
			}
		}
	}
	return out.String(), nil
}
