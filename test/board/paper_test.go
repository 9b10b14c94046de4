package board_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"roem/internal/api"
)

// A sheet is what somebody has on paper, and how it is entered on a page by single acts: touch makes one of each, a tap or a click in the
// middle of what is there.
type sheet struct {
	// address is the page, with something else on it, and there is what it shows.
	address, there string
	enter          func(t *tab, touch func(selector string))
	// want is the address afterwards, which begins so, and shown is what is then on the page.
	want, shown string
}

// within is where the middle of an element is, and how large it is.
const within = `(e => (r => [r.x + r.width / 2, r.y + r.height / 2, r.width, r.height])(e.getBoundingClientRect()))(` +
	`document.querySelector(%q))`

// atRest is whether an element stays where it is, in the window and on top. It is scrolled into the window first, if it has to be.
const atRest = `(async s => {
  const e = document.querySelector(s)
  e.scrollIntoView({block: 'nearest', behavior: 'instant'})
  const before = e.getBoundingClientRect()
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const r = e.getBoundingClientRect()
  const top = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)
  return before.x === r.x && before.y === r.y && e.contains(top)
})(%q)`

// beginEntry opens the dialog, clears what was there, and makes the choices.
func beginEntry(t *tab, touch func(string), choices ...string) {
	t.tb.Helper()
	touch("#enter")
	t.until("document.querySelector('#enter-dialog')")
	touch("#enter-dialog .end button")
	for _, c := range choices {
		touch("#enter-" + c)
	}
}

// touchCards touches cards of the deck in their order.
func touchCards(touch func(string), list ...string) {
	for _, c := range list {
		touch("[data-pick='" + c + "']")
	}
}

// touchPlay touches what happened, for the line that is marked then; a card that is entered by itself is not touched.
func touchPlay(t *tab, touch func(string), line string, list ...string) {
	t.tb.Helper()
	t.until(fmt.Sprintf("document.querySelector('[data-line=%s]').ariaPressed === 'true'", line))
	for i, c := range list {
		if eval[int](t, fmt.Sprintf("parseInt(document.getElementById('enter-%s-says').textContent)", line)) <= i {
			touchCards(touch, c)
		}
	}
}

// paper is a deal of Klaverjas with its play, under another contract than the board has.
func paper(tb testing.TB, s *site) sheet {
	tb.Helper()
	drawn := request[api.KlaverjasNumberedDeal](tb, s, "GET", "/v1/klaverjas/deals/31415926535897932?trump=H&leader=W", nil)
	p := position{Trump: "H", Leader: "W", Declarer: "EW", Hands: map[string][]string{}}
	for seat, hand := range map[string][]api.Card{
		"N": drawn.Position.Hands.N, "E": drawn.Position.Hands.E, "S": drawn.Position.Hands.S, "W": drawn.Position.Hands.W,
	} {
		p.Hands[seat] = append(p.Hands[seat], hand...)
	}
	solved := request[api.KlaverjasSolution](tb, s, "POST", "/v1/klaverjas/solve", map[string]any{
		"trump": p.Trump, "leader": p.Leader, "declarer": p.Declarer, "hands": p.Hands, "goal": "value",
	})
	p.Played = *solved.Line
	return sheet{
		address: "/board" + example(wholeHand...).fragment(6), there: "#outcome", want: p.fragment(-1), shown: ".review tbody tr:nth-child(8)",
		enter: func(t *tab, touch func(string)) {
			beginEntry(t, touch, "trump-H", "leader-W", "declarer-EW")
			for _, seat := range []string{"N", "E", "S"} {
				touchCards(touch, p.Hands[seat]...)
			}
			touchPlay(t, touch, "played", p.Played...)
			touch("#use-deal")
			touch("#tab-review")
		},
	}
}

// seenAtTable is what a seat has seen of a hand of Klaverjas, entered over what another seat has seen of another one.
var seenAtTable = sheet{
	address: "/board#v=1&t=H&l=W&d=EW&s=W&h=.WW...WW...W......W.......W....W", there: ".own", want: southSees, shown: "#advice",
	enter: func(t *tab, touch func(string)) {
		beginEntry(t, touch, "seat-S", "trump-S", "leader-S", "declarer-NS")
		touchCards(touch, "9S", "KS", "7S", "KH", "JH", "AC", "JC", "7C")
		touchPlay(t, touch, "played", "JH", "8S", "7H", "8H", "8D", "7D", "JD", "7S")
		touch("#use-deal")
	},
}

// beloteAtTable has Belote with the cards below face down: the open cards, five tricks, and the cards that were turned after them.
var beloteAtTable = sheet{
	address: "/belote" + strings.Replace(strings.Split(beloteTen, "&p=")[0], "t=H&l=A&d=A", "t=N&l=B&d=B", 1),
	there:   ".moves", shown: "#advice",
	want: "#v=1&t=H&l=A&d=A&s=CDHS&a=AD..TH9HKH9DJD8D9CKDQH..QS..ACTS&b=KS..QCAH7S..8C7H9S..8S7DTCKCAS..&p=JD8STH7DKHQCAC8C9CTC",
	enter: func(t *tab, touch func(string)) {
		beginEntry(t, touch, "trump-H", "leader-A", "declarer-A", "below-down")
		touchCards(touch, strings.Fields("AD 10H KH JD 9C QH QS AC KS QC 7S 8C 9S 8S 10C AS")...)
		touchPlay(t, touch, "played", strings.Fields("JD 8S 8D 7D 10H 7D 9H KH QC 9D AH AC 8C 10S 7H 9C 10C KD KC")...)
		touch("#use-deal")
	},
}

