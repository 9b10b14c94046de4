package board_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// noPauses makes every pause between cards last for ever: what comes has not waited for one.
const noPauses = `(wait => { window.setTimeout = (f, ms, ...more) => wait(f, ms > 100 ? 1e9 : ms, ...more) })(window.setTimeout)`

// watchCards keeps, from now on, how many cards the page shows beside each text that it reads aloud, and after how many milliseconds and
// frames a clicked card of the player's hand has left it.
const watchCards = `(() => {
  const states = window.states = [], painted = window.painted = []
  const look = () => {
    const now = [parseInt(document.querySelector('.count')?.textContent), document.getElementById('status').textContent],
      last = states[states.length - 1]
    if (!last || last[0] !== now[0] || last[1] !== now[1]) states.push(now)
  }
  look()
  new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true})
  addEventListener('click', e => {
    const card = e.target.closest('#felt .legal[data-card]')?.dataset.card
    if (!card) return
    let frames = 0
    const next = () => {
      frames++
      if (document.querySelector('#felt [data-card="' + card + '"]')) return frames < 600 && requestAnimationFrame(next)
      const c = new MessageChannel() // its message comes when the frame has been painted
      c.port1.onmessage = () => painted.push([performance.now() - e.timeStamp, frames])
      c.port2.postMessage(0)
    }
    requestAnimationFrame(next)
  }, true)
  return true
})()`

// noneEarly fails the test if the page has told a card, or the winner of a trick, before it has shown it. played are all cards, in tricks
// of a size.
func (t *tab) noneEarly(played []string, trick int) {
	t.tb.Helper()
	for _, state := range eval[[][2]any](t, "window.states") {
		shown, said := int(state[0].(float64)), state[1].(string)
		first := len(played)
		for _, c := range cardsIn(said) {
			at := slices.Index(played, c)
			first = min(first, at)
			if at >= shown {
				t.tb.Errorf("when %d cards are shown the page says %q", shown, said)
			}
		}
		if winners := strings.Count(said, " wins the trick"); winners > 0 && winners > shown/trick-first/trick {
			t.tb.Errorf("when %d cards are shown the page says %q", shown, said)
		}
	}
}

// paintedAtOnce fails the test unless the player's cards have left the hand within 50 ms of their clicks, three frames of a screen. The
// milliseconds are logged: on a busy machine each frame takes longer.
func (t *tab) paintedAtOnce(want int) {
	t.tb.Helper()
	t.until(fmt.Sprintf("window.painted.length === %d", want))
	painted := eval[[][2]float64](t, "window.painted")
	t.tb.Logf("milliseconds and frames from the click to the painted card: %.0f", painted)
	for _, p := range painted {
		if p[1] > 3 {
			t.tb.Errorf("an own card was painted %g frames after the click", p[1])
		}
	}
}

// holdActs makes the server hold its answers to the requests whose paths end so. The function that it returns waits for the next such
// request and releases it.
func holdActs(t *testing.T, s *site, ends string) (release func()) {
	t.Helper()
	waiting := make(chan struct{})
	s.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, ends) {
			select {
			case <-waiting:
			case <-r.Context().Done():
			case <-t.Context().Done():
			}
		}
		return false
	})
	return func() {
		t.Helper()
		select {
		case waiting <- struct{}{}:
		case <-time.After(patience):
			t.Fatal("the page sends no " + ends)
		}
	}
}

// clickCard clicks with the mouse on the first card that may be played, and returns it.
func (t *tab) clickCard() string {
	t.tb.Helper()
	t.until("document.querySelector('#felt .legal[data-card]')")
	card := eval[string](t, "document.querySelector('#felt .legal[data-card]').dataset.card")
	t.clickMiddle(fmt.Sprintf("#felt [data-card=%q]", card))
	return card
}

