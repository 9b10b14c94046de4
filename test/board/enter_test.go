package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// paste pastes a text into the field that has the focus.
func (t *tab) paste(text string) {
	t.tb.Helper()
	eval[bool](t, fmt.Sprintf(`(text => {
		const clipboardData = new DataTransfer()
		clipboardData.setData('text/plain', text)
		const e = document.activeElement
		if (e.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true})))
			document.execCommand('insertText', false, text.replaceAll('\n', ''))
		return true
	})(%q)`, text))
}

// Hands and tricks are pasted as people write them: whole deals, by suits, with the names of the seats and the numbers of the tricks.
func TestPastedDeal(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	p.speak("nl")
	p.tabTo("enter")
	p.press(kb.Enter)
	p.tabTo("enter-N")
	p.paste("Noord: S: 10 A H: 7 9 10 R: 7 K: 9 10\nOost: K: 8 V H; R: B H; H: 8 V A\nZ: ♣ 7 B A ♥ B H ♠ 7 9 H")
	p.until("document.getElementById('enter-W').value === '8♦ 9♦ 10♦ V♦ A♦ 8♠ B♠ V♠'")
	p.tabTo("enter-played")
	p.paste("1. Z: HH S8 H7 H8\n2. W: SB S10 A♠ S9")
	p.until("document.getElementById('enter-played').getAttribute('aria-invalid') === 'true'")
	if got := p.text("#enter-played-says"); !strings.HasPrefix(got, "Schoppenaas") {
		t.Errorf("the page says %q", got)
	}
	p.retype("enter-played", "")
	p.paste("1. Z: HH S8 H7 H8\n2. W: SB S10")
	p.until("document.getElementById('enter-played-says').textContent === '6 van 32'")
	if got, want := p.text("#enter-status"), words(t, "nl", "klaverjas")("turn", "seat", "Oost"); !strings.Contains(got, want) {
		t.Errorf("the status is %q, want %q", got, want)
	}
	p.press(kb.Enter)
	p.until("!document.querySelector('dialog')")
	want := example("KH", "8S", "7H", "8H", "JS", "10S").fragment(-1)
	p.until(fmt.Sprintf("location.hash === %q", want))

	// The dialog opens with what is there, also after it was left.
	p.press(kb.Enter)
	p.until("document.getElementById('enter-played').value === 'H♥ 8♠ 7♥ 8♥ B♠ 10♠'")
	p.tabTo("enter-played")
	p.press(kb.End)
	p.typeText(" B♦")
	p.press(kb.Escape)
	p.until("!document.querySelector('dialog')")
	p.press(kb.Enter)
	p.until("document.getElementById('enter-played').value === 'H♥ 8♠ 7♥ 8♥ B♠ 10♠ B♦'")
	// What is asked is answered at its field: a heer of spades, or the hearts.
	p.retype("enter-N", "S A 10 H 9")
	p.until("document.querySelector('.which')")
	if got := eval[[]string](p, "[...document.querySelectorAll('.which button')].map(e => e.textContent)"); !slices.Equal(got,
		[]string{"Schoppenheer H♠", "harten ♥"}) {
		t.Errorf("the page asks for %q", got)
	}
	p.press(kb.Tab)
	p.press(kb.Tab)
	p.press(kb.Enter)
	p.until("document.getElementById('enter-N').value === 'S A 10 ♥  9'")
	p.until("document.getElementById('enter-N-says').textContent === '3 van 8'")
}

// cardsOf are the cards of a field of an address, two characters each, as the picker names them.
func cardsOf(address, field string) []string {
	_, text, _ := strings.Cut(address, "&"+field+"=")
	text, _, _ = strings.Cut(text, "&")
	var out []string
	for i := 0; i+1 < len(text); i += 2 {
		out = append(out, strings.Replace(text[i:i+2], "T", "10", 1))
	}
	return out
}

// The stacks of Belote are entered in their order, the open cards before those below them, and then the play.
func TestEnteringBelote(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/belote"+beloteTen)
	p.until("document.querySelector('#field')")
	p.click("#enter")
	p.until("document.getElementById('enter-played')?.value.startsWith('JD 8S 10H 7D')")
	p.click("#enter-dialog .end button")
	p.click("#enter-trump-N")
	p.click("#enter-leader-B")
	p.click("#enter-declarer-B")
	for _, player := range []string{"a", "b"} {
		stacks := cardsOf(beloteTen, player)
		for _, first := range []int{0, 1} {
			for i := first; i < len(stacks); i += 2 {
				p.click("[data-pick='" + stacks[i] + "']")
			}
		}
	}
	p.until("document.querySelector('[data-line=played]').ariaPressed === 'true'")
	p.click("[data-pick='KS']")
	p.until("document.getElementById('enter-played').value.startsWith('KS')")
	p.click("#use-deal")
	p.until("!document.querySelector('dialog')")
	want := strings.NewReplacer("t=H&l=A&d=A", "t=N&l=B&d=B", "&p=JD8STH7DKHQCAC8C9CTC&i=8", "&p=KS").Replace(beloteTen)
	p.until(fmt.Sprintf("location.hash.startsWith(%q)", want))
}