// ginAtTable is a situation of Gin Rummy.
var ginAtTable = sheet{
	address: "/gin-rummy", there: "#enter", want: "#v=1&s=b&u=9D&h=2C3C4C8CQCKHAS7SKSJD&e=bt9DbdQS", shown: "#ask, #advice",
	enter: func(t *tab, touch func(string)) {
		beginEntry(t, touch, "starter-B")
		touchCards(touch, strings.Fields("9D 2C 3C 4C 8C QC KH AS 7S KS JD")...)
		touch("[data-line=played]")
		touchPlay(t, touch, "played", "TAKE", "QS")
		touch("#use-deal")
	},
}

// tarokOnPaper is a deal of tarok with its talon, the exchange, and the first tricks.
func tarokOnPaper() sheet {
	held := map[string][]string{}
	deck := make([]string, 0, 54)
	for n := range 22 {
		deck = append(deck, fmt.Sprintf("T%d", n+1))
	}
	for _, suit := range []string{"H", "D", "S", "C"} {
		ranks := "7 8 9 10 J C Q K"
		if suit == "H" || suit == "D" {
			ranks = "4 3 2 1 J C Q K"
		}
		for rank := range strings.FieldsSeq(ranks) {
			deck = append(deck, suit+rank)
		}
	}
	_, holders, _ := strings.Cut(tarokSetup, "&h=")
	for i, c := range deck {
		held[holders[i:i+1]] = append(held[holders[i:i+1]], c)
	}
	const tricks = 4
	return sheet{
		address: "/tarok" + strings.Replace(strings.Replace(tarokSetup, "c=two&d=A", "c=beggar&d=C", 1), "&g=3&x=C8CJ&s=kD0", "", 1),
		there:   ".moves", want: strings.Replace(tarokSetup, "&s=kD0", "", 1) + "&p=" + tarokPlayed[:6*tricks], shown: ".moves",
		enter: func(t *tab, touch func(string)) {
			beginEntry(t, touch, "contract-two", "declarer-A")
			touchCards(touch, held["A"]...)
			touchCards(touch, held["B"]...)
			for _, place := range []string{"1", "2", "3", "4", "5", "6"} {
				touchCards(touch, held[place]...)
			}
			touchPlay(t, touch, "taken", held["6"][0], held["5"][0])
			touchPlay(t, touch, "aside", "C8", "CJ")
			touchPlay(t, touch, "played", strings.Fields("DK DC D2 HK T2 HQ S8 S7 SC SK SQ S9")...)
			touch("#use-deal")
		},
	}
}

// What stands on paper is entered by the mouse at a desk and by a finger on a phone, and the page shows what it is worth. At one act a
// second each takes less than a minute.
func TestDealFromPaper(t *testing.T) {
	t.Parallel()
	site := commonSite(t)
	for game, s := range map[string]sheet{
		"klaverjas": paper(t, site), "hidden": seenAtTable, "belote": beloteAtTable, "gin": ginAtTable, "tarok": tarokOnPaper(),
	} {
		for _, device := range []struct {
			name          string
			width, height int64
			touch         bool
		}{{"desk", 1280, 900, false}, {"phone", 390, 844, true}} {
			t.Run(game+" "+device.name, func(t *testing.T) {
				t.Parallel()
				p := open(t, site, "/docs/errors")
				if device.touch {
					p.do(chromedp.EmulateViewport(device.width, device.height, chromedp.EmulateTouch))
				} else {
					p.do(chromedp.EmulateViewport(device.width, device.height))
				}
				p.navigate(s.address)
				p.until(fmt.Sprintf("document.querySelector(%q)", s.there))
				p.speak("nl")
				acts := 0
				s.enter(p, func(selector string) {
					acts++
					p.until(fmt.Sprintf("document.querySelector(%q)", selector))
					p.until(fmt.Sprintf(atRest, selector))
					at := eval[[4]float64](p, fmt.Sprintf(within, selector))
					if !device.touch {
						p.do(chromedp.MouseClickXY(at[0], at[1]))
					} else {
						if at[2] < 44 || at[3] < 44 {
							t.Errorf("%s has %v x %v pixels", selector, at[2], at[3])
						}
						p.tap(at[0], at[1])
					}
					p.rendered()
				})
				p.until(fmt.Sprintf("!document.querySelector('dialog') && document.querySelector(%q)", s.shown))
				if hash(p) != s.want {
					t.Errorf("the address is %s, want %s", hash(p), s.want)
				}
				t.Logf("%d acts", acts)
				if acts >= 60 {
					t.Errorf("%d acts", acts)
				}
			})
		}
	}
}
