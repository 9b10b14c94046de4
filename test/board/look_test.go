package board_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// views are the states of the pages that tests look at: what to click in turn, and what is then there.
var views = []struct{ name, click, there string }{
	{"values", "", ".moves"},
	{"review", "#tab-review", ".review"},
	{"trumps", "#tab-trumps", ".trumps"},
	{"enter", "#enter", "#enter-dialog"},
	{"import", "#import", "#import-dialog"},
	{"rules", "#rules", "#rules-dialog"},
	{"share", "#share", "#share-dialog"},
	{"help", "#help", "#help-dialog"},
}

// hiddenViews are the views of the hidden mode: the address, what to click in turn, and what is then there.
var hiddenViews = []struct{ name, address, click, there string }{
	{"holders", southSees, "#tab-holders", ".holders"},
	{"model", "", "[data-model=QH]", ".legend"},
	{"likely", "", "#level-belief", "#level-belief[aria-pressed=true]"},
	{"advice", "", "#tab-advice", "#advice"},
	{"own hand", "", "#enter", "#enter-dialog"},
	{"game", "", "#play", "#play-dialog"},
	{"before", southHolds, "#tab-advice", "#strength"},
	{"auction", "#v=1&m=play", "", ".auction"},
	{"playing", "", "", "#result"}, // plays the hand
	{"reviewed", "", "#tab-review", "#seat-review"},
	{"sheet", "", "#tab-sheet", ".sheet"},
	{"lobby", "", "#stop", "#lobby-play"},
}

// South's view of the deal of the examples, before a card is played and after two tricks.
const (
	southHolds = "#v=1&t=S&l=S&d=NS&s=S&h=S...S..S............S.S.S.S...S."
	southSees  = southHolds + "&p=JH8S7H8H8D7DJD7S"
)

// eachHidden opens every view of the hidden mode in turn and calls f. It plays a hand of a match.
func (t *tab) eachHidden(f func(view string)) {
	t.tb.Helper()
	for _, v := range hiddenViews {
		switch {
		case v.name == "auction":
			t.joinGame(16, "free")
		case v.name == "playing":
			t.playHand()
		case v.address != "":
			t.navigate("/docs/errors")
			t.navigate("/board" + v.address)
		}
		if v.click != "" {
			t.click(v.click)
		}
		t.until(fmt.Sprintf("document.querySelector(%q)", v.there))
		f(v.name)
		if strings.HasSuffix(v.there, "-dialog") {
			t.click("dialog .dialog-head button")
			t.until("!document.querySelector('dialog')")
		}
	}
}

// each opens every view of the board in turn and calls f.
func (t *tab) each(f func(view string)) {
	t.tb.Helper()
	for _, v := range views {
		if v.click != "" {
			t.click(v.click)
		}
		t.until(fmt.Sprintf("document.querySelector(%q)", v.there))
		f(v.name)
		if strings.HasSuffix(v.there, "-dialog") {
			t.click("dialog .dialog-head button")
			t.until("!document.querySelector('dialog')")
		}
	}
	t.click("#tab-values")
}

// speak sets the language of the page, also while a dialog is open.
func (t *tab) speak(lang string) {
	t.tb.Helper()
	t.click("#lang-" + lang)
	t.until(fmt.Sprintf("document.documentElement.lang === %q", lang))
}

// axe finds nothing on the pages, in both languages, light and dark.
func TestAxe(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile("testdata/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := commonSite(t)
	startJob(t, s)
	for name, walk := range map[string]func(*tab, func(view string)){"open": (*tab).each, "hidden": (*tab).eachHidden, "belote": (*tab).eachBelote} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testAxe(t, s, string(axe), walk)
		})
	}
}

func testAxe(t *testing.T, s *site, axe string, walk func(*tab, func(view string))) {
	t.Helper()
	p := open(t, s, "/board"+example(wholeHand[:10]...).fragment(8))
	p.still()
	p.script(axe)
	p.reload()
	p.valued()
	// A dialog is all that can be reached while it is open. What depends on the theme is contrast alone.
	run := func(view string) {
		t.Helper()
		for _, lang := range []string{"en", "nl"} {
			p.speak(lang)
			for _, theme := range []string{"light", "dark"} {
				if eval[string](p, "document.documentElement.dataset.theme") != theme {
					p.click("#theme")
					p.until(fmt.Sprintf("document.documentElement.dataset.theme === %q", theme))
				}
				rules := "{}"
				if theme == "dark" {
					rules = "{runOnly: ['color-contrast']}"
				}
				findings := eval[[]string](p, `axe.run(document.querySelector('dialog') ?? document, {resultTypes: ['violations'], ...`+rules+`})
					.then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html.slice(0, 200) + ' ' + n.failureSummary)))`)
				for _, f := range findings {
					t.Errorf("%s %s %s: %s", view, lang, theme, f)
				}
			}
		}
		p.speak("en")
	}
	walk(p, run)
	p.navigate("/jobs")
	p.until("document.querySelector('.joblist')")
	run("jobs")
}

