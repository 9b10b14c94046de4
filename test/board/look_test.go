package board_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/web"
)

// view is a state of a page that tests look at: an address to go to, if any, the selectors to click in turn, separated by semicolons, and
// what is then there. A dialog is closed again before the next view. In the view "key" and after it, no request of the page has a key that
// is right.
type view struct{ name, address, click, there string }

// views are the views of the open board, whose page must be shown.
var views = []view{
	{"values", "", "", ".moves"},
	{"review", "", "#tab-review", ".review"},
	{"why", "", ".review .costly", "#why"},
	{"play on", "", "#play-from", "#stop-dialog"}, // the browser keeps a game
	{"again", "", "#try-again", "#trying"},
	{"trumps", "", "#tab-trumps", ".trumps"},
	{"enter", "", "#enter", "#enter-dialog"},
	{"entered", "", "#enter; [data-pick='7C']; [data-pick='8D']; [data-pick=AS]", "#enter-N-says"},
	{"import", "", "#import", "#import-dialog"},
	{"rules", "", "#rules", "#rules-dialog"},
	{"share", "", "#share", "#share-dialog"},
	{"help", "", "#help", "#help-dialog"},
	{"menu", "", "#menu", "#menu[aria-expanded=true]"}, // to be seen on a phone only
	{"claim", example(wholeHand[:28]...).fragment(-1), "", "#claim"},
	{"key", "", "#new", "#key-dialog"},
}

// hiddenViews are the views of the hidden mode.
var hiddenViews = []view{
	{"holders", southSees, "#tab-holders", ".holders"},
	{"model", "", "[data-model=QH]", ".legend"},
	{"likely", "", "#level-belief", "#level-belief[aria-pressed=true]"},
	{"advice", "", "#tab-advice", "#advice"},
	{"own hand", "", "#enter", "#enter-dialog"},
	{"heard", southSees + "&b=freeS", "#enter", "#enter-passed"},
	{"rules", "", "#rules", "#rules-dialog"},
	{"share", "", "#share", "#share-dialog"},
	{"help", "", "#help", "#help-dialog"},
	{"game", "", "#play", "#play-dialog"},
	{"before", southHolds, "#tab-advice", "#strength"},
	{"auction", "", "", ".auction"}, // joins a game
	{"playing", "", "", "#result"},  // plays the hand
	{"reviewed", "", "#tab-review", "#seat-review"},
	{"mistake", "", ".seat-review tr.wrong button", "#why"},
	{"sheet", "", "#tab-sheet", ".sheet"},
	{"record", "", "#share", "#share-dialog"},
	{"earlier", "", "[data-hand='1']", "#hand-now"}, // joins a match
	{"records", "", "#share", "#record-all"},
	{"claim", "", "", "#claim"}, // joins a game
	{"stop", "", "#stop", "#stop-dialog"},
	{"lobby", "", "#stop; #stop-do", "#lobby-play"},
	{"key", "", "#lobby-play; #play-begin", "#key-dialog"},
}

// South's view of the deal of the examples, before a card is played and after two tricks.
const (
	southHolds = "#v=1&t=S&l=S&d=NS&s=S&h=S...S..S............S.S.S.S...S."
	southSees  = southHolds + "&p=JH8S7H8H8D7DJD7S"
)

// jobViews are the views of the page of jobs, on which there is a job that has finished.
var jobViews = []view{
	{"jobs", "", "", ".joblist"},
	{"result", "", ".acts button:not(.open, .cancel)", "#result-dialog"},
	{"key", "#", "", "#key-dialog"},
}

// eveningViews are the views of the page of an evening.
var eveningViews = []view{
	{"enter", "#", "", "#evening-begin"},
	{"evening", "", "", "#evening-mistakes"},               // opens the review of an evening
	{"mistake", "", "#evening-mistakes a", "#seat-review"}, // the same, and leaves the page
}

