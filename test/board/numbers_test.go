package board_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// retype replaces what stands in a field, as somebody does who types.
func (t *tab) retype(id, text string) {
	t.tb.Helper()
	t.until(fmt.Sprintf("document.getElementById(%q)", id))
	eval[bool](t, fmt.Sprintf("(e => (e.focus(), e.select(), true))(document.getElementById(%q))", id))
	t.press(kb.Backspace)
	if text != "" {
		t.typeText(text)
	}
}

// What is no number that is allowed is refused at its field, with what is allowed, and the rules stay what they were.
func TestNumbersOfTheRules(t *testing.T) {
	sweep(t)
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	p.valued()
	before := hash(p)
	for _, text := range []string{"abc", "", "-10", "15", "1010", "1e2", "10.0"} {
		p.click("#rules")
		p.retype("rule-pit-declarers", text)
		const field = "document.getElementById('rule-pit-declarers')"
		if got := eval[string](p, field+".value"); got != text {
			t.Errorf("%q: the field has %q", text, got)
		}
		if got := eval[string](p, field+".getAttribute('aria-invalid')"); got != "true" {
			t.Errorf("%q: aria-invalid is %s", text, got)
		}
		said := eval[string](p, fmt.Sprintf("document.getElementById(%s.getAttribute('aria-describedby'))?.textContent ?? ''", field))
		if said != words(t, "en", "klaverjas")("bonusBad") {
			t.Errorf("%q: the field is described by %q", text, said)
		}
		p.click("#use-rules")
		if !eval[bool](p, "!!document.querySelector('dialog')") {
			t.Errorf("%q: the dialog has taken it", text)
		} else if got := p.focused(); got != "rule-pit-declarers" {
			t.Errorf("%q: the focus is on %s", text, got)
		}
		p.press(kb.Escape)
		p.until("!document.querySelector('dialog')")
		if got := hash(p); got != before {
			t.Fatalf("%q: the address is %s", text, got)
		}
	}
	p.click("#rules")
	p.retype("rule-pit-declarers", " 60")
	p.retype("rule-four-J", "200")
	p.press(kb.Enter)
	p.until("!document.querySelector('dialog')")
	p.until(fmt.Sprintf("location.hash === %q", strings.Replace(before, "&h=", "&r=pit:60/0,fourJ:200&h=", 1)))
}

// The points of a contract of Belote are refused in the same way.
func TestNumbersOfTheContract(t *testing.T) {
	sweep(t)
	t.Parallel()
	p := open(t, commonSite(t), "/belote"+beloteTen)
	p.valued()
	before := hash(p)
	for _, text := range []string{"abc", "0", "", "-5", "9999"} {
		p.retype("threshold", text)
		p.press(kb.Tab)
		p.until("document.getElementById('threshold-bad')?.textContent")
		if got := eval[string](p, "document.getElementById('threshold').value"); got != text {
			t.Errorf("%q: the field has %q", text, got)
		}
		if got := hash(p); got != before {
			t.Fatalf("%q: the address is %s", text, got)
		}
	}
	p.retype("threshold", "20")
	p.press(kb.Enter)
	p.until("location.hash.includes('&c=20&') && document.getElementById('threshold-bad').textContent === ''")
}
