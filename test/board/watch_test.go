package board_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"roem/internal/api"
)

// A hand of four players of the paper, the same with open cards and other players at its sixth card, and one that was entered.
const (
	watched     = "#v=1&n=logical&e=logical&s=logical&w=logical&r=paper&t=S&g=E&k=7"
	watchedOpen = "#v=1&n=logical:rules&e=policy&s=pimc:20&w=simple&o=2&k=5&i=6&c=AH"
	watchedLast = "#v=1&n=simple&e=logical&s=logical&w=logical&t=S&l=S&d=NS&h=" + watchedHands + "&p=ACTC9C8C&k=1&i=12"
	// The deal of the examples of play.
	watchedHands = "SENWSENSWWENENWNWWNESWSESESNWESN"
)

// watchViews are the views of the page on which players are watched.
var watchViews = []view{
	{"start", watched, "", "#pairs"},
	{"a card", "", "#redo; #redo; #redo; #redo; #redo; #redo; #redo", "#thought"},
	{"model", "", "[data-card='10H']", "[data-card='10H'].chosen"},
	{"finished", "", "#last", "#thought"},
	{"open", watchedOpen, "", "#thought"},
	{"settings", "", "#settings", "#settings-dialog"},
	{"entering", "", "#settings; #enter", "#enter-dialog"},
	{"share", "", "#share", "#share-dialog"},
	{"help", "", "#help", "#help-dialog"},
	{"wrong", "#v=1&o=9", "", "#url-error"},
	{"key", watched, "#new", "#key-dialog"},
}

// eachWatch opens every view of the page in turn and calls f.
func (t *tab) eachWatch(f func(view string)) {
	t.tb.Helper()
	t.walk("/watch", watchViews, nil, func(view string) { f("watch, " + view) })
}

// playedFor returns the answer of the server to the request of the hand at watched.
func playedFor(t *testing.T, s *site) api.KlaverjasPlayHand {
	t.Helper()
	none := map[string]int{"7": 0, "8": 0, "9": 0, "10": 0, "J": 0, "Q": 0, "K": 0, "A": 0}
	return request[api.KlaverjasPlay](t, s, "POST", "/v1/klaverjas/play", map[string]any{
		"players": map[string]string{"N": "logical", "E": "logical", "S": "logical", "W": "logical"},
		"trump":   "S", "leader": "S", "seed": "7", "possibles": "rules",
		"rules": map[string]any{
			"system": "amsterdam", "under_ruff": "free", "nat_melds": "all", "four_of_a_kind": none,
			"pit": map[string]int{"declarers": 100, "defenders": 100},
		},
	}).Hands[0]
}

// A whole hand is stepped through, forth with the button and back with the keyboard: the table, the thought, what everybody may conclude,
// the model and the address are those of the server at every card.
func TestWatchAHand(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	hand := playedFor(t, s)
	p := open(t, s, "/watch"+watched+"&c=10H")
	p.until("document.querySelector('#pairs')")
	models := request[api.KlaverjasCardModel](t, s, "POST", "/v1/klaverjas/knowledge/card", map[string]any{
		"trump": "S", "leader": "S", "hands": hand.Hands, "card": "10H", "played": watchedCards(hand.Played),
		"rules": map[string]any{"system": "amsterdam", "under_ruff": "free"},
	}).Steps
	for n := 0; n <= 32; n++ {
		p.watchedAt(&hand, models, n)
		if n < 32 {
			p.click("#redo")
		}
	}
	p.click("#redo") // there is no card more
	p.watchedAt(&hand, models, 32)
	for n := 31; n >= 0; n-- {
		p.press(kb.ArrowLeft)
		p.watchedAt(&hand, models, n)
	}
}

// briefly returns a text with its cards as the page has them.
func briefly(text string) string {
	for suit, symbol := range map[string]string{"C": "♣", "D": "♦", "H": "♥", "S": "♠"} {
		text = regexp.MustCompile(`\b(7|8|9|10|J|Q|K|A)`+suit+`\b`).ReplaceAllString(text, "${1}"+symbol)
	}
	return text
}

