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

// beloteBegin begins a game of Belote with the body of a request, in place of the body of the dialog.
func (t *tab) beloteBegin(body map[string]any) {
	t.tb.Helper()
	t.site.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/v1/belote/sessions" && r.Method == http.MethodPost {
			text, err := json.Marshal(body)
			if err != nil {
				t.tb.Error(err)
			}
			replaceBody(r, text)
		}
		return false
	})
	const session = "(localStorage.getItem('roem.belote-game') ?? '')"
	before := eval[string](t, session)
	t.sitDown(nil)
	t.until(fmt.Sprintf("%s !== %q && document.querySelector('.count')", session, before)) // the page may show another game
	t.site.intercepts(nil)
}

// beloteSession reads the session of the page.
func (t *tab) beloteSession() api.BeloteSession {
	t.tb.Helper()
	id := eval[string](t, "localStorage.getItem('roem.belote-game')")
	return request[api.BeloteSession](t.tb, t.site, "GET", "/v1/belote/sessions/"+id, nil)
}

// beloteSettled waits until the page shows what the server has answered.
const beloteSettled = "!document.getElementById('thinking') && document.querySelector('.calls, #felt .card.legal')"

// judged is what a page shows of a decision: its verdict, its cost on knowledge, and its cost with open cards if it has one.
type judged struct{ Verdict, Known, Open string }

// compareJudged compares the decisions in the table of a review with those that are wanted.
func (t *tab) compareJudged(want map[string]judged) {
	t.tb.Helper()
	got := eval[map[string]judged](t, `Object.fromEntries([...document.querySelectorAll('[data-reviewed]')].map(e => [e.dataset.reviewed, `+
		`{Verdict: e.dataset.verdict, Known: e.dataset.known ?? '', Open: e.querySelector('.open')?.textContent ?? ''}]))`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.tb.Errorf("the review (-API +page)\n%s", diff)
	}
}

// marked waits until the card that was played next has the sign of its verdict below it.
func (t *tab) marked(card, verdict string) {
	t.tb.Helper()
	sign := map[string]string{"right": "✓", "unlucky": "☂", "mistake": "✗", "lucky": "!", "uncertain": "?", "forced": "·"}[verdict]
	t.until(fmt.Sprintf("document.querySelector('#felt [data-card=%q] .value')?.textContent.startsWith(%q)", card, sign))
}

// callBelote makes a call, and waits for the next decision: other cards lie on the table, or they can be played.
func (t *tab) callBelote(call string) {
	t.tb.Helper()
	stacks := eval[int](t, "document.querySelectorAll('#felt .stack').length")
	t.click("[data-call=" + call + "]")
	t.until(fmt.Sprintf("(document.querySelectorAll('#felt .stack').length !== %d || document.querySelector('#felt .card.legal')) && %s",
		stacks, beloteSettled))
}

// playBelote plays the first legal card until the hand is over.
func (t *tab) playBelote() {
	t.tb.Helper()
	for !eval[bool](t, "!!document.getElementById('result')") {
		eval[bool](t, "((document.querySelector('.calls [data-call=pass]') ?? document.querySelector('#felt .card.legal'))?.click(), true)")
	}
}

// beloteOf is a hand that is over, and its cards.
func beloteOf(t *testing.T, hand *api.BeloteRevealedHand) (d belote.Deal, played []piquet.Card) {
	t.Helper()
	for player, list := range map[belote.Player]api.BeloteStackList{belote.A: hand.Stacks.A, belote.B: hand.Stacks.B} {
		for i, s := range list {
			top, bottom := parseCard(t, s[0]), parseCard(t, s[1])
			d.Stacks[player][i] = belote.Stack{Top: top, Bottom: bottom}
			d.Deck = d.Deck.With(top).With(bottom)
		}
	}
	d.Trump, d.Threshold = belote.NoTrump, hand.Threshold
	if hand.Trump != nil {
		suit, err := piquet.ParseSuit(*hand.Trump)
		if err != nil {
			t.Fatal(err)
		}
		d.Trump = belote.TrumpOf(suit)
	}
	if hand.Declarer == api.BeloteSeatB {
		d.Declarer = belote.B
	}
	for _, c := range hand.Played {
		played = append(played, parseCard(t, c))
	}
	return d, played
}