// accessible returns what a screen reader finds in the part of the page whose root has the role and the name: one line for each node of the
// roles, with its state.
func (t *tab) accessible(role, name string, roles ...string) (lines []string) {
	t.tb.Helper()
	tree, err := chromedp.Call(t.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.tb.Fatal(err)
	}
	nodes := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range tree.Nodes {
		nodes[n.NodeID] = n
	}
	text := func(v *accessibility.Value) (out string) {
		if v != nil {
			_ = json.Unmarshal(v.Value, &out)
		}
		return out
	}
	var walk func(n *accessibility.Node, within bool)
	walk = func(n *accessibility.Node, within bool) {
		is := text(n.Role)
		within = within || !n.Ignored && is == role && text(n.Name) == name
		if within && !n.Ignored && slices.Contains(roles, is) {
			line := is
			for _, p := range n.Properties {
				value := strings.Trim(string(p.Value.Value), `"`)
				switch {
				case p.Name == "disabled" && value == "true", p.Name == "pressed" && value == "true", p.Name == "selected" && value == "true":
					line += " (" + string(p.Name) + ")"
				}
			}
			lines = append(lines, strings.TrimSpace(line+" "+text(n.Name)))
		}
		for _, id := range n.ChildIDs {
			if child := nodes[id]; child != nil {
				walk(child, within)
			}
		}
	}
	walk(tree.Nodes[0], false)
	return lines
}

// What a screen reader is told of the hand that is to play: a heading, a list, and each card with what it loses or why it may not be
// played.
func TestScreenReader(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example("JH").fragment(-1)) // west has no heart and must ruff
	p.valued()
	got := p.accessible("region", "West to play", "heading", "list", "button")
	want := []string{
		"heading West to play",
		"list",
		"button Jack of spades, loses 50",
		"button Queen of spades, loses 12",
		"button Eight of spades, best",
		"button (disabled) Ace of diamonds, not legal: must ruff, higher than the trumps in the trick",
		"button (disabled) Ten of diamonds, not legal: must ruff, higher than the trumps in the trick",
		"button (disabled) Queen of diamonds, not legal: must ruff, higher than the trumps in the trick",
		"button (disabled) Nine of diamonds, not legal: must ruff, higher than the trumps in the trick",
		"button (disabled) Eight of diamonds, not legal: must ruff, higher than the trumps in the trick",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// No sideways scrolling at 320 pixels, and with text of twice the size.
func TestNarrow(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	startJob(t, s)
	p := open(t, s, "/board"+example(wholeHand[:10]...).fragment(8))
	p.valued()
	check := func(where string) {
		t.Helper()
		if got, width := eval[int](p, "document.documentElement.scrollWidth"), eval[int](p, "innerWidth"); got > width {
			wide := eval[[]string](p, `[...document.querySelectorAll('#app *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.vh')).slice(0, 5).map(e => e.outerHTML.slice(0, 120))`)
			t.Errorf("%s: the page is %d pixels wide, the window %d: %v", where, got, width, wide)
		}
	}
	targets := func(where string) {
		t.Helper()
		small := eval[[]string](p, `[...document.querySelectorAll('button, select, input, .top nav a')].filter(e => { const r = e.getBoundingClientRect(); return r.width > 0 && (r.height < 44 || r.width < 44) && !e.matches('[type=checkbox]') }).map(e => e.outerHTML.slice(0, 120))`)
		if len(small) > 0 {
			t.Errorf("%s: targets under 44 pixels: %v", where, small)
		}
	}
	resize := func(width, text int) {
		t.Helper()
		p.do(chromedp.EmulateViewport(int64(width), 800))
		eval[bool](p, fmt.Sprintf("(document.documentElement.style.fontSize = '%d%%', true)", text))
	}
	p.still()
	p.each(func(view string) {
		for _, lang := range []string{"en", "nl"} {
			p.speak(lang)
			for _, size := range [][2]int{{320, 100}, {640, 200}, {1280, 200}} {
				resize(size[0], size[1])
				check(fmt.Sprintf("%s, %d pixels, text %d %%, %s", view, size[0], size[1], lang))
			}
		}
		if view == "values" {
			resize(320, 100)
			targets("values")
		}
	})
	p.eachHidden(func(view string) {
		resize(640, 200)
		check("hidden, " + view + ", 640 pixels, text 200 %, nl")
		resize(320, 100)
		check("hidden, " + view + ", 320 pixels, nl")
		targets("hidden, " + view)
	})
	p.eachBelote(func(view string) {
		resize(640, 200)
		check(view + ", 640 pixels, text 200 %")
		resize(320, 100)
		check(view + ", 320 pixels")
		targets(view)
	})
	resize(640, 200)
	p.navigate("/jobs")
	p.until("document.querySelector('.joblist')")
	check("jobs")
}

// Without colour, the suits are four shapes, and the best card has a star and a border.
func TestGreyscale(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedVisionDeficiency, emulation.SetEmulatedVisionDeficiencyParams{Type: emulation.SetEmulatedVisionDeficiencyTypeAchromatopsia}); err != nil {
		t.Fatal(err)
	}
	shot := func(selector string) *image.Gray {
		t.Helper()
		text, err := chromedp.Run(p.ctx, chromedp.ScreenshotScale(chromedp.CSS(selector), 2))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		grey := image.NewGray(image.Rect(0, 0, picture.Bounds().Dx(), picture.Bounds().Dy()))
		for y := range grey.Rect.Dy() {
			for x := range grey.Rect.Dx() {
				c := picture.At(picture.Bounds().Min.X+x, picture.Bounds().Min.Y+y)
				if r, g, b, _ := c.RGBA(); max(r, g, b)-min(r, g, b) > 0x500 {
					t.Fatalf("%s has colour: the emulation does not work", selector)
				}
				grey.Set(x, y, c)
			}
		}
		return grey
	}
	// differing returns the share of pixels that are ink in one picture only: the difference of the shapes, whatever their shades.
	const ink = 170
	differing := func(a, b *image.Gray) float64 {
		w, h := min(a.Rect.Dx(), b.Rect.Dx()), min(a.Rect.Dy(), b.Rect.Dy())
		n := 0
		for y := range h {
			for x := range w {
				if (a.GrayAt(x, y).Y < ink) != (b.GrayAt(x, y).Y < ink) {
					n++
				}
			}
		}
		return float64(n) / float64(w*h)
	}
	suits := []string{"C", "D", "H", "S"}
	var icons []*image.Gray
	for _, suit := range suits {
		icons = append(icons, shot("#trump-"+suit+" svg"))
	}
	for i := range suits {
		for j := range i {
			d := differing(icons[i], icons[j])
			t.Logf("%s and %s differ in %.1f %% of their pixels", suits[i], suits[j], 100*d)
			if d < 0.05 { // one shape drawn twice differs in 1.6 %
				t.Errorf("the suits %s and %s differ in %.1f %% of their pixels", suits[i], suits[j], 100*d)
			}
		}
	}
	best := eval[[]string](p, `[...document.querySelectorAll('#felt .card.best')].map(e => e.querySelector('.value').textContent + getComputedStyle(e.querySelector('.face')).boxShadow)`)
	others := eval[[]string](p, `[...document.querySelectorAll('#felt .card.legal:not(.best)')].map(e => e.querySelector('.value').textContent + getComputedStyle(e.querySelector('.face')).boxShadow)`)
	if len(best) == 0 || len(others) == 0 {
		t.Fatalf("%d best cards, %d others", len(best), len(others))
	}
	for _, b := range best {
		if !strings.HasPrefix(b, "★") || !strings.Contains(b, "3px") {
			t.Errorf("a best card shows %s", b)
		}
	}
	for _, o := range others {
		if !strings.HasPrefix(o, "−") || strings.Contains(o, "3px") {
			t.Errorf("another card shows %s", o)
		}
	}
}

