package board_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"roem/internal/web"
)

// mostShift is the most that a page may move while it loads, as browsers count it (the sum of the shifts without input).
const mostShift = 0.05

// watchShifts sums the shifts of a page, and keeps what moved.
const watchShifts = `window.shifts = []; new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput)
	shifts.push({ value: e.value, moved: e.sources.map(s => { const n = s.node?.nodeType === 1 ? s.node : s.node?.parentElement
	return (n ? n.tagName + '#' + n.id + '.' + n.className : '(gone)') + ' ' + [s.previousRect, s.currentRect].map(r =>
	[r.x, r.y, r.width, r.height].map(Math.round)).join(' > ') }) }) }).observe({ type: 'layout-shift', buffered: true })`

// loading counts the requests of a page that have no answer yet.
type loading struct {
	mu   sync.Mutex
	open map[network.RequestID]bool
}

func (l *loading) hear(event any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		// What a worker loads ends for the page only when it begins.
		if !strings.HasSuffix(e.Request.URL, "/events") && !strings.Contains(e.Request.URL, web.WorkerFolder) {
			l.open[e.RequestID] = true
		}
	case *network.EventLoadingFinished:
		delete(l.open, e.RequestID)
	case *network.EventLoadingFailed:
		delete(l.open, e.RequestID)
	}
}

func (l *loading) left() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open)
}

// shifted loads a path as the first page of a new browser, over a slow network, and returns how much it moved, and what.
func shifted(t *testing.T, s *site, path, language string, width, height int64) (sum float64, moved []string) {
	t.Helper()
	l := &loading{open: map[network.RequestID]bool{}}
	p := openIn(browser(t), t, s, "/healthz", chromedp.WithNewBrowserContext(), chromedp.WithListener(l.hear))
	eval[bool](p, fmt.Sprintf("(localStorage.setItem('roem.language', %q), true)", language))
	p.do(chromedp.EmulateViewport(width, height))
	if _, err := chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Latency: 400, DownloadThroughput: 50 << 10, UploadThroughput: 50 << 10}},
	}); err != nil {
		t.Fatal(err)
	}
	p.script(watchShifts)
	p.navigate(path)
	sum, moved = p.shifts(l)
	if strings.HasSuffix(path, "=begin") { // the browser has a game now, which the server is asked for
		p.reload()
		more, what := p.shifts(l)
		sum, moved = max(sum, more), append(moved, what...)
	}
	return sum, moved
}

// shifts waits until the page has loaded all that it loads, and returns how much it moved, and what.
func (t *tab) shifts(l *loading) (sum float64, moved []string) {
	t.tb.Helper()
	t.until("document.readyState === 'complete'")
	const frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true)))))"
	for quiet := 0; quiet < 3; quiet++ { // an answer is drawn, and may ask for another
		eval[bool](t, frames)
		if l.left() > 0 || eval[bool](t, "!!document.querySelector('.value.late')") {
			quiet = -1
		}
	}
	type shift struct {
		Value float64
		Moved []string
	}
	for _, one := range eval[[]shift](t, "shifts") {
		sum += one.Value
		moved = append(moved, fmt.Sprintf("%.3f %s", one.Value, strings.Join(one.Moved, "\n      ")))
	}
	return sum, moved
}

// shiftPaths are what people open: every page, and the pages of the games with a hand to play, and with one to look at.
func shiftPaths() []string {
	paths := []string{
		"/", "/docs/developers", "/docs/errors", "/board" + southSees, "/board" + example(wholeHand[:10]...).fragment(8),
		"/belote" + beloteTen, "/tarok" + tarokSetup, "/gin-rummy#v=1&s=b&u=9D&h=2C3C4C8CQCKHAS7SKSJD5C&e=bt9DbdQSas5C",
		"/puzzles#v=1&p=" + openPuzzle, "/puzzles#v=1&p=" + hiddenPuzzle,
	}
	for _, page := range web.Pages {
		paths = append(paths, page.Path)
	}
	for page := range begins {
		paths = append(paths, "/"+page+"#v=1&m=begin")
	}
	return paths
}

// The first page of a visitor does not move while it loads over a slow network.
func TestPageStaysWhereItIs(t *testing.T) {
	t.Parallel()
	if sum, moved := shifted(t, newSite(t), "/board", "nl", 390, 844); sum > mostShift {
		t.Errorf("moves by %.3f\n%s", sum, strings.Join(moved, "\n"))
	}
}

// No page moves while it loads over a slow network, on any screen. Dutch has the longer texts.
func TestPagesStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	sweep(t)
	s := newSite(t)
	for _, path := range shiftPaths() {
		for _, size := range [][2]int64{{360, 640}, {390, 844}, {844, 390}, {1280, 800}} {
			t.Run(fmt.Sprintf("%s/%d", path, size[0]), func(t *testing.T) {
				t.Parallel()
				sum, moved := shifted(t, s, path, "nl", size[0], size[1])
				t.Logf("moves by %.3f", sum)
				if sum > mostShift {
					t.Errorf("moves by %.3f\n%s", sum, strings.Join(moved, "\n"))
				}
			})
		}
	}
}
