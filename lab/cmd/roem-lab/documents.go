package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"roem/internal/cli"
)

// documents are the files of an experiment in a directory: its results, and the files that depend only on the results. The latter can be
// written again without the experiment.
type documents[R any] struct {
	make   string                                      // the command that makes the results, without the directory
	render func(results *R) (map[string][]byte, error) // the files by name
}

// resultsFile is the name of the file with the results.
const resultsFile = "results.json"

// write writes the results and the files that depend on them.
func (d documents[R]) write(dir string, results *R) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // documents are no secret
		return cli.Plain(err)
	}
	if err := writeJSON(filepath.Join(dir, resultsFile), results, " "); err != nil {
		return err
	}
	return d.writeAnew(dir)
}

// writeAnew writes the files that depend on the results in a directory.
func (d documents[R]) writeAnew(dir string) error {
	path := filepath.Join(dir, resultsFile)
	text, err := os.ReadFile(path) //nolint:gosec // the user's own choice of a directory
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no %s: make it with %s %s", dir, resultsFile, d.make, dir)
	}
	if err != nil {
		return cli.Plain(err)
	}
	var results R
	if err := json.Unmarshal(text, &results); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	files, err := d.render(&results)
	if err != nil {
		return err
	}
	return writeFiles(dir, files)
}

// command runs the experiment if there are no arguments. With "render DIR" it writes the files of DIR again from its results.
func (d documents[R]) command(flags *flag.FlagSet, args []string, run func() error) error {
	switch {
	case len(args) > 0 && args[0] == "render":
		if len(args) != 2 || flags.NFlag() > 0 {
			return cli.Usagef("render takes one directory, and no flags")
		}
		return d.writeAnew(args[1])
	case len(args) > 0:
		return cli.Usagef("unexpected argument %q", args[0])
	}
	return run()
}

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