// The player's card is on the table before the server has answered. The cards of the others come when their pauses are over, or with a
// click or a key, and are told when they have been shown.
func TestOwnCardAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/board"+southHolds)
	p.script(noPauses)
	p.joinGame(1, "none")
	p.until("document.querySelector('.count')")
	release := holdActs(t, s, "/play")
	eval[bool](p, watchCards)
	count := func() int { return eval[int](p, "parseInt(document.querySelector('.count').textContent)") }
	skips := []func(){
		func() { p.clickMiddle(".trick h2") },
		func() { p.press(kb.Enter) },
		func() { p.press(kb.End) },
	}
	for n := range 8 {
		if n == 0 && eval[bool](p, "!document.querySelector('#felt .card.legal')") {
			skips[0]()
		}
		p.until("document.querySelector('#felt .card.legal')")
		before, told := count(), p.text("#status")
		card := p.clickCard()
		p.until(fmt.Sprintf("!document.querySelector('#felt [data-card=%q]')", card))
		if got := count(); got != before+1 {
			t.Errorf("before the answer %d cards are shown, expected %d", got, before+1)
		}
		if got := eval[string](p, "document.querySelector('.trick .at-S .vh').textContent"); !strings.HasPrefix(got, "South: ") {
			t.Errorf("before South on the table lies %q", got)
		}
		release()
		p.until("!document.querySelector('.status .late')")
		g := p.game()
		all := 32
		if g.View != nil {
			all = len(g.View.Played)
		}
		if others := all - before - 1; others > 0 {
			if got := count(); got != before+1 {
				t.Errorf("without a pause %d cards are shown, expected %d", got, before+1)
			}
			if got := p.text("#status"); got != told {
				t.Errorf("before the others have played the page says %q", got)
			}
			if open := eval[int](p, "document.querySelectorAll('.other .shown li').length"); open > 0 {
				t.Errorf("after card %d, %d cards of the others lie open before they are played", n+1, open)
			}
			skips[n%len(skips)]()
		}
		p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", all))
		if got := p.text("#status"); !strings.HasPrefix(got, "South: ") || strings.Count(got, ": ") < all-before {
			t.Errorf("after card %d the page says %q", n+1, got)
		}
	}
	p.until("document.querySelector('#result')")
	p.noneEarly(p.game().Revealed.Played, 4)
	p.paintedAtOnce(8)
}

// A card that the server refuses is back in the hand, and the page says so.
func TestOwnCardRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/board"+southHolds)
	p.allow("status of 422")
	p.joinGame(1, "none")
	s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/play") {
			return false
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = w.Write([]byte(`{"type": "/docs/errors#invalid", "title": "Invalid", "status": 422, "detail": "The card is refused."}`))
		return true
	})
	p.until("document.querySelector('#felt .card.legal')")
	before := p.text(".count")
	card := p.clickCard()
	p.until("document.querySelector('#refused')")
	p.until(fmt.Sprintf("document.querySelector('#felt .card.legal[data-card=%q]')", card))
	if got := p.text("#status"); !strings.HasSuffix(got, " has not been played and is back in your hand.") {
		t.Errorf("the page says %q", got)
	}
	if got := p.text("#refused"); !strings.Contains(got, "The card is refused.") {
		t.Errorf("the notice says %q", got)
	}
	if got := p.text(".count"); got != before {
		t.Errorf("%s cards are shown, expected %s", got, before)
	}
	if got := p.focused(); got == "BODY" {
		t.Error("nothing has the focus")
	}
	s.intercepts(nil)
	p.do(chromedp.MouseClickXY(1, 1))
	p.clickCard()
	p.until("document.querySelectorAll('.own .slot').length === 1 && !document.querySelector('#refused')")
}

// A card whose request is lost is back in the hand. When it is played after all, the page no longer says that it is not, also before the
// others have played.
func TestOwnCardLost(t *testing.T) {
	t.Parallel()
	for _, game := range []struct {
		path, skip string
		begin      func(p *tab)
	}{
		{"/board#v=1&m=play", ".trick h2", func(p *tab) { p.joinGame(1, "none") }},
		{"/belote#v=1&m=play", "#hand-A", func(p *tab) {
			p.reload()
			p.sitDown(map[string]string{"play-suits": "1", "play-level": "2", "play-trump": "none"})
		}},
	} {
		s := newSite(t)
		p := open(t, s, game.path)
		p.allow("ERR_")
		p.script(noPauses)
		game.begin(p)
		p.until("document.querySelector('.count')")
		p.clickMiddle(game.skip)
		p.until("document.querySelector('#felt .card.legal')")
		s.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, "/play") {
				panic(http.ErrAbortHandler)
			}
			return false
		})
		card := p.clickCard()
		p.until("document.querySelector('#offline') && document.querySelector('#status').textContent.endsWith('is back in your hand.')")
		s.intercepts(nil)
		p.click("#offline button")
		p.until(fmt.Sprintf("!document.querySelector('#offline, #thinking, .status .late, #felt [data-card=%q]')", card))
		for _, when := range []string{"when the card is played", "when the others have played"} {
			if got := p.text("#status"); strings.Contains(got, "back in your hand") {
				t.Errorf("%s: %s the page says %q", game.path, when, got)
			}
			p.clickMiddle(game.skip)
			p.until("document.querySelector('#felt .card.legal')")
		}
	}
}

