// Package board_test shows that the board and the page of jobs do what docs/project/board.md says, in a real browser.
//
// One Chromium serves all tests. Each tab has a storage of its own, and fails its test if the page violates its policy, writes to the
// console, or sends a request to another server.
package board_test

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"roem/internal/testkit"
	headless "roem/internal/testkit/chromium"
)

// chromium is the browser of all tests.
var chromium struct {
	start sync.Once
	ctx   context.Context
	err   error
	close func()
}

func TestMain(m *testing.M) {
	// The tests wait for the browser most of the time, whatever the number of processors.
	if err := flag.Set("test.parallel", "4"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2) //nolint:forbidigo // before any test
	}
	status := m.Run()
	if common.site != nil {
		if err := common.site.stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
		_ = os.RemoveAll(common.folder)
	}
	if built.temporary != "" {
		_ = os.RemoveAll(built.temporary)
	}
	if chromium.close != nil {
		chromium.close()
	}
	if status == 0 {
		if err := testkit.Leaks(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status) //nolint:forbidigo // the browser must be closed before goroutines are counted, and VerifyTestMain has no place for that
}

// browser returns the context of the browser, started by the first call.
func browser(tb testing.TB) context.Context {
	tb.Helper()
	if testing.Short() {
		tb.Skip("what a browser shows; the race detector looks at the server in other packages")
	}
	path := headless.Find(tb)
	chromium.start.Do(func() { chromium.ctx, chromium.close, chromium.err = headless.Start(path) })
	if chromium.err != nil {
		tb.Fatal(chromium.err)
	}
	return chromium.ctx
}

// sweep skips a test that goes through every view, language or page, or plays whole hands, in make test. make test-board runs it.
func sweep(tb testing.TB) {
	tb.Helper()
	if !testkit.Long() {
		tb.Skip("make test-board runs it")
	}
}

// patience is how long a test waits for something that must happen. It is far longer than anything takes on a busy machine.
const patience = testkit.Patience

// tab is a page in the browser.
type tab struct {
	tb   testing.TB
	ctx  context.Context
	site *site

	mu       sync.Mutex
	messages []string          // of the console, and violations of the policy
	requests []string          // URLs
	allowed  []string          // parts of messages that are expected
	others   []string          // other servers that it may send requests to
	contexts map[string]string // where scripts of the frames run, by their origins
	within   string            // the frame in which expressions are evaluated; empty for the page itself
}

// open opens a path of the site in a new tab with a storage of its own.
func open(tb testing.TB, s *site, path string) *tab {
	tb.Helper()
	return openIn(browser(tb), tb, s, path, chromedp.WithNewBrowserContext())
}

// another opens a path in a second tab of the same browser window, with the same storage and connections.
func (t *tab) another(path string) *tab {
	t.tb.Helper()
	return openIn(t.ctx, t.tb, t.site, path)
}

func openIn(parent context.Context, tb testing.TB, s *site, path string, options ...chromedp.ContextOption) *tab {
	tb.Helper()
	t := &tab{tb: tb, site: s}
	ctx, cancel := chromedp.NewContext(parent, append(options, chromedp.WithListener(t.hear))...)
	t.ctx = ctx
	tb.Cleanup(func() {
		t.check()
		_ = chromedp.Cancel(ctx)
		cancel()
	})
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900)); err != nil {
		tb.Fatal(err)
	}
	if *withoutServer {
		s.opened(t)
		t.script("delete Navigator.prototype.serviceWorker") // the browser keeps nothing: the files differ in no test, and are many
		if _, err := chromedp.Call(ctx, runtime.AddBinding, runtime.AddBindingParams{Name: "exchanged"}); err != nil {
			tb.Fatal(err)
		}
	}
	t.script(s.askInPage(tb))
	t.navigate(path) // the context of the tab
	return t
}

// hear keeps what the tests of every page look at.
func (t *tab) hear(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		text := string(e.Type)
		for _, a := range e.Args {
			text += " " + string(a.Value) + a.Description
		}
		t.messages = append(t.messages, "console: "+text)
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		t.messages = append(t.messages, "exception: "+text)
	case *log.EventEntryAdded:
		t.messages = append(t.messages, "log: "+string(e.Entry.Source)+": "+e.Entry.Text)
	case *runtime.EventExecutionContextCreated:
		if t.contexts == nil {
			t.contexts = map[string]string{}
		}
		t.contexts[e.Context.Origin] = e.Context.UniqueID
	case *runtime.EventBindingCalled:
		t.site.exchanged(e.Payload)
	case *network.EventRequestWillBeSent:
		t.requests = append(t.requests, e.Request.URL)
	}
}

// allow says that messages that contain the text are expected, such as the message of an answer with an error status.
func (t *tab) allow(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.allowed = append(t.allowed, text)
}