// texts returns every text that the page shows or that is read aloud.
const texts = `(() => {
  const out = new Set()
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let n = walk.nextNode(); n; n = walk.nextNode()) if (!n.parentElement.closest('script, noscript, textarea')) out.add(n.data.trim())
  for (const e of document.querySelectorAll('*')) for (const a of ['aria-label', 'title', 'placeholder']) if (e.hasAttribute(a)) out.add(e.getAttribute(a))
  return [...out, document.title].filter(t => /\p{L}{3}/u.test(t))
})()`

// Both languages are complete: no text of one stands on the page of the other.
func TestLanguages(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	startJob(t, s)
	p := open(t, s, "/board"+example(wholeHand[:10]...).fragment(8))
	p.valued()
	p.still()
	if got := eval[[]string](p, `import('/docs/assets/board.js').then(m => m.unequal())`); len(got) > 0 {
		t.Errorf("texts with other variables in Dutch, or without Dutch: %v", got)
	}
	found := map[string][]string{}
	add := func(string) {
		for _, lang := range []string{"nl", "en"} {
			p.speak(lang)
			found[lang] = append(found[lang], eval[[]string](p, texts)...)
		}
	}
	p.each(add)
	p.eachHidden(add)
	p.eachBelote(add)
	if got := eval[[]string](p, `import('/docs/assets/belote.js').then(m => m.unequalBelote())`); len(got) > 0 {
		t.Errorf("texts with other variables in Dutch, or without Dutch, on the page of Belote: %v", got)
	}
	p.navigate("/jobs")
	p.until("document.querySelector('.joblist')")
	add("jobs")
	// Names, keys and words that both languages share.
	same := []string{"Roem", "API", "Belote", "West", "Contract", "English", "Nederlands", "Pit", "Enter", "Backspace, Shift ←", "Backspace", "Shift ←", "Shift →", "Home", "End", "Later", "Open", "Roem: Belote Découverte"}
	for _, text := range found["nl"] {
		if slices.Contains(found["en"], text) && !slices.Contains(same, text) && !strings.HasPrefix(text, "http") {
			quoted, _ := json.Marshal(text)
			t.Errorf("on both pages: %s", quoted)
		}
	}
}
