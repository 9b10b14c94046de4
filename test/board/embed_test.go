package board_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"roem/internal/web"
)

// hostPage is a page of another site with the board in a frame, written as docs/how-to/embed-a-board.md says. The frame is the first
// argument.
const hostPage = `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Cards</title>
<style>body { margin: 0; font: 1rem sans-serif } p { margin: 0.5rem }</style></head>
<body><p><a id="before" href="#before">A page about cards</a></p>
%s
<p>The text goes on.</p>
<script>
const frame = document.querySelector('iframe')
window.told = []
addEventListener('message', e => {
  if (e.source !== frame.contentWindow || e.data.type !== 'roem-height') return
  frame.style.height = e.data.height + 'px'
  window.told.push(e.data)
})
</script></body></html>`

// newHost starts another site, whose page has the code of the query, or a frame with the address of the query.
func newHost(tb testing.TB) *site {
	tb.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path != "/" {
			return
		}
		code := r.FormValue("code")
		if code == "" {
			code = `<iframe src="` + html.EscapeString(r.FormValue("src")) + `" title="Klaverjas" style="width: 100%; height: 500px"></iframe>`
		}
		_, _ = fmt.Fprintf(w, hostPage, code)
	}))
	tb.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return &site{url: server.URL}
}

// openFrame opens the page of a host with an address of a site in its frame.
func openFrame(tb testing.TB, host, s *site, address string) *tab {
	tb.Helper()
	p := open(tb, host, "/blank")
	p.others = []string{s.url}
	p.navigate("/?src=" + url.QueryEscape(s.url+address))
	return p
}

// inFrame evaluates what the function does in the frame of a site, as soon as the frame shows something.
func (t *tab) inFrame(s *site, f func()) {
	t.tb.Helper()
	waitFor(t.tb, "a script of the frame", func() bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.within = t.contexts[s.url]
		return t.within != ""
	})
	t.until("document.querySelector('#app > *')")
	f()
	t.within = ""
}

// smallTargets are the controls under 44 pixels.
const smallTargets = `[...document.querySelectorAll('button, a')].filter(e => (r => r.width > 0 && (r.height < 44 || r.width < 44))(` +
	`e.getBoundingClientRect())).map(e => e.outerHTML.slice(0, 100))`

// fits is whether nothing of the frame must be scrolled.
const fits = `document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth`

