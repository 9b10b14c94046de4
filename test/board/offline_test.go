package board_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// published is a server of files that can be changed, and cut off.
type published struct {
	mu    sync.Mutex
	files map[string][]byte
	cut   bool
	asked []string
}

func (p *published) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	folder, cut := fstest.MapFS{}, p.cut
	for name, body := range p.files {
		folder[strings.TrimPrefix(below, "/")+"/"+name] = &fstest.MapFile{Data: body}
	}
	p.asked = append(p.asked, r.URL.Path)
	p.mu.Unlock()
	if cut {
		panic(http.ErrAbortHandler) // closes the connection
	}
	http.FileServerFS(folder).ServeHTTP(w, r)
}

// set changes the files, or cuts the server off.
func (p *published) set(files map[string][]byte, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files, p.cut = files, cut
}

// publish serves the files of the site, and returns the server and what browsers see of it.
func publish(tb testing.TB) (*published, *site) {
	tb.Helper()
	browser(tb)
	if *withoutServer {
		tb.Skip("runs beside the other tests")
	}
	p := &published{files: siteFiles(tb)}
	return p, &site{url: serve(tb, p).URL + below, alone: &alone{tb: tb}}
}

// notKept is how many files of the site the browser does not keep: the service worker, the one that ends it, and the packed programs.
const notKept = 4

// kept waits until the browser keeps everything, and the pages come from there.
func (t *tab) kept() {
	t.tb.Helper()
	t.until("navigator.serviceWorker.controller")
	// As each page does that is shown: while the page before it is not quite gone, the files of the last version stay.
	t.becomes(fmt.Sprintf(`caches.keys().then(async names => {
		navigator.serviceWorker.controller.postMessage('later')
		const kept = await Promise.all(names.map(async n => (await (await caches.open(n)).keys()).length))
		return names.length === 1 && kept[0] === %d
	})`, len(siteFiles(t.tb))-notKept))
}

// renewed looks for a new version of the site until a condition is true. A version of which one file could not be fetched is not kept,
// and is tried again when a page looks again.
func (t *tab) renewed(condition string) {
	t.tb.Helper()
	t.becomes("(" + condition + ") || navigator.serviceWorker.getRegistration().then(r => r?.update()).then(() => false, () => false)")
}

// becomes waits until a promise is one of true.
func (t *tab) becomes(promise string) {
	t.tb.Helper()
	waitFor(t.tb, promise, func() bool {
		is, err := tryEval[bool](t, promise)
		return err == nil && is
	})
}

// offline cuts the network of the tab, as the browser does, and the server of the files.
func (t *tab) offline(p *published) {
	t.tb.Helper()
	p.set(p.files, true)
	yes := true
	if _, err := chromedp.Call(t.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		EmulateOfflineServiceWorker: &yes,
		MatchedNetworkConditions:    []*network.Conditions{{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}},
	}); err != nil {
		t.tb.Fatal(err)
	}
}

// After one visit every page of the site works without a network: values, a review, all trumps, what is known, advice, bidding, a puzzle,
// watching, and a hand of 32 cards against the computer, in which the page is read again.
func TestOfflineAfterOneVisit(t *testing.T) {
	t.Parallel()
	files, s := publish(t)
	p := open(t, s, "/board.html"+example(wholeHand...).fragment(6))
	p.valued()
	p.kept()
	p.offline(files)

	p.navigate("/board.html" + example(wholeHand[:9]...).fragment(7))
	p.valued()
	p.click("#tab-review")
	p.until("document.querySelector('.review')")
	p.click("#tab-trumps")
	p.until("document.querySelector('.trumps td')")
	p.navigate("/board.html" + southSees)
	p.until("document.querySelector('#advice')")
	p.click("#tab-holders")
	p.until("document.querySelector('.holders td')")
	p.navigate("/belote.html")
	p.navigate("/board.html" + southHolds)
	p.click("#tab-advice")
	p.until("document.querySelector('#strength') && document.querySelector('#bid')")
	for _, page := range []string{"/puzzles.html", "/watch.html", "/rules.html", "/", "/nl.html", "/belote.html"} {
		p.navigate(page)
		if shown := page == "/puzzles.html" || page == "/watch.html"; shown {
			p.until("document.querySelector('#felt .card')")
		}
	}
	p.still()
	p.navigate("/board.html#v=1&m=play")
	p.click("#lobby-play")
	p.click("#play-begin")
	p.until("document.querySelector('.auction, #felt .card.legal')")
	p.reload()
	p.until("document.querySelector('.auction, #felt .card.legal')")
	// The cards of the others are in the worker alone: the page keeps none.
	const named = `JSON.stringify(Object.entries(localStorage)).match(/"\\?(10|[789JQKA])[CDHS]\\?"/g) ?? []`
	if cards := eval[[]string](p, named); len(cards) > 0 {
		t.Errorf("the page keeps the cards %v", cards)
	}
	p.playHand()
	if got := eval[string](p, "document.querySelector('#offline')?.textContent ?? ''"); got != "" {
		t.Errorf("the page says %q", got)
	}
}