func parseCard(t *testing.T, text string) piquet.Card {
	t.Helper()
	c, err := piquet.ParseCard(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// seenInBelote are the cards that both players have seen.
func seenInBelote(now *api.BeloteSession) (seen []string) {
	if a := now.Auction; a != nil {
		seen = slices.Concat(a.Open.A, a.Open.B)
	}
	if v := now.View; v != nil {
		for _, stack := range slices.Concat(v.Stacks.A, v.Stacks.B) {
			for _, c := range stack {
				if c != nil {
					seen = append(seen, *c)
				}
			}
		}
	}
	return seen
}

// noneUnseen fails the test if a card that has not been turned is on the table, in the storage, in the address, or in a request or an
// answer since the last time.
func (t *tab) noneUnseen(when string, now *api.BeloteSession) {
	t.tb.Helper()
	texts := map[string]string{}
	for i, text := range eval[[]string](t, whatPageHolds) {
		texts[[]string{"the page", "the storage", "the address"}[i]] = text
	}
	for _, e := range t.site.recorded() {
		texts["a request to "+e.path] += e.request
		if strings.Contains(e.path, "/sessions") {
			texts["an answer of "+e.path] += e.response
		}
	}
	seen := seenInBelote(now)
	for where, text := range texts {
		for _, c := range cardsIn(text) {
			if !slices.Contains(seen, c) {
				t.tb.Errorf("%s: %s in %s", when, c, where)
			}
		}
	}
}

// A deal is bid and played with the keyboard against the computer. No card below that has not been turned is on the table, in the storage,
// the address, a request or an answer. The advice agrees with the API, and the hand ends with the score of the session and with all cards.
func TestBeloteHidden(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/belote#v=1&m=play")
	p.still()
	s.record()
	p.until("document.getElementById('lobby-play')")
	p.sitDown(map[string]string{"play-suits": "2", "play-level": "2"})
	p.until("document.querySelector('.calls')")
	now := p.beloteSession()
	p.noneUnseen("at the first call", &now)
	if got := eval[int](p, "document.querySelectorAll('#felt .stack').length"); got != 2 {
		t.Errorf("at the first call %d stacks are dealt", got)
	}
	p.click("#tab-advice")
	p.until("document.getElementById('bid')")
	bid := request[api.BeloteBidAdvice](t, s, "POST", "/v1/belote/bid", now.Auction)
	want := map[string]string{"pass": fmt.Sprint(bid.Pass.Score.Mean)}
	for _, c := range bid.Trumps {
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
	for _, call := range []string{"pass", "C"} { // if the computer passes, the player chooses
		if now = p.beloteSession(); now.State == api.BeloteSessionStateBidding {
			p.callBelote(call)
		}
	}
	p.until("document.querySelector('#felt .card.legal')")
	p.tabTo("theme")
	for !eval[bool](p, "!!document.activeElement.closest('.hand-S')") {
		p.press(kb.Tab)
	}
	eval[bool](p, `(window.log = [], new MutationObserver(() => `+
		`window.log.push(document.getElementById('status').textContent)).observe(document.getElementById('status'), {childList: true, `+
		`characterData: true, subtree: true}), true)`)
	for n := range 8 {
		now = p.beloteSession()
		p.noneUnseen(fmt.Sprintf("before card %d", n+1), &now)
		if n == 0 || n == 2 { // worlds are drawn, and few cards are face down
			p.click("#tab-advice")
			p.until("document.getElementById('advice') && !document.querySelector('.value.late')")
			compareBeloteAdvice(t, p, now.View)
		}
		p.toLegal()
		card := p.focused()
		p.press(kb.Enter)
		p.until(fmt.Sprintf("document.querySelector('#result') || !document.querySelector('#felt [data-card=%q]') && %s", card, beloteSettled))
		p.until(fmt.Sprintf("window.log.length >= %d && document.activeElement !== document.body", n+1))
		if said := eval[[]string](p, "window.log"); len(said) != n+1 {
			t.Errorf("after card %d the live region has changed %d times: %q", n+1, len(said), said)
		}
		now = p.beloteSession()
		p.count(len(now.View.Played), 16)
	}
	p.until("document.getElementById('written')")
	compareBeloteEnd(t, p, &now)
	p.click("#review")
	review := request[api.BeloteReview](t, s, "POST", "/v1/belote/review", now.Revealed)
	p.compareBeloteReview(&review)
	p.press(kb.Backspace)
	p.until("document.activeElement.closest('#felt, .controls, .panel')")
	d, played := beloteOf(t, now.Revealed)
	p.click("#open-board")
	p.until(fmt.Sprintf("location.hash === %q", beloteAddress(d, played)))
	p.count(16, 16)
}

// because waits until the page says why the decision at the cursor was a mistake.
func (t *tab) because(code string) {
	t.tb.Helper()
	t.until(fmt.Sprintf("document.getElementById('why')?.dataset.code === %q && document.getElementById('why-example').textContent", code))
}

// compareBeloteReview compares the review on the page, of each player in turn, with the API, and the verdict of the first card that a
// player chose with the mark below it on the table.
func (t *tab) compareBeloteReview(review *api.BeloteReview) {
	t.tb.Helper()
	for _, seat := range []api.BeloteSeat{api.BeloteSeatA, api.BeloteSeatB} {
		t.click("#review-" + string(seat))
		t.until("document.querySelector('#seat-review')")
		want := map[string]judged{}
		at := -1
		for _, c := range review.Cards {
			if c.Seat != seat {
				continue
			}
			want[c.Card] = judged{string(c.Verdict), "", strconv.Itoa(c.Open.Cost)}
			if c.Knowledge != nil {
				want[c.Card] = judged{string(c.Verdict), strconv.FormatFloat(c.Knowledge.Cost, 'f', -1, 64), strconv.Itoa(c.Open.Cost)}
				if at < 0 {
					at = c.Number - 1
				}
			}
		}
		t.compareJudged(want)
		if at < 0 {
			continue
		}
		c := review.Cards[at]
		t.click(fmt.Sprintf("[data-reviewed=%q] button", c.Card))
		t.until(fmt.Sprintf("document.querySelector('.count').textContent.startsWith('%d / ')", at))
		t.marked(c.Card, string(c.Verdict))
		if c.Verdict == api.VerdictMistake || c.Verdict == api.VerdictLucky {
			t.until(fmt.Sprintf("document.querySelector('#felt .best[data-card=%q]')", c.Knowledge.Advised))
		}
	}
}

// compareBeloteEnd compares what the page shows of a hand that is over with its session: the points, what is written down, and the stacks.
func compareBeloteEnd(t *testing.T, p *tab, now *api.BeloteSession) {
	t.Helper()
	if got := [2]string{p.text("#total-A"), p.text("#total-B")}; got != [2]string{strconv.Itoa(now.Points.A), strconv.Itoa(now.Points.B)} {
		t.Errorf("the points on the page are %v, of the session %v", got, now.Points)
	}
	score := now.Results[len(now.Results)-1].Score
	if got := eval[string](p, "(e => e.dataset.a + ' ' + e.dataset.b)(document.getElementById('written'))"); got != fmt.Sprint(score.Written.A,
		" ", score.Written.B) {
		t.Errorf("written on the page: %s, of the session %v", got, score.Written)
	}
	p.click("#tab-modeHidden")
	got := eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-dealt]')].map(e => [e.dataset.dealt, `+
		`[...e.querySelectorAll('[data-pair]')].map(x => x.dataset.pair).join()]))`)
	want := map[string]string{}
	for player, list := range map[string]api.BeloteStackList{"A": now.Revealed.Stacks.A, "B": now.Revealed.Stacks.B} {
		var pairs []string
		for _, stack := range list {
			pairs = append(pairs, strings.Join(stack, " "))
		}
		want[player] = strings.Join(pairs, ",")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the stacks as they were dealt (-session +page)\n%s", diff)
	}
}

func parseFloat(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// compareBeloteAdvice compares the advice on the page with the API for the same view.
func compareBeloteAdvice(t *testing.T, p *tab, view *api.BeloteSessionView) {
	t.Helper()
	advice := request[api.BeloteAdvice](t, p.site, "POST", "/v1/belote/advise", view)
	type row struct{ Value, Error, Cost float64 }
	want, signs := map[string]row{}, map[string]string{}
	for _, c := range advice.Cards {
		signs[c.Card] = map[api.Standing]string{"best": "★", "as_good": "≈", "uncertain": "0–", "worse": "−"}[c.Standing]
		want[c.Card] = row{c.Value, c.StandardError, c.Cost}
	}
	got := eval[map[string]row](p, `Object.fromEntries([...document.querySelectorAll('[data-advised]')].map(e => [e.dataset.advised, `+
		`{Value: +e.dataset.value, Error: +e.dataset.error, Cost: +e.dataset.cost}]))`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the advice (-API +page)\n%s", diff)
	}
	below := eval[map[string]string](p, "Object.fromEntries([...document.querySelectorAll('#felt [data-card]')].filter(e => "+
		"e.querySelector('.value')).map(e => [e.dataset.card, e.querySelector('.value').textContent.replace(/[1-9][0-9]*$/, '')]))")
	if diff := cmp.Diff(signs, below); diff != "" {
		t.Errorf("below the cards (-API +page)\n%s", diff)
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
	p := open(t, s, "/belote#v=1&m=play")
	p.still()
	begin := map[string]any{"players": map[string]any{"opponent": "random"}, "suits": []string{"C"}, "trump": "drawn"}
	var now api.BeloteSession
	var acts []string
	for seed := 0; ; seed++ { // until belote-rebelote decides
		begin["seed"] = strconv.Itoa(seed)
		now, acts = request[api.BeloteSession](t, s, "POST", "/v1/belote/sessions", begin), nil
		for now.State == api.BeloteSessionStatePlaying {
			acts = append(acts, now.Legal[0])
			now = request[api.BeloteSession](t, s, "POST", now.Links.Self+"/play", map[string]any{"acts": now.Acts, "card": now.Legal[0]})
		}
		if score := now.Results[0].Score; score.Result == "made" && score.Made.A == now.Points.A+20 && now.Points.A < score.Needed {
			break
		}
	}
	p.until("document.getElementById('lobby-play')")
	p.beloteBegin(begin)
	for _, card := range acts {
		p.until(fmt.Sprintf("document.querySelector('#felt .card.legal[data-card=%q]')", card))
		p.click(fmt.Sprintf("#felt [data-card=%q]", card))
	}
	p.until("document.getElementById('written')")
	compareBeloteEnd(t, p, &now)
	if got := eval[string](p, "(e => e.dataset.won + ' ' + e.dataset.points)(document.getElementById('outcome'))"); got != fmt.Sprint("true ",
		now.Points.A+20) {
		t.Errorf("the result is %s, want true and %d points", got, now.Points.A+20)
	}
}

// The dealer plays a match of four hands. A busy server is asked again; an earlier position can be looked at, not played; and the page
// comes back to the same place when it is loaded again: while the cards are dealt, in the play, and between two hands. The sheet has
// all hands.
func TestBeloteMatch(t *testing.T) {
	sweep(t)
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/belote#v=1&m=play")
	p.allow("503 (Service Unavailable)")
	p.still()
	var asked atomic.Int32
	busy := func(ends string) {
		asked.Store(0)
		s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, ends) || asked.Add(1) > 1 {
				return false
			}
			w.Header().Set("Content-Type", "application/problem+json")
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"type": "about:blank", "title": "Busy", "status": 503, "detail": "Busy."}`))
			return true
		})
	}
	p.until("document.getElementById('lobby-play')")
	busy("/v1/belote/sessions")
	p.click("#play")
	p.until("document.getElementById('play-dialog')")
	p.click("#play-begin")
	p.until("document.getElementById('countdown')?.textContent.startsWith('The server is busy.')")
	p.until("document.querySelector('.count')")
	s.intercepts(nil)
	p.beloteBegin(map[string]any{
		"seat": "B", "players": map[string]any{"opponent": "simple"}, "hands": 4, "suits": []string{"H"}, "seed": "3",
	})
	reloads := map[api.BeloteSessionState]int{}
	again := func() {
		t.Helper()
		before := p.beloteSession()
		reloads[before.State]++
		count := p.text(".count")
		p.reload()
		p.until("document.querySelector('.count')")
		if got := p.text(".count"); got != count || p.beloteSession().Acts != before.Acts {
			t.Errorf("loaded again the page shows %s cards, it showed %s", got, count)
		}
	}
	for hand := range 4 {
		p.until(fmt.Sprintf("document.getElementById('hand-of')?.textContent === 'Hand %d of 4' && %s", hand+1, beloteSettled))
		for eval[bool](p, "!!document.querySelector('[data-call]')") {
			again()
			p.until(beloteSettled)
			p.callBelote("pass")
		}
		p.click("#felt .card.legal")
		p.until("!document.querySelector('#thinking') && +document.querySelector('.count').textContent.split(' ')[0] > 1 && " +
			"document.querySelector('#felt .card.legal')")
		again()
		p.until("document.querySelector('#felt .card.legal')")
		count := p.text(".count")
		for at, step := range []string{"#first", "#redo"} { // in one of the two it was the turn of the page
			p.click(step)
			p.count(at, 8)
			if got := eval[int](p, "document.querySelectorAll('#felt .card.legal').length"); got != 0 {
				t.Errorf("%d cards of an earlier position can be played", got)
			}
		}
		p.click("#last")
		p.until(fmt.Sprintf("document.querySelector('.count').textContent === %q && document.querySelector('#felt .card.legal')", count))
		p.playBelote()
		now := p.beloteSession()
		compareBeloteEnd(t, p, &now)
		again()
		p.until("document.getElementById('written')")
		p.click("#first")
		p.count(0, 8)
		if got := eval[int](p, "document.querySelectorAll('#felt .stack.two').length"); got != 4 {
			t.Errorf("before the first card %d stacks have two cards", got)
		}
		p.click("#last")
		p.until("document.getElementById('result')")
		want := []string{strconv.Itoa(now.Totals.You), strconv.Itoa(now.Totals.Opponent)}
		got := eval[[]string](p, "[...document.querySelectorAll('#sheet [data-total]')].map(e => e.textContent)")
		rows := eval[int](p, "document.querySelectorAll('#sheet tbody tr').length")
		if diff := cmp.Diff(want, got); diff != "" || rows != hand+1 {
			t.Errorf("%d rows after %d hands, totals (-session +page)\n%s", rows, hand+1, diff)
		}
		if hand < 3 {
			p.click("#next-hand")
		}
	}
	if reloads[api.BeloteSessionStateBidding] == 0 || reloads[api.BeloteSessionStatePlaying] < 4 ||
		reloads[api.BeloteSessionStateHandOver] < 3 {
		t.Errorf("loaded again in %v", reloads)
	}
	id := eval[string](p, "localStorage.getItem('roem.belote-game')")
	p.click("#again")
	p.until(fmt.Sprintf("localStorage.getItem('roem.belote-game') !== %q", id))
	if now := p.beloteSession(); now.Hands != 4 || now.Seat != api.BeloteSeatB || len(now.Suits) != 1 || now.Players.Opponent != "simple" {
		t.Errorf("the next game is %+v", now)
	}
}

// A card that is played in two tabs is played once, and the second tab shows how the game stands. A game that has ended is gone after a
// reload.
func TestBeloteTwoTabs(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/belote#v=1&m=play")
	p.allow("Failed to load resource")
	p.still()
	p.until("document.getElementById('lobby-play')")
	p.beloteBegin(map[string]any{"players": map[string]any{"opponent": "simple"}, "suits": []string{"H"}, "trump": "none", "seed": "3"})
	before := p.beloteSession()
	elsewhere := before.Legal[len(before.Legal)-1]
	request[api.BeloteSession](t, s, "POST", before.Links.Self+"/play", map[string]any{"acts": 0, "card": elsewhere})
	p.click(fmt.Sprintf("#felt [data-card=%q]", before.Legal[0]))
	p.until("document.querySelector('#conflict')?.textContent.includes('another tab')")
	after := p.beloteSession()
	p.count(len(after.View.Played), 8)
	if after.Acts != 1 || after.View.Played[0] != elsewhere {
		t.Errorf("the session has %d acts and the cards %v", after.Acts, after.View.Played)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.url+after.Links.Self, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	p.reload()
	p.until("document.querySelector('#gone')?.textContent.includes('does not exist any more') && document.querySelector('#lobby-play')")
}