// The hands of tarok and the talon are entered by taps and by pasted text; the last hand fills itself.
func TestEnteringTarok(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/tarok"+tarokGame+"&i=5")
	p.until("document.querySelector('.moves')")
	held := map[string][]string{}
	for c, holder := range eval[map[string]string](p, `(h => Object.fromEntries([...Array(22).keys()].map(n => 'T' + (n + 1)).concat(
		[...'HDSC'].flatMap(s => ('HD'.includes(s) ? '4 3 2 1 J C Q K' : '7 8 9 10 J C Q K').split(' ').map(r => s + r)))
		.map((c, i) => [c, h[i]])))(new URLSearchParams(location.hash.slice(1)).get('h'))`) {
		held[holder] = append(held[holder], c)
	}
	p.click("#enter")
	p.until("document.querySelector('#enter-dialog')")
	p.click("#enter-dialog .end button")
	eval[bool](p, `(document.getElementById('enter-A').focus(), true)`)
	p.paste("A: " + strings.Join(held["A"], " ") + "\nB: " + strings.Join(held["B"], ", "))
	p.until("document.getElementById('enter-B-says').textContent === '16 of 16'")
	p.click("[data-line=talon]")
	for _, place := range []string{"1", "2", "3", "4", "5", "6"} {
		p.click("[data-pick='" + held[place][0] + "']")
	}
	p.until("document.getElementById('enter-C-says').textContent === '16 of 16'")
	p.click("#enter-declarer-B")
	p.click("#use-deal")
	p.until("!document.querySelector('dialog')")
	want := strings.Replace(tarokSetup, "d=A", "d=B", 1)
	want, _, _ = strings.Cut(want, "&g=")
	p.until(fmt.Sprintf("location.hash === %q", want))

	// The exchange and the tricks are pasted with the hands. What was announced is chosen, and all of it is there again.
	p.click("#enter")
	p.click("#enter-declarer-A")
	p.click("#enter-said summary")
	eval[bool](p, `(e => { e.value = 'declarer'; e.dispatchEvent(new Event('change', {bubbles: true})); return true `+
		`})(document.getElementById('enter-by-kings'))`)
	eval[bool](p, `(document.getElementById('enter-C').focus(), true)`)
	p.paste("Taken: T20 SC; Aside: C8 CJ; Played:\n1. A: DK DC D2\n2. A: HK T2 HQ\n3. S8")
	p.until("document.getElementById('enter-played-says').textContent === '7 of 48'")
	p.click("#use-deal")
	p.until(fmt.Sprintf("location.hash === %q", tarokSetup+"&p=DKDCD2HK02HQS8"))
	p.until("!document.querySelector('dialog')")
	p.click("#enter")
	p.until("document.getElementById('enter-aside')?.value === '8♣ J♣' && document.getElementById('enter-taken').value === 'T20 C♠'")
	p.until("document.getElementById('enter-said').open && document.getElementById('enter-by-kings').value === 'declarer'")
	// A king stays, only one group is taken, and without the exchange nothing is played.
	p.retype("enter-aside", "8♣ K♠")
	p.until("document.getElementById('enter-aside-says').textContent.startsWith('King of spades')")
	w := words(t, "en", "tarok")
	p.retype("enter-taken", "T20 T7")
	p.until(fmt.Sprintf("document.getElementById('enter-taken-says').textContent === %q", w("enterNotTaken", "card", "Tarok 7")))
	before := strings.TrimSuffix(w("enterBefore", "place", ""), ".")
	p.until(fmt.Sprintf("document.getElementById('enter-aside-says').textContent.startsWith(%q)", before))
	p.until("document.getElementById('use-deal').ariaDisabled === 'true'")
}