// check fails the test for messages that are not expected, and for requests to other servers.
func (t *tab) check() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range t.messages {
		expected := false
		for _, a := range t.allowed {
			expected = expected || strings.Contains(m, a)
		}
		if !expected {
			t.tb.Errorf("the page wrote: %s", m)
		}
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(t.site.url, "http://"), "/")
	for _, r := range t.requests {
		u, err := url.Parse(r)
		if err != nil || u.Host != host && u.Scheme != "data" && u.Scheme != "about" && !slices.Contains(t.others, u.Scheme+"://"+u.Host) {
			t.tb.Errorf("the page sent a request to another server: %s", r)
		}
	}
	if len(t.requests) == 0 && !t.tb.Skipped() {
		t.tb.Error("no request of the page was seen, so that none was checked")
	}
}

func (t *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	t.tb.Helper()
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.tb.Fatal(err)
	}
}

// navigate goes to a path of the site.
func (t *tab) navigate(path string) {
	t.tb.Helper()
	t.do(chromedp.Navigate(t.site.url + t.site.file(t.tb, path)))
	t.rendered()
}

// reload loads the page again.
func (t *tab) reload() {
	t.tb.Helper()
	t.do(chromedp.Reload())
	t.rendered()
}

// rendered waits until the page, if it is one of the programs, shows something: it loads its texts first.
func (t *tab) rendered() {
	t.tb.Helper()
	t.until("!document.getElementById('app') || document.querySelector('#app > *')")
}

// eval evaluates an expression in the page, and waits for it if it is a promise.
func eval[T any](t *tab, expression string) T {
	t.tb.Helper()
	v, err := tryEval[T](t, expression)
	if err != nil {
		t.tb.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

func tryEval[T any](t *tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise, func(p *runtime.EvaluateParams) {
		p.UniqueContextID = t.within
	}))
}

// leaving is a part of the browser's error for an expression that is evaluated while the page is replaced by another.
const leaving = "Inspected target navigated or closed"

// until waits until an expression is true in the page, also in one that the page is just being replaced by.
func (t *tab) until(expression string) {
	t.tb.Helper()
	deadline := time.Now().Add(patience)
	for {
		met, err := tryEval[bool](t, "!!("+expression+")")
		if err != nil && !strings.Contains(err.Error(), leaving) {
			t.tb.Fatalf("%.200s: %v", expression, err)
		}
		if met {
			return
		}
		if time.Now().After(deadline) {
			t.tb.Fatalf("never true: %s\nthe page reads:\n%.3000s", expression, eval[string](t, "document.body.innerText"))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// script evaluates a script in every document that is loaded from now on.
func (t *tab) script(text string) {
	t.tb.Helper()
	if _, err := chromedp.Call(t.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: text}); err != nil {
		t.tb.Fatal(err)
	}
}

// still asks the page for less motion and no pauses: the cards of the other players come at once.
func (t *tab) still() {
	t.tb.Helper()
	t.motion("reduce")
	eval[bool](t, "(localStorage.setItem('roem.pace', 'off'), document.documentElement.dataset.pace = 'off', true)")
}

// motion chooses how much motion the reader wants: "reduce" or "no-preference".
func (t *tab) motion(preference string) {
	t.tb.Helper()
	if _, err := chromedp.Call(t.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: preference}},
	}); err != nil {
		t.tb.Fatal(err)
	}
}

// valued waits until the values of the position are shown.
func (t *tab) valued() {
	t.tb.Helper()
	t.until(`document.querySelector('#outcome') && !document.querySelector('.value.late')`)
}

func (t *tab) click(selector string) {
	t.tb.Helper()
	t.until(fmt.Sprintf("document.querySelector(%q)", selector))
	eval[bool](t, fmt.Sprintf("(document.querySelector(%q).click(), true)", selector))
}

func (t *tab) press(keys ...string) {
	t.tb.Helper()
	for _, k := range keys {
		t.do(chromedp.KeyEvent(k))
	}
}

func (t *tab) typeText(text string) {
	t.tb.Helper()
	t.do(chromedp.KeyEvent(text))
}

// focused describes the element that has the focus.
func (t *tab) focused() string {
	t.tb.Helper()
	return eval[string](t, `(e => e.dataset.card ?? e.id ?? e.tagName)(document.activeElement)`)
}

// tabTo presses Tab until the element with the id has the focus.
func (t *tab) tabTo(id string) {
	t.tb.Helper()
	for range 80 {
		if eval[string](t, "document.activeElement.id") == id {
			return
		}
		t.press(kb.Tab)
	}
	t.tb.Fatalf("the Tab key does not reach %s", id)
}

func (t *tab) text(selector string) string {
	t.tb.Helper()
	return eval[string](t, fmt.Sprintf("document.querySelector(%q)?.textContent ?? '(none)'", selector))
}

// show changes the fragment of the address, as a link does.
func (t *tab) show(fragment string) {
	t.tb.Helper()
	eval[bool](t, fmt.Sprintf("(location.hash = %q, true)", fragment))
}
