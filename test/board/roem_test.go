package board_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/api"
)

// A deal in which North and South take every trick. The first trick has Q K A of trump, the third four eights.
const manyMelds = "#v=1&t=S&l=S&d=%s&h=NNNNNNNSWWWWWWWSEEEEEEESESSSSSWN" +
	"&p=QSKSAS7S7C7HAC7D8S8D8C8H9S9D9C9HTSTDTCTHJSJDJCJHADQDQCQHAHKDKCKH&i=%d"

// Roem is called on the table when it falls, and said once; so are the last trick, the pit, and who is nat. With all cards open, and with
// the cards of one seat.
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
	w := words(t, "en", "klaverjas")
	if got := p.text("#status"); !strings.Contains(got, w("saidTrick", "seat", w("N"), "n", "58")) || !strings.Contains(got, ": 40") {
		t.Errorf("the page says %q", got)
	}
	check("the first trick", "Three in a row and stuk: 40")
	p.speak("nl")
	check("in Dutch", "Driekaart en stuk: 40")
	p.press("m")
	p.until("document.querySelector('.felt.seen')")
	check("with hidden cards", "Driekaart en stuk: 40")
}

// The bidding is seen while it goes on and afterwards: who has dealt, each call, and who declares. The advice says how much better a call
// is than passing.
func TestAuctionIsSeen(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+southHolds)
	p.still()
	var g api.KlaverjasSession
	for seed := 0; ; seed++ { // a deal in which others have called, and the seat may call again if all pass
		g = request[api.KlaverjasSession](t, p.site, "POST", sessionsPath, map[string]any{
			"bidding": "free", "seed": itoa(seed), "players": map[string]string{"partner": "policy", "opponents": "simple"},
		})
		if g.State == "bidding" && len(g.Calls) > 0 {
			break
		}
	}
	eval[bool](p, fmt.Sprintf("(localStorage.setItem('roem.game', %q), true)", g.Id))
	p.navigate("/docs/errors")
	p.navigate("/board#v=1&m=play")
	p.until("document.querySelector('.auction')")
	// rows returns what stands in a table of the calls, without the seats: one text for each call.
	rows := func(within string) []string {
		t.Helper()
		return eval[[]string](p, fmt.Sprintf("[...document.querySelectorAll(%q)].map(e => e.textContent)", within+" .called-by td"))
	}
	words := map[string]string{"pass": "passes", "C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
	made := func(g api.KlaverjasSession) (out []string) {
		for _, c := range g.Calls {
			out = append(out, words[c.Call])
		}
		return out
	}
	if diff := cmp.Diff(append(made(g), "…"), rows(".auction")); diff != "" {
		t.Errorf("during the bidding (-session +page)\n%s", diff)
	}
	names := map[api.KlaverjasSeat]string{"N": "North", "E": "East", "S": "South", "W": "West"}
	if got := p.text(".auction caption"); got != names[g.Dealer]+" dealt" {
		t.Errorf("the table of the calls says %q, the dealer is %s", got, g.Dealer)
	}
	if got := eval[string](p, "[...document.querySelectorAll('.role')].find(e => e.textContent === 'dealer').closest('h2').id"); got !=
		"hand-"+string(g.Dealer) {
		t.Errorf("the dealer is shown at %s, it is %s", got, g.Dealer)
	}
	p.click("#tab-advice")
	p.until("document.querySelector('#bid')")
	bid := request[api.KlaverjasBidAdvice](t, p.site, "POST", "/v1/klaverjas/bid", g.Auction)
	better := fmt.Sprintf("%.0f points better than", math.Abs(math.Round(bid.Trumps[0].Value-bid.Pass.Value)))
	chances := []string{fmt.Sprintf("%.0f %%", 100*bid.Trumps[0].TableWinProbability), fmt.Sprintf("%.0f %%", 100*bid.Pass.WinProbability)}
	if bid.Call == "pass" {
		slices.Reverse(chances)
	}
	if got := p.text("#bid small"); !strings.HasPrefix(got, better) || !strings.HasSuffix(got, "is "+strings.Join(chances, " instead of ")) {
		t.Errorf("the advice says %q, expected %s, and %v", got, better, chances)
	}
	p.click(".auction [data-call]:not([data-call=pass])")
	p.until("document.querySelector('#felt .card.legal')")
	after := p.game()
	if diff := cmp.Diff(made(after), rows("#calls-made")); diff != "" {
		t.Errorf("after the bidding (-session +page)\n%s", diff)
	}
	said := "South: " + words[after.Calls[len(after.Calls)-1].Call] + ". North and South play"
	if got := p.text("#status"); !strings.HasPrefix(got, said) {
		t.Errorf("the page says %q, expected %q first", got, said)
	}
	if got := p.text("#hand-S .role.said"); !strings.HasPrefix(got, "declares with ") {
		t.Errorf("at the declarer stands %q", got)
	}
}