// A new version of the site is fetched beside the old one. The page says so, and loads it when it is asked to; without that, the next page
// that is opened is one of the new version. The files of the old one are forgotten. A site whose service worker ends itself is a plain site
// again.
//
//nolint:paralleltest // a new version begins when its predecessor has nothing to do: beside the other tests that takes minutes
func TestNewVersionOfTheSite(t *testing.T) {
	files, s := publish(t)
	version := func(n int) map[string][]byte {
		out := maps.Clone(siteFiles(t))
		mark := fmt.Sprintf(`data-version="%d"`, n)
		out["rules.html"] = []byte(strings.Replace(string(out["rules.html"]), "<html ", "<html "+mark+" ", 1))
		out["sw.js"] = []byte(strings.Replace(string(out["sw.js"]), "const version = '", fmt.Sprintf("const version = '%d", n), 1))
		return out
	}
	const shown = "document.documentElement?.dataset.version"
	files.set(version(1), false)
	p := open(t, s, "/rules.html")
	p.kept()
	p.reload()
	p.until(shown + " === '1'")

	files.set(version(2), false)
	p.renewed("!!document.querySelector('#new-version')")
	p.click("#new-version button")
	p.until(shown + " === '2'")
	p.kept()

	files.set(version(3), false)
	p.renewed("!!document.querySelector('#new-version')")
	p.becomes("navigator.serviceWorker.ready.then(r => !!r.waiting)")
	p.navigate("/rules.html#belote")
	p.until(shown + " === '2' || " + shown + " === '3'") // only the fragment was another one
	p.reload()
	p.until(shown + " === '3' && location.hash === '#belote'")
	p.kept()

	off := maps.Clone(version(4))
	off["sw.js"] = off["sw-off.js"]
	files.set(off, false)
	p.renewed(shown + " === '4' && !navigator.serviceWorker.controller")
	p.becomes("caches.keys().then(names => names.length === 0)")
}

// ofNext returns the files of a next version of the site, whose page of rules has a script of another name.
func ofNext(files map[string][]byte, script, other string) map[string][]byte {
	out := map[string][]byte{}
	for name, body := range files {
		if name == "sw.js" {
			body = bytes.Replace(body, []byte("const version = '"), []byte("const version = 'next"), 1)
		}
		if name == "sw.js" || name == "rules.html" {
			body = bytes.ReplaceAll(body, []byte(script), []byte(other))
		}
		out[strings.Replace(name, script, other, 1)] = body
	}
	return out
}

// A site that is just being changed has files of two versions: they are not kept, and the version that the browser has goes on. A page that
// the browser has lost comes from the server, with the files that the server has. A page of the old version that stays open beside one of
// the new has the files that it loads later, though the server has them no more.
func TestFilesOfTwoVersions(t *testing.T) {
	t.Parallel()
	files, s := publish(t)
	script, other := path.Base(asset(t, "rules.js")), "rules-0000000000.js"
	next := ofNext(siteFiles(t), script, other)
	p := open(t, s, "/rules.html")
	p.kept()
	p.reload()

	half := maps.Clone(next)
	half["docs/assets/"+other] = half["index.html"] // as servers do that answer with the start page
	files.set(half, false)
	update := func() {
		t.Helper()
		eval[bool](p, "navigator.serviceWorker.ready.then(r => r.update()).then(() => true, () => true)")
	}
	update()
	waitFor(t, "the next version to be fetched", func() bool {
		files.mu.Lock()
		defer files.mu.Unlock()
		return slices.Contains(files.asked, below+"/docs/assets/"+other)
	})
	p.becomes("navigator.serviceWorker.ready.then(async r => !r.installing && !r.waiting && (await caches.keys()).length === 1)")
	p.reload()
	p.until("document.querySelector('#rules-hand') && !document.querySelector('#new-version')")

	lost := "caches.keys().then(async ([name]) => (await caches.open(name)).%s(location.href)).then(is => !!is)"
	eval[bool](p, fmt.Sprintf(lost, "delete"))
	moved := maps.Clone(next)
	moved["sw.js"] = siteFiles(t)["sw.js"]
	files.set(moved, false)
	p.reload()
	p.until(fmt.Sprintf("document.querySelector('script[src*=%q]') && document.querySelector('#rules-hand')", other))
	if eval[bool](p, fmt.Sprintf(lost, "match")) {
		t.Error("a page of the next version is kept with the files of this one")
	}

	files.set(siteFiles(t), false)
	p.reload()
	p.until("document.querySelector('#rules-hand')")
	files.set(next, false)
	q := p.another("/board.html" + example("KH").fragment(-1))
	q.valued()
	q.renewed("!!document.querySelector('#new-version')")
	eval[bool](q, "(window.before = true)")
	q.click("#new-version button")
	q.until("!window.before && navigator.serviceWorker.controller")
	q.valued()
	q.navigate("/rules.html")
	q.until(fmt.Sprintf("document.querySelector('script[src*=%q]') && document.querySelector('#rules-hand')", other))
	got := eval[string](p, fmt.Sprintf("fetch('docs/assets/%s').then(r => r.text())", script))
	if got != string(siteFiles(t)["docs/assets/"+script]) {
		t.Errorf("the page of the old version loads %.100q", got)
	}
}