// In Belote the player's card is on the table before the server has answered. The cards of the computer have their pauses, which a click
// on the table skips, and are read aloud when they are there.
func TestOwnCardBelote(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/belote#v=1&m=play")
	p.script(noPauses)
	p.reload()
	p.until("document.getElementById('lobby-play')")
	p.sitDown(map[string]string{"play-suits": "1", "play-level": "2", "play-trump": "none"})
	release := holdActs(t, s, "/play")
	p.until("document.querySelector('.count')")
	eval[bool](p, watchCards)
	for n := range 4 {
		p.until("document.querySelector('#felt .card.legal')")
		before, told := len(p.beloteSession().View.Played), p.text("#status")
		card := p.clickCard()
		p.until(fmt.Sprintf("!document.querySelector('#felt [data-card=%q]') && document.querySelector('#thinking')", card))
		p.count(before+1, 8)
		release()
		p.until("!document.querySelector('#thinking')")
		if len(p.beloteSession().View.Played) > before+1 {
			p.count(before+1, 8)
			if got := p.text("#status"); got != told {
				t.Errorf("before the computer has played the page says %q", got)
			}
			p.clickMiddle("#hand-A")
		}
		p.until("document.querySelector('#felt .card.legal, #review')")
		if got := p.text("#status"); got == told || !strings.Contains(got, ": ") {
			t.Errorf("after card %d the page says %q", n+1, got)
		}
	}
	p.until("document.querySelector('#review')")
	p.paintedAtOnce(4)
	p.click("#review")
	p.click("#open-board")
	p.until("location.hash.includes('&p=')")
	p.noneEarly(eval[[]string](p, `new URLSearchParams(location.hash.slice(1)).get('p').match(/../g).map(c => c.replace('T', '10'))`), 2)
}

// In Gin Rummy a discard lies on the pile, and a card that is taken from there is in the hand, before the server has answered. Each act is
// read aloud once.
func TestOwnCardGin(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/gin-rummy")
	p.ginBegin("simple")
	release := holdActs(t, s, "/play")
	eval[bool](p, watchCards)
	eval[bool](p, `(window.told = [], new MutationObserver(() => window.told.push(document.getElementById('status').textContent))`+
		`.observe(document.getElementById('status'), {childList: true, characterData: true, subtree: true}), true)`)
	acts := 0
	once := func() {
		acts++
		p.until(fmt.Sprintf("window.told.length >= %d", acts))
		if told := eval[[]string](p, "window.told"); len(told) != acts {
			t.Errorf("after act %d the live region has changed %d times: %q", acts, len(told), told)
		}
	}
	top := func() string { return p.text(".piles li:last-child .vh") }
	hand := func() int { return eval[int](p, "document.querySelectorAll('.own [data-card]').length") }
	taken := top()
	p.clickMiddle("#act-take")
	p.until("document.querySelectorAll('.own [data-card]').length === 11")
	if got := top(); got == taken {
		t.Errorf("the card that was taken still lies on the pile: %q", got)
	}
	release()
	once()
	for range 3 {
		card := p.clickCard()
		p.until(fmt.Sprintf("!document.querySelector('.own [data-card=%q]')", card))
		if got := hand(); got != 10 {
			t.Errorf("after the discard the hand has %d cards", got)
		}
		if got := eval[string](p, "document.querySelector('#felt').dataset.acts"); top() == "" || p.focused() == "BODY" {
			t.Errorf("after act %s the pile shows %q, and %s has the focus", got, top(), p.focused())
		}
		release()
		once()
		p.until("document.querySelector('#pile-stock, #act-stock, #act-pass, #act-melds, #result, #act-knock')")
		if eval[bool](p, "!document.querySelector('#act-stock')") {
			break // the round takes another course
		}
		p.clickMiddle("#act-stock")
		release()
		once()
	}
	p.paintedAtOnce(eval[int](p, "window.painted.length"))
}

