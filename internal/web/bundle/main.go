// Bundle writes the programs of the pages, their style sheets and their texts into internal/web/assets, which esbuild makes from board/. It
// also writes the list of the pages that their navigation shows into board/src/shared/pages.ts. It takes the pages from web.Pages and runs
// esbuild, a tool of the module tools/. go generate runs it in internal/web/board.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"

	"roem/internal/web"
)

// assets is where the bundles are, for this program.
const assets = "../assets"

// Paths as the tools see them, which run in tools/.
const (
	tools  = "../../../tools"
	board  = "../internal/web/board/"
	source = board + "src/"
)

func main() {
	page := flag.String("page", "", "bundle this program, a `file` as the module tools/ names it, with what all pages share, and no other")
	out := flag.String("o", "", "the `folder` to write it into")
	flag.Parse()
	bundled := run
	if *page != "" {
		bundled = func() error { return single(*page, *out) }
	}
	if err := bundled(); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1) //nolint:forbidigo // main ends the program
	}
}

func run() error {
	if err := writePages("src/shared/pages.ts"); err != nil {
		return err
	}
	into, err := os.MkdirTemp("", "roem-assets-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(into) }()
	if err := bundle(into); err != nil {
		return err
	}
	if err := os.RemoveAll(assets); err != nil { // files of earlier names
		return err
	}
	return os.CopyFS(assets, os.DirFS(into))
}

// single writes one program, the shared style sheet and the shared texts into a folder.
func single(page, into string) error {
	if err := esbuild(into, "--bundle", "--tsconfig="+board+"tsconfig.bundle.json", "page="+page); err != nil {
		return err
	}
	return shared(into)
}

// bundle writes the programs of the pages, their style sheets and their texts into a folder.
func bundle(into string) error {
	if err := shared(into); err != nil {
		return err
	}
	var texts []string
	for _, p := range web.Pages {
		args := []string{"--bundle", "--tsconfig=" + board + "tsconfig.bundle.json", entry(p.Name, p.Name+"/main.tsx")}
		if p.Style {
			args = append(args, entry(p.Name, p.Name+"/"+p.Name+".css"))
		}
		if p.Later {
			args = append(args, "--splitting", "--chunk-names="+p.Name+"-[name]")
		}
		if err := esbuild(into, args...); err != nil {
			return err
		}
		for _, language := range web.Languages {
			texts = append(texts, entry("words-"+p.Name+"-"+language, p.Name+"/words-"+language+".ts"))
			if p.Later {
				texts = append(texts, entry("words-"+p.Name+"-later-"+language, p.Name+"/laterwords-"+language+".ts"))
			}
		}
	}
	if err := kit(into); err != nil {
		return err
	}
	return esbuild(into, texts...)
}

// kit writes the board for pages of other sites as one file, with its style sheet, its texts and the program of its worker.
func kit(into string) error {
	page, err := os.ReadFile("../pages/program.html")
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	sprite := regexp.MustCompile(`(?s)<svg class="sprite".*?</svg>`).Find(page)
	own, err := os.MkdirTemp("", "roem-kit-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(own) }()
	if err := os.WriteFile(own+"/sprite.svg", sprite, 0o600); err != nil { //nolint:gosec // our own folder
		return fmt.Errorf("writing the sprite: %w", err)
	}
	goRoot, err := exec.CommandContext(context.Background(), "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("finding Go: %w", err)
	}
	return esbuild(into, "--bundle", "--tsconfig="+board+"tsconfig.bundle.json", "--loader:.css=text", "--loader:.svg=text",
		"--alias:board.css="+into+"/"+web.SharedStyle, "--alias:sprite.svg="+own+"/sprite.svg",
		"--alias:wasm_exec="+strings.TrimSpace(string(goRoot))+"/lib/wasm/wasm_exec.js", entry("kit", "embed/kit.ts"))
}

// shared writes the style sheet and the texts of all pages.
func shared(into string) error {
	if err := esbuild(into, "--bundle", entry("board", "shared/"+web.SharedStyle)); err != nil {
		return err
	}
	if err := esbuild(into, "--bundle", entry("words-errors-nl", "shared/problems-nl.ts"), entry("streams", "shared/streams.ts"),
		entry("local", "shared/local.ts"), entry("site", "shared/site.ts")); err != nil {
		return err
	}
	var texts []string
	for _, language := range web.Languages {
		texts = append(texts, entry("words-"+language, "shared/words-"+language+".ts"),
			entry("words-later-"+language, "shared/laterwords-"+language+".ts"))
	}
	return esbuild(into, texts...)
}

// entry names a source and the asset that it becomes.
func entry(asset, file string) string { return asset + "=" + source + file }

func esbuild(into string, args ...string) error {
	tool, err := built()
	if err != nil {
		return err
	}
	args = append([]string{
		"--outdir=" + into, "--minify", "--format=esm", "--target=es2022", "--charset=utf8", "--legal-comments=none", "--log-level=warning",
	}, args...)
	c := exec.CommandContext(context.Background(), tool, args...) //nolint:gosec // ours
	c.Dir, c.Stdout, c.Stderr = tools, os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("esbuild %v: %w", args, err)
	}
	return nil
}

// built builds esbuild and returns its file. To run go tool for each of some twenty bundles takes many times as long as to make them.
var built = sync.OnceValues(func() (string, error) {
	name, err := exec.CommandContext(context.Background(), "go", "-C", tools, "tool", "-n", "esbuild").Output()
	return strings.TrimSpace(string(name)), err
})

// writePages writes what the navigation of the pages shows.
func writePages(file string) error {
	var b strings.Builder
	b.WriteString("// The pages that are programs, in the order of the navigation. make generate writes them " +
		"from web.Navigation.\n\nexport const pages = [\n")
	for _, p := range web.Navigation() {
		fmt.Fprintf(&b, "  { name: '%s', path: '%s' },\n", p.Name, p.Path)
	}
	b.WriteString("] as const\n")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil { //nolint:gosec // a source, which everybody may read
		return fmt.Errorf("writing the pages: %w", err)
	}
	return nil
}
