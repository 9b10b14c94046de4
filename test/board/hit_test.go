package board_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hitWidths returns the widths of the window at which every control must be reached: a screen, a tablet and a phone. In Dutch, whose words
// are longer, it is the phone only.
func hitWidths(lang string) []int64 {
	if lang == "nl" {
		return []int64{390}
	}
	return []int64{1280, 768, 390}
}

// reach is what the browser finds in the middle of each control: how many controls there are, and which of them something else lies on. Of
// a control that is a line of text, the middle agrees with its first line.
const reach = `(() => {
  const root = document.querySelector('dialog') ?? document.body
  const before = [scrollX, scrollY, root.scrollTop, document.activeElement]
  const closed = [...root.querySelectorAll('details:not([open])')]
  for (const d of closed) d.open = true
  const brief = e => e ? e.outerHTML.replace(/<svg.*?<\/svg>/g, '').slice(0, 110) : 'nothing'
  const covered = []
  let count = 0
  const controls = 'a[href], button, input, select, textarea, summary, label, [role=button], [tabindex]:not([tabindex="-1"])'
  for (const e of root.querySelectorAll(controls)) {
    if (!e.checkVisibility({visibilityProperty: true}) || e.closest('.vh')) continue
    count++
    const middle = () => {
      e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'})
      const r = e.getClientRects()[0]
      return [r.x + r.width / 2, r.y + r.height / 2]
    }
    let [x, y] = middle()
    const outside = x < 0 || y < 0 || x >= innerWidth || y >= innerHeight // the link over the header is only there while it has the focus
    if (outside) {
      e.focus()
      ;[x, y] = middle()
    }
    const hit = document.elementFromPoint(x, y)
    if (outside) e.blur()
    const own = [e, e.control, ...(e.labels ?? [])]
    if (!hit || !own.some(o => o?.contains(hit))) covered.push(brief(e) + ' is under ' + brief(hit))
  }
  for (const d of closed) d.open = false
  before[3]?.focus({preventScroll: true})
  root.scrollTop = before[2]
  scrollTo(before[0], before[1])
  return {Count: count, Covered: covered}
})()`

// hits fails the test if a click in the middle of a control would reach something else, at each of the widths of hitWidths. It looks at the
// dialog if one is open.
func (t *tab) hits(where string) {
	t.tb.Helper()
	for _, width := range hitWidths(eval[string](t, "document.documentElement.lang")) {
		t.do(chromedp.EmulateViewport(width, 800))
		got := eval[struct {
			Count   int
			Covered []string
		}](t, reach)
		if got.Count == 0 {
			t.tb.Errorf("%s, %d pixels: no control", where, width)
		}
		for _, c := range got.Covered {
			t.tb.Errorf("%s, %d pixels: %s", where, width, c)
		}
	}
}

// dialogOf finds what makes the sources open a dialog.
var dialogOf = regexp.MustCompile(`dialog === '(\w+)'|case '(\w+)':`)

// Every dialog that the sources can open is one of the views, so that TestViews and TestAxe look at it.
func TestDialogsAreViews(t *testing.T) {
	t.Parallel()
	there := map[string][]string{} // by the mode of a game
	add := func(mode string, of []view) {
		for _, v := range of {
			there[mode] = append(there[mode], v.there)
		}
	}
	add("klaverjas open", views)
	add("klaverjas hidden", hiddenViews)
	add("gin-rummy", ginViews)
	for game, views := range map[string][]view{"belote": beloteViews, "tarok": tarokViews} {
		hidden := slices.IndexFunc(views, func(v view) bool { return v.address == "#v=1&m=play" })
		add(game+" open", views[:hidden])
		add(game+" hidden", views[hidden:])
	}
	const ofHands, ofOpen = "shared/handdialogs.tsx", "shared/opendialogs.tsx"
	for mode, sources := range map[string][]string{
		"klaverjas open": {"klaverjas/open.tsx", ofOpen}, "klaverjas hidden": {"klaverjas/ownhand.tsx", ofHands},
		"belote open": {ofOpen}, "belote hidden": {ofHands},
		"tarok open": {"tarok/open.tsx", ofOpen}, "tarok hidden": {ofHands},
		"gin-rummy": {"gin-rummy/page.tsx", ofHands},
	} {
		for _, file := range sources {
			source, err := os.ReadFile("../../internal/web/board/src/" + file)
			if err != nil {
				t.Fatal(err)
			}
			found := dialogOf.FindAllStringSubmatch(string(source), -1)
			if len(found) == 0 {
				t.Errorf("%s: no dialog", file)
			}
			for _, m := range found {
				name := m[1] + m[2]
				if mode == "gin-rummy" && name == "stop" { // the page has no button for it
					continue
				}
				if want := "#" + name + "-dialog"; !slices.Contains(there[mode], want) {
					t.Errorf("%s: no view of %s", mode, want)
				}
			}
		}
	}
}