// A browser that has no room for the site shows it as any other.
func TestNoRoomForTheSite(t *testing.T) {
	t.Parallel()
	files, s := publish(t)
	p := open(t, s, "/licences.txt")
	room := 100_000.0
	if _, err := chromedp.Call(p.ctx, storage.OverrideQuotaForOrigin, storage.OverrideQuotaForOriginParams{
		Origin: strings.TrimSuffix(s.url, below), QuotaSize: &room,
	}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		p.navigate("/board.html" + example("KH").fragment(-1))
		p.valued()
		waitFor(t, "the program to be fetched to be kept", func() bool {
			files.mu.Lock()
			defer files.mu.Unlock()
			return slices.Contains(files.asked, below+"/sw.js")
		})
		p.becomes("navigator.serviceWorker.getRegistration().then(async r => !r?.active && (await caches.keys()).length === 0)")
	}
	p.click("#felt .card.legal")
	p.valued()
}

// When the server does not answer, the worker does, and the page says so. It says so no more when the server answers again.
func TestWorkerInPlaceOfTheServer(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *options) { o.worker = true })
	var gone atomic.Bool
	s.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
		if gone.Load() && strings.HasPrefix(r.URL.Path, "/v1/") {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	p := open(t, s, "/board"+example().fragment(-1))
	p.allow("ERR_EMPTY_RESPONSE")
	p.valued()
	says := words(t, "en", "klaverjas")("local")
	if got := p.text("#local"); got != "" {
		t.Fatalf("the page says %q", got)
	}
	gone.Store(true)
	p.click(`#felt [data-card="KH"]`)
	p.until(fmt.Sprintf("document.querySelector('#local').textContent === %q", says))
	p.valued()
	eval[bool](p, "(Date.now = (now => () => now() + 60_000)(Date.now), true)") // a minute later
	gone.Store(false)
	p.click("#felt .card.legal")
	p.valued()
	p.until("document.querySelector('#local').textContent === ''")
	if got := eval[bool](p, "!!document.querySelector('#offline')"); got {
		t.Error("the page says that the server cannot be reached")
	}
}

// A game that begins when the server does not answer is played in the browser, also when the server answers again. One that the server has
// goes on there only.
func TestGameInPlaceOfTheServer(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *options) { o.worker = true })
	var gone atomic.Bool
	s.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
		if gone.Load() && strings.HasPrefix(r.URL.Path, "/v1/") {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	p := open(t, s, "/board")
	p.allow("ERR_EMPTY_RESPONSE")
	p.still()
	p.joinGame(1, "none")
	gone.Store(true)
	p.click("#felt .card.legal")
	p.until("document.querySelector('#offline')")
	gone.Store(false)
	p.click("#offline button")
	p.until("!document.querySelector('#offline')")

	gone.Store(true)
	p.navigate("/docs/errors")
	eval[bool](p, "(localStorage.removeItem('roem.game'), true)")
	p.navigate("/board#v=1&m=play")
	p.click("#lobby-play")
	p.click("#play-begin")
	p.until("document.querySelector('.auction, #felt .card.legal')")
	id := eval[string](p, "localStorage.getItem('roem.game')")
	gone.Store(false)
	p.reload()
	p.until("document.querySelector('.auction, #felt .card.legal')")
	p.playHand()
	if is := eval[string](p, "localStorage.getItem('roem.game')"); is != id || is == "" {
		t.Errorf("the game is %q, it began as %q", is, id)
	}
}
