package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// reads types a list of cards for North, and returns what the page takes it for, or what it asks.
const reads = `(text => {
  const field = document.getElementById('enter-N')
  field.focus()
  field.value = text
  field.dispatchEvent(new Event('input', {bubbles: true}))
  return new Promise(done => setTimeout(() => done([
    ...[...document.querySelectorAll('.pick.mine')].map(e => e.dataset.pick),
    ...[...document.querySelectorAll('.which button')].map(e => '? ' + e.firstChild.data),
    ...(document.getElementById('enter-N-says').textContent.includes(document.documentElement.lang === 'nl' ? 'is geen kaart'
      : 'is not a card') ? ['none'] : []),
  ])))
})`

// In Dutch a card is typed with the letters of the cards, in either order, with symbols or in words; what can also be a card in the
// letters of the API is asked. In English the English letters hold.
func TestTypedCards(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	for _, page := range []struct {
		lang  string
		cards map[string]string
	}{
		{"nl", map[string]string{
			"HB": "JH", "BH": "JH", "B♥": "JH", "♥B": "JH", "hb": "JH", "h♣": "KC", "♣H": "KC", "VS": "QS", "SV": "QS", "RB": "JD", "BR": "JD",
			"KA": "AC", "AK": "AC",
			"K7": "7C", "7K": "7C", "R9": "9D", "H10": "10H", "10H": "10H", "10♥": "10H", "TH": "10H", "10♥\uFE0F": "10H", "HH": "KH", "SH": "KS",
			"HS": "KS", "KV": "QC", "HA": "AH",
			// The letters of the API, where they have one reading.
			"KS": "KS", "KD": "KD", "QH": "QH", "JC": "JC", "K♥": "KH", "7D": "7D", "QK": "none",
			// Words.
			"hartenheer": "KH", "Harten Heer": "KH", "heer van harten": "KH", "klaveren 10": "10C", "klaverheer": "KC", "tien klaveren": "10C",
			"schoppenaas": "AS", "ruiten-boer": "JD",
			// Two readings.
			"KH": "? Klaverenheer ? Hartenheer", "HK": "? Klaverenheer ? Hartenheer", "kh": "? Klaverenheer ? Hartenheer",
			"KK": "none", "XX": "none", "H": "none", "harten": "none",
			"HB, klaveren heer; 7R  heer van harten SV": "QS JH KH KC 7D",
		}},
		{"en", map[string]string{
			"KH": "KH", "HK": "KH", "kh": "KH", "K♥": "KH", "king of hearts": "KH", "hearts king": "KH", "10 of clubs": "10C", "JD": "JD",
			"TS": "10S",
			"HB": "none", "BH": "none", "H♣": "none", "7K": "none", "hartenheer": "none", "KK": "none",
		}},
	} {
		p.speak(page.lang)
		p.click("#enter")
		p.until("document.querySelector('#enter-N')")
		p.click("#enter-dialog .end button")
		for text, want := range page.cards {
			got := strings.Join(eval[[]string](p, fmt.Sprintf("%s(%q)", reads, text)), " ")
			if got != want {
				t.Errorf("%s: %q is read as %q, want %q", page.lang, text, got, want)
			}
		}
		p.press(kb.Escape)
		p.until("!document.querySelector('dialog')")
	}
}

// What has two readings is asked at the field, and nothing is played before the answer: with the keyboard alone, on each page with the
// deck of Klaverjas.
func TestTypedCardIsAsked(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	p.speak("nl")
	before := hash(p)
	ask := func(text string) {
		t.Helper()
		p.retype("field", text)
		p.press(kb.Enter)
		p.until("document.querySelector('.which')")
	}
	ask("KH")
	const shown = "[document.activeElement.textContent, document.getElementById('status').textContent, location.hash]"
	if got := eval[[]string](p, shown); !slices.Equal(got, []string{"Klaverenheer H♣", "", before}) {
		t.Errorf("after KH the focus, the status and the address are %q", got)
	}
	nl := words(t, "nl", "klaverjas")
	which := nl("which", "text", "KH")
	if diff := cmp.Diff([]string{"group " + which, "button Klaverenheer", "button Hartenheer"},
		p.accessible("group", which, "group", "button")); diff != "" {
		t.Errorf("the question (-want +got)\n%s", diff)
	}
	p.hits("the question")
	p.do(chromedp.EmulateViewport(1280, 900))
	p.press(kb.Escape)
	p.until("!document.querySelector('.which')")
	if got := p.focused(); got != "field" || hash(p) != before {
		t.Errorf("after Escape the focus is on %s, and the address is %s", got, hash(p))
	}
	ask("HK")
	p.press(kb.Tab)
	p.press(kb.Enter)
	p.until("!document.querySelector('.which')")
	p.until(fmt.Sprintf("location.hash === %q", before+"&p=KH"))
	if got := eval[[]string](p, "[document.activeElement.id, document.getElementById('field').value]"); !slices.Equal(got,
		[]string{"field", ""}) {
		t.Errorf("after the answer the focus is on %s, and the field has %q", got[0], got[1])
	}
	// One reading is played at once.
	p.typeText("S8")
	p.press(kb.Enter)
	p.until(fmt.Sprintf("location.hash === %q", before+"&p=KH8S"))

	for _, path := range []string{"/board" + southHolds, "/belote" + beloteTen} {
		if name, _, _ := strings.Cut(path, "#"); !p.site.has(name) {
			continue
		}
		p.navigate("/docs/errors")
		p.navigate(path)
		p.until("document.querySelector('#field')")
		before := hash(p)
		ask("KH")
		p.press(kb.Escape)
		p.until("!document.querySelector('.which')")
		p.retype("field", "HX")
		p.press(kb.Enter)
		p.until(fmt.Sprintf("document.getElementById('status').textContent.startsWith(%q)", nl("enterBad", "text", "HX")))
		if got := hash(p); got != before {
			t.Errorf("%s has become %s", path, got)
		}
	}
}

