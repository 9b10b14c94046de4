package board_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
)

// beloteAct is what the test reads of an exchange about a view.
type beloteAct struct {
	Turn    string `json:"turn"`
	Speaker string `json:"speaker"`
	Card    string `json:"card"`
	Call    string `json:"call"`
	// Of a search that has become a job, because the machine was busy.
	Result *beloteAct `json:"result"`
}

// sitDown begins a game of Belote with the choices of the dialog.
func (t *tab) sitDown(choices map[string]string) {
	t.tb.Helper()
	t.click("#play")
	t.until("document.getElementById('play-dialog')")
	for id, value := range choices {
		eval[bool](t, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); return true `+
			`})(document.getElementById(%q))`, value, id))
	}
	t.click("#play-begin")
	t.until("!document.querySelector('dialog')")
}

// beloteOf is the deal of an answer of deals/random, with the contract of a game.
func beloteOf(t *testing.T, text, trump, declarer string) belote.Deal {
	t.Helper()
	var drawn api.BeloteDeal
	if err := json.Unmarshal([]byte(text), &drawn); err != nil {
		t.Fatal(err)
	}
	var d belote.Deal
	for player, list := range map[belote.Player]api.BeloteStackList{belote.A: drawn.Position.Stacks.A, belote.B: drawn.Position.Stacks.B} {
		for i, s := range list {
			top, bottom := parseCard(t, s[0]), parseCard(t, s[1])
			d.Stacks[player][i] = belote.Stack{Top: top, Bottom: bottom}
			d.Deck = d.Deck.With(top).With(bottom)
		}
	}
	d.Trump = belote.NoTrump
	if suit, err := piquet.ParseSuit(trump); err == nil {
		d.Trump = belote.TrumpOf(suit)
	}
	if declarer == "B" {
		d.Declarer = belote.B
	}
	d.Threshold = d.Trump.DefaultThreshold(d.Deck)
	return d
}

func parseCard(t *testing.T, text string) piquet.Card {
	t.Helper()
	c, err := piquet.ParseCard(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A deal is bid and played with the keyboard against the computer. No card below that has not been turned is on the table, in the storage,
// the address or a request. The advice is that of the API, and the hand ends legally with the score of the engine.
func TestBeloteHidden(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/belote#v=1&m=play")
	p.still()
	s.record()
	p.until("document.getElementById('lobby-play')")
	p.sitDown(map[string]string{"play-suits": "2", "play-level": "2"})
	p.until("document.querySelector('.calls')")
	exchanges := s.recorded()
	if len(exchanges) != 1 || exchanges[0].path != "/v1/belote/deals/random" {
		t.Fatalf("the game began with %v", exchanges)
	}
	dealt := exchanges[0].response
	d := beloteOf(t, dealt, "", "A")
	var seen []string
	see := func(player belote.Player, from, to int) {
		for _, stack := range d.Of(player)[from:to] {
			seen = append(seen, stack.Top.String())
		}
	}
	played := []string{}
	sent := []exchange{}
	check := func(when string) {
		t.Helper()
		known := slices.Concat(seen, played)
		for _, c := range played[:len(played)&^1] { // the cards below are turned after the trick
			for _, player := range belote.Players() {
				for _, stack := range d.Of(player) {
					if stack.Top.String() == c {
						known = append(known, stack.Bottom.String())
					}
				}
			}
		}
		texts := map[string]string{}
		for i, text := range eval[[]string](p, whatPageHolds) {
			texts[[]string{"the page", "the storage", "the address"}[i]] = text
		}
		for _, e := range sent {
			texts["a request to "+e.path] += e.request
		}
		sent = nil
		for where, text := range texts {
			for _, c := range cardsIn(text) {
				if !slices.Contains(known, c) {
					t.Errorf("%s: %s in %s", when, c, where)
				}
			}
		}
	}
	// acts follows what the computer does.
	var declarer, trump string
	acts := func() {
		for _, e := range s.recorded() {
			sent = append(sent, e)
			var a beloteAct
			if err := json.Unmarshal([]byte(e.response), &a); err != nil || e.path == "/v1/belote/score" {
				continue
			}
			if a.Result != nil {
				a = *a.Result
			}
			if a.Turn == "B" {
				played = append(played, a.Card)
			}
			if a.Speaker == "B" && a.Call != "pass" {
				declarer, trump = "B", a.Call
			}
		}
	}
	see(belote.A, 0, 2)
	check("at the first call")
	if got := eval[int](p, "document.querySelectorAll('#felt .stack').length"); got != 2 {
		t.Errorf("at the first call %d stacks are dealt", got)
	}
	p.click("#tab-advice")
	p.until("document.getElementById('bid')")
	bid := request[api.BeloteBid](t, s, "POST", "/v1/belote/bid",
		map[string]any{"suits": []string{"C", "D"}, "open": map[string][]string{"A": seen, "B": {}}})
	want := map[string]string{"pass": fmt.Sprint(bid.Pass.Score.Mean)}
	for _, c := range bid.Choices {
		want[*c.Trump] = fmt.Sprint(c.Score.Mean)
	}
	got := eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-bid]')].map(e => `+
		`[e.dataset.bid, e.dataset.score]))`)
	for call, score := range got {
		got[call] = fmt.Sprint(parseFloat(t, score))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the values of the calls (-API +page)\n%s", diff)
	}
	p.click("#tab-modeHidden")
	acts()
	p.click("[data-call=pass]")
	p.until("document.querySelector('.calls') || document.querySelector('#felt .card.legal')")
	acts()
	if declarer == "" {
		see(belote.B, 0, 2)
		see(belote.A, 2, 4)
		check("at the second call")
		declarer, trump = "A", "C"
		p.click("[data-call=C]")
		p.until("document.querySelector('#felt .card.legal')")
	}
	seen = nil
	see(belote.A, 0, 4)
	see(belote.B, 0, 4)
	acts()
	d = beloteOf(t, dealt, trump, declarer)
	p.tabTo("theme")
	for !eval[bool](p, "!!document.activeElement.closest('.hand-S')") {
		p.press(kb.Tab)
	}
	eval[bool](p, `(window.log = [], new MutationObserver(() => `+
		`window.log.push(document.getElementById('status').textContent)).observe(document.getElementById('status'), {childList: true, `+
		`characterData: true, subtree: true}), true)`)
	for n := range 8 {
		check(fmt.Sprintf("before card %d", n+1))
		if n == 0 || n == 2 { // worlds are drawn, and few cards are face down
			p.click("#tab-advice")
			p.until("document.getElementById('advice') && !document.querySelector('.value.late')")
			compareBeloteAdvice(t, p, d, played)
		}
		p.toLegal()
		card := p.focused()
		p.press(kb.Enter)
		p.until(fmt.Sprintf("document.querySelector('#result') || !document.querySelector('#felt [data-card=%q]') && "+
			"document.querySelector('#felt .card.legal')", card))
		played = append(played, card)
		acts()
		p.count(len(played), 16)
		p.until(fmt.Sprintf("window.log.length >= %d && document.activeElement !== document.body", n+1))
		if said := eval[[]string](p, "window.log"); len(said) != n+1 {
			t.Errorf("after card %d the live region has changed %d times: %q", n+1, len(said), said)
		}
	}
	p.until("document.getElementById('written')")
	position, err := belote.NewPosition(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range played {
		if position, err = position.Play(parseCard(t, c)); err != nil {
			t.Fatal(err)
		}
	}
	if !position.Finished() {
		t.Errorf("the hand ended after %v", played)
	}
	for _, player := range belote.Players() {
		if got := p.text("#total-" + player.String()); got != strconv.Itoa(position.Points(player)) {
			t.Errorf("%s has %s points on the page, %d by the engine", player, got, position.Points(player))
		}
	}
	var all []piquet.Card
	for _, c := range played {
		all = append(all, parseCard(t, c))
	}
	score := request[api.BeloteScore](t, s, "POST", "/v1/belote/score", map[string]any{"position": beloteBody(d, all)})
	if got := eval[string](p, "(e => e.dataset.a + ' ' + e.dataset.b)(document.getElementById('written'))"); got != fmt.Sprint(score.Written.A,
		" ", score.Written.B) {
		t.Errorf("written on the page: %s, by the API %v", got, score.Written)
	}
	p.click("#review")
	p.until(fmt.Sprintf("location.hash === %q", beloteAddress(d, all)))
	p.count(16, 16)
}

