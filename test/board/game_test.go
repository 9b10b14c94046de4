package board_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

const sessionsPath = "/v1/klaverjas/sessions"

// newGame begins a session in which the seat is asked for a call, or for a card without bidding.
func newGame(tb testing.TB, s *site, hands int, bidding string) api.KlaverjasSession {
	tb.Helper()
	for seed := range 40 {
		g := request[api.KlaverjasSession](tb, s, "POST", sessionsPath, map[string]any{
			"hands": hands, "bidding": bidding, "seed": itoa(seed), "players": map[string]string{"partner": "policy", "opponents": "simple"},
			"compare": "master",
		})
		if bidding == "none" || g.State == "bidding" {
			return g
		}
	}
	tb.Fatal("in none of 40 deals the seat is asked for a call")
	return api.KlaverjasSession{}
}

// joinGame gives the page a game, and shows it.
func (t *tab) joinGame(hands int, bidding string) api.KlaverjasSession {
	t.tb.Helper()
	g := newGame(t.tb, t.site, hands, bidding)
	eval[bool](t, fmt.Sprintf("(localStorage.setItem('roem.game', %q), true)", g.Id))
	t.navigate("/docs/errors")
	t.navigate("/board#v=1&m=play")
	t.until("document.querySelector('.auction, #felt .card.legal')")
	return g
}

// game reads the game of the page from the server.
func (t *tab) game() api.KlaverjasSession {
	t.tb.Helper()
	return request[api.KlaverjasSession](t.tb, t.site, "GET", sessionsPath+"/"+eval[string](t, "localStorage.getItem('roem.game')"), nil)
}

// playHand calls if it is asked to, and plays a hand: the first legal card each time.
func (t *tab) playHand() {
	t.tb.Helper()
	for !eval[bool](t, "!!document.querySelector('#result')") {
		eval[bool](t, `(document.querySelector('.auction [data-call]:not([aria-disabled=true])') ?? document.querySelector('#felt `+
			`.card.legal') ?? document.body).click() ?? true`)
	}
}

// cardName finds cards as the API writes them, and as the page names them.
var cardName = regexp.MustCompile(`\b(10|[7-9TJQKA])([CDHS])\b|\b(?i:(seven|eight|nine|ten|jack|queen|king|ace) of ` +
	`(clubs|diamonds|hearts|spades))\b|(10|[7-9JQKA])[♣♦♥♠]`)

// cardsIn returns the cards that a text names.
func cardsIn(text string) []string {
	faces := map[string]string{
		"seven": "7", "eight": "8", "nine": "9", "ten": "10", "jack": "J", "queen": "Q", "king": "K", "ace": "A",
		"T": "10",
	}
	var out []string
	for _, m := range cardName.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] != "":
			face := m[1]
			if f, ok := faces[face]; ok {
				face = f
			}
			out = append(out, face+m[2])
		case m[3] != "":
			out = append(out, faces[strings.ToLower(m[3])]+strings.ToUpper(m[4][:1]))
		default:
			symbol, _ := strings.CutPrefix(m[0], m[5])
			out = append(out, m[5]+map[string]string{"♣": "C", "♦": "D", "♥": "H", "♠": "S"}[symbol])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestCardsIn(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"10H", "7C", "9S", "AD", "JS"},
		cardsIn(`{"a":"10H"} TH Seven of clubs, 9♠ jack of spades "AD"`)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// whatPageHolds returns what is outside of the panel, which names unseen cards but not their holders; and the storage and the address.
const whatPageHolds = `(() => {
  const body = document.body.cloneNode(true)
  body.querySelectorAll('#tab-panel, #field, #field-hint').forEach(e => e.remove())
  return [body.outerHTML, JSON.stringify(localStorage) + JSON.stringify(sessionStorage), location.href]
})()`

// holdersOfDeal finds who holds each card, as addresses of the board have it.
var holdersOfDeal = regexp.MustCompile(`[NESW.]{32}`)