// clickMiddle clicks with the mouse in the middle of an element.
func (t *tab) clickMiddle(selector string) {
	t.tb.Helper()
	t.until(fmt.Sprintf("document.querySelector(%q)", selector))
	at := eval[[2]float64](t, fmt.Sprintf(`(e => { e.scrollIntoView({block: 'center', behavior: 'instant'}); const r = `+
		`e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })(document.querySelector(%q))`, selector))
	t.do(chromedp.MouseClickXY(at[0], at[1]))
}

// The mouse uses the deal that was typed, and Clear clears it: nothing lies on the buttons.
func TestUsingTheDeal(t *testing.T) {
	sweep(t)
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	enter := func() {
		t.Helper()
		p.clickMiddle("#enter")
		p.until("document.getElementById('enter-N')")
		p.clickMiddle("#enter-dialog .row button:not(.main)")
		eval[bool](p, "(document.getElementById('enter-N').focus(), true)")
		for _, hand := range []string{"7C 8C 9C 10C JC QC KC AC", "7D 8D 9D 10D JD QD KD AD", "7H 8H 9H 10H JH QH KH AH"} {
			p.typeText(hand)
			p.press(kb.Tab)
		}
		p.until(`document.getElementById('enter-W').value === '7S 8S 9S 10S JS QS KS AS'`)
	}
	enter()
	p.clickMiddle("#enter-dialog .row button:not(.main)")
	p.until("[...document.querySelectorAll('#enter-dialog input')].every(e => e.value === '')")
	p.press(kb.Escape)
	p.until("!document.querySelector('dialog')")
	enter()
	p.clickMiddle("#use-deal")
	p.until("!document.querySelector('dialog')")
	p.until("location.hash.includes('&h=NNNNNNNNEEEEEEEESSSSSSSSWWWWWWWW')")
}

// places are where the cards of a picker are in the window.
const places = `Object.fromEntries([...document.querySelectorAll('[data-pick]')].map(e => [e.dataset.pick, (r => [r.x, r.y, r.width, ` +
	`r.height].join(' '))(e.getBoundingClientRect())]))`

// tap touches the window with a finger.
func (t *tab) tap(x, y float64) {
	t.tb.Helper()
	for _, e := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		if _, err := chromedp.Call(t.ctx, input.DispatchTouchEvent, e); err != nil {
			t.tb.Fatal(err)
		}
	}
}

// On a phone the cards of a deal are selected one after the other, without looking again: each stays in its place, and each tap finds its
// card.
func TestTappingADeal(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	p.do(chromedp.EmulateViewport(390, 1100, chromedp.EmulateTouch))
	p.click("#enter")
	p.until("document.querySelector('[data-pick]')")
	p.click("#enter-dialog .end button")
	eval[bool](p, "(document.querySelector('.deck').scrollIntoView({block: 'end', behavior: 'instant'}), true)")
	before := eval[map[string]string](p, places)
	at := eval[map[string][2]float64](p, `Object.fromEntries([...document.querySelectorAll('[data-pick]')].map(e => [e.dataset.pick, (r => `+
		`[r.x + r.width / 2, r.y + r.height / 2])(e.getBoundingClientRect())]))`)
	taps, missed, moved := 0, 0, 0
	for _, seat := range []string{"N", "E", "S"} {
		eval[bool](p, fmt.Sprintf("(document.getElementById('enter-%s').focus({preventScroll: true}), true)", seat))
		p.until(fmt.Sprintf("document.getElementById('enter-%s').closest('.marked')", seat))
		for _, card := range example().Hands[seat] {
			taps++
			p.tap(at[card][0], at[card][1])
			typed := fmt.Sprintf("document.getElementById('enter-%s').value.split(' ').includes(%q)", seat, card)
			if !eval[bool](p, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done("+typed+"))))") {
				missed++
			}
			now := eval[map[string]string](p, places)
			if !maps.Equal(before, now) {
				moved++
			}
			before = now
		}
	}
	if missed > 0 || taps != 24 {
		t.Errorf("%d of %d taps missed their card", missed, taps)
	}
	if moved > 0 {
		t.Errorf("after %d of %d taps cards are in other places", moved, taps)
	}
	p.clickMiddle("#use-deal")
	p.until(fmt.Sprintf("location.hash.includes(%q)", strings.Split(example().fragment(-1), "&h=")[1]))
}
