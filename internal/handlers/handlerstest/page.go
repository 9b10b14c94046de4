package handlerstest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"roem/internal/testkit"
	"roem/internal/testkit/chromium"
)

// shell is the page of a program, as pages/program.html has it.
const shell = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
	`<title>Roem</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/assets/board.css">` +
	`<script type="module" src="/docs/assets/page.js"></script></head><body><div id="app"></div></body></html>`

// Browse shows the program of a page, a file of TypeScript, in a browser, with the server behind it. It is bundled
// as the pages of the server are.
func (s *Server) Browse(t *testing.T, program string) *Tab {
	t.Helper()
	if testing.Short() {
		t.Skip("what a browser shows")
	}
	browser, root, assets := chromium.Find(t), moduleRoot(t), t.TempDir()
	file, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	//nolint:gosec // a test's own
	bundle := exec.CommandContext(t.Context(), "go", "run", "roem/internal/web/bundle", "-page", file, "-o", assets)
	bundle.Dir = filepath.Join(root, "internal", "web", "board")
	if out, err := bundle.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	mux := http.NewServeMux()
	mux.Handle("/docs/assets/", http.StripPrefix("/docs/assets/", http.FileServerFS(os.DirFS(assets))))
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, shell) })
	mux.Handle("/", s)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	parent, end, err := chromium.Start(browser)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	tab := &Tab{t: t}
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithListener(tab.hear))
	t.Cleanup(cancel)
	tab.ctx = ctx
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/page")); err != nil {
		t.Fatal(err)
	}
	return tab
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := testkit.Root()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// Tab is a page in a browser. It fails its test if the program of the page does.
type Tab struct {
	t   *testing.T
	ctx context.Context
}

func (b *Tab) hear(event any) {
	if e, ok := event.(*runtime.EventExceptionThrown); ok {
		b.t.Errorf("the page: %v", e.ExceptionDetails)
	}
}

// Shows waits until an expression of JavaScript is true.
func (b *Tab) Shows(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, testkit.Patience)
	defer cancel()
	testkit.Until(b.t, expression, func() bool {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		return err == nil && is
	})
}

// Click clicks the first element of each selector, once it is there.
func (b *Tab) Click(selectors ...string) {
	b.t.Helper()
	for _, s := range selectors {
		b.Shows(fmt.Sprintf("document.querySelector(%q) && (document.querySelector(%q).click(), true)", s, s))
	}
}