// A deal is entered in Dutch. What is unclear is asked below its hand and refused until it is answered; the page writes cards so that they
// are clear.
func TestEnteringInDutch(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	p.speak("nl")
	p.tabTo("enter")
	p.press(kb.Enter)
	p.until("document.querySelector('#enter-N')")
	p.click("#enter-dialog .end button")
	p.retype("enter-N", "K7 K8 K9 K10 KB KV KH KA")
	unclear := words(t, "nl", "klaverjas")("enterUnclear", "text", "KH")
	p.until(fmt.Sprintf("document.getElementById('enter-N-says').textContent === %q", unclear))
	p.hits("a hand that is unclear")
	p.do(chromedp.EmulateViewport(1280, 900))
	p.press(kb.Enter) // refused
	p.press(kb.Tab)
	if got := eval[string](p, "document.activeElement.textContent"); got != "Klaverenheer H♣" {
		t.Errorf("after the field the focus is on %q", got)
	}
	p.press(kb.Enter)
	p.until("document.getElementById('enter-N').value === 'K7 K8 K9 K10 KB KV H♣ KA'")
	if got := p.focused(); got != "enter-N" {
		t.Errorf("after the answer the focus is on %s", got)
	}
	p.press(kb.Tab)
	p.typeText("r7, r8, r9, r10, rb, rv, rh, ra")
	p.press(kb.Tab)
	p.typeText("hartenzeven hartenacht hartennegen hartentien hartenboer hartenvrouw hartenheer hartenaas")
	p.until("document.getElementById('enter-W').value === '7♠ 8♠ 9♠ 10♠ B♠ V♠ H♠ A♠'")
	p.press(kb.Enter)
	p.until("!document.querySelector('dialog')")
	p.until("location.hash.includes('&h=NNNNNNNNEEEEEEEESSSSSSSSWWWWWWWW')")
}

// The field of tarok reads cards in the same way, with the faces of tarok.
func TestTypedTarok(t *testing.T) {
	sweep(t)
	t.Parallel()
	p := open(t, commonSite(t), "/tarok"+tarokGame+"&i=5")
	p.until("document.querySelector('.moves')")
	for lang, texts := range map[string]map[string]string{
		"nl": {
			"HK": "Hartenkoning", "KH": "Hartenkoning", "HB": "Hartenboer", "SV": "Schoppenvrouw", "klaveren ruiter": "Klaverenruiter",
			"CC": "Klaverenruiter", "B♥": "Hartenboer", "t21": "Tarok 21, mond",
			"tarok 21": "Tarok 21, mond", "K10": "Klaverentien", "RR": "Ruitenruiter", "KR": "? Ruitenkoning ? Klaverenruiter",
			"RK": "? Ruitenkoning ? Klaverenruiter", "XX": "none", "BX": "none",
		},
		"en": {
			"HK": "King of hearts", "KH": "King of hearts", "K♥": "King of hearts", "CC": "Cavalier of clubs", "CS": "Cavalier of spades",
			"T21": "Tarok 21, mond", "HB": "none", "queen of spades": "Queen of spades",
		},
	} {
		p.speak(lang)
		for text, want := range texts {
			p.retype("field", text)
			p.press(kb.Enter)
			got := eval[string](p, `new Promise(done => setTimeout(() => {
				const asked = [...document.querySelectorAll('.which button')].map(e => '? ' + e.firstChild.data).join(' ')
				const said = document.getElementById('status').textContent
				done(asked || (/is geen kaart|is not a card/.test(said) ? 'none' : said))
			}))`)
			if got != want && !strings.HasPrefix(got, want+" ") && !strings.Contains(got, ": "+want+".") {
				t.Errorf("%s: %q is read as %q, want %q", lang, text, got, want)
			}
			if !strings.HasPrefix(want, "?") && strings.Contains(got, ": "+want+".") { // it was played
				p.click("#undo")
				p.until("document.querySelector('.count').textContent === '5 / 48'")
			}
		}
	}
}