// eachEvening opens every view of the page of an evening in turn and calls f.
func (t *tab) eachEvening(f func(view string)) {
	t.tb.Helper()
	evening := func() {
		job := startEvening(t.tb, t.site)
		t.navigate("/docs/errors")
		t.navigate("/evening#" + job.Id)
	}
	t.walk("/evening", eveningViews, map[string]func(){"evening": evening, "mistake": evening}, func(view string) { f("evening, " + view) })
}

// eachJobs opens every view of the page of jobs in turn and calls f.
func (t *tab) eachJobs(f func(view string)) {
	t.tb.Helper()
	t.navigate("/jobs#" + startJob(t.tb, t.site).Id)
	t.walk("/jobs", jobViews, map[string]func(){
		"key": func() { eval[bool](t, "dispatchEvent(new Event('online'))") }, // the page reads the list again
	}, func(view string) { f("jobs, " + view) })
}

// walks open the views of a page in turn.
var walks = map[string]func(*tab, func(view string)){
	"open": (*tab).each, "hidden": (*tab).eachHidden, "belote": (*tab).eachBelote, "gin rummy": (*tab).eachGin, "tarok": (*tab).eachTarok,
	"jobs": (*tab).eachJobs, "puzzles": (*tab).eachPuzzle, "evening": (*tab).eachEvening,
	"rules": (*tab).eachRules, "watch": (*tab).eachWatch,
}

// walk opens views of a page in turn and calls f. before is what is done in a view before its clicks.
func (t *tab) walk(page string, list []view, before map[string]func(), f func(view string)) {
	t.tb.Helper()
	for _, v := range list {
		if v.name == "key" && t.site.alone != nil {
			continue // a server asks for it
		}
		if v.address != "" {
			t.navigate("/docs/errors")
			t.navigate(page + v.address)
		}
		if v.name == "key" {
			t.withoutKey()
		}
		if do := before[v.name]; do != nil {
			do()
		}
		for selector := range strings.SplitSeq(v.click, "; ") {
			if selector != "" {
				t.click(selector)
			}
		}
		t.until(fmt.Sprintf("document.querySelector(%q)", v.there))
		f(v.name)
		if eval[bool](t, "!!document.querySelector('dialog')") {
			t.click("dialog .dialog-head button")
			t.until("!document.querySelector('dialog')")
		}
	}
}

// each opens every view of the board in turn and calls f.
func (t *tab) each(f func(view string)) {
	t.tb.Helper()
	t.walk("/board", views, map[string]func(){
		"play on": func() { eval[bool](t, "(localStorage.setItem('roem.game', 'a game'), true)") },
		"again":   func() { eval[bool](t, "(localStorage.removeItem('roem.game'), true)") },
	}, f)
}

// eachHidden opens every view of the hidden mode in turn and calls f. It plays a hand of a match.
func (t *tab) eachHidden(f func(view string)) {
	t.tb.Helper()
	t.walk("/board", hiddenViews, map[string]func(){
		"auction": func() { t.joinGame(16, "free") },
		"playing": t.playHand,
		"earlier": func() { t.joinEarlier("klaverjas") },
		"claim":   t.joinEnding,
	}, func(view string) { f("hidden, " + view) })
}

// withoutKey has every further request of the page answered as a server does that asks for a key.
func (t *tab) withoutKey() {
	t.tb.Helper()
	eval[bool](t, `(window.fetch = () => Promise.resolve(
		new Response('{"title": "Unauthorized", "detail": "The key is missing.", "status": 401}', {status: 401})), true)`)
}

// speak sets the language of the page, also while a dialog is open.
func (t *tab) speak(lang string) {
	t.tb.Helper()
	t.click("#lang-" + lang)
	t.until(fmt.Sprintf("document.documentElement.lang === %q", lang))
}