// Somebody who follows a hand at a real table says how trump was chosen. The advice counts it, and the address keeps it.
func TestHeardBidding(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+southSees)
	p.until("document.querySelector('#advice')")
	p.passes(`(path, body) => path.endsWith('/advise') ? window.advised = body : body`)
	p.click("#enter")
	p.click("#enter-bidding summary")
	eval[bool](p, `(e => { e.value = 'free'; e.dispatchEvent(new Event('change', {bubbles: true})); return true `+
		`})(document.getElementById('enter-flow'))`)
	p.click("#enter-caller-E")
	p.until("document.getElementById('enter-declarer-EW').ariaPressed === 'true'")
	p.click("#enter-caller-N")
	p.click("#use-deal")
	p.until(fmt.Sprintf("location.hash === %q", southSees+"&b=freeN"))
	p.until(`window.advised?.includes('"bidding":{"flow":"free","dealer":"E","calls":["pass","pass","S"]}')`)
	p.until("document.querySelector('#advice') && !document.querySelector('#failed')")
	p.reload()
	p.until("document.querySelector('#advice')")
	p.click("#enter")
	p.until("document.getElementById('enter-caller-N')?.ariaPressed === 'true' && document.getElementById('enter-flow').value === 'free'")
	p.click("#enter-caller-S")
	p.click("#enter-passed")
	p.click("#use-deal")
	p.until(fmt.Sprintf("location.hash === %q", southSees+"&b=freeSp"))
	p.click("#trump-H") // another contract was not heard
	p.until("!location.hash.includes('&b=')")
}

// The cards below of Belote are face down at a real table: after a trick the page asks which were turned, and advises on what was seen.
// When the last one is known, there are values and a review.
func TestTurnedCards(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/belote#v=1&t=C&l=A&d=A&s=C&a=KC..9C..&b=8C..TC..&p=KC")
	p.until("document.querySelector('#felt .card.legal')")
	p.click("#felt [data-card='10C']")
	w := words(t, "en", "belote")
	p.until(fmt.Sprintf("document.getElementById('turned-title')?.textContent === %q", w("whichTurned", "card", "king of clubs")))
	got := eval[string](p, "[...document.querySelectorAll('[data-turned]')].map(e => e.dataset.turned).join()")
	if got != "7C,JC,QC,AC" {
		t.Errorf("it can be %s", got)
	}
	p.click("[data-turned='7C']")
	p.until(fmt.Sprintf("document.getElementById('turned-title')?.textContent === %q", w("whichTurned", "card", "ten of clubs")))
	p.click("[data-turned=AC]")
	p.until("document.querySelector('#advice')")
	p.until("location.hash === '#v=1&t=C&l=A&d=A&s=C&a=KC7C9C..&b=8C..TCAC&p=KCTC'")
	p.click("#tab-review")
	p.until(fmt.Sprintf("document.querySelector('.panel').textContent.includes(%q)", w("reviewUnseen")))
	// The dialog opens with what was turned.
	p.click("#enter")
	p.until("document.getElementById('enter-played')?.value === 'KC 10C 7C AC'")
	p.until("document.getElementById('enter-below-down').ariaPressed === 'true'")
	p.click("#use-deal")
	p.until("!document.querySelector('dialog') && location.hash === '#v=1&t=C&l=A&d=A&s=C&a=KC7C9C..&b=8C..TCAC&p=KCTC'")
	p.click("#felt [data-card=AC]")
	p.click("#felt [data-card='9C']")
	p.click("[data-turned=QC]")
	p.click("#felt [data-card='7C']")
	p.click("#felt [data-card='8C']") // the card below it is the last one
	p.until("location.hash === '#v=1&t=C&l=A&d=A&a=KC7C9CQC&b=8CJCTCAC&p=KCTCAC9C7C8C' && document.querySelector('.review')")
	// The request for advice can be imported.
	p.click("#import")
	p.until("document.getElementById('import-text')")
	eval[bool](p, `(e => { e.value = JSON.stringify({trump: 'C', suits: ['C'], leader: 'A', declarer: 'A', played: ['KC', 'TC'],
		stacks: {A: [['KC', '7C'], ['9C', null]], B: [['8C', null], ['TC', 'AC']]}})
		e.dispatchEvent(new Event('input', {bubbles: true})); return true })(document.getElementById('import-text'))`)
	p.click("#import-do")
	p.until("location.hash === '#v=1&t=C&l=A&d=A&s=C&a=KC7C9C..&b=8C..TCAC&p=KCTC'")
}