func parseFloat(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// compareBeloteAdvice compares the advice on the page with that of the API for the same view.
func compareBeloteAdvice(t *testing.T, p *tab, d belote.Deal, played []string) {
	t.Helper()
	body := beloteBody(d, nil)
	stacks := map[string][][2]any{}
	for player, list := range body.Stacks {
		for _, stack := range list {
			view := [2]any{stack[0], nil}
			if slices.Contains(played[:len(played)&^1], stack[0]) {
				view[1] = stack[1]
			}
			stacks[player] = append(stacks[player], view)
		}
	}
	advice := request[api.BeloteAdvice](t, p.site, "POST", "/v1/belote/advise", map[string]any{
		"trump": body.Trump, "suits": body.Suits, "leader": body.Leader, "declarer": body.Declarer, "threshold": body.Threshold, "stacks": stacks,
		"played": played,
	})
	type row struct{ Value, Error, Cost float64 }
	want := map[string]row{}
	for _, c := range advice.Cards {
		want[c.Card] = row{c.Value, c.StandardError, c.Cost}
	}
	got := eval[map[string]row](p, `Object.fromEntries([...document.querySelectorAll('[data-advised]')].map(e => [e.dataset.advised, `+
		`{Value: +e.dataset.value, Error: +e.dataset.error, Cost: +e.dataset.cost}]))`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the advice (-API +page)\n%s", diff)
	}
	if got := eval[string](p, "document.querySelector('#felt .card.best').dataset.card"); got != advice.Card {
		t.Errorf("the star is on %s, advised is %s", got, advice.Card)
	}
}

// The result of a hand says of the contract what is written down. Here the declarer has king and queen of trump, without which it would
// lose.
func TestBeloteRebelote(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/belote/deals/random" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"position": {"trump": "C", "suits": ["C"], "leader": "A", "declarer": "A", "threshold": 35, "stacks": {"A": ` +
			`[["AC", "KC"], ["10C", "QC"]], ` +
			`"B": [["7C", "8C"], ["9C", "JC"]]}, "played": []}, "seed": "1", "version": "v0.1.0"}`))
		return true
	})
	p := open(t, s, "/belote#v=1&m=play")
	p.still()
	p.until("document.getElementById('lobby-play')")
	p.sitDown(map[string]string{"play-suits": "1", "play-level": "2", "play-trump": "drawn"})
	for !eval[bool](p, "!!document.getElementById('result')") {
		eval[bool](p, "(document.querySelector('#felt .card.legal')?.click(), true)")
	}
	p.until("document.getElementById('written')")
	made, err := strconv.Atoi(p.text("#total-A"))
	if err != nil || made >= 35 {
		t.Fatalf("A made %d points in tricks (%v): the deal does not test the result", made, err)
	}
	if got := eval[string](p, "(e => e.dataset.won + ' ' + e.dataset.points)(document.getElementById('outcome'))"); got != fmt.Sprint("true ",
		made+20) {
		t.Errorf("the result is %s, want true and %d points", got, made+20)
	}
}

