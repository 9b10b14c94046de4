package board_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"roem/internal/testkit"
	"roem/internal/web"
)

// withoutServer has the tests of the pages look at a site of files. Tests that speak of the server are skipped, and tests of a page that
// needs one.
var withoutServer = flag.Bool("without-server", false, "look at the pages of make site, of files alone")

// alone is a site of files.
type alone struct {
	tb     testing.TB
	worker string // the path of the program of the worker
	server string // answers the requests of the tests, not of the pages
	tab    *tab   // opened last
}

// opened notes the tab that was opened last.
func (s *site) opened(t *tab) {
	if s.alone != nil {
		s.alone.tab = t
	}
}

// ask asks a worker of the tab that was opened last: the games are in its browser.
func (a *alone) ask(tb testing.TB, method, path, body string) string {
	tb.Helper()
	if a.tab == nil {
		tb.Skip("speaks of the server: a game before a page is opened")
	}
	if method == http.MethodGet {
		body = ""
	}
	return eval[string](a.tab, fmt.Sprintf(`(async () => {
		const answer = await ask(%q, { method: %q, body: %q || undefined })
		if (answer.status >= 300) throw new Error(await answer.text())
		return answer.text()
	})()`, path, method, body))
}

// askInPage is a script that gives a page the function ask, with which a test asks what answers the page, as with fetch.
func (s *site) askInPage(tb testing.TB) string {
	tb.Helper()
	if s.alone == nil {
		return "window.ask = (path, init) => fetch(path, init)"
	}
	return fmt.Sprintf(heard+`window.ask = async (path, { method = 'GET', body } = {}) => {
		const { worker } = document.documentElement.dataset
		const { open } = await import(new URL(%q, document.baseURI))
		if (!window.asked) {
			const heard = window.Worker
			window.Worker = Object.getPrototypeOf(heard)
			window.asked = open(new URL(worker ?? %q, document.baseURI).href)
			window.Worker = heard
		}
		return window.asked(path, { method, body, signal: new AbortController().signal })
	}`, strings.TrimPrefix(asset(tb, "local.js"), "/"), s.alone.worker)
}

// heard is a script that tells the tests what a page asks its worker, and what that answers. A test can change what is asked.
const heard = `window.Worker = class extends window.Worker {
	constructor(...program) {
		super(...program)
		this.sent = new Map()
		this.addEventListener('message', ({ data }) => {
			const asked = this.sent.get(data.id)
			if (!asked) return
			asked.response += data.data ?? data.body ?? ''
			if ('status' in data) window.exchanged?.(JSON.stringify({ ...asked, status: data.status }))
		})
	}
	postMessage(message) {
		if (message.method) {
			if (message.body && window.passes) message = { ...message, body: window.passes(message.path, message.body) }
			this.sent.set(message.id, { method: message.method, path: message.path, request: message.body ?? '', response: '' })
		}
		super.postMessage(message)
	}
}
`

// passes has a function of JavaScript see the path and the body of every request of the page. It returns the body that is sent.
func (t *tab) passes(function string) {
	t.tb.Helper()
	eval[bool](t, "(window.passes = "+function+", true)")
	if t.site.alone == nil {
		eval[bool](t, `(before => (window.fetch = (to, o) => before(to, o?.body ? {...o, body: window.passes(String(to), o.body)} : o), true))`+
			`(window.fetch)`)
	}
}

// built is what make site writes, built once.
var built struct {
	once              sync.Once
	folder, temporary string // of the package, and the one to be removed
	files             map[string][]byte
	worker            web.Worker
	err               error
}

// pageWorker returns the worker.
func pageWorker(tb testing.TB) web.Worker {
	tb.Helper()
	siteFiles(tb)
	return built.worker
}