func watchedCards(played []api.KlaverjasPlayedCard) (cards []string) {
	for _, c := range played {
		cards = append(cards, c.Card)
	}
	return cards
}

// watchedAt compares what the page shows with the hand when n cards have been played.
func (t *tab) watchedAt(hand *api.KlaverjasPlayHand, models []api.KlaverjasCardModelStep, n int) {
	t.tb.Helper()
	t.until(fmt.Sprintf("document.querySelector('.controls .count').textContent === '%d / 32'", n))
	at := eval[string](t, "new URLSearchParams(location.hash.slice(1)).get('i') ?? '0'")
	if at != fmt.Sprint(n) {
		t.tb.Fatalf("after %d cards the address has i=%s", n, at)
	}
	held := eval[[]string](t, "[...document.querySelectorAll('#felt [data-card]')].map((c) => c.dataset.card)")
	if len(held) != 32-n || n > 0 && slices.Contains(held, hand.Played[n-1].Card) {
		t.tb.Fatalf("after %d cards the hands show %d cards: %v", n, len(held), held)
	}
	possibles := hand.Possibles
	facts := hand.Facts
	if n > 0 {
		act := hand.Played[n-1]
		possibles, facts = act.Possibles, act.Facts
		if got, want := t.text("#thought"), briefly(strings.Join(act.Thoughts, "")); got != want || want == "" {
			t.tb.Fatalf("card %d: the thought is %q, want %q", n, got, want)
		}
	}
	var want []string
	for _, f := range facts {
		want = append(want, string(f.Kind)+string(f.Seat))
	}
	announced := "[...document.querySelectorAll('#announced [data-fact]')].map((f) => f.dataset.fact)"
	if got := eval[[]string](t, announced); !slices.Equal(got, want) {
		t.tb.Fatalf("card %d: announced %v, want %v", n, got, want)
	}
	if got := t.text("[data-pairs='N']"); got != fmt.Sprint(possibles.Seats.N.Pairs) {
		t.tb.Fatalf("card %d: North holds %s pairs for possible, want %d", n, got, possibles.Seats.N.Pairs)
	}
	var model api.KlaverjasCardModelStep
	for _, step := range models {
		if step.Number <= n {
			model = step
		}
	}
	var relations []string
	classes := map[string][][]api.KlaverjasSeat{
		"N": model.Seats.N.Classes, "E": model.Seats.E.Classes, "S": model.Seats.S.Classes, "W": model.Seats.W.Classes,
	}
	for seat, groups := range classes {
		for _, group := range groups {
			for i := range group {
				for j := range i {
					relations = append(relations, seat+string(group[j])+string(group[i]))
				}
			}
		}
	}
	got := eval[[]string](t, "[...document.querySelectorAll('.kripke [data-relation]')].map((r) => r.dataset.relation)")
	slices.Sort(relations)
	slices.Sort(got)
	if !slices.Equal(got, relations) {
		t.tb.Fatalf("card %d: the relations are %v, want %v", n, got, relations)
	}
	if world := eval[string](t, "document.querySelector('.world.actual').dataset.world"); world != string(*model.Actual) {
		t.tb.Fatalf("card %d: the real world is %s, want %s", n, world, *model.Actual)
	}
}

// The hand plays on by itself to its end, pauses, and a link leads to the moment that was shown.
func TestWatchPlaysOn(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/watch"+watched+"&i=29")
	p.until("document.querySelector('#pairs')")
	eval[bool](p, "(localStorage.setItem('roem.pace', 'off'), true)")
	p.click("#play-on")
	p.until("document.querySelector('.controls .count').textContent === '30 / 32'")
	p.press("p")
	address := eval[string](p, "location.hash")
	p.press("p")
	p.until("document.querySelector('.controls .count').textContent === '32 / 32'")
	p.until("document.querySelector('#play-on[aria-disabled=true]')")
	thought := "document.querySelector('#minds-title').textContent + document.querySelector('#thought').textContent"
	p.navigate("/docs/errors")
	p.navigate("/watch" + address)
	p.until("document.querySelector('#thought')")
	linked := eval[string](p, thought)
	p.click("#undo")
	p.click("#redo")
	if got := eval[string](p, thought); got != linked || eval[string](p, "location.hash") != address {
		t.Errorf("the link %s shows %q, and one card back and forth %q", address, linked, got)
	}
}

