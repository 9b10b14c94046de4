package board_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"roem/internal/api"
)

// state reads the whole board: every card with what is said of it, the trick, the score and the values.
const state = `document.getElementById('felt').outerHTML + document.querySelector('.score').outerHTML + ` +
	`document.getElementById('tab-panel').innerHTML`

// labels reads what is said of each card that may be played.
const labels = `Object.fromEntries([...document.querySelectorAll('#felt .card.legal')].map(e => [e.dataset.card, ` +
	`e.querySelector('.vh').textContent]))`

func hash(t *tab) string { t.tb.Helper(); return eval[string](t, "location.hash") }

// Drawing shows 32 different cards.
func TestDrawing(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
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
}

// A deal is entered with the keyboard alone, and the fourth hand fills itself.
func TestEnteringByKeyboard(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example().fragment(-1))
	p.valued()
	p.tabTo("enter")
	p.press(kb.Enter)
	p.click("#enter-dialog .end button")
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
	p.until(`document.activeElement.id === 'enter'`)
}

// A card that is entered twice is refused by name.
func TestEnteringTwice(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example().fragment(-1))
	p.click("#enter")
	p.click("#enter-dialog .end button")
	p.click("#enter-N")
	eval[bool](p, "(document.getElementById('enter-N').focus(), true)")
	p.typeText("10H 10H XX")
	p.press(kb.Tab)
	p.typeText("10h 7C")
	w := words(t, "en", "klaverjas")
	for at, wants := range map[string][]string{
		"N": {w("enterSame", "card", ""), w("enterBad", "text", "XX")}, "E": {w("enterTwice", "card", "", "place", w("N"))},
	} {
		for _, want := range wants {
			p.until(fmt.Sprintf("document.getElementById('enter-%s-says').textContent.includes(%q)", at, want))
		}
	}
	before := hash(p)
	p.press(kb.Enter)
	p.until(`document.querySelector('dialog')`)
	if hash(p) != before {
		t.Error("the wrong deal was taken")
	}
}

// An illegal card is not played, and the page says why.
func TestIllegalCard(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example("JH").fragment(-1)) // west has no heart and must ruff
	p.valued()
	before := hash(p)
	w := words(t, "en", "klaverjas")
	for card, why := range map[string]string{"8D": w("overruff"), "9C": w("turn", "seat", w("W"))} {
		selector := fmt.Sprintf(`#felt [data-card=%q]`, card)
		if got := eval[string](p, fmt.Sprintf("document.querySelector(%q).getAttribute('aria-disabled')", selector)); got != "true" {
			t.Errorf("%s: aria-disabled is %s", card, got)
		}
		p.click(selector)
		p.until(fmt.Sprintf("document.getElementById('status').textContent.includes(%q)", why))
	}
	if hash(p) != before {
		t.Errorf("the position has changed from %s to %s", before, hash(p))
	}
}

// A whole hand is played with the keyboard, and the score is the engine's.
func TestWholeHandByKeyboard(t *testing.T) {
	sweep(t)
	t.Parallel()
	s := commonSite(t)
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
	eval[bool](p, `(window.changes = 0, new MutationObserver(() => window.changes++).observe(document.getElementById('status'), {childList: `+
		`true, characterData: true, subtree: true}), true)`)
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
	end := request[api.KlaverjasLegalMoves](t, s, "POST", "/v1/klaverjas/legal-moves", example(played...))
	for team, want := range map[string]int{
		"NS": end.Score.NS.Tricks + end.Score.NS.Melds, "EW": end.Score.EW.Tricks + end.Score.EW.Melds,
	} {
		if got := p.text("#total-" + team); got != strconv.Itoa(want) {
			t.Errorf("%s have %s points on the board, %d by the engine", team, got, want)
		}
	}
	solution := request[api.KlaverjasSolution](t, s, "POST", "/v1/klaverjas/solve", example(played...))
	if got := eval[string](p, "document.getElementById('outcome').dataset.outcome"); got != strconv.Itoa(*solution.Outcome) {
		t.Errorf("the outcome on the board is %s, %d by the engine", got, *solution.Outcome)
	}
}

// Letters do nothing in a field, and nowhere if they are off.
func TestLetters(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
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
}