// In tarok too the player's card is on the table at once, the cards of the others come one by one, and what is told follows them.
func TestOwnCardTarok(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/tarok#v=1&m=play")
	p.script(noPauses)
	p.reload()
	p.beginTarok(map[string]any{"seat": "B", "hands": 1, "players": map[string]string{"left": "heuristic", "right": "heuristic"}, "seed": "9"})
	const playing = "document.querySelector('#felt:not(.exchanging) .legal[data-card]')"
	for !eval[bool](p, "!!"+playing) {
		eval[string](p, tarokStep)
	}
	id := eval[string](p, "localStorage.getItem('roem.tarok-game')")
	played := func() int {
		now := request[api.TarokSession](t, s, "GET", "/v1/tarok/sessions/"+id, nil)
		n := 0
		if now.LastTrick != nil {
			n = 3 * now.LastTrick.Number
		}
		if now.Trick != nil {
			n += len(now.Trick.Cards)
		}
		return n
	}
	release := holdActs(t, s, "/play")
	eval[bool](p, watchCards)
	for n := range 16 {
		before, told := played(), p.text("#status")
		card := p.clickCard()
		p.until(fmt.Sprintf("!document.querySelector('#felt [data-card=%q]')", card))
		if got := eval[int](p, "document.querySelectorAll('.trick .at-S').length"); got != 1 {
			t.Errorf("before the answer to card %d, %d own cards are on the table", n+1, got)
		}
		release()
		p.until("!document.querySelector('.status .late')")
		if others := played() - before - 1; others > 0 {
			if got := eval[int](p, "document.querySelectorAll('.trick .at-S').length"); got != 1 {
				t.Errorf("without a pause %d own cards are on the table", got)
			}
			if got := p.text("#status"); got != told {
				t.Errorf("before the others have played the page says %q", got)
			}
			p.clickMiddle("#hand-own")
		}
		p.until(playing + " || document.querySelector('#again')")
		if got := p.text("#status"); got == told || !strings.Contains(got, ": ") {
			t.Errorf("after card %d the page says %q", n+1, got)
		}
	}
	p.until("document.querySelector('#again')")
	p.paintedAtOnce(16)
}

// handPlaces are the places of the cards of the player's hand of tarok in the window.
const handPlaces = `Object.fromEntries([...document.querySelectorAll('.hand-S [data-card]')].map(e => [e.dataset.card, (r => [r.x, ` +
	`r.y])(e.getBoundingClientRect())]))`

// On a phone the cards of the player's hand keep their places while some are put aside, with all cards open and in a game.
func TestDiscardingOnAPhone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	discard := func(t *testing.T, p *tab) {
		t.Helper()
		eval[bool](p, "(document.querySelector('.hand-S').scrollIntoView({block: 'end', behavior: 'instant'}), true)")
		// The page is at rest: what came late has moved the cards, which would be tapped at their old places.
		p.until("((now, was) => { window.placesOfCards = now; return now === was })(JSON.stringify(" + handPlaces + "), window.placesOfCards)")
		before := eval[map[string][2]float64](p, handPlaces)
		card := eval[string](p, "document.querySelector('.hand-S .legal[data-card]').dataset.card")
		r := eval[[2]float64](p, fmt.Sprintf("(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector('.hand-S "+
			"[data-card=%q]').getBoundingClientRect())", card))
		p.tap(r[0], r[1])
		p.until(fmt.Sprintf("!document.querySelector('.hand-S [data-card=%q]')", card))
		delete(before, card)
		if diff := cmp.Diff(before, eval[map[string][2]float64](p, handPlaces)); diff != "" {
			t.Errorf("after %s was put aside, cards have moved (-before +after)\n%s", card, diff)
		}
	}
	phone := func(p *tab) {
		p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
		p.until("innerWidth === 390")
	}
	t.Run("open", func(t *testing.T) {
		t.Parallel()
		p := open(t, s, "/tarok"+strings.Replace(strings.Replace(tarokSetup, "c=two", "c=three", 1), "&g=3&x=C8CJ&s=kD0", "", 1))
		phone(p)
		p.click("[data-group='1']")
		p.until("document.querySelector('#exchange-again')")
		discard(t, p)
		discard(t, p)
	})
	t.Run("game", func(t *testing.T) {
		t.Parallel()
		s := newSite(t) // the request is intercepted
		p := open(t, s, "/tarok#v=1&m=play")
		phone(p)
		p.beginTarok(map[string]any{
			"seat": "A", "hands": 1, "players": map[string]string{"left": "heuristic", "right": "heuristic"},
			"rules": map[string]any{"bidding": "forehand_last"}, "seed": "1",
		})
		for !eval[bool](p, "!!document.querySelector('.felt.exchanging')") {
			p.until("document.querySelector('#ask, #follow, .felt.exchanging')")
			eval[bool](p, "((document.querySelector('#follow') ?? document.querySelector('#ask'))?.click(), true)")
		}
		p.click("[data-group='1']")
		p.until("document.querySelector('#exchange-again')")
		discard(t, p)
	})
}