// unseenIn returns the cards that the page holds, or that requests and answers had, without those that the seat has seen.
func (t *tab) unseenIn(seen []string) (out []string) {
	t.tb.Helper()
	add := func(where, text string) {
		for _, c := range cardsIn(text) {
			if !slices.Contains(seen, c) {
				out = append(out, c+" in "+where)
			}
		}
	}
	for i, text := range eval[[]string](t, whatPageHolds) {
		for _, holders := range holdersOfDeal.FindAllString(text, -1) {
			if len(slices.Compact(slices.Sorted(strings.SplitSeq(strings.ReplaceAll(holders, ".", ""), "")))) > 1 {
				out = append(out, "the holders "+holders+" in "+[]string{"the page", "the storage", "the address"}[i])
			}
		}
		add([]string{"the page", "the storage", "the address"}[i], text)
	}
	for _, e := range t.site.recorded() {
		add("a request to "+e.path, e.request)
		if strings.HasPrefix(e.path, sessionsPath) {
			add("an answer of "+e.path, e.response)
		} // the other answers follow from their requests
	}
	return out
}

// watchFocus counts the frames in which nothing has the focus, from now on.
const watchFocus = `(window.lost = 0, (function look() { if (document.activeElement === document.body || !document.activeElement) ` +
	`window.lost++; requestAnimationFrame(look) })(), true)`

// A hand is played with the keyboard alone against the players of the server. Until it is over, no card that the seat has not seen is in
// the page, the storage, the address, a request or an answer. It ends legally, with the score of the engine.
func TestPlayingHidden(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.record()
	p := open(t, s, "/board#v=1&m=play")
	p.still()
	p.until("document.querySelector('#lobby-play')")
	eval[bool](p, "(window.log = [], true)")
	p.tabTo("lobby-play")
	p.press(kb.Enter)
	p.tabTo("play-begin")
	p.press(kb.Enter)
	p.until("document.querySelector('.auction [data-call], #felt .card.legal')")
	if eval[bool](p, "!!document.querySelector('.auction [data-call]')") { // no other seat has declared before
		p.until("document.activeElement.dataset.call")
		p.press(kb.Tab) // the call after the first names a trump, so that the seat does not call again when all have passed
		p.until("'CDHS'.includes(document.activeElement.dataset.call)")
		p.press(kb.Enter)
		p.until("document.querySelector('#felt .card.legal')")
	}
	eval[bool](p, watchFocus)
	eval[bool](p, `(window.changes = 0, new MutationObserver(() => window.changes++).observe(document.getElementById('status'), {childList: `+
		`true, characterData: true, subtree: true}), true)`)
	id := eval[string](p, "localStorage.getItem('roem.game')")
	checked := 0
	for n := range 8 {
		g := request[api.KlaverjasSession](t, s, "GET", sessionsPath+"/"+id, nil)
		seen := slices.Concat(g.View.Hand, g.View.Played)
		if n == 1 {
			p.tabTo("tab-holders")
			p.press(kb.ArrowRight) // the advice knows no more than the seat
			p.until("document.activeElement.id === 'tab-advice' && document.querySelector('.advised, .close-call')")
			p.tabToOwn()
		}
		if n == 2 {
			p.reload()
			p.until("document.querySelector('#felt .card.legal')")
			eval[bool](p, `(window.changes = 2, window.log = [], new MutationObserver(() => { window.changes++; `+
				`window.log.push(document.getElementById('status').textContent) }).observe(document.getElementById('status'), {childList: true, `+
				`characterData: true, subtree: true}), true)`)
			p.tabToOwn()
			eval[bool](p, watchFocus)
		}
		p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", len(g.View.Played)))
		if out := p.unseenIn(seen); len(out) > 0 {
			t.Errorf("before card %d: %v", n+1, out)
		}
		checked++
		for eval[string](p, "document.activeElement.getAttribute('aria-disabled')") == "true" {
			p.press(kb.ArrowRight)
		}
		p.press(kb.Enter)
		p.until(fmt.Sprintf("document.querySelectorAll('.own .slot').length === %d || document.querySelector('#result')", n+1))
		p.until(fmt.Sprintf("window.changes >= %d && document.activeElement !== document.body", n+1))
		if changes := eval[int](p, "window.changes"); changes != n+1 {
			t.Errorf("after card %d the live region has changed %d times: %v", n+1, changes, eval[any](p, "window.log ?? []"))
		}
	}
	p.until("document.querySelector('#result')")
	end := request[api.KlaverjasSession](t, s, "GET", sessionsPath+"/"+id, nil)
	r := end.Revealed
	if checked != 8 || r == nil || len(r.Played) != 32 {
		t.Fatalf("%d times checked, revealed %v", checked, r)
	}
	legal := request[api.KlaverjasLegalMoves](t, s, "POST", "/v1/klaverjas/legal-moves", map[string]any{ // refuses cards that were not legal
		"rules": end.Rules, "trump": r.Trump, "leader": r.Leader, "declarer": r.Declarer, "hands": r.Hands, "played": r.Played,
	})
	for team, want := range map[string]int{"NS": legal.Score.NS.Tricks + legal.Score.NS.Melds, "EW": legal.Score.EW.Tricks +
		legal.Score.EW.Melds} {
		if got := p.text("#total-" + team); got != strconv.Itoa(want) {
			t.Errorf("%s have %s points on the board, %d by the engine", team, got, want)
		}
	}
	if got := eval[string](p, "document.activeElement.id"); got != "again" {
		t.Errorf("at the end the focus is on %q", got)
	}
	if lost := eval[int](p, "window.lost"); lost > 0 {
		t.Errorf("in %d frames nothing has had the focus", lost)
	}
	// The hand is over: it can be looked at with open cards.
	p.press("m")
	p.until("location.hash.includes('&h=') && document.querySelector('#outcome')")
}