// axe finds nothing in any view of the pages, in both languages, light and dark.
func TestAxe(t *testing.T) {
	sweep(t)
	t.Parallel()
	axe, err := os.ReadFile("testdata/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	for name, walk := range walks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testAxe(t, commonSite(t), string(axe), walk)
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
	const contrast = "{runOnly: ['color-contrast']}"
	looks := []struct{ lang, theme, rules string }{
		{"en", "light", "{}"}, {"en", "dark", contrast}, {"nl", "light", "{}"}, {"nl", "dark", contrast},
	}
	walk(p, func(view string) {
		t.Helper()
		for _, l := range looks {
			p.speak(l.lang)
			if eval[string](p, "document.documentElement.dataset.theme") != l.theme {
				p.click("#theme")
				p.until(fmt.Sprintf("document.documentElement.dataset.theme === %q", l.theme))
			}
			findings := eval[[]string](p, `axe.run(document.querySelector('dialog') ?? document, {resultTypes: ['violations'], ...`+l.rules+`})
				.then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html.slice(0, 200) + ' ' + n.failureSummary)))`)
			for _, f := range findings {
				t.Errorf("%s %s %s: %s", view, l.lang, l.theme, f)
			}
		}
		p.speak("en")
	})
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
	w := words(t, "en", "klaverjas")
	turn, illegal := w("W")+" "+w("turnHere"), ", "+w("notLegal", "why", w("overruff"))
	got := p.accessible("region", turn, "heading", "list", "button")
	want := []string{
		"heading " + turn,
		"list",
		"button Jack of spades, " + w("loses", "n", "50"),
		"button Queen of spades, " + w("loses", "n", "12"),
		"button Eight of spades, " + w("isBest"),
		"button (disabled) Ace of diamonds" + illegal,
		"button (disabled) Ten of diamonds" + illegal,
		"button (disabled) Queen of diamonds" + illegal,
		"button (disabled) Nine of diamonds" + illegal,
		"button (disabled) Eight of diamonds" + illegal,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What a screen reader finds in the hidden mode: the seat's hand, the grid as tables with heads, the facts as a list, the advice as a
// table, and the entry of a hand.
func TestScreenReaderHidden(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+southSees)
	p.still()
	check := func(what string, got, want []string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", what, diff)
		}
	}
	w := words(t, "en", "klaverjas")
	roles := []string{"heading", "table", "columnheader", "rowheader", "cell", "button", "list", "tab"}
	advice := p.bestAdvice(viewBody([]string{"JH", "8S", "7H", "8H", "8D", "7D", "JD", "7S"}, map[string]any{"method": "playout"}))
	// said returns what is said of a card: the advice of the API in words.
	said := func(card string) string {
		for _, c := range advice.Cards {
			switch {
			case c.Card != card:
			case card == advice.Card:
				return w("advised")
			case c.Standing == api.StandingAsGood:
				return w("closeTo")
			case c.Standing == api.StandingUncertain:
				return w("costsUpTo", "n", fmt.Sprint(math.Round(c.Cost+2*c.StandardErrors.Cost)))
			default:
				return w("costsAbout", "n", fmt.Sprint(max(1, math.Round(c.Cost))))
			}
		}
		return "nothing"
	}
	own := w("yourHand", "seat", w("S")) + " " + w("turnHere")
	check("the hand", p.accessible("region", own, roles...), []string{
		"heading " + own, "list",
		"button Nine of spades, " + said("9S"), "button King of spades, " + said("KS"), "button King of hearts, " + said("KH"),
		"button Ace of clubs, " + said("AC"), "button Jack of clubs, " + said("JC"), "button Seven of clubs, " + said("7C"),
	})
	p.click("#tab-holders")
	p.until("document.querySelector('.holders')")
	check("the tabs", p.accessible("tablist", w("seenBy"), roles...), []string{"tab (selected) " + w("holders"), "tab " + w("advice")})
	heads := []string{"columnheader Card", "columnheader West", "columnheader North", "columnheader East"}
	check("the grids", p.accessible("tabpanel", w("holders"), "table", "columnheader"), slices.Concat(
		[]string{"table clubs"}, heads, []string{"table diamonds"}, heads, []string{"table hearts"}, heads, []string{"table spades"}, heads,
		[]string{"table " + w("cardsLeft")}, heads[1:],
	))
	check("the hearts", p.accessible("table", "hearts", "rowheader", "button", "cell"), []string{
		"rowheader Nine of hearts", "button Nine of hearts", "cell West not", "cell North 50 per cent", "cell East 50 per cent",
		"rowheader Ten of hearts", "button Ten of hearts", "cell West not", "cell North 50 per cent", "cell East 50 per cent",
		"rowheader Queen of hearts", "button Queen of hearts", "cell West not", "cell North 50 per cent", "cell East 50 per cent",
		"rowheader Ace of hearts", "button Ace of hearts", "cell West not", "cell North 50 per cent", "cell East 50 per cent",
	})
	check("the cards left", p.accessible("table", w("cardsLeft"), "rowheader", "cell"), []string{
		"cell", "rowheader " + w("cardsLeft"), "cell 6", "cell 6", "cell 6", "rowheader " + w("noneOf"), "cell hearts", "cell", "cell",
	})
	check("the facts", p.accessible("region", w("facts"), "list", "listitem", "StaticText")[1:], []string{
		"list", "listitem", "StaticText Trick 1", "StaticText ,", "StaticText Eight of spades", "StaticText :",
		"StaticText " + w("fact_void", "seat", w("W"), "suit", w("H")),
	})
	p.click("[data-model=QH]")
	p.until("document.querySelector('.legend')")
	model := w("modelTitle") + " Queen of hearts"
	check("the model", p.accessible("region", model, "heading", "button", "listitem", "StaticText"), []string{
		"heading " + model, "StaticText " + w("modelTitle"), "StaticText", "StaticText Queen of hearts", "button Close",
		"button Earlier", "StaticText Trick 1, after West played", "StaticText", "StaticText Eight of spades", "button (disabled) Later",
		"listitem", "StaticText " + w("kOther", "seat", w("N"), "seats", "East or South"),
		"listitem", "StaticText " + w("kOther", "seat", w("E"), "seats", "North or South"),
		"listitem", "StaticText " + w("kMaybe", "seats", "North or East"),
		"listitem", "StaticText " + w("kOtherNot", "seat", w("W"), "seats", "North or East or South"),
		"StaticText " + w("modelHint"),
	})
	p.click("#tab-advice")
	p.until("document.querySelector('#advice')")
	rows := p.accessible("table", w("advice"), "columnheader", "rowheader", "cell")
	check("the heads of the advice", rows[:5], []string{
		"columnheader Card", "columnheader Costs", "columnheader Between", "columnheader Best in", "columnheader Makes it",
	})
	var costs, want []string
	for i := 5; i < len(rows); i += 5 {
		costs = append(costs, rows[i], rows[i+1])
	}
	names := map[string]string{
		"9S": "Nine of spades", "KS": "King of spades", "KH": "King of hearts", "AC": "Ace of clubs",
		"JC": "Jack of clubs", "7C": "Seven of clubs",
	}
	for _, c := range advice.Cards {
		want = append(want, "rowheader "+names[c.Card], "cell "+said(c.Card))
	}
	check("the advice", costs, want)
	p.click("#enter")
	p.until("document.querySelector('#enter-dialog')")
	p.retype("enter-S", "7C 8C XX")
	entering := p.accessible("dialog", w("enterOwn"), "heading", "textbox", "button", "group")
	check("entering", append(append(entering[:9:9], entering[20:28]...), entering[len(entering)-4:]...), []string{
		"heading " + w("enterOwn"), "button Close", "group Seat", "button North", "button East", "button (pressed) South", "button West",
		"group Trump", "button clubs",
		"button (pressed) South", "textbox " + w("forHand", "seat", w("S")), "button (disabled) Played",
		"textbox (disabled) " + w("enterPlayedLabel"), "group " + w("cards"),
		"button Seven of spades, free", "button Eight of spades, free", "button Nine of spades, free",
		"button (disabled) Back", "group", "button Clear", "button (disabled) " + w("use"),
	})
	if len(entering) != 2+5+5+5+3+2+2+1+32+4 {
		t.Errorf("entering: %d parts", len(entering))
	}
	const described = "document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent"
	if got := eval[string](p, described); got != w("enterBad", "text", "XX") {
		t.Errorf("the field is described by %q", got)
	}
	p.press(kb.Escape)
}

// The status that is read aloud is in the language of the page, also after it is switched.
func TestStatusLanguage(t *testing.T) {
	sweep(t)
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	p.still()
	in := map[string]func(string, ...string) string{"nl": words(t, "nl", "klaverjas"), "en": words(t, "en", "klaverjas")}
	says := func(key string, values ...string) {
		t.Helper()
		for _, lang := range []string{"nl", "en"} {
			p.speak(lang)
			want := in[lang](key, values...)
			if got := p.text("#status"); !strings.Contains(got, want) {
				t.Errorf("in the language %s the status is %q, expected %q in it", lang, got, want)
			}
		}
	}
	p.click("#felt [data-card=JH]")
	says("turnHere")
	p.click("#felt [data-card='8D']")
	says("overruff")
	p.valued()
	p.press("v")
	p.until("document.querySelector('#status').textContent.includes('loses')")
	p.speak("nl")
	if got := p.text("#status"); !strings.Contains(got, "Schoppenboer, kost 50; ") {
		t.Errorf("the values in Dutch are %q", got)
	}
	p.speak("en")
	p.navigate("/docs/errors")
	p.navigate("/board" + southSees)
	p.until("document.querySelector('#advice')")
	p.press("s")
	says("saidScore", "ns", "2", "ew", "2")
	p.click("#felt .card.best")
	says("turnHere")
}

// On a phone the table is first: the hand and the trick are on the first screen, below one line of the header, and what begins another deal
// is below the table. On a large screen the table takes the room.
func TestTableFirst(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example(wholeHand[:9]...).fragment(-1))
	p.still()
	p.valued()
	top := func(selector string) int {
		t.Helper()
		return eval[int](p, fmt.Sprintf("Math.round(document.querySelector(%q).getBoundingClientRect().top)", selector))
	}
	first := func(where, begin string, most int) {
		t.Helper()
		p.until(fmt.Sprintf("document.querySelector(%q)?.closest('.play')", begin))
		felt, bottom := top("#felt"), eval[int](p, "Math.round(document.querySelector('#felt').getBoundingClientRect().bottom)")
		if felt > most || bottom > eval[int](p, "innerHeight") || top(begin) < bottom {
			t.Errorf("%s: the table is from %d to %d, %s at %d", where, felt, bottom, begin, top(begin))
		}
	}
	p.do(chromedp.EmulateViewport(390, 844))
	first("open", "#new", 80)
	if eval[bool](p, "document.querySelector('nav').checkVisibility() || document.querySelector('#lang-nl').checkVisibility()") {
		t.Error("the navigation is there before it is asked for")
	}
	p.click("#menu")
	p.until("document.querySelector('nav').checkVisibility() && document.querySelector('#lang-nl').checkVisibility()")
	p.joinGame(16, "none")
	first("game", "#stop", 130)
	for _, width := range []int64{1280, 1920} {
		p.do(chromedp.EmulateViewport(width, width*9/16))
		p.until("!document.querySelector('.play #stop')")
		if share := eval[float64](p, "document.querySelector('#felt').clientWidth / innerWidth"); share < 0.6 {
			t.Errorf("the table has %.2f of %d pixels", share, width)
		}
	}
}