// The dealer plays a deal to its end. A busy server is asked again for the computer's card; an earlier position can be looked at, not
// played; the game is gone after a reload, and nothing of it is kept.
func TestBeloteDealer(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var asked atomic.Int32
	s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/belote/advise" || asked.Add(1) > 1 {
			return false
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"type": "about:blank", "title": "Busy", "status": 503, "detail": "Busy."}`))
		return true
	})
	p := open(t, s, "/belote#v=1&m=play")
	p.allow("503 (Service Unavailable)")
	p.still()
	p.until("document.getElementById('lobby-play')")
	p.sitDown(map[string]string{"play-suits": "1", "play-level": "2", "play-me": "B", "play-trump": "none"})
	p.until("document.getElementById('countdown')?.textContent.startsWith('The server is busy.')")
	p.until("document.querySelector('#felt .card.legal')")
	if got := eval[string](p, "document.querySelector('.trick li').className"); !strings.Contains(got, "at-N") {
		t.Errorf("the computer did not lead: %q", got)
	}
	p.count(1, 8)
	p.click("#felt .card.legal")
	p.until("!document.querySelector('.count').textContent.startsWith('1') && document.querySelector('#felt .card.legal')")
	p.click("#first")
	p.click("#redo")
	p.count(1, 8) // where the dealer was to play
	if got := eval[int](p, "document.querySelectorAll('#felt .card.legal').length"); got != 0 {
		t.Errorf("%d cards of an earlier position can be played", got)
	}
	p.click("#last")
	for !eval[bool](p, "!!document.getElementById('result')") {
		eval[bool](p, "(document.querySelector('#felt .card.legal')?.click(), true)")
	}
	p.until("document.getElementById('written')")
	a, b := eval[int](p, "+document.getElementById('total-A').textContent"), eval[int](p, "+document.getElementById('total-B').textContent")
	if a+b != 48 {
		t.Errorf("the points are %d and %d", a, b)
	}
	p.reload()
	p.until("document.getElementById('lobby-play')")
	if kept := eval[string](p, "localStorage.getItem('roem.belote')"); len(cardsIn(kept)) > 0 {
		t.Errorf("the page keeps %s", kept)
	}
}