// siteFiles returns the files of the site, by their paths.
func siteFiles(tb testing.TB) map[string][]byte {
	tb.Helper()
	built.once.Do(func() {
		var root string
		if root, built.err = testkit.Root(); built.err != nil {
			return
		}
		// A package that is built already can be named, since building it takes half a minute.
		if built.folder = os.Getenv("ROEM_WASM"); built.folder == "" {
			if built.temporary, built.err = os.MkdirTemp("", "roem-wasm-"); built.err != nil { // it lives longer than the first test
				return
			}
			built.folder = filepath.Join(built.temporary, "package")
			if built.err = buildWorker(root, built.folder); built.err != nil {
				return
			}
		}
		if built.worker, built.err = web.NewWorker(os.DirFS(built.folder)); built.err == nil {
			built.files, built.err = web.NewSite(built.worker)
		}
	})
	if built.err != nil {
		tb.Fatal(built.err)
	}
	return built.files
}

// buildWorker builds the package of the worker into a folder.
func buildWorker(root, folder string) error {
	c := exec.Command("scripts/wasm.sh", "v0.1.0", folder)
	c.Dir, c.Stdout, c.Stderr = root, os.Stderr, os.Stderr
	return c.Run()
}

// fileServer serves files as any server of files does, below a path.
func fileServer(tb testing.TB, files map[string][]byte) *httptest.Server {
	tb.Helper()
	folder := fstest.MapFS{}
	for name, body := range files {
		folder[strings.TrimPrefix(below, "/")+"/"+name] = &fstest.MapFile{Data: body}
	}
	return serve(tb, http.FileServerFS(folder))
}

// serve starts a server, which ends with the test.
func serve(tb testing.TB, h http.Handler) *httptest.Server {
	tb.Helper()
	server := httptest.NewServer(h)
	tb.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// asFiles returns a site of files beside a server, which the tests ask for what is to be expected.
func (s *site) asFiles(tb testing.TB) *site {
	tb.Helper()
	files := siteFiles(tb)
	return &site{url: fileServer(tb, files).URL + below, alone: &alone{tb: tb, worker: workerPath(files), server: s.url}}
}

// workerPath returns the path of the program of the worker.
func workerPath(files map[string][]byte) string {
	for name := range files {
		if strings.HasSuffix(name, "/worker.js") {
			return name
		}
	}
	return ""
}

// server returns the address of the server.
func (s *site) server() string {
	if s.alone != nil {
		return s.alone.server
	}
	return s.url
}

// speaks skips a test that speaks of the server, where the pages have none.
func (s *site) speaks(of string) {
	if s.alone != nil {
		s.alone.tb.Skip("speaks of the server: " + of)
	}
}

// at returns the path of a page as the browser has it.
func (s *site) at(page string) string {
	switch {
	case s.alone == nil:
		return page
	case page == "/":
		return below + "/"
	}
	return below + page + ".html"
}

// has is whether a page works.
func (s *site) has(page string) bool { return s.alone == nil || s.alone.file(page) != "" }

// needs skips a test of a page that needs a server, where there is none.
func (s *site) needs(tb testing.TB, page string) {
	tb.Helper()
	if !s.has(page) {
		tb.Skip("speaks of the server: " + page)
	}
}

// file returns the file of a page that works, empty for any other.
func (*alone) file(page string) string {
	for works := range strings.FieldsSeq((*web.Site)(nil).Works()) {
		for _, p := range web.Pages {
			if p.Name == works && p.Path == page {
				return page + ".html"
			}
		}
	}
	return ""
}

// file returns the path of the file of a page, where the pages are files. It skips a test of a page that needs a server.
func (s *site) file(tb testing.TB, address string) string {
	tb.Helper()
	end := strings.IndexAny(address, "?#")
	if end < 0 {
		end = len(address)
	}
	if s.alone == nil || address[:end] == "/" || strings.Contains(address[:end], ".") {
		return address
	}
	name := strings.TrimPrefix(address[:end], "/")
	if name == "docs/errors" || name == "healthz" { // between two pages, for what the second does when it is loaded
		return "/belote.html"
	}
	if file := s.alone.file(address[:end]); file != "" {
		return file + address[end:]
	}
	tb.Skip("speaks of the server: " + address[:end])
	return ""
}
