package board_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// The result of a hand and the way on can be seen on a screen of 1280 by 800 pixels without scrolling.
func TestResultsAreSeen(t *testing.T) {
	sweep(t)
	t.Parallel()
	s := commonSite(t)
	for _, page := range []struct {
		path, result string
		play         func(p *tab)
	}{
		{"/belote#v=1&m=play", "#result, #written, #again, #review", func(p *tab) {
			p.sitDown(map[string]string{"play-suits": "4", "play-level": "2", "play-trump": "drawn"})
			for !eval[bool](p, "!!document.querySelector('#written')") {
				eval[bool](p, "(document.querySelector('#felt .card.legal')?.click(), true)")
			}
		}},
		{"/board#v=1&m=play", "#result, #again", func(p *tab) {
			p.joinGame(1, "none")
			p.playHand()
		}},
		{"/tarok#v=1&m=play", "#result, #again, #next-hand", func(p *tab) {
			p.click("#play")
			p.click("#play-begin")
			p.until("document.querySelector('#felt [data-call]')")
			p.playTarok()
		}},
	} {
		p := open(t, s, page.path)
		p.still()
		p.do(chromedp.EmulateViewport(1280, 800))
		page.play(p)
		eval[bool](p, "(scrollTo(0, 0), true)")
		for id, bottom := range eval[map[string]float64](p, "Object.fromEntries([...document.querySelectorAll('"+page.result+
			"')].map(e => [e.id, e.getBoundingClientRect().bottom]))") {
			if bottom > 800 || bottom <= 0 {
				t.Errorf("%s: #%s ends at %.0f pixels of 800", page.path, id, bottom)
			}
		}
	}
}