// The settings choose who plays what: players, rules, trump, dealer, open cards and the seed; and a hand can be entered.
func TestWatchSettings(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/watch"+watched)
	p.until("document.querySelector('#pairs')")
	p.click("#settings")
	for id, value := range map[string]string{"player-E": "random", "player-W": "master", "trump": "H", "dealer": "S", "rules": "amsterdam"} {
		p.choose(id, value)
	}
	p.retype("open-cards", "8")
	p.until("document.querySelector('#open-cards-bad').textContent !== ''")
	p.retype("open-cards", "3")
	p.retype("seed", "18446744073709551616")
	p.click("#use-settings")
	p.until("document.querySelector('#seed-bad').textContent !== ''")
	p.retype("seed", "12")
	p.click("#use-settings")
	p.until("!document.querySelector('dialog') && document.querySelectorAll('#felt .lies-open').length === 12")
	want := "#v=1&n=logical&e=random&s=logical&w=master&r=amsterdam&t=H&g=S&o=3&k=12"
	if got := eval[string](p, "location.hash"); got != want {
		t.Errorf("the address is %s, want %s", got, want)
	}
	if got := p.text("#deal-line"); !strings.Contains(got, "South dealt") || !strings.Contains(got, "3 cards of each hand open") {
		t.Errorf("the deal is %q", got)
	}
	// The hand is entered as it lies, and is the same with another seed.
	hands := "[...document.querySelectorAll('#felt .hand')].map((h) => " +
		"[...h.querySelectorAll('[data-card]')].map((c) => c.dataset.card).join())"
	before := eval[[]string](p, hands)
	p.click("#settings")
	p.click("#enter")
	p.until("document.querySelector('#enter-dialog')")
	p.click("#enter-dialog button.main")
	p.until("!document.querySelector('dialog') && /&h=/.test(location.hash) && document.querySelectorAll('#felt [data-card]').length === 32")
	if got := eval[[]string](p, hands); !slices.Equal(got, before) {
		t.Errorf("the hands entered are %v, want %v", got, before)
	}
	// A new hand is drawn again.
	p.click("#new")
	p.until("!/&h=/.test(location.hash) && document.querySelectorAll('#felt [data-card]').length === 32")
}

// A hand that was entered with cards played goes on from there: the players think from the first card on that is theirs.
func TestWatchEntered(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/watch"+watchedLast)
	p.until("document.querySelector('#thought')")
	for range 9 {
		p.click("#undo")
	}
	p.until("document.querySelector('.controls .count').textContent === '3 / 32'")
	if got := p.text("#minds-title"); got != "Played before the players took over" {
		t.Errorf("before the players took over the page says %q", got)
	}
}

// A player that the server does not know is named, and so is the part of an address that cannot be read.
func TestWatchRefusals(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/watch#v=1&n=nobody&k=1")
	p.allow("400")
	p.until("/nobody/.test(document.querySelector('.panel').textContent)")
	p.navigate("/docs/errors")
	p.navigate("/watch#v=1&n=logical&o=8")
	p.until("/o=8/.test(document.querySelector('#url-error')?.textContent)")
	p.click("#url-error button")
	p.until("document.querySelector('#pairs') && /&k=\\d+/.test(location.hash)")
}

// Every thought has a text in both languages: the codes of the contract are those of the page.
func TestWatchThoughtsHaveTexts(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "nl"} {
		p := open(t, commonSite(t), "/watch"+watchedOpen)
		p.until("document.querySelector('#thought')")
		p.speak(lang)
		for n := 6; n < 32; n++ {
			p.click("#redo")
			p.until(fmt.Sprintf("document.querySelector('.controls .count').textContent === '%d / 32'", n+1))
			if got := p.text("#thought"); got == "" || strings.Contains(got, "t_") || strings.Contains(got, "{") {
				t.Errorf("%s, card %d: the thought is %q", lang, n+1, got)
			}
		}
	}
}
