package board_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// begins are the links that begin a game, and what shows that a hand is on the table.
var begins = map[string]string{
	"board":     "document.querySelectorAll('#felt .own .card').length === 8",
	"belote":    "document.querySelectorAll('#felt .card').length >= 4",
	"gin-rummy": "document.querySelectorAll('#felt [data-card]').length >= 10",
	"tarok":     "document.querySelectorAll('#felt [data-card]').length >= 16",
}

// One click on the start page begins a hand of each game, with what is usual. The page names the game, and has none of the words of
// developers.
func TestOneClickToPlay(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for page, there := range begins {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			s.needs(t, "/"+page)
			p := open(t, s, map[bool]string{false: "/?language=nl", true: "/nl.html?language=nl"}[s.alone != nil])
			path := s.at("/" + page)
			link := fmt.Sprintf("a[href$='%s#v=1&m=begin']", filepath.Base(path))
			if got := p.text("h1"); got != "Klaverjassen" {
				t.Errorf("the page begins with %q", got)
			}
			p.click(link)
			p.until(fmt.Sprintf("location.pathname === %q && location.hash === '#v=1&m=play' && document.querySelector('#felt')", path))
			p.until(there + " && !document.querySelector('dialog[open], .lobby')")
			acts := eval[string](p, "JSON.stringify(Object.entries(localStorage))")
			// The link goes on with the game that there is.
			p.navigate("/")
			p.click(link)
			p.until(fmt.Sprintf("location.pathname === %q && document.querySelector('#felt')", path))
			p.until(there)
			if again := eval[string](p, "JSON.stringify(Object.entries(localStorage))"); again != acts {
				t.Errorf("a second click kept %s, the first one %s", again, acts)
			}
		})
	}
}

// A game that the server has forgotten is followed by a new one.
func TestOneClickAfterAGameThatIsGone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/gin-rummy")
	p.allow("404")
	eval[bool](p, "(localStorage.setItem('roem.gin', 'AAAAAAAAAAAAAAAAAAAAAA'), true)")
	p.navigate("/")
	p.click("a[href$='gin-rummy#v=1&m=begin']")
	p.until("location.pathname === '/gin-rummy' && document.querySelector('#felt')")
	p.until(begins["gin-rummy"] + " && !document.querySelector('#gone')")
}

// What developers need is behind one link, on every page for players.
func TestDevelopersHaveAPage(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/")
	text := eval[string](p, "document.body.innerText")
	for _, word := range []string{"curl", "API", "Jobs", "Contract", "JSON"} {
		if strings.Contains(text, word) {
			t.Errorf("the start page says %s", word)
		}
	}
	p.navigate("/gin-rummy")
	if text := p.text(".top nav"); strings.Contains(text, "API") || strings.Contains(text, "Jobs") {
		t.Errorf("the navigation is %s", text)
	}
	p.click("a[href$='docs/developers']")
	p.until("location.pathname === '/docs/developers' && document.readyState === 'complete'")
	if text := p.text("pre"); !strings.Contains(text, "curl -s "+p.site.url+"/v1/klaverjas/solve") {
		t.Errorf("the page has %s", text)
	}
	for _, path := range []string{"/docs", "/openapi.yaml", "/jobs", "/docs/errors", "/docs/licences", "/version"} {
		p.until(fmt.Sprintf("[...document.links].some(a => new URL(a.href).pathname === %q)", path))
	}
}

// A hand that was played has a link, which the share sheet of the device gets, or is copied. It opens the hand with all cards open.
func TestLinkToTheHandPlayed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/board")
	s.speaks("a link with a record")
	p.script(sharesLinks)
	p.still()
	eval[bool](p, "(localStorage.setItem('roem.pace', 'off'), true)")
	p.navigate("/docs/errors")
	p.navigate("/board#v=1&m=begin")
	p.until("document.querySelector('.auction [data-call], #felt .card.legal')")
	p.playHand()
	p.click("#share")
	p.click("#record-link")
	p.until("window.sent")
	link := eval[string](p, "window.sent.url")
	if !strings.HasPrefix(link, s.url+"/board?record=") {
		t.Fatalf("the link is %s", link)
	}
	other := open(t, s, strings.TrimPrefix(link, s.url))
	other.until("document.querySelector('.count')?.textContent.endsWith('/ 32')")
}