// The board in a page of another origin: it fits in light and dark, on a phone and in a column, tells its height, has no finding of axe,
// and is played with the keyboard alone.
func TestEmbeddedBoard(t *testing.T) {
	sweep(t)
	t.Parallel()
	axe, err := os.ReadFile("testdata/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	browser(t)
	host := newHost(t)
	s := newSite(t, func(o *options) { o.embedders = []string{"https://cards.example", host.url} })
	backgrounds := map[string]string{}
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{320, 900} {
			p := openFrame(t, host, s, "/embed?language=en&theme="+theme+example(wholeHand[:6]...).fragment(5))
			p.do(chromedp.EmulateViewport(width, 800))
			p.inFrame(s, func() {
				p.valued()
				p.until(fits)
				backgrounds[theme] = eval[string](p, "getComputedStyle(document.body).backgroundColor")
				eval[bool](p, string(axe)+"; true")
				for _, f := range eval[[]string](p, `axe.run({resultTypes: ['violations']})
					.then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html.slice(0, 200) + ' ' + n.failureSummary)))`) {
					t.Errorf("%s, %d pixels: %s", theme, width, f)
				}
				if small := eval[[]string](p, smallTargets); width == 320 && len(small) > 0 {
					t.Errorf("targets under 44 pixels: %q", small)
				}
			})
			told := eval[[]struct {
				Type   string
				Height float64
			}](p, "window.told")
			if height := eval[float64](p, "frame.clientHeight"); len(told) == 0 || told[len(told)-1].Height != height {
				t.Errorf("%s, %d pixels: the frame is %v high, told %v", theme, width, height, told)
			}
			if *pictures != "" {
				shot, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(*pictures, fmt.Sprintf("embed-%s-%d.png", theme, width)), shot, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if width == 320 {
				p.keysInFrame(s)
			}
		}
	}
	if backgrounds["light"] == backgrounds["dark"] {
		t.Errorf("light and dark: %v", backgrounds)
	}
}

// keysInFrame plays and takes back a card with the keyboard, from the page around the frame.
func (t *tab) keysInFrame(s *site) {
	t.tb.Helper()
	eval[bool](t, "(document.getElementById('before').focus(), true)")
	reached := false
	for range 12 {
		t.press(kb.Tab)
		t.inFrame(s, func() { reached = eval[bool](t, "!!document.activeElement.closest('#felt .card.legal')") })
		if reached {
			break
		}
	}
	if !reached {
		t.tb.Fatal("the Tab key does not reach a card that may be played")
	}
	t.press(kb.Enter)
	count := func(want string) {
		t.inFrame(s, func() { t.until(fmt.Sprintf("document.querySelector('.count').textContent === %q", want)) })
	}
	count("6 / 32")
	t.inFrame(s, func() {
		if !eval[bool](t, "!!document.activeElement.closest('#felt .card.legal')") {
			t.tb.Errorf("after a card %s has the focus", t.focused())
		}
	})
	t.press(kb.Backspace)
	count("5 / 32")
	t.press(kb.Home)
	count("0 / 32")
	t.press("b") // a key of one letter does nothing in a page of somebody else
	count("0 / 32")
}

// The flags of the address, and what is wrong with one. Without values nothing is asked of the API.
func TestEmbedAddress(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.record()
	p := open(t, s, "/embed?values=hidden&language=nl"+example(wholeHand[:6]...).fragment(5))
	nl := words(t, "nl", "klaverjas")
	if got := p.text(".deal-line"); !strings.Contains(got, nl("trumpIs", "suit", nl("SS"))) || !strings.Contains(got, nl("NS")) {
		t.Errorf("the line says %q", got)
	}
	if got := p.text(".count"); got != "5 / 32" {
		t.Errorf("the board begins at %s", got)
	}
	p.click("#redo")
	p.until("document.querySelector('.count').textContent === '6 / 32'")
	p.click("#felt .card.legal")
	p.until("document.querySelector('.count').textContent === '7 / 32'")
	if eval[bool](p, "!!document.querySelector('.value, #outcome, #best, input, select, form, header')") {
		t.Error("there are values, forms or a header")
	}
	want := example(wholeHand[:6]...).fragment(-1)
	if got := eval[string](p, "document.querySelector('.open-it').hash"); !strings.HasPrefix(got, want) {
		t.Errorf("the board opens at %s, want %s and one card", got, want)
	}
	for _, asked := range s.recorded() {
		t.Errorf("the page asks for %s %s", asked.method, asked.path)
	}
	if eval[int](p, "localStorage.length") != 0 {
		t.Error("the browser keeps something")
	}
	w, good := words(t, "en", "embed"), example().fragment(-1)
	kw := words(t, "en", "klaverjas")
	for address, want := range map[string]string{
		"/embed?language=en":                          w("nothing"),
		"/embed?language=en#v=2":                      kw("urlVersion"),
		"/embed?language=en" + southHolds:             w("oneSeat"),
		"/embed?language=en#v=1&m=play":               kw("urlUnknown", "field", "m"),
		"/embed?language=en&theme=blue" + good:        w("flag", "name", "theme", "choices", "light"+w("or")+"dark"),
		"/embed?language=en&card=3" + good:            kw("urlUnknown", "field", "card"),
		"/embed?values=0&language=en&theme=de" + good: w("flag", "name", "values", "choices", "shown"+w("or")+"hidden"),
	} {
		p.navigate("/docs/errors")
		p.navigate(address)
		p.until(fmt.Sprintf("document.getElementById('url-error')?.textContent.includes(%q)", want))
	}
	// The page around the frame changes the fragment.
	p.show(example("JH").fragment(-1))
	p.until("document.querySelector('.count')?.textContent === '1 / 32'")
}

// A page that is not listed may not show the board, and no page may show another page of the server.
func TestFramesRefused(t *testing.T) {
	sweep(t)
	t.Parallel()
	browser(t)
	host, stranger := newHost(t), newHost(t)
	s := newSite(t, func(o *options) { o.embedders = []string{host.url} })
	closed := newSite(t)
	refused := func(from, at *site, address string) {
		t.Helper()
		p := open(t, from, "/blank")
		p.others = []string{at.url, "chrome-error://chromewebdata"}
		p.allow("frame-ancestors")
		p.navigate("/?src=" + url.QueryEscape(at.url+address))
		waitFor(t, address+" to be refused", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return slices.ContainsFunc(p.messages, func(m string) bool { return strings.Contains(m, "frame-ancestors") })
		})
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.contexts[at.url] != "" {
			t.Errorf("a script of %s runs in the frame", address)
		}
	}
	refused(stranger, s, "/embed")
	refused(host, closed, "/embed")
	pages := []string{"/", "/docs", "/docs/errors", "/docs/licences", "/openapi.json", "/v1"}
	for _, p := range web.Pages {
		if !p.Frame {
			pages = append(pages, p.Path)
		}
	}
	for _, page := range pages {
		refused(host, s, page)
	}
}

// The code that the board offers shows the board in another page.
func TestEmbedCode(t *testing.T) {
	t.Parallel()
	browser(t)
	host := newHost(t)
	s := newSite(t, func(o *options) { o.embedders = []string{host.url} })
	p := open(t, s, "/board"+example(wholeHand[:6]...).fragment(4))
	p.valued()
	p.click("#lang-nl")
	p.until("document.documentElement.lang === 'nl'")
	p.click("#share")
	p.until("document.querySelector('#share-embed')")
	code := eval[string](p, "document.querySelector('#share-embed').value")
	eval[bool](p, "(navigator.clipboard.writeText = text => (window.copied = text, Promise.resolve()), true)")
	p.click("#share-embed + .row button")
	p.until(fmt.Sprintf("document.querySelector('#status').textContent === %q", words(t, "nl", "klaverjas")("embedCopied")))
	if got := eval[string](p, "window.copied"); got != code {
		t.Errorf("copied is %s, shown %s", got, code)
	}
	other := open(t, host, "/blank")
	other.others = []string{s.url}
	other.navigate("/?code=" + url.QueryEscape(code))
	other.inFrame(s, func() {
		other.valued()
		if got := other.text(".count"); got != "4 / 32" || eval[string](other, "document.documentElement.lang") != "nl" {
			t.Errorf("the frame shows card %s", got)
		}
		eval[bool](other, "window.kept = true")
	})
	// The page around the frame changes the fragment: the board is not loaded again.
	eval[bool](other, fmt.Sprintf("(frame.src = frame.src.replace(/#.*/, %q), true)", example("JH").fragment(-1)))
	other.inFrame(s, func() { other.until("document.querySelector('.count')?.textContent === '1 / 32' && window.kept") })
}