// Every view of every page: no sideways scrolling at 320 pixels and with text of twice the size, targets of 44 pixels, and both languages
// complete. One test, because opening the views takes most of the time.
func TestViews(t *testing.T) {
	sweep(t)
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example(wholeHand[:10]...).fragment(8))
	p.valued()
	check := func(where string) {
		t.Helper()
		if got, width := eval[int](p, "document.documentElement.scrollWidth"), eval[int](p, "innerWidth"); got > width {
			wide := eval[[]string](p, `[...document.querySelectorAll('#app *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && `+
				`!e.closest('.vh')).slice(0, 5).map(e => e.outerHTML.slice(0, 120))`)
			t.Errorf("%s: the page is %d pixels wide, the window %d: %v", where, got, width, wide)
		}
		if cut := eval[[]string](p, cutChoices); len(cut) > 0 {
			t.Errorf("%s: choices are cut: %q", where, cut)
		}
		if begins := eval[bool](p, dialogBegins); !begins {
			t.Errorf("%s: the dialog begins with the focus on %s", where, eval[string](p, "document.activeElement.outerHTML.slice(0, 200)"))
		}
	}
	targets := func(where string) {
		t.Helper()
		small := eval[[]string](p, `[...document.querySelectorAll('button, select, input, .top nav a')].filter(e => { const r = `+
			`e.getBoundingClientRect(); return r.width > 0 && (r.height < 44 || r.width < 44) && !e.matches('[type=checkbox]') }).map(e => `+
			`e.outerHTML.slice(0, 120))`)
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
	// What is written on the page in each language.
	found := map[string][]string{}
	speak := func(lang string) {
		t.Helper()
		p.speak(lang)
		found[lang] = append(found[lang], eval[[]string](p, texts)...)
	}
	p.each(func(view string) {
		for _, lang := range []string{"en", "nl"} {
			resize(1280, 100)
			speak(lang)
			p.hits(view + ", " + lang)
			for _, size := range [][2]int{{1280, 200}, {640, 200}, {320, 100}} {
				resize(size[0], size[1])
				check(fmt.Sprintf("%s, %d pixels, text %d %%, %s", view, size[0], size[1], lang))
			}
		}
		if view == "values" {
			targets("values")
		}
	})
	// The other views.
	both := func(view string) {
		for _, lang := range []string{"en", "nl"} {
			speak(lang)
			resize(320, 100)
			check(view + ", 320 pixels, " + lang)
			if lang == "nl" {
				targets(view)
			}
			p.hits(view + ", " + lang)
		}
		resize(640, 200)
		check(view + ", 640 pixels, text 200 %, nl")
	}
	p.eachHidden(both)
	p.eachBelote(both)
	p.eachGin(both)
	p.eachTarok(both)
	for _, page := range web.Pages {
		dutch := slices.Concat(page.Texts("nl"), page.LaterTexts("nl"))
		for i, english := range slices.Concat(page.Texts("en"), page.LaterTexts("en")) {
			if got := eval[[]string](p, fmt.Sprintf(unequalTexts, asset(t, english), asset(t, dutch[i]))); len(got) > 0 {
				t.Errorf("%s: texts with other variables in Dutch, or without Dutch: %v", english, got)
			}
		}
	}
	p.eachPuzzle(both)
	p.eachWatch(both)
	p.eachRules(both)
	p.eachJobs(both)
	for _, page := range []string{"/", "/docs/errors"} {
		p.navigate(page)
		p.hits(page)
	}
	sameWords(t, found)
}

