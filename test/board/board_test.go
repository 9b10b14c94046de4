package board_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// state reads the whole board: every card with what is said of it, the trick, the score and the values.
const state = `document.getElementById('felt').outerHTML + document.querySelector('.score').outerHTML + document.getElementById('tab-panel').innerHTML`

// labels reads what is said of each card that may be played.
const labels = `Object.fromEntries([...document.querySelectorAll('#felt .card.legal')].map(e => [e.dataset.card, e.querySelector('.vh').textContent]))`

func hash(t *tab) string { t.tb.Helper(); return eval[string](t, "location.hash") }

func TestBoard(t *testing.T) {
	s := newSite(t)
	board := func(name string, test func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}

	board("drawing shows 32 different cards", func(t *testing.T) {
		p := open(t, s, "/board")
		p.valued()
		const held = `[...document.querySelectorAll('#felt .hand')].map(h => [...h.querySelectorAll('[data-card]')].map(e => e.dataset.card))`
		var before string
		for range 2 {
			hands := eval[[][]string](p, held)
			all := slices.Concat(hands...)
			slices.Sort(all)
			if len(hands) != 4 || len(all) != 32 || len(slices.Compact(all)) != 32 {
				t.Errorf("the hands are %v", hands)
			}
			before = hash(p)
			p.click("#new")
			p.until(fmt.Sprintf("location.hash !== %q", before))
			p.valued()
		}
	})

	board("a deal is entered with the keyboard alone, and the fourth hand fills itself", func(t *testing.T) {
		p := open(t, s, "/board"+example().fragment(-1))
		p.valued()
		p.tabTo("enter")
		p.press(kb.Enter)
		p.tabTo("enter-N")
		p.typeText("7C 8C 9C 10C JC QC KC AC")
		p.press(kb.Tab)
		p.typeText("7d 8d 9d td jd qd kd ad")
		p.press(kb.Tab)
		p.typeText("7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥")
		p.until(`document.getElementById('enter-W').value === '7S 8S 9S 10S JS QS KS AS'`)
		p.press(kb.Enter)
		p.until(`!document.querySelector('dialog')`)
		want := "&h=NNNNNNNNEEEEEEEESSSSSSSSWWWWWWWW"
		p.until(fmt.Sprintf("location.hash.includes(%q)", want))
		if got := p.focused(); got != "enter" {
			t.Errorf("after the dialog the focus is on %s", got)
		}
	})

	board("a card that is entered twice is refused by name", func(t *testing.T) {
		p := open(t, s, "/board"+example().fragment(-1))
		p.click("#enter")
		p.click("#enter-N")
		eval[bool](p, "(document.getElementById('enter-N').focus(), true)")
		p.typeText("10H 10H XX")
		p.press(kb.Tab)
		p.typeText("10h 7C")
		p.until(`document.getElementById('enter-N-says').textContent === 'Ten of hearts is there twice. “XX” is not a card.'`)
		p.until(`document.getElementById('enter-E-says').textContent === 'Ten of hearts is also in the hand of North.'`)
		before := hash(p)
		p.press(kb.Enter)
		p.until(`document.querySelector('dialog')`)
		if hash(p) != before {
			t.Error("the wrong deal was taken")
		}
	})

	board("the values are those of the API", func(t *testing.T) {
		p := open(t, s, "/board"+example().fragment(-1))
		for _, n := range []int{0, 3, 14, 25} {
			deal := example(wholeHand[:n]...)
			p.show(deal.fragment(-1))
			p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", n))
			p.valued()
			deal.Goal = "moves"
			solution := request[api.Solution](t, s, "POST", "/v1/klaverjas/solve", deal)
			sign := 1
			if solution.Turn != nil && (*solution.Turn == "E" || *solution.Turn == "W") {
				sign = -1
			}
			want, outcomes := map[string]string{}, map[string]string{}
			for _, m := range *solution.Moves {
				loss := sign * (*solution.Outcome - m.Outcome)
				if loss == 0 {
					want[m.Card] = "best"
				} else {
					want[m.Card] = "loses " + strconv.Itoa(loss)
				}
				outcomes[m.Card] = strconv.Itoa(m.Outcome)
			}
			got := eval[map[string]string](p, labels)
			for card, label := range got {
				got[card] = label[strings.LastIndex(label, ", ")+2:]
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("after %d cards (-API +cards)\n%s", n, diff)
			}
			moves := eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-move]')].map(e => [e.dataset.move, e.dataset.outcome]))`)
			if diff := cmp.Diff(outcomes, moves); diff != "" {
				t.Errorf("after %d cards (-API +panel)\n%s", n, diff)
			}
		}
	})

	board("an illegal card is not played, and the page says why", func(t *testing.T) {
		p := open(t, s, "/board"+example("JH").fragment(-1)) // west has no heart and must ruff
		p.valued()
		before := hash(p)
		for card, why := range map[string]string{
			"8D": "Eight of diamonds is not played: must ruff, higher than the trumps in the trick.",
			"9C": "Nine of clubs is not played: West is to play.",
		} {
			selector := fmt.Sprintf(`#felt [data-card="%s"]`, card)
			if got := eval[string](p, fmt.Sprintf("document.querySelector(%q).getAttribute('aria-disabled')", selector)); got != "true" {
				t.Errorf("%s: aria-disabled is %s", card, got)
			}
			p.click(selector)
			p.until(fmt.Sprintf("document.getElementById('status').textContent === %q", why))
		}
		if hash(p) != before {
			t.Errorf("the position has changed from %s to %s", before, hash(p))
		}
	})

	board("a whole hand is played with the keyboard, and the score is the engine's", func(t *testing.T) {
		p := open(t, s, "/board"+example().fragment(-1))
		p.valued()
		p.tabTo("") // to the first stop
		p.tabTo("theme")
		for range 40 {
			if strings.HasSuffix(p.focused(), "S") && eval[bool](p, "!!document.activeElement.closest('.hand-S')") {
				break
			}
			p.press(kb.Tab)
		}
		// The live region changes once for each card, and the focus is always somewhere.
		eval[bool](p, `(window.changes = 0, new MutationObserver(() => window.changes++).observe(document.getElementById('status'), {childList: true, characterData: true, subtree: true}), true)`)
		for n := range 32 {
			for step := range 1 + n%3 {
				if step > 0 {
					p.press(kb.ArrowRight)
				}
				for eval[string](p, "document.activeElement.getAttribute('aria-disabled')") == "true" {
					p.press(kb.ArrowRight)
				}
			}
			p.press(kb.Enter)
			p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", n+1))
			p.until("document.activeElement !== document.body && document.activeElement.isConnected")
			p.until(fmt.Sprintf("window.changes === %d", n+1))
		}
		played := strings.Split(eval[string](p, `new URLSearchParams(location.hash.slice(1)).get('p').replace(/..(?!$)/g, '$& ')`), " ")
		for i := range played {
			played[i] = strings.Replace(played[i], "T", "10", 1)
		}
		end := request[api.LegalMoves](t, s, "POST", "/v1/klaverjas/legal-moves", example(played...))
		for team, want := range map[string]int{
			"NS": end.Score.NS.Tricks + end.Score.NS.Melds, "EW": end.Score.EW.Tricks + end.Score.EW.Melds,
		} {
			if got := p.text("#total-" + team); got != strconv.Itoa(want) {
				t.Errorf("%s have %s points on the board, %d by the engine", team, got, want)
			}
		}
		solution := request[api.Solution](t, s, "POST", "/v1/klaverjas/solve", example(played...))
		if got := eval[string](p, "document.getElementById('outcome').dataset.outcome"); got != strconv.Itoa(*solution.Outcome) {
			t.Errorf("the outcome on the board is %s, %d by the engine", got, *solution.Outcome)
		}
	})

	board("going back 32 cards and forward again gives the same page", func(t *testing.T) {
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
	})

	board("a reload keeps a variation, what it cut off, and what comes after the cursor", func(t *testing.T) {
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
		p.do(reload)
		p.valued()
		if hash(p) != address {
			t.Errorf("the address was %s, and is %s", address, hash(p))
		}
		if diff := cmp.Diff(before, eval[string](p, state)); diff != "" {
			t.Errorf("(-before +after the reload)\n%s", diff)
		}
		// Back over the card of the variation: the cards that it cut off are there again.
		p.click("#undo")
		want := example(wholeHand[:6]...).fragment(3)
		p.until(fmt.Sprintf("location.hash === %q", want))
	})

	board("the address beats what is stored, and what is stored beats a new deal", func(t *testing.T) {
		p := open(t, s, "/board"+example(wholeHand[:5]...).fragment(-1))
		p.valued()
		stored := hash(p)
		p.go_("/docs/errors")
		p.go_("/board")
		p.valued()
		if hash(p) != stored {
			t.Errorf("without an address the board is %s, expected the stored %s", hash(p), stored)
		}
		p.go_("/docs/errors")
		other := example(wholeHand[:2]...).fragment(1)
		p.go_("/board" + other)
		p.valued()
		if hash(p) != other {
			t.Errorf("the board is %s, expected the address %s", hash(p), other)
		}
	})

	board("an address that cannot be read says so and is kept", func(t *testing.T) {
		good := example().fragment(-1)
		says := func(p *tab, address, want string) {
			p.until(fmt.Sprintf("document.getElementById('url-error')?.textContent.includes(%q)", want))
			if hash(p) != address {
				t.Errorf("the address %s has become %s", address, hash(p))
			}
		}
		p := open(t, s, "/board#v=2")
		says(p, "#v=2", "v must be 1.")
		// The same when the address changes later.
		for address, want := range map[string]string{
			"#nonsense":                             "“nonsense” is not name=value.",
			"#v=%zz":                                "“v=%zz” is not name=value.",
			strings.Replace(good, "t=S", "t=X", 1):  "t must be C, D, H or S.",
			strings.Replace(good, "l=S", "l=", 1):   "l must be N, E, S or W.",
			strings.Replace(good, "d=NS", "d=N", 1): "d must be NS or EW.",
			good[:len(good)-1]:                      "h must have 32 letters N, E, S, W or a dot.",
			good + "&p=KHX":                         "p needs a complete deal and two characters for each card.",
			good + "&p=KHXX":                        "card 2 of p is “XX”.",
			good + "&p=KH8D":                        "card 2 of p, 8D, is not legal.",
			good + "&p=KH&i=2":                      "i must be from 0 to the number of cards of p.",
			good + "&r=pit:5/0":                     "r names an unknown rule.",
			good + "&z=1":                           "“z” is unknown.",
		} {
			p.show(address)
			says(p, address, want)
		}
		p.show(good)
		p.until("!document.getElementById('url-error')")
		p.valued()
	})

	board("the best line ends on its stated outcome", func(t *testing.T) {
		p := open(t, s, "/board"+example().fragment(-1))
		for _, n := range []int{0, 6} {
			p.show(example(wholeHand[:n]...).fragment(-1))
			p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", n))
			p.valued()
			stated := eval[string](p, "document.getElementById('outcome').dataset.outcome")
			if got := eval[int](p, "document.querySelectorAll('.line button').length"); got != 32-n {
				t.Errorf("the line has %d cards", got)
			}
			p.click(".line li:last-child button")
			p.until("document.querySelector('.count').textContent === '32 / 32'")
			if got := eval[string](p, "document.getElementById('outcome').dataset.outcome"); got != stated {
				t.Errorf("the line ends on %s, stated %s", got, stated)
			}
		}
	})

	board("the best card, step by step, keeps the outcome", func(t *testing.T) {
		p := open(t, s, "/board"+example(wholeHand[:20]...).fragment(-1))
		p.valued()
		stated := eval[string](p, "document.getElementById('outcome').dataset.outcome")
		for n := 21; n <= 32; n++ {
			p.valued()
			p.press("b")
			p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", n))
		}
		p.until("document.getElementById('outcome')")
		if got := eval[string](p, "document.getElementById('outcome').dataset.outcome"); got != stated {
			t.Errorf("the hand ends on %s, stated %s", got, stated)
		}
	})

	board("the review is the API's", func(t *testing.T) {
		p := open(t, s, "/board"+example(wholeHand...).fragment(0))
		p.valued()
		p.click("#tab-review")
		p.until("document.querySelector('.review')")
		want := request[api.Analysis](t, s, "POST", "/v1/klaverjas/analyse", example(wholeHand...))
		costs := map[string]string{}
		first := 0
		for _, c := range want.Cards {
			costs[strconv.Itoa(c.Number)] = strconv.Itoa(c.Cost)
			if first == 0 && c.Cost > 0 && c.Number > 1 {
				first = c.Number
			}
		}
		got := eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-number]')].map(e => [e.dataset.number, e.dataset.cost]))`)
		if diff := cmp.Diff(costs, got); diff != "" {
			t.Errorf("costs (-API +page)\n%s", diff)
		}
		sums := map[string]string{
			"N": strconv.Itoa(want.Seats.N.Cost), "E": strconv.Itoa(want.Seats.E.Cost), "S": strconv.Itoa(want.Seats.S.Cost), "W": strconv.Itoa(want.Seats.W.Cost),
		}
		if diff := cmp.Diff(sums, eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-sum]')].map(e => [e.dataset.sum, e.textContent]))`)); diff != "" {
			t.Errorf("sums (-API +page)\n%s", diff)
		}
		// The key goes to the position before the next costly card.
		p.press("n")
		p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", first-1))
		if got := p.text("#status"); !strings.Contains(got, "cost "+costs[strconv.Itoa(first)]+".") {
			t.Errorf("the page says %q", got)
		}
	})

	board("the table of trumps is the API's", func(t *testing.T) {
		deal := example(wholeHand[:4]...)
		p := open(t, s, "/board"+deal.fragment(-1))
		p.valued()
		p.click("#tab-trumps")
		p.until("document.querySelector('.trumps')")
		want := request[api.Table](t, s, "POST", "/v1/klaverjas/table", map[string]any{"leader": deal.Leader, "hands": deal.Hands})
		text, err := json.Marshal(want.Outcomes)
		if err != nil {
			t.Fatal(err)
		}
		var outcomes map[string]map[string]struct{ Outcome int }
		if err := json.Unmarshal(text, &outcomes); err != nil {
			t.Fatal(err)
		}
		entries := map[string]string{}
		for suit, row := range outcomes {
			for team, e := range row {
				entries[suit+team] = strings.ReplaceAll(fmt.Sprintf("%+d", e.Outcome), "-", "−")
			}
		}
		if diff := cmp.Diff(entries, eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-entry]')].map(e => [e.dataset.entry, e.textContent]))`)); diff != "" {
			t.Errorf("(-API +page)\n%s", diff)
		}
	})

	board("letters do nothing in a field, and nowhere if they are off", func(t *testing.T) {
		p := open(t, s, "/board"+example(wholeHand[:6]...).fragment(-1))
		p.valued()
		before := eval[string](p, state) + p.text("#status") + hash(p)
		eval[bool](p, "(document.getElementById('field').focus(), true)")
		for _, k := range []string{"b", "v", "s", "t", "n", "p", "?", kb.Backspace, kb.Home} {
			p.press(k)
		}
		eval[bool](p, "(document.getElementById('undo').focus(), true)")
		if after := eval[string](p, state) + p.text("#status") + hash(p); after != before {
			t.Error("letters in the field have changed the page")
		}
		p.press("?")
		p.until("document.getElementById('help-dialog')")
		p.click("#shortcuts")
		p.press(kb.Escape)
		p.until("!document.querySelector('dialog')")
		eval[bool](p, "(document.getElementById('undo').focus(), true)")
		p.press("b", "v", "s", "t", "n", "p", "/", "?")
		if after := eval[string](p, state) + p.text("#status") + hash(p); after != before {
			t.Error("letters have changed the page although they are off")
		}
		if got := p.focused(); got != "undo" {
			t.Errorf("the focus has gone to %s", got)
		}
	})
}