// tabToOwn presses Tab until a card of the seat's own hand has the focus.
func (t *tab) tabToOwn() {
	t.tb.Helper()
	for range 120 {
		if eval[bool](t, "!!document.activeElement.closest('.own')") {
			return
		}
		t.press(kb.Tab)
	}
	t.tb.Fatal("the Tab key does not reach the hand")
}

// The player chooses the seat. The table is drawn with it at the bottom and the others around it in the order of play.
func TestSeats(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board#v=1&m=play")
	p.still()
	// around returns the seats from the left of the bottom clockwise, as they are drawn: of the hands, and of a trick with all its cards.
	around := func() string {
		t.Helper()
		return eval[string](p, `(() => {
			const [cx, cy] = (r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector('.trick, .auction').getBoundingClientRect())
			return [...document.querySelectorAll('.hand')].map(e => [(r => Math.atan2(r.y + r.height / 2 - cy,
			  r.x + r.width / 2 - cx))(e.getBoundingClientRect()), e.querySelector('h2').id.slice(-1)])
				.map(([a, s]) => [(a - Math.PI / 2 + 4 * Math.PI + 0.3) % (2 * Math.PI), s]).sort((a, b) => a[0] - b[0]).map(x => x[1]).join('')
		})()`)
	}
	for i, seat := range []string{"W", "N", "E", "S"} {
		p.click(map[bool]string{true: "#lobby-play", false: "#play"}[i == 0])
		p.until("document.querySelector('#play-seat')")
		eval[bool](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); return true `+
			`})(document.querySelector('#play-seat'))`, seat))
		p.click("#play-begin")
		p.until(fmt.Sprintf("document.querySelector('.own h2')?.id === 'hand-%s' && document.querySelector('.auction, #felt .card.legal')", seat))
		if g := p.game(); string(g.Seat) != seat || (g.View != nil && string(g.View.Seat) != seat) {
			t.Errorf("%s: the game has the seat %s", seat, g.Seat)
		}
		want := strings.Repeat("NESW", 2)[strings.Index("NESW", seat):][:4]
		if got := around(); got != want {
			t.Errorf("%s: around the table are %s, expected %s", seat, got, want)
		}
	}
	// The choices are for the next game.
	p.click("#play")
	p.until("document.querySelector('#play-seat')?.value === 'S'")
	p.press(kb.Escape)
	p.until("!document.querySelector('dialog')")
	// A hand of one's own has a seat too.
	p.click("#enter")
	p.until("document.querySelector('#enter-seat-E')")
	eval[bool](p, `(document.querySelector('#enter-S').focus(), true)`)
	p.typeText(strings.Join(example().Hands["E"], " "))
	p.click("#enter-seat-E")
	p.until("document.querySelector('#enter-E')?.value.startsWith('8C QC')")
	p.click("#use-deal")
	p.until("location.hash.includes('&s=E&h=.E')")
	p.until("document.querySelector('#hand-E')")
	if got := around(); got != "ESWN" {
		t.Errorf("around the table of an entered hand are %s", got)
	}
	// What is played stands before the seat that played it: South's lead is to the left of East.
	p.tabTo("field")
	p.typeText("7S")
	p.press(kb.Enter)
	p.until("document.querySelector('.trick li')")
	if got := eval[string](p, "document.querySelector('.trick li').className"); !strings.Contains(got, "at-W") {
		t.Errorf("the card of South is drawn %s", got)
	}
}

// From the open board to the view of one seat: its page, storage and address have no other card, also after a reload. Then back.
func TestHidingADeal(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/board"+example(wholeHand[:9]...).fragment(-1))
	p.valued()
	address := hash(p)
	s.record()
	seat := eval[string](p, "document.querySelector('.hand.turn').className.match(/hand-(.)/)[1]")
	p.press("m")
	p.until("document.querySelector('#advice, .close-call')")
	p.click("#tab-holders")
	p.until("document.querySelector('.holders')")
	seen := slices.Concat(example().Hands[seat], wholeHand[:9])
	for _, when := range []string{"after the switch", "after a reload"} {
		if out := p.unseenIn(seen); len(out) > 0 {
			t.Errorf("%s: %v", when, out)
		}
		if got := hash(p); !strings.Contains(got, "&s="+seat+"&") {
			t.Errorf("%s the address is %s", when, got)
		}
		if when == "after the switch" {
			before := hash(p)
			p.press("m")
			p.valued()
			if hash(p) != address {
				t.Errorf("back on the open board the address is %s, was %s", hash(p), address)
			}
			p.press("m")
			p.until(fmt.Sprintf("location.hash === %q", before))
			p.reload()
			p.until("document.querySelector('.holders, #advice, .close-call')")
			s.recorded()
		}
	}
}

// What happens to a game elsewhere is said in words: another tab has played, the server is busy, the game has ended.
func TestGameElsewhere(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/board"+southHolds)
	p.still()
	p.allow("status of 4")
	p.allow("status of 5")
	g := p.joinGame(1, "none")
	play := func() { t.Helper(); p.click("#felt .card.legal") }

	// Another tab plays a card; this one plays another.
	other := request[api.KlaverjasSession](t, s, "POST", sessionsPath+"/"+g.Id+"/play",
		map[string]any{"acts": g.Acts, "card": g.Legal[len(g.Legal)-1]})
	play()
	p.until("document.querySelector('#conflict')")
	p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", len(other.View.Played)))

	// The server is busy once; the page counts down and plays the card.
	var busy atomic.Bool
	busy.Store(true)
	s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/play") || !busy.Swap(false) {
			return false
		}
		w.Header().Set("Retry-After", "1")
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = json.NewEncoder(w).Encode(api.Problem{Type: "/docs/errors#busy", Title: "Busy", Status: 503, Detail: "Busy."})
		return true
	})
	play()
	p.until("document.getElementById('countdown')?.textContent.startsWith('The server is busy.')")
	p.until(fmt.Sprintf("document.querySelectorAll('.own .slot').length === 2 && !document.querySelector('#conflict, #countdown') && "+
		"document.querySelector('#felt .card.legal') && +document.querySelector('.count').textContent.split(' ')[0] > %d",
		len(other.View.Played)))

	// The connection is lost; the card is sent again when it is asked for.
	var lost atomic.Bool
	lost.Store(true)
	s.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/play") && lost.Load() {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	p.allow("ERR_")
	play()
	p.until("document.getElementById('offline')")
	lost.Store(false)
	p.click("#offline button")
	p.until("document.querySelectorAll('.own .slot').length === 3")

	// The game is ended elsewhere, or has expired, when the server has that card: the page shows it before.
	id := eval[string](p, "localStorage.getItem('roem.game')")
	for request[api.KlaverjasSession](t, s, "GET", sessionsPath+"/"+id, nil).Acts < other.Acts+2 {
		time.Sleep(10 * time.Millisecond)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.url+sessionsPath+"/"+id, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	play()
	p.until("document.querySelector('#gone')")
	if got := eval[string](p, "localStorage.getItem('roem.game')"); got != "" {
		t.Errorf("the page still keeps the game %q", got)
	}

	// The answer to a new game is lost. The game is asked for again under the same key, so that the server has one: the browser repeats a
	// request on a connection that it has kept, and the page does when it is asked to.
	lost.Store(true)
	var (
		mu   sync.Mutex
		keys []string
	)
	s.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || r.URL.Path != sessionsPath {
			return false
		}
		mu.Lock()
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		mu.Unlock()
		if lost.Load() {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	p.click("#gone button")
	p.click("#play-begin")
	p.until("document.getElementById('offline')")
	lost.Store(false)
	p.click("#offline button")
	p.until("document.querySelector('.auction, #felt .card.legal')")
	mu.Lock()
	defer mu.Unlock()
	if len(keys) < 2 || keys[0] == "" || len(slices.Compact(slices.Clone(keys))) != 1 {
		t.Errorf("the game is asked for with the keys %q", keys)
	}
}

// A match with bidding: a call, a hand, the next hand. The score sheet adds up.
func TestMatch(t *testing.T) {
	sweep(t)
	t.Parallel()
	p := open(t, commonSite(t), "/board"+southHolds)
	p.still()
	p.joinGame(16, "free")
	p.click("#tab-advice")
	p.until("document.querySelector('#bid') && document.querySelector('#strength')")
	call := p.game()
	advice := request[api.KlaverjasBidAdvice](t, p.site, "POST", "/v1/klaverjas/bid", call.Auction)
	if got := eval[string](p, "document.querySelector('#bid').dataset.call"); got != advice.Call {
		t.Errorf("the page advises the call %s, the API %s", got, advice.Call)
	}
	p.click(".auction [data-call=pass]") // the calls of the others tell most if another seat declares
	p.until("document.querySelector('#advice')")
	g := p.game()
	a := g.Auction
	if g.CalledBy == nil || *g.CalledBy == "S" {
		t.Fatalf("South declares: %+v", a)
	}
	asked := viewBody(nil, map[string]any{
		"trump": g.View.Trump, "leader": g.View.Leader, "declarer": g.View.Declarer, "seat": g.View.Seat, "hand": g.View.Hand,
		"played": g.View.Played,
		"method": "playout", "bidding": map[string]any{"flow": a.Flow, "dealer": a.Dealer, "calls": a.Calls},
	})
	costs := map[string]string{}
	for _, c := range p.bestAdvice(asked).Cards {
		costs[c.Card] = strconv.FormatFloat(c.Cost, 'f', -1, 64)
	}
	if diff := cmp.Diff(costs, eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-advised]')].map(e => `+
		`[e.dataset.advised, e.dataset.cost]))`)); diff != "" {
		t.Errorf("advice with the calls (-API +page)\n%s", diff)
	}
	p.playHand()
	g = p.game()
	if got, want := p.text("#result b"), fmt.Sprintf("%d–%d", g.Totals.NS, g.Totals.EW); got != want {
		t.Errorf("the page says %s, expected %s", got, want)
	}
	p.click("#tab-sheet")
	if got := p.text("[data-total=NS]") + " " + p.text("[data-total=EW]"); got != fmt.Sprintf("%d %d", g.Totals.NS, g.Totals.EW) {
		t.Errorf("the sheet sums to %s, expected %v", got, g.Totals)
	}
	p.click("#next-hand")
	p.until("document.querySelector('#deal-line').textContent.includes('Hand 2 of 16')")
	p.reload()
	p.until("document.querySelector('#deal-line')?.textContent.includes('Hand 2 of 16')")
	p.playHand()
	if g := p.game(); len(g.Results) != 2 || g.State != "hand_over" {
		t.Errorf("after two hands the game is %s with %d results", g.State, len(g.Results))
	}
}