// unequalTexts are the keys of two files whose texts name different variables, or whose second text is empty.
const unequalTexts = `Promise.all(['%s', '%s'].map(name => import(name))).then(([en, nl]) => {
  const variables = s => [...s.matchAll(/\{(\w+)/g)].map(m => m[1]).sort().join()
  return Object.keys(en.texts).filter(k => variables(en.texts[k]) !== variables(nl.texts[k] ?? '') || !nl.texts[k])
})`

// cutChoices are the choices of a dialog that are wider than their fields. The arrow takes 18 pixels.
const cutChoices = `[...document.querySelectorAll('dialog select')].flatMap(e => {
  const s = getComputedStyle(e), c = document.createElement('canvas').getContext('2d')
  c.font = s.fontWeight + ' ' + s.fontSize + ' ' + s.fontFamily
  const room = e.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight) - 18
  return [...e.options].filter(o => c.measureText(o.text).width > room).map(o => e.id + ': ' + o.text)
})`

// dialogBegins is whether a dialog, if there is one, has the focus on its first field or, without one, on its heading.
const dialogBegins = `(d => !d || document.activeElement === (d.querySelector('select, textarea, input:not([type=checkbox])') ?? ` +
	`d.querySelector('h2')))(document.querySelector('dialog'))`

// Without colour, the suits are four shapes, and the best card has a star and a border.
func TestGreyscale(t *testing.T) {
	sweep(t)
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedVisionDeficiency,
		emulation.SetEmulatedVisionDeficiencyParams{Type: emulation.SetEmulatedVisionDeficiencyTypeAchromatopsia}); err != nil {
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
	best := eval[[]string](p, `[...document.querySelectorAll('#felt .card.best')].map(e => e.querySelector('.value').textContent + `+
		`getComputedStyle(e.querySelector('.face')).boxShadow)`)
	others := eval[[]string](p, `[...document.querySelectorAll('#felt .card.legal:not(.best)')].map(e => `+
		`e.querySelector('.value').textContent + getComputedStyle(e.querySelector('.face')).boxShadow)`)
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
  for (let n = walk.nextNode(); n; n = walk.nextNode())
    if (!n.parentElement.closest('script, noscript, textarea, pre, [translate=no]')) out.add(n.data.trim())
  for (const e of document.querySelectorAll('*')) for (const a of ['aria-label', 'title',
    'placeholder']) if (e.hasAttribute(a)) out.add(e.getAttribute(a))
  return [...out, document.title].filter(t => /\p{L}{3}/u.test(t))
})()`

// tarokName matches the names of the taroks, which both languages share.
var tarokName = regexp.MustCompile(`^([IVX]+|Tarok \d+(, (pagat|mond|škis))?(, Talon)?)$`)

// sameWords fails the test if a text of one language stands on the page of the other.
func sameWords(t *testing.T, found map[string][]string) {
	t.Helper()
	// Names, keys and words that both languages share.
	same := []string{
		"Roem", "API", "Belote", "West", "Contract", "English", "Nederlands", "Pit", "Enter", "Backspace, Shift ←", "Backspace", "Shift ←",
		"Shift →", "Home", "End", "Later", "Open", "Roem: Belote Découverte", "Gin Rummy", "Roem: Gin Rummy", "Computer", "Gin", "gin",
		"Stuk: 20", "beginner", "Beginner", "roem", "pit", "A open", "B open",
		"open",                    // of a card
		"Silicon Tarokist (2003)", // the name of a program
		"Taken",                   // the group of the talon, and in Dutch the page of jobs
		"Status",                  // of a job
		// The words of tarok.
		"Tarok", "Roem: tarok", "Talon", "Klop", "Trula", "Valat", "PAGAT", "MOND", "ŠKIS", "×2 kontra", "×8 sub", "×16 mort",
		// The words of the rules.
		"Belote Découverte", "Anna", "Bert", "nat", "belote-rebelote", "Belote-rebelote", "undercut", "klop", "talon", "tarok", "taroks",
		"Taroks", "škis", "mond", "pagat", "trula", "Kontra", "Radli",
	}
	for _, text := range found["nl"] {
		if slices.Contains(found["en"], text) && !slices.Contains(same, text) && !tarokName.MatchString(text) &&
			!strings.HasPrefix(text, "http") {
			quoted, _ := json.Marshal(text)
			t.Errorf("on both pages: %s", quoted)
		}
	}
}

// A page of text follows the system, until a theme is chosen on a board.
func TestThemeOfText(t *testing.T) {
	sweep(t)
	t.Parallel()
	p := open(t, commonSite(t), "/")
	// Whether the ground is darker than the text on it.
	const scheme = `(() => {
		const light = c => c.match(/[\d.]+/g).slice(0, 3).reduce((sum, v) => sum + +v, 0), s = getComputedStyle(document.body)
		return getComputedStyle(document.documentElement).colorScheme + ' ' + (light(s.backgroundColor) < light(s.color))
	})()`
	for _, page := range []string{"/", "/docs/errors"} {
		p.navigate(page)
		if got, want := eval[string](p, scheme), "light dark false"; got != want {
			t.Errorf("%s without a choice: %s, want %s", page, got, want)
		}
	}
	p.navigate("/board")
	p.click("#theme")
	for _, page := range []string{"/", "/docs/errors"} {
		p.navigate(page)
		if got, want := eval[string](p, scheme), "dark true"; got != want {
			t.Errorf("%s after dark was chosen: %s, want %s", page, got, want)
		}
	}
}
