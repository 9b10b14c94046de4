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

// documents are what an experiment leaves in a directory: its results, and the files that are written from them alone, so that
// they can be written anew without the experiment.
type documents[R any] struct {
	make   string                                      // how the results are made, but for the directory
	render func(results *R) (map[string][]byte, error) // the files by name
}

// resultsFile is the file that all others are written from.
const resultsFile = "results.json"

// write writes the results and all that follows from them.
func (d documents[R]) write(dir string, results *R) error {
	text, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // documents, for everybody
		return cli.Plain(err)
	}
	if err := writeDocument(filepath.Join(dir, resultsFile), append(text, '\n')); err != nil {
		return err
	}
	return d.writeAnew(dir)
}

// writeAnew writes the files that follow from the results in a directory.
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
	for name, content := range files {
		if err := writeDocument(filepath.Join(dir, name), content); err != nil {
			return err
		}
	}
	return nil
}

// command does what the arguments say: "render DIR" to write a directory anew, or nothing, to run the experiment.
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

// writeDocument writes a file that anybody may read.
func writeDocument(path string, content []byte) error {
	return os.WriteFile(path, content, 0o644) //nolint:gosec // documents, for everybody
}
