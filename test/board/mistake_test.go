package board_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// shownLine returns the cards of a line that the page shows, as the API writes them.
func (t *tab) shownLine(id string) []string {
	t.tb.Helper()
	return strings.Fields(eval[string](t, `[...document.querySelectorAll('section[aria-labelledby=`+id+`] td .brief [aria-hidden]')]`+
		`.map(e => e.textContent.replace('♣', 'C').replace('♦', 'D').replace('♥', 'H').replace('♠', 'S')).join(' ')`))
}

// At a mistake the review says why, shows both lines, which are stepped together, and marks the card that was played and the better one.
func TestWhy(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	deal := example(wholeHand...)
	p := open(t, s, "/board"+deal.fragment(-1))
	p.click("#tab-review")
	p.until("document.querySelector('.review')")
	seen := 0
	for _, c := range request[api.KlaverjasAnalysis](t, s, "POST", "/v1/klaverjas/analyse", deal).Cards {
		if c.Lines == nil || c.Number == 32 {
			continue
		}
		if seen++; seen > 4 {
			break
		}
		p.click(fmt.Sprintf("[data-number='%d']", c.Number))
		p.until(fmt.Sprintf("document.querySelector('.was-played')?.dataset.card === %q", c.Card))
		p.until("!document.querySelector('.value.late')")
		want := ""
		if c.Reason != nil {
			want = string(c.Reason.Code)
		}
		if got := eval[string](p, "document.getElementById('why')?.dataset.code ?? ''"); got != want {
			t.Errorf("%s: the reason is %q, expected %q", c.Card, got, want)
		}
		if !eval[bool](p, fmt.Sprintf("document.querySelector('#felt .best[data-card=%q]') !== null", c.Lines.Best[0])) {
			t.Errorf("%s: the better card %s has no mark", c.Card, c.Lines.Best[0])
		}
		if got := p.text(".was-played .value"); got != "✗"+strconv.Itoa(c.Cost) {
			t.Errorf("%s is marked %q", c.Card, got)
		}
		p.click("#lineEnd")
		for id, line := range map[string]api.Cards{"line-played": c.Lines.Played, "line-best": c.Lines.Best} {
			onTable := (c.Number - 1) % 4
			if diff := cmp.Diff(line, p.shownLine(id)[onTable:]); diff != "" {
				t.Errorf("%s, %s (-API +page)\n%s", c.Card, id, diff)
			}
		}
		p.click("#lineStart")
		p.click("#lineOn")
		for _, id := range []string{"line-played", "line-best"} {
			if got := len(p.shownLine(id)) - (c.Number-1)%4; got != 2 {
				t.Errorf("%s: %s has %d cards after a step", c.Card, id, got)
			}
		}
	}
	if seen < 2 {
		t.Errorf("only %d mistakes", seen)
	}
}

// On a hand that is over the button goes from mistake to mistake and round, and keeps its place under the finger, at all widths.
func TestMistakeButtonsKeepPlace(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	deal := example(wholeHand...)
	for _, width := range []int{390, 1280} {
		p := open(t, s, "/board"+deal.fragment(-1))
		p.do(chromedp.EmulateViewport(int64(width), 844))
		p.click("#tab-review")
		p.until("document.querySelectorAll('.review .costly').length > 1")
		costly := eval[int](p, "document.querySelectorAll('.review .costly').length")
		// place is how far the button is below what is above the panel: the table has its own height at each card.
		const place = "(b => b.getBoundingClientRect().top - b.closest('aside').getBoundingClientRect().top)" +
			"(document.getElementById('next-mistake'))"
		want, visited := eval[float64](p, place), map[string]bool{}
		for range costly + 1 {
			p.click("#next-mistake")
			p.until("document.querySelector('.review .here.costly')")
			visited[eval[string](p, "document.querySelector('.review .here').dataset.number")] = true
			if got := eval[float64](p, place); math.Abs(got-want) > 1 {
				t.Errorf("%d pixels wide, card %s: the button is at %.0f, before at %.0f", width, p.text(".review .here"), got, want)
			}
		}
		if len(visited) != costly || eval[bool](p, "document.querySelector('#status').textContent.includes('no other')") {
			t.Errorf("%d of %d costly cards are visited; the page says %q", len(visited), costly, p.text("#status"))
		}
	}
}

