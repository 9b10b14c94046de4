package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed archive.md
var archiveReadme string

// link matches a link or a picture of Markdown: its text and its target.
var link = regexp.MustCompile(`\[([^\[\]]*)\]\(([^()\s]+)\)`)

// documents are the files of an archive besides its programs, with where they stand in the project.
var documents = map[string]string{
	"CHANGELOG.md": "CHANGELOG.md", "LICENSE": "LICENSE", "notices.txt": "internal/web/notices.txt", "roem.yaml": "configs/roem.yaml",
	"roem.service": "deploy/systemd/roem.service",
}

// document returns a file of an archive as it is there. The archive has a README of its own. In a document of the project, a link to a file
// that is not in the archive becomes its text.
func document(name, version string) ([]byte, error) {
	if name == "README.md" {
		return []byte(strings.ReplaceAll(archiveReadme, "{{version}}", version)), nil
	}
	text, err := os.ReadFile(filepath.Join(root, documents[name]))
	if err != nil || !strings.HasSuffix(name, ".md") {
		return text, err
	}
	return link.ReplaceAllFunc(text, func(whole []byte) []byte {
		part := link.FindSubmatch(whole)
		target, _, _ := strings.Cut(string(part[2]), "#")
		if target == "" || documents[target] != "" || strings.Contains(target, "://") {
			return whole
		}
		return part[1]
	}), nil
}

// documentNames returns the names of the documents of an archive for a system, in order.
func documentNames(system string) (names []string) {
	for name := range documents {
		if name != "roem.service" || system == "linux" {
			names = append(names, name)
		}
	}
	names = append(names, "README.md")
	slices.Sort(names)
	return names
}
