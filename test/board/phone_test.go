package board_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"roem/internal/api"
)

// On a phone that lies on its side the player sees hand and trick together, without scrolling.
func TestPhoneOnItsSide(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+southSees)
	p.do(chromedp.EmulateViewport(844, 390))
	p.navigate("/docs/errors")
	p.navigate("/board" + southSees)
	p.until("document.querySelectorAll('#felt .own .card').length === 6 && document.querySelector('.trick')")
	for _, part := range []string{".own .card", ".trick"} {
		rect := eval[[]float64](p, fmt.Sprintf("(r => [r.top, r.bottom])(document.querySelector('#felt %s')"+
			".getBoundingClientRect())", part))
		if rect[0] < 0 || rect[1] > 390 {
			t.Errorf("%s is from %.0f to %.0f in a window of 390", part, rect[0], rect[1])
		}
	}
}

// The tables of the other games fit too.
func TestTablesOnAPhoneOnItsSide(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/docs/errors")
	p.do(chromedp.EmulateViewport(844, 390))
	for _, page := range []string{"gin-rummy", "tarok"} {
		p.navigate("/" + page + "#v=1&m=begin")
		p.until(begins[page])
		if high := eval[float64](p, "document.getElementById('felt').getBoundingClientRect().bottom"); high > 390 {
			t.Errorf("the table of %s ends at %.0f in a window of 390", page, high)
		}
	}
	p.navigate("/belote" + beloteTen)
	p.until("document.querySelector('#felt .trick')")
	high := eval[float64](p, "(at => at('.hand-S').bottom - at('.trick').top)"+
		"(s => document.querySelector('#felt ' + s).getBoundingClientRect())")
	if high > 390 {
		t.Errorf("from the trick of Belote to the end of the hand it is %.0f in a window of 390", high)
	}
}

// The hand stays where it is when the first card is played after the bidding.
func TestHandStaysWhenTricksStart(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/board")
	p.still()
	begun := request[api.KlaverjasSession](t, s, http.MethodPost, sessionsPath, map[string]any{
		"leader": "S", "seat": "S", "bidding": "obliged", "seed": "1",
	})
	eval[bool](p, fmt.Sprintf("(localStorage.setItem('roem.game', %q), true)", begun.Id))
	const hand = "(top => top('.own ul') - top('#felt'))(s => document.querySelector(s).getBoundingClientRect().top)"
	for _, size := range [][2]int64{{360, 640}, {390, 844}, {844, 390}, {1280, 900}} {
		p.do(chromedp.EmulateViewport(size[0], size[1]))
		p.navigate("/docs/errors")
		p.navigate("/board#v=1&m=play")
		if size[0] == 360 {
			p.click("[data-call]")
			p.until("document.querySelector('#felt .own .card.legal')")
			p.until("document.querySelector('.auction.over')")
		} else {
			p.click("#first")
			p.until("document.querySelector('.auction.over')")
		}
		before := eval[float64](p, hand)
		if size[0] == 360 {
			p.click("#felt .own .card.legal")
		} else {
			p.click("#last")
		}
		p.until("document.querySelector('.trick li')")
		if after := eval[float64](p, hand); after < before-1 || after > before+1 {
			t.Errorf("%d x %d: the hand is at %.0f before the first card, then at %.0f", size[0], size[1], before, after)
		}
	}
}

// The labels of tabs do not touch, and no table of a puzzle is cut, in Dutch at 1280 pixels.
func TestLabelsAndTablesFit(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board")
	eval[bool](p, "(localStorage.setItem('roem.language', 'nl'), true)")
	for page, shown := range map[string]string{
		"/board" + southSees: "#tab-advice", "/board" + example(wholeHand[:10]...).fragment(8): "#tab-trumps",
	} {
		p.navigate("/docs/errors")
		p.navigate(page)
		p.until(fmt.Sprintf("document.querySelector('%s')", shown))
		touching := eval[[]string](p, `[...document.querySelectorAll('.tabs button')].flatMap((e, i, all) => {
			const rect = e => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect() }
			const next = all[i + 1]
			return next && rect(next).top < rect(e).bottom && rect(next).left - rect(e).right < 8 ? [e.textContent + '|' + next.textContent] : []
		})`)
		if len(touching) > 0 {
			t.Errorf("%s: the labels touch: %q", page, touching)
		}
	}
	for _, id := range []string{openPuzzle, hiddenPuzzle} {
		p.navigate("/docs/errors")
		p.navigate("/puzzles#v=1&p=" + id)
		_, solution := p.puzzleOf(id)
		for _, wrong := range solution.Values[1:3] {
			p.asked(1)
			p.click(fmt.Sprintf("#felt [data-card=%q]", wrong.Card))
		}
		p.until("document.querySelector('#verdict') && document.querySelector('#grades')")
		cut := eval[[]string](p, `[...document.querySelectorAll('.panel .scroll')].filter(e => e.scrollWidth > e.clientWidth).map(e => `+
			"`${e.getAttribute('aria-label')}: ${e.scrollWidth} in ${e.clientWidth}`)")
		if len(cut) > 0 {
			t.Errorf("puzzle %s: tables are cut: %q", id, cut)
		}
	}
}
