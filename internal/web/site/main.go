// Site writes the pages that need no server into a folder, which any server of files can serve under any path. Its flags are the package
// that make wasm builds, and the folder: site -worker FOLDER -o FOLDER.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"roem/internal/web"
)

func main() {
	worker := flag.String("worker", "", "the `folder` of the package of the worker")
	out := flag.String("o", "", "the `folder` to write the site into; what was in it is removed")
	flag.Parse()
	if err := write(*worker, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1) //nolint:forbidigo // main ends the program
	}
}

func write(worker, out string) error {
	if worker == "" || out == "" {
		return errors.New("both folders are needed")
	}
	w, err := web.NewWorker(os.DirFS(worker))
	if err != nil {
		return err
	}
	files, err := web.NewSite(w)
	if err != nil {
		return err
	}
	// A folder that holds something else is not removed.
	if _, err := os.Stat(filepath.Join(out, "sw.js")); err == nil {
		if err := os.RemoveAll(out); err != nil {
			return err
		}
	}
	for name, body := range files {
		file := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // everybody may read the site
			return err
		}
		if err := os.WriteFile(file, body, 0o644); err != nil { //nolint:gosec // everybody may read the site
			return err
		}
	}
	return nil
}
