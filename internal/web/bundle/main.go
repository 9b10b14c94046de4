// Bundle writes the programs of the pages, their style sheets and their texts into internal/web/assets, and the list of the pages that
// their navigation shows into board/src/shared/pages.ts. It takes the pages from web.Pages and runs esbuild, a tool of the module tools/.
// go generate runs it in internal/web/board.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"roem/internal/web"
)

// Paths as esbuild sees them, which runs in tools/.
const (
	board  = "../internal/web/board/"
	source = board + "src/"
	assets = "../internal/web/assets"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1) //nolint:forbidigo // main ends the program
	}
}

func run() error {
	if err := writePages("src/shared/pages.ts"); err != nil {
		return err
	}
	if err := esbuild("--bundle", entry("board", "shared/"+web.SharedStyle)); err != nil {
		return err
	}
	var texts []string
	for _, language := range web.Languages {
		texts = append(texts, entry("words-"+language, "shared/words-"+language+".ts"))
	}
	for _, p := range web.Pages {
		args := []string{"--bundle", "--tsconfig=" + board + "tsconfig.bundle.json", entry(p.Name, p.Name+"/main.tsx")}
		if p.Style {
			args = append(args, entry(p.Name, p.Name+"/"+p.Name+".css"))
		}
		if p.Later {
			args = append(args, "--splitting", "--chunk-names="+p.Name+"-[name]")
		}
		if err := esbuild(args...); err != nil {
			return err
		}
		for _, language := range web.Languages {
			texts = append(texts, entry("words-"+p.Name+"-"+language, p.Name+"/words-"+language+".ts"))
		}
	}
	return esbuild(texts...)
}

// entry names a source and the asset that it becomes.
func entry(asset, file string) string { return asset + "=" + source + file }

func esbuild(args ...string) error {
	all := append([]string{
		"-C", "../../../tools", "tool", "esbuild", "--outdir=" + assets, "--minify", "--format=esm", "--target=es2022",
		"--charset=utf8", "--legal-comments=none", "--log-level=warning",
	}, args...)
	c := exec.CommandContext(context.Background(), "go", all...) //nolint:gosec // the arguments are those of this file
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("esbuild %v: %w", args, err)
	}
	return nil
}

// writePages writes what the navigation of the pages shows.
func writePages(file string) error {
	var b strings.Builder
	b.WriteString("// The pages that are programs, in the order of the navigation. make generate writes them " +
		"from web.Pages.\n\nexport const pages = [\n")
	for _, p := range web.Pages {
		fmt.Fprintf(&b, "  { name: '%s', path: '%s' },\n", p.Name, p.Path)
	}
	b.WriteString("] as const\n")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil { //nolint:gosec // a source, which everybody may read
		return fmt.Errorf("writing the pages: %w", err)
	}
	return nil
}
