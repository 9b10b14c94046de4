package board_test

import (
	"fmt"
	"mime"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"roem/internal/testkit"
	"roem/internal/web"
)

// kitPage is a page of a site that shows the board by two files of its own, as docs/how-to/analysis-without-a-server.md says.
const kitPage = `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Cards</title>
<script type="module" src="files/roem-board.js"></script></head><body><h1>A hand</h1>
<roem-board language="nl" theme="dark" position="v=1&amp;t=S&amp;l=S&amp;d=NS&amp;` +
	`h=SENNSEESNWWWEWEWNENNSESESWSNWWSN&amp;p=KH8S7H8H&amp;i=2"></roem-board>
</body></html>`

// strict is the policy that the how-to names, and nothing else.
const strict = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:"

// hosts serves files as a site does whose policy is strict.
func hosts(tb testing.TB, files map[string][]byte) *site {
	tb.Helper()
	return &site{url: serve(tb, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		w.Header().Set("Content-Security-Policy", strict)
		if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		_, _ = w.Write(files[name])
	})).URL}
}

// The blocks of the how-to in a browser: without a bundler, with one, and the board.
func TestHowToWithoutServer(t *testing.T) {
	t.Parallel()
	browser(t)
	text, err := os.ReadFile("../../docs/how-to/analysis-without-a-server.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```(?:html|js)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	page, own, bundled, board := blocks[0], blocks[1], blocks[2], blocks[4]
	kit, err := web.NewKit(pageWorker(t))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		"index.html": []byte(page), "page.js": []byte(own), "board.html": []byte("<!doctype html>" + board),
		"bundler.html": []byte(strings.Replace(page, "page.js", "bundled.js", 1)), "bundled.js": bundle(t, bundled),
		"klaverjas/index.js": packaged(t, "index.js"),
	}
	for name, body := range pageWorker(t).Files {
		files["klaverjas/"+name] = body
	}
	for name, body := range kit {
		files["board/"+name] = body
	}
	s := hosts(t, files)
	for path, want := range map[string]string{"/": `^-?\d+: \w+( \w+){31}$`, "/bundler.html": `^-?\d+$`} {
		p := open(t, s, path)
		p.until(fmt.Sprintf("new RegExp(%q).test(document.querySelector('#answer')?.textContent)", want))
	}
	p := open(t, s, "/board.html")
	p.until("document.querySelector('roem-board iframe')?.contentDocument?.querySelector('#outcome')")
}

// bundle bundles a program, for which the package is installed.
func bundle(tb testing.TB, program string) []byte {
	tb.Helper()
	root, err := testkit.Root()
	if err != nil {
		tb.Fatal(err)
	}
	folder := tb.TempDir()
	installed := filepath.Join(folder, "node_modules", "@roem", "klaverjas")
	if err := os.CopyFS(installed, os.DirFS(built.folder)); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "bundled.js"), []byte(program), 0o600); err != nil {
		tb.Fatal(err)
	}
	c := exec.Command("go", "-C", "tools", "tool", "esbuild", filepath.Join(folder, "bundled.js"), "--bundle", "--format=esm",
		"--log-level=warning")
	c.Dir, c.Stderr = root, os.Stderr
	out, err := c.Output()
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// packaged returns a file of the package.
func packaged(tb testing.TB, name string) []byte {
	tb.Helper()
	body, err := os.ReadFile(filepath.Join(built.folder, name))
	if err != nil {
		tb.Fatal(err)
	}
	return body
}

// The board with values in a page of another site, by two files and without a server. The policy of the page is as strict as can be.
func TestBoardOfTwoFiles(t *testing.T) {
	t.Parallel()
	browser(t)
	kit, err := web.NewKit(pageWorker(t))
	if err != nil || len(kit) != 2 {
		t.Fatalf("%d files, %v", len(kit), err)
	}
	files := map[string][]byte{"index.html": []byte(kitPage)}
	for name, body := range kit {
		files["files/"+name] = body
	}
	s := hosts(t, files)
	p := open(t, s, "/")
	const frame = "document.querySelector('roem-board iframe')?.contentDocument"
	valued := "(d => d?.querySelector('#outcome') && !d.querySelector('.value.late'))(" + frame + ")"
	p.until(valued)
	if got := eval[string](p, frame+".querySelector('.count').textContent"); got != "2 / 32" {
		t.Errorf("the board begins at %s", got)
	}
	if got := eval[string](p, frame+".documentElement.lang + ' ' + "+frame+".documentElement.dataset.theme"); got != "nl dark" {
		t.Errorf("the board is shown in %s", got)
	}
	p.until("(f => f.clientHeight > 300 && f.contentDocument.documentElement.scrollHeight <= f.clientHeight)" +
		"(document.querySelector('iframe'))")
	eval[bool](p, "("+frame+".querySelector('#felt .card.legal').click(), true)")
	p.until(frame + ".querySelector('.count').textContent === '3 / 32' && " + valued)
	if eval[bool](p, "!!"+frame+".querySelector('.open-it')") {
		t.Error("the board has a link to a page that is not there")
	}
	eval[bool](p, "(document.querySelector('roem-board').setAttribute('position', "+
		"'v=1&t=S&l=S&d=NS&h=SENNSEESNWWWEWEWNENNSESESWSNWWSN&p=KH'), true)")
	p.until(frame + "?.querySelector('.count')?.textContent === '1 / 32' && " + valued)
	if eval[int](p, "localStorage.length") != 0 {
		t.Error("the board keeps something")
	}
}
