package board_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// middle is where the middle of a control is in the window.
func (t *tab) middle(selector string) (x, y float64) {
	t.tb.Helper()
	t.until(fmt.Sprintf("document.querySelector(%q)", selector))
	at := eval[[]float64](t, fmt.Sprintf("(e => { e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.x + "+
		"r.width / 2, r.y + r.height / 2] })(document.querySelector(%q))", selector))
	return at[0], at[1]
}

// delay makes the answers of a path wait until the function that it returns is called.
func (s *site) delay(path string) (release func()) {
	wait := make(chan struct{})
	s.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == path && r.Method == http.MethodPost {
			select {
			case <-wait:
			case <-r.Context().Done():
			}
		}
		return false
	})
	return func() { close(wait) }
}

// askFirst finds the button that asks for advice. It comes before the one that follows it.
const askFirst = "#ask, #best"

// askingPages are the pages with advice: where it is asked for, which answer is awaited, and what is there when it has come.
var askingPages = []struct {
	name, path, answer, there string
	begin                     func(p *tab)
}{
	{"board", "/board" + southSees, "/v1/klaverjas/advise", "#advice, .close-call", func(p *tab) { p.click("#tab-holders") }},
	{"board, calls", "/board#v=1&m=play", "/v1/klaverjas/bid", "#bid", func(p *tab) { p.joinGame(1, "free") }},
	{"belote", "/belote#v=1&m=play", "/v1/belote/advise", "#advice", func(p *tab) {
		p.sitDown(map[string]string{"play-suits": "1", "play-level": "2", "play-trump": "none"})
	}},
	{"gin rummy", "/gin-rummy", "/v1/gin-rummy/advise", "#advice", func(p *tab) {
		p.ginBegin("simple")
		p.ginDeciding()
	}},
	{"tarok", "/tarok#v=1&m=play", "/v1/tarok/bid", "#advice", func(p *tab) {
		p.click("#play")
		p.click("#play-begin")
		p.until("document.querySelector('#felt [data-call]')")
	}},
}

// Who asks for advice is told that it is searched for, and then what it is: with the button, and with the key.
func TestAdviceIsSaid(t *testing.T) {
	t.Parallel()
	for _, page := range askingPages {
		t.Run(page.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			release := func() {}
			atOnce := page.name == "board" // it asks when it is opened: no answer may come before the test asks
			if atOnce {
				release = s.delay(page.answer)
			}
			p := open(t, s, page.path)
			p.still()
			page.begin(p)
			for i, ask := range []func(){func() { p.click(askFirst) }, func() { p.press("a") }} {
				if !atOnce {
					release = s.delay(page.answer)
				}
				ask()
				p.until("document.getElementById('status').textContent === 'Searching…'")
				release()
				p.until(fmt.Sprintf("document.querySelector(%q)", page.there))
				p.until("document.getElementById('status').textContent.startsWith('Advised: ')")
				if !atOnce || i > 0 {
					break
				}
				release = s.delay(page.answer)
				p.navigate("/docs/errors")
				p.navigate("/board" + southHolds) // another question
				p.until("document.querySelector('#ask, #best')")
				p.click("#tab-holders")
			}
		})
	}
}

// In the open mode the values that were asked for too early are read when they come.
func TestValuesAreSaid(t *testing.T) {
	t.Parallel()
	for path, answer := range map[string]string{"/board" + example("KH").fragment(-1): "/v1/klaverjas/solve", "/belote" +
		beloteTen: "/v1/belote/solve", "/tarok" + tarokGame + "&i=31": "/v1/tarok/solve"} {
		t.Run(strings.SplitN(path, "#", 2)[0][1:], func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			release := s.delay(answer)
			p := open(t, s, path)
			p.until("document.querySelector('#felt .card.legal')")
			p.press("v")
			p.until("document.getElementById('status').textContent === 'Searching…'")
			release()
			p.until("document.getElementById('status').textContent.includes(', best')")
		})
	}
}

// A double click on the button that asks for advice plays nothing, however late its second click comes. Two presses of its key play
// nothing either.
func TestDoubleClickOnAdvice(t *testing.T) {
	t.Parallel()
	for _, page := range askingPages {
		t.Run(page.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			p := open(t, s, page.path)
			p.still()
			page.begin(p)
			acts := func() int { // of the player, at the server or in the page
				n := 0
				for _, e := range s.recorded() {
					if e.method == http.MethodPost && strings.Contains(e.path, "/sessions/") {
						n++
					}
				}
				return n + eval[int](p, "Number(document.querySelector('.count')?.textContent.split(' ')[0] ?? 0)")
			}
			s.record()
			before := acts()
			x, y := p.middle(askFirst)
			p.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
			p.until(fmt.Sprintf("document.querySelector(%q)", page.there))
			p.do(chromedp.MouseClickXY(x, y)) // once more, where the button was, now that the advice is there
			p.press("a", "a")
			time.Sleep(200 * time.Millisecond) // for an act that must not come
			if after := acts(); after != before {
				t.Errorf("%d cards or acts before the clicks, %d after them", before, after)
			}
		})
	}
}

// Stop asks first. The game goes on if the question is declined with a button or with Escape, and ends if it is confirmed.
func TestStop(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, page := range []struct {
		path, sessions, id string
		begin              func(p *tab)
	}{
		{"/board#v=1&m=play", sessionsPath, "localStorage.getItem('roem.game')", func(p *tab) { p.joinGame(16, "none") }},
		{"/tarok#v=1&m=play", "/v1/tarok/sessions", "localStorage.getItem('roem.tarok-game')", func(p *tab) {
			p.click("#play")
			p.click("#play-begin")
			p.until("document.querySelector('#felt [data-call]')")
		}},
		{"/belote#v=1&m=play", "/v1/belote/sessions", "localStorage.getItem('roem.belote-game')", func(p *tab) {
			p.sitDown(map[string]string{"play-suits": "1", "play-level": "2"})
			p.until("document.querySelector('#felt .calls')")
		}},
	} {
		t.Run(page.sessions, func(t *testing.T) {
			p := open(t, s, page.path)
			p.still()
			page.begin(p)
			id := eval[string](p, page.id)
			status := func() int {
				return eval[int](p, fmt.Sprintf("ask(%q).then(r => r.status)", page.sessions+"/"+id))
			}
			for _, decline := range []func(){func() { p.click("#stop-not") }, func() { p.press(kb.Escape) }} {
				p.tabTo("stop")
				p.press(kb.Enter)
				p.until("document.querySelector('#stop-dialog')")
				decline()
				p.until("!document.querySelector('dialog')")
				if got := status(); got != http.StatusOK || eval[string](p, page.id) != id || p.focused() != "stop" {
					t.Errorf("%s: after it was declined the game has the status %d, the page keeps %q, and the focus is on %s", page.path, got,
						eval[string](p, page.id), p.focused())
				}
			}
			p.tabTo("stop")
			p.press(kb.Enter)
			p.until("document.querySelector('#stop-dialog')")
			p.tabTo("stop-do")
			p.allow("404")
			p.press(kb.Enter)
			p.until("document.querySelector('#lobby-play') && !document.querySelector('dialog')")
			p.settles(fmt.Sprintf("ask(%q).then(r => r.status === 404)", page.sessions+"/"+id))
			if got := p.focused(); got != "lobby-play" {
				t.Errorf("%s: after the end the focus is on %s", page.path, got)
			}
		})
	}
}