// From a mistake one plays on against the program, from the seat that made it.
func TestPlayFrom(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example(wholeHand...).fragment(-1))
	p.click("#tab-review")
	p.until("document.querySelectorAll('.review .costly').length > 1")
	at := eval[int](p, "[...document.querySelectorAll('.review .costly')].map(e => Number(e.dataset.number)).sort((a, b) => a - b)[1]")
	p.click(fmt.Sprintf("[data-number='%d']", at))
	p.until("document.querySelector('#play-from')")
	seat := eval[string](p, "document.querySelector('#felt .turn').getAttribute('aria-labelledby')")
	p.click("#play-from")
	p.until(fmt.Sprintf("location.hash === '#v=1&m=play' && document.querySelector('.count')?.textContent === '%d / 32'", at-1))
	p.until("document.querySelector('#felt .own .legal')")
	if got := eval[string](p, "document.querySelector('#felt .own').getAttribute('aria-labelledby')"); got != seat {
		t.Errorf("the reader sits at %s, expected %s", got, seat)
	}
	if eval[int](p, "document.querySelectorAll('#felt .other .shown').length") != 0 {
		t.Error("the game shows cards of others")
	}
	p.click("#felt .own .legal")
	p.until(fmt.Sprintf("Number(document.querySelector('.count').textContent.split(' ')[0]) > %d", at-1))
	// Another one asks first, because the server would forget this one.
	p.navigate("/docs/errors")
	p.navigate("/board" + example(wholeHand...).fragment(-1))
	p.click("#tab-review")
	p.until("document.querySelector('.review .costly')")
	p.click(fmt.Sprintf("[data-number='%d']", at))
	p.until("document.querySelector('#play-from')")
	p.click("#play-from")
	p.until("document.querySelector('#stop-dialog')")
	p.click("#stop-do")
	p.until(fmt.Sprintf("location.hash === '#v=1&m=play' && document.querySelector('.count')?.textContent === '%d / 32'", at-1))
}

// A position is tried again without its values. Another card makes a variation: the game is kept, in the address too.
func TestTryAgain(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	deal := example(wholeHand...)
	p := open(t, s, "/board"+deal.fragment(-1))
	p.click("#tab-review")
	p.until("document.querySelector('.review .costly')")
	var mistake api.KlaverjasAnalysedCard
	for _, c := range request[api.KlaverjasAnalysis](t, s, "POST", "/v1/klaverjas/analyse", deal).Cards {
		if c.Cost > 0 && mistake.Cost == 0 {
			mistake = c
		}
	}
	p.click(fmt.Sprintf("[data-number='%d']", mistake.Number))
	p.until("document.querySelector('#try-again')")
	p.click("#try-again")
	p.until("document.querySelector('#trying')")
	if eval[bool](p, "!!document.querySelector('#felt .value, #mistake, .moves, .review')") {
		t.Error("the page shows values while the position is tried again")
	}
	p.until("document.activeElement.closest('#felt')")
	better := mistake.Best[0]
	p.click(fmt.Sprintf("#felt [data-card=%q]", better))
	p.until("document.getElementById('status').textContent.endsWith('is best.')")
	played := func() string { return eval[string](p, "new URLSearchParams(location.hash.slice(1)).get('p')") }
	game := example(wholeHand...).fragment(-1)
	game = game[strings.Index(game, "&p=")+3:]
	branch := played()
	p.until("document.getElementById('branch')")
	if branch == game {
		t.Error("the better card has made no variation")
	}
	for range 2 {
		p.reload()
		p.until("document.getElementById('branch')")
		if got := played(); got != branch {
			t.Errorf("after a reload %s was played, expected %s", got, branch)
		}
		p.click("#swap")
		p.until("location.hash.includes('&y=')")
		if got := played(); got != game {
			t.Errorf("the game is %s, expected %s", got, game)
		}
		p.reload()
		p.until("document.getElementById('branch')")
		p.click("#swap")
		p.until("location.hash.includes('&x=')")
	}
}