// A Dutch page tells the errors of the server in Dutch, with the names of cards, and nothing of their English sentences.
func TestDutchErrors(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	p.speak("nl")
	for fields, want := range map[string]string{
		`"trump":"S","deal":"0","played":["JH","JH"]`:                       "Een ander is aan de beurt. Het kan zijn: schoppenzeven",
		`"trump":"S","deal":"0","played":["ZZ"]`:                            "“ZZ” is geen kaart",
		`"trump":"X","deal":"0"`:                                            "“X” is geen kleur. Kies klaveren, ruiten, harten, schoppen.",
		`"trump":"S","hands":{"N":["7C"],"E":["7C"],"S":["8C"],"W":["9C"]}`: "het zijn er 1, en het moeten er 8 zijn",
		`"trump":"S","deal":"99561092450391000","played":["JH"]`:            "te groot",
	} {
		text := `{"leader":"N",` + fields + "}"
		p.click("#import")
		p.until("document.getElementById('import-text')")
		p.allow("status of 4")
		eval[bool](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})); return true `+
			`})(document.getElementById('import-text'))`, text))
		p.click("#import-do")
		p.until("document.getElementById('import-error').textContent !== ''")
		said := p.text("#import-error")
		if !strings.Contains(said, want) {
			t.Errorf("%s: the page says %q, want %q in it", text, said, want)
		}
		for _, english := range []string{" are ", " must ", " the ", "not a", "expected"} {
			if strings.Contains(said, english) {
				t.Errorf("%s: the page says %q", text, said)
			}
		}
		p.click("dialog .dialog-head button")
		p.until("!document.querySelector('dialog')")
	}
}

// The start page is in the language and the theme that were chosen on a board, and its choice of language holds for the boards.
func TestStartPageInDutch(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	p.speak("nl")
	p.click("#theme")
	theme := eval[string](p, "document.documentElement.dataset.theme")
	p.navigate("/")
	p.until("document.documentElement?.lang === 'nl' && (location.search === '?language=nl' || location.pathname.endsWith('/nl.html'))")
	if got := eval[string](p, "document.documentElement.dataset.theme"); got != theme {
		t.Errorf("the start page is %s, the board %s", got, theme)
	}
	if got := p.text("header"); !strings.Contains(got, words(t, "nl", "klaverjas")("page_klaverjas")) || !strings.Contains(got, "English") {
		t.Errorf("the header has %q", got)
	}
	p.click("header a[lang=en]")
	p.until("document.documentElement?.lang === 'en' && document.querySelector('header a[lang=nl]')")
	p.navigate("/board")
	p.until("document.documentElement?.lang === 'en' && document.querySelector('#enter')")
	if p.site.alone != nil {
		return // the documentation of the API has a server
	}
	p.navigate("/docs")
	if got := eval[bool](p, "document.documentElement.classList.contains('dark-mode')"); got != (theme == "dark") {
		t.Errorf("the documentation of the API is dark: %v", got)
	}
}

// A situation of Gin Rummy is entered by taps: the card that was turned, the hand, and what happened since, of which only what may follow
// can be chosen. It opens with what is there, and what happened can also be typed.
func TestEnteringGin(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/gin-rummy")
	p.until("document.querySelector('#enter')")
	p.click("#enter")
	p.until("document.querySelector('#enter-dialog')")
	p.click("[data-line=upcard]")
	for card := range strings.FieldsSeq("9D 2C 3C 4C 8C QC KH AS 7S KS JD") { // the hand follows the upcard
		p.click("[data-pick='" + card + "']")
	}
	p.click("[data-line=played]")
	p.until("[...document.querySelectorAll('.pick[aria-disabled=false]')].map(e => e.dataset.pick).join() === 'TAKE,PASS'")
	for _, act := range []string{"TAKE", "QS", "STOCK", "5C"} {
		p.click("[data-pick='" + act + "']")
	}
	p.until("document.querySelector('#enter-dialog .bad')?.textContent === 'You now have 11 cards.'")
	p.click("[data-line=hand]")
	p.click("[data-pick='5C']")
	p.until("!document.querySelector('#enter-dialog p.bad')")
	p.click("#use-deal")
	p.until("!document.querySelector('dialog')")
	p.until("location.hash === '#v=1&s=b&u=9D&h=2C3C4C8CQCKHAS7SKSJD5C&e=bt9DbdQSas5C'")
	p.speak("nl")
	p.click("#enter")
	p.until("document.getElementById('enter-played')?.value === 'neemt V♠ stok 5♣'")
	p.retype("enter-played", "past past stok SV neemt K8")
	p.until("document.getElementById('enter-played-says').textContent === '6'")
	p.retype("enter-played", "neemt stok")
	refused := words(t, "nl", "gin-rummy")("enterNot", "card", "stok")
	p.until(fmt.Sprintf("document.getElementById('enter-played-says').textContent === %q", refused))
}
