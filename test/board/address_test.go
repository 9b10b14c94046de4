package board_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"roem/internal/web"
)

// Going back 32 cards and forward again gives the same page.
func TestBackAndForward(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example(wholeHand...).fragment(-1))
	p.until("document.getElementById('outcome')")
	end := eval[string](p, state)
	eval[bool](p, "(document.getElementById('undo').focus(), true)")
	for range 32 {
		p.press(kb.Backspace)
	}
	p.until("document.querySelector('.count').textContent === '0 / 32'")
	p.valued()
	start := eval[string](p, state)
	p.press(kb.End)
	p.until("document.querySelector('.count').textContent === '32 / 32'")
	if diff := cmp.Diff(end, eval[string](p, state)); diff != "" {
		t.Errorf("at the end (-before +after)\n%s", diff)
	}
	p.press(kb.Home)
	p.valued()
	if diff := cmp.Diff(start, eval[string](p, state)); diff != "" {
		t.Errorf("at the start (-before +after)\n%s", diff)
	}
	for range 32 {
		p.click("#redo")
	}
	p.until("document.querySelector('.count').textContent === '32 / 32'")
	if diff := cmp.Diff(end, eval[string](p, state)); diff != "" {
		t.Errorf("at the end, card by card (-before +after)\n%s", diff)
	}
}

// A reload keeps a variation, what it cut off, and what comes after the cursor.
func TestReload(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example(wholeHand[:6]...).fragment(-1))
	p.valued()
	for range 3 {
		p.click("#undo")
		p.valued()
	}
	p.click(`#felt .card.legal:not([data-card="8H"])`) // a different fourth card
	p.until("document.querySelector('.count').textContent === '4 / 32'")
	p.valued()
	p.click("#best")
	p.until("document.querySelector('.count').textContent === '5 / 32'")
	p.click("#undo")
	p.valued()
	address, before := hash(p), eval[string](p, state)
	p.reload()
	p.valued()
	if hash(p) != address {
		t.Errorf("the address was %s, and is %s", address, hash(p))
	}
	if diff := cmp.Diff(before, eval[string](p, state)); diff != "" {
		t.Errorf("(-before +after the reload)\n%s", diff)
	}
	// Back over the card of the variation: the cards that it cut off are there again, and the address keeps the variation.
	p.click("#undo")
	want := example(wholeHand[:6]...).fragment(3) + "&y=3."
	p.until(fmt.Sprintf("location.hash.startsWith(%q)", want))
}

// The address beats what is stored, and what is stored beats a new deal.
func TestAddressBeatsStorage(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example(wholeHand[:5]...).fragment(-1))
	p.valued()
	stored := hash(p)
	p.navigate("/docs/errors")
	p.navigate("/board")
	p.valued()
	if hash(p) != stored {
		t.Errorf("without an address the board is %s, expected the stored %s", hash(p), stored)
	}
	p.navigate("/docs/errors")
	other := example(wholeHand[:2]...).fragment(1)
	p.navigate("/board" + other)
	p.valued()
	if hash(p) != other {
		t.Errorf("the board is %s, expected the address %s", hash(p), other)
	}
}

// A link opens what it names: from the start page a deal with all cards open, though a game was open last. The way back to the start page
// is on every page.
func TestLinkOfStartPage(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board#v=1&m=play")
	p.until("document.querySelector('#lobby-play')")
	p.click(".brand")
	p.until("document.querySelector('.hero')")
	p.click(fmt.Sprintf(".choices a[href$='%s#v=1&m=open']", path.Base(s.at("/board"))))
	p.valued()
	if got := eval[string](p, "location.hash"); !strings.HasPrefix(got, "#v=1&t=") {
		t.Errorf("the address is %s", got)
	}
	for _, page := range web.Navigation() {
		if !s.has(page.Path) {
			continue
		}
		p.navigate(page.Path)
		p.until("document.querySelector('.brand')")
		if got := eval[string](p, "document.querySelector('.brand').pathname"); got != s.at("/") {
			t.Errorf("%s: the way back leads to %s", page.Path, got)
		}
	}
}

// An address that cannot be read says so and is kept.
func TestBadAddress(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	w, good := words(t, "en", "klaverjas"), example().fragment(-1)
	says := func(p *tab, address, want string) {
		p.until(fmt.Sprintf("document.getElementById('url-error')?.textContent.includes(%q)", want))
		if hash(p) != address {
			t.Errorf("the address %s has become %s", address, hash(p))
		}
	}
	p := open(t, s, "/board#v=2")
	says(p, "#v=2", w("urlVersion"))
	// The same when the address changes later.
	for address, want := range map[string]string{
		"#nonsense":                             w("urlField", "field", "nonsense"),
		"#v=%zz":                                w("urlField", "field", "v=%zz"),
		strings.Replace(good, "t=S", "t=X", 1):  w("urlTrump"),
		strings.Replace(good, "l=S", "l=", 1):   w("urlLeader"),
		strings.Replace(good, "d=NS", "d=N", 1): w("urlDeclarer"),
		good[:len(good)-1]:                      w("urlHolders"),
		good + "&p=KHX":                         w("urlPlayed"),
		good + "&p=KHXX":                        w("urlNoCard", "n", "2", "text", "XX"),
		good + "&p=KH8D":                        w("urlIllegal", "n", "2", "card", "8D"),
		good + "&p=KH&i=2":                      w("urlCursor"),
		good + "&r=pit:5/0":                     w("urlRules"),
		good + "&z=1":                           w("urlUnknown", "field", "z"),
	} {
		p.show(address)
		says(p, address, want)
	}
	p.show(good)
	p.until("!document.getElementById('url-error')")
	p.valued()
}
