package board_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A deal in which North and South take every trick. The first trick has Q K A of trump, the third four eights.
const manyMelds = "#v=1&t=S&l=S&d=%s&h=NNNNNNNSWWWWWWWSEEEEEEESESSSSSWN&p=QSKSAS7S7C7HAC7D8S8D8C8H9S9D9C9HTSTDTCTHJSJDJCJHADQDQCQHAHKDKCKH&i=%d"

// Roem is called on the table when it falls, and said once; so are the last trick, the pit, and who is nat. With all cards open and with
// those of one seat.
func TestRoem(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+fmt.Sprintf(manyMelds, "NS", 0))
	p.still()
	p.valued()
	called := func() []string {
		t.Helper()
		return eval[[]string](p, "[...document.querySelectorAll('.trick .called')].map(e => e.textContent)")
	}
	check := func(where string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, called(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", where, diff)
		}
	}
	at := func(declarers string, i int) {
		t.Helper()
		p.show(fmt.Sprintf(manyMelds, declarers, i))
		p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", i))
	}
	at("NS", 8)
	check("a trick without roem")
	at("NS", 12)
	check("four eights", "Four of a kind: 100")
	at("EW", 32)
	check("the end", "Last trick: 10", "Pit, all eight tricks: 0", "East and West are nat")
	at("NS", 3)
	check("before the fourth card")
	p.click(`#felt [data-card="7S"]`)
	p.until("document.querySelector('.count').textContent === '4 / 32'")
	const trick = "East: Seven of spades. North wins the trick, 58. Three in a row and stuk: 40. North to play."
	if got := p.text("#status"); got != trick {
		t.Errorf("the page says %q, expected %q", got, trick)
	}
	check("the first trick", "Three in a row and stuk: 40")
	p.speak("nl")
	check("in Dutch", "Driekaart en stuk: 40")
	if got := p.text("#status"); !strings.Contains(got, "58. Driekaart en stuk: 40. Noord") {
		t.Errorf("in Dutch the page says %q", got)
	}
	p.press("m")
	p.until("document.querySelector('.felt.seen')")
	check("with hidden cards", "Driekaart en stuk: 40")
}
