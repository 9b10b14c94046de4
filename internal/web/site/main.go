// Site writes the pages that need no server into a folder, which any server of files can serve under any path. It also
// writes the board for pages of other sites, of two files. Its flags are folders: site -worker PACKAGE -o SITE -kit BOARD.
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
	out := flag.String("o", "", "the `folder` to write the site into; a site that is there is removed")
	kit := flag.String("kit", "", "the `folder` to write the board for pages of other sites into")
	flag.Parse()
	if err := write(*worker, *out, *kit); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1) //nolint:forbidigo // main ends the program
	}
}

func write(worker, out, kit string) error {
	if worker == "" || out == "" || kit == "" {
		return errors.New("the three folders are needed")
	}
	w, err := web.NewWorker(os.DirFS(worker))
	if err != nil {
		return err
	}
	site, err := web.NewSite(w)
	if err != nil {
		return err
	}
	board, err := web.NewKit(w)
	if err != nil {
		return err
	}
	// A folder that holds something else is not removed.
	if _, err := os.Stat(filepath.Join(out, "sw.js")); err == nil {
		if err := os.RemoveAll(out); err != nil {
			return err
		}
	}
	return errors.Join(save(site, out), save(board, kit))
}

// save writes files into a folder.
func save(files map[string][]byte, folder string) error {
	for name, body := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // everybody may read the site
			return err
		}
		if err := os.WriteFile(file, body, 0o644); err != nil { //nolint:gosec // everybody may read the site
			return err
		}
	}
	return nil
}
