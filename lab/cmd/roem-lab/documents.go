package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"roem/internal/cli"
)

// writeFiles writes files that everybody may read to a directory, which it makes.
func writeFiles(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // documents are no secret
		return cli.Plain(err)
	}
	for name, content := range files {
		if err := writeDocument(filepath.Join(dir, name), content); err != nil {
			return cli.Plain(err)
		}
	}
	return nil
}

// writeJSON writes a value to a file as JSON. indent is a step of its indentation; empty for one line.
func writeJSON(name string, value any, indent string) error {
	text, err := json.Marshal(value)
	if indent != "" {
		text, err = json.MarshalIndent(value, "", indent)
	}
	if err != nil {
		return err
	}
	return cli.Plain(writeDocument(name, append(text, '\n')))
}

// writeDocument writes a file that everybody may read.
func writeDocument(path string, content []byte) error {
	return os.WriteFile(path, content, 0o644) //nolint:gosec // documents are no secret
}
