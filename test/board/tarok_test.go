package board_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/tarok"
)

// tarokInTwo writes a card in two characters.
func tarokInTwo(c tarok.Card) string {
	if c.Suit() == tarok.Taroks {
		return fmt.Sprintf("%02d", c+1)
	}
	return strings.Replace(c.String(), "10", "T", 1)
}

// tarokRules are the options of the rules as in the URL: nothing for the default rules.
func tarokRules(r tarok.Rules) (out string) {
	if r.Leads == tarok.DeclarerLeads {
		out += "l"
	}
	if r.NoEmperor {
		out += "e"
	}
	out += [3]string{"", "r", "n"}[r.Difference]
	if r.Mond != tarok.DefaultRules.Mond {
		out += "m" + strconv.Itoa(r.Mond)
	}
	if r.PlainValat {
		out += "v"
	}
	if r.OwnPagat {
		out += "p"
	}
	return out
}

// tarokAddress is the part of the URL that names the position.
func tarokAddress(s tarok.Setup, played []tarok.Card) string {
	out := "#v=1&c=" + s.Contract.String()
	if s.Contract != tarok.Klop {
		out += "&d=" + s.Declarer.String()
	}
	if rules := tarokRules(s.Rules); rules != "" {
		out += "&r=" + rules
	}
	out += "&h="
	for c := range tarok.Deck.All() {
		holder := strconv.Itoa(1 + slices.Index(s.Deal.Talon[:], c))
		for _, p := range tarok.Players() {
			if s.Deal.Hands[p].Has(c) {
				holder = p.String()
			}
		}
		out += holder
	}
	texts := func(list []tarok.Card) (text string) {
		for _, c := range list {
			text += tarokInTwo(c)
		}
		return text
	}
	if s.Contract.Exchange() > 0 {
		// Taroks are discarded last.
		discards := slices.Concat((s.Discards &^ tarok.OfSuit(tarok.Taroks)).Slice(), s.Discards.InSuit(tarok.Taroks).Slice())
		out += "&g=" + strconv.Itoa(s.Group+1) + "&x=" + texts(discards)
	}
	if len(played) > 0 {
		out += "&p=" + texts(played)
	}
	return out
}

// The page has the rules of the engine: after each card of random hands of every contract and with all options.
func TestTarokRules(t *testing.T) {
	t.Parallel()
	type outline struct {
		Legal []string       `json:"legal"`
		Phase string         `json:"phase"`
		Won   map[string]int `json:"won"`
	}
	random := rand.New(rand.NewPCG(17, 1))
	var addresses []string
	var want []outline
	for n := range 60 {
		setup := tarok.DrawSetup(random, tarok.Contracts()[n%6])
		setup.Rules = tarok.Rules{
			Mond: [3]int{21, 20, 0}[random.IntN(3)], NoEmperor: n%4 > 1, Leads: tarok.Leads(n / 6 % 2), Difference: tarok.Difference(n % 3),
		}
		p, err := tarok.NewPosition(setup)
		if err != nil {
			t.Fatal(err)
		}
		var played []tarok.Card
		for {
			o := outline{Legal: []string{}, Phase: "play", Won: map[string]int{}}
			for c := range p.Legal().All() {
				o.Legal = append(o.Legal, c.String())
			}
			for _, player := range tarok.Players() {
				o.Won[player.String()] = p.Won(player).Thirds()
			}
			if p.Finished() {
				o.Phase = "finished"
			}
			addresses, want = append(addresses, tarokAddress(setup, played)), append(want, o)
			if p.Finished() {
				break
			}
			c := tarok.Any(random, p.Legal())
			if p, err = p.Play(c); err != nil {
				t.Fatal(err)
			}
			played = append(played, c)
		}
	}
	text, err := json.Marshal(addresses)
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, commonSite(t), "/tarok")
	got := eval[[]outline](p, fmt.Sprintf(`import('%s').then(m => %s.map(a => m.outline(a)))`, asset(t, "tarok-ondemand.js"), text))
	for i := range want {
		slices.Sort(got[i].Legal)
		slices.Sort(want[i].Legal)
		if diff := cmp.Diff(want[i], got[i]); diff != "" {
			t.Fatalf("%s (-engine +page)\n%s", addresses[i], diff)
		}
	}
}

// tarokBody is the example game as the API takes it.
func tarokBody(t *testing.T, played int, more map[string]any) map[string]any {
	t.Helper()
	body := map[string]any{
		"hands": map[string][]string{
			"A": strings.Fields("T1 T4 T6 T11 T14 T15 T21 HK SK D4 D3 D1 DJ DK C8 CJ"),
			"B": strings.Fields("T2 T8 T9 T13 T16 T17 T18 T19 S8 SQ DC DQ C7 C10 CC CK"),
			"C": strings.Fields("T3 T10 T12 T22 H4 H3 H2 HJ HQ S7 S9 S10 SJ D2 C9 CQ"),
		},
		"talon": strings.Fields("T7 H1 HC T5 T20 SC"), "contract": "two", "declarer": "A", "group": 2, "discards": []string{"C8", "CJ"},
		"played": tarokCards(t)[:played],
	}
	maps.Copy(body, more)
	return body
}

// tarokCards are the cards of the example game.
func tarokCards(t *testing.T) (list []string) {
	t.Helper()
	names := map[string]string{}
	for c := range tarok.Deck.All() {
		names[tarokInTwo(c)] = c.String()
	}
	for k := 0; k < len(tarokPlayed); k += 2 {
		list = append(list, names[tarokPlayed[k:k+2]])
	}
	return list
}

// The values below the cards and in the panel agree with the API: exact in the last tricks, to a depth before.
func TestTarokValues(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/tarok")
	p.valued()
	for _, n := range []int{0, 7, 24, 30, 34, 45} {
		p.show(fmt.Sprintf("%s&i=%d", tarokGame, n))
		p.count(n, 48)
		p.valued()
		more := map[string]any{"goal": "moves"}
		if n < 24 {
			more["depth"], more["selection"] = 9, "all" // a value for every legal card
		}
		solution := request[api.TarokSolution](t, s, "POST", "/v1/tarok/solve", tarokBody(t, n, more))
		sign := 1.0
		if *solution.Turn != "A" {
			sign = -1
		}
		want := map[string]string{}
		moves := *solution.Moves
		for _, m := range moves {
			switch {
			case m.Best:
				want[m.Card] = "best"
			case solution.Exact:
				thirds := int(sign) * (*solution.Thirds - *m.Thirds)
				text := strconv.Itoa(thirds/3) + []string{"", "⅓", "⅔"}[thirds%3]
				want[m.Card] = "loses " + strings.TrimPrefix(text, "0")
				if thirds%3 == 0 {
					want[m.Card] = "loses " + strconv.Itoa(thirds/3)
				}
			default:
				loss := sign * (*moves[0].Value - *m.Value)
				want[m.Card] = "loses about " + eval[string](p, fmt.Sprintf("new Intl.NumberFormat('en').format(Math.round(%v / 3 * 10) / 10)", loss))
			}
		}
		got := eval[map[string]string](p, labels)
		for card, label := range got {
			got[card] = label[strings.LastIndex(label, ", ")+2:]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %d cards (-API +cards)\n%s", n, diff)
		}
	}
	// The line ends on what is stated: 110 thirds before the last six tricks, 8 points after those that A has.
	p.show(tarokGame + "&i=30")
	p.count(30, 48)
	p.until("document.getElementById('outcome').dataset.thirds === '110'")
	p.click(".line li:last-child button")
	p.count(48, 48)
	p.until("document.getElementById('thirds-declarer').dataset.thirds === '110'")
}

// The example game is exchanged and played with the keyboard alone, to 45 : 25 and a score of 10.
func TestTarokByKeyboard(t *testing.T) {
	sweep(t)
	t.Parallel()
	p := open(t, commonSite(t), "/tarok"+strings.Replace(tarokSetup, "&g=3&x=C8CJ&s=kD0", "", 1))
	p.tabTo("share")
	for !eval[bool](p, "document.activeElement.dataset.group === '3'") {
		p.press(kb.Tab)
	}
	p.press(kb.Enter)
	// reach moves the focus to a card of the player whose turn it is.
	reach := func(card string) {
		t.Helper()
		for range 20 {
			if p.focused() == card {
				return
			}
			p.press(kb.ArrowRight)
		}
		t.Fatalf("the arrow keys do not reach %s, but %s", card, p.focused())
	}
	for i, card := range []string{"C8", "CJ"} {
		p.until("document.activeElement.closest('.hand.turn')")
		reach(card)
		p.press(kb.Enter)
		p.until(fmt.Sprintf("document.querySelectorAll('#discards-title + ul .face').length === %d", i+1))
	}
	eval[bool](p, `(window.changes = 0, new MutationObserver(() => window.changes++).observe(document.getElementById('status'), {childList: `+
		`true, characterData: true, subtree: true}), true)`)
	for n, card := range tarokCards(t) {
		p.until("document.activeElement.closest('.hand.turn')")
		reach(card)
		p.press(kb.Enter)
		p.count(n+1, 48)
		p.until(fmt.Sprintf("document.activeElement !== document.body && window.changes === %d", n+1))
	}
	if got, want := hash(p), strings.Replace(tarokGame, "&s=kD0", "", 1); got != want {
		t.Errorf("the address is %s, expected %s", got, want)
	}
	p.click("#tab-score")
	p.until("document.querySelector('#counted')?.textContent === '45 : 25' && document.querySelector('[data-total=A]').textContent === '+30'")
	// With the kings announced, which A does not win.
	eval[bool](p, `(e => { e.value = 'declarer'; e.dispatchEvent(new Event('change', {bubbles: true})); return true `+
		`})(document.getElementById('by-kings'))`)
	p.until("document.querySelector('[data-total=A]')?.textContent === '+10' && " +
		"document.querySelector('[data-part=kings]').textContent === '−20'")
	if hash(p) != tarokGame {
		t.Errorf("the address is %s, expected %s", hash(p), tarokGame)
	}
	p.reload()
	p.count(48, 48)
	// Back to the start and forward again.
	p.click("#first")
	p.count(0, 48)
	p.click("#last")
	p.until("document.getElementById('thirds-declarer').dataset.thirds === '134'")
}

// Other rules are chosen in the dialog, stand in the address and are sent to the server. The cards played stay; an import keeps the rules.
func TestTarokOtherRules(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/tarok"+tarokSetup+"&p=DK")
	p.valued()
	rules := map[string]any{
		"mond": 20, "emperor": false, "lead": "declarer", "difference": "rounded", "valat_kontra": false, "defenders_pagat": false,
	}
	p.click("#rules")
	p.until("document.getElementById('rule-lead')")
	for _, choice := range [][2]string{
		{"lead", "declarer"}, {"emperor", "no"}, {"difference", "rounded"}, {"mond", "20"}, {"valat_kontra", "no"}, {"defenders_pagat", "no"},
	} {
		eval[bool](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); return true `+
			`})(document.getElementById('rule-%s'))`, choice[1], choice[0]))
	}
	p.click("#rules-done")
	other := strings.Replace(tarokSetup, "&h=", "&r=lerm20vp&h=", 1)
	p.until(fmt.Sprintf("location.hash === %q && document.getElementById('rules-text').textContent.includes('A captured mond loses: 20')",
		other+"&p=DK"))
	p.show(other + "&p=" + tarokPlayed)
	p.click("#tab-score")
	want := request[api.TarokScore](t, s, "POST", "/v1/tarok/score", tarokBody(t, 48, map[string]any{
		"rules": rules, "announcements": map[string]any{"kings": map[string]string{"by": "declarer"}},
	}))
	p.until(fmt.Sprintf("document.querySelector('#score [data-total=A]')?.textContent === %q", signed(want.Total.A)))
	p.click("#import")
	p.until("document.getElementById('import-text')")
	text := eval[string](p, "document.getElementById('import-text').value")
	var imported struct {
		Rules map[string]any `json:"rules"`
	}
	if err := json.Unmarshal([]byte(text), &imported); err != nil || fmt.Sprint(imported.Rules) != fmt.Sprint(rules) {
		t.Errorf("the import has the rules %v, want %v: %v", imported.Rules, rules, err)
	}
	p.click("#import-do")
	p.until(fmt.Sprintf("!document.querySelector('dialog') && location.hash === %q", other+"&p="+tarokPlayed))
	p.click("#rules")
	p.click("#rules-default")
	p.click("#rules-done")
	p.until(fmt.Sprintf("location.hash === %q && !document.getElementById('rules-text')", tarokGame))
}

// Cards that do not fit other rules are taken back, the page says so, and the browser goes back to them.
func TestTarokRulesTakeCardsBack(t *testing.T) {
	t.Parallel()
	setup := strings.NewReplacer("d=A", "d=B", "x=C8CJ&s=kD0", "x=S8DC").Replace(tarokSetup)
	p := open(t, commonSite(t), "/tarok"+setup+"&p=DK")
	p.count(1, 48)
	p.click("#rules")
	p.until("document.getElementById('rule-lead')")
	p.choose("rule-lead", "declarer")
	p.click("#rules-done")
	other := strings.Replace(setup, "&h=", "&r=l&h=", 1)
	p.until(fmt.Sprintf("location.hash === %q && document.getElementById('status').textContent.startsWith('The play begins again.')", other))
	eval[bool](p, "(history.back(), true)")
	p.until(fmt.Sprintf("location.hash === %q && document.querySelector('.count').textContent === '1 / 48'", setup+"&p=DK"))
}

// An address that cannot be read says so and is kept; a card that may not be played is not played, and the page says why; imports.
func TestTarokRefusals(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	w, p := words(t, "en", "tarok"), open(t, s, "/tarok#v=2")
	p.allow("Failed to load resource") // of the refused position
	for _, test := range [][2]string{
		{"#v=2", w("urlVersion")},
		{"#nonsense", w("urlField", "field", "nonsense")},
		{"#v=%zz", w("urlField", "field", "v=%zz")},
		{strings.Replace(tarokSetup, "two", "four", 1), w("urlContract")},
		{strings.Replace(tarokSetup, "d=A", "d=D", 1), w("urlPlayer")},
		{strings.Replace(tarokSetup, "h=ABC", "h=AB", 1), w("urlHolders")},
		{strings.Replace(tarokSetup, "h=A", "h=B", 1), w("urlHand", "player", "A", "n", "15")},
		{strings.Replace(tarokSetup, "h=ABCA4", "h=ABCA2", 1), w("urlTalon")},
		{strings.Replace(tarokSetup, "g=3", "g=4", 1), w("urlGroup", "n", "3")},
		{strings.Replace(tarokSetup, "C8CJ", "C8HK", 1), w("urlDiscards")},
		{strings.Replace(tarokSetup, "C8CJ", "C8XX", 1), w("urlNoCard", "n", "2", "field", "x", "text", "XX")},
		{strings.Replace(tarokSetup, "kD0", "kX0", 1), w("urlSaid")},
		{tarokSetup + "&k=5", w("urlKontra")},
		{tarokSetup + "&p=DKD", w("urlCards", "field", "p", "n", "48")},
		{tarokSetup + "&p=DKD2", w("urlIllegal", "n", "2", "card", "D2")},
		{tarokSetup + "&p=DK&i=2", w("urlCursor")},
		{tarokSetup + "&r=el", w("urlRules")},
		{tarokSetup + "&r=m101", w("urlRules")},
		{tarokSetup + "&z=1", w("urlUnknown", "field", "z")},
	} {
		p.show(test[0])
		p.until(fmt.Sprintf("document.getElementById('url-error')?.textContent.includes(%q)", test[1]))
		if hash(p) != test[0] {
			t.Errorf("the address %s has become %s", test[0], hash(p))
		}
	}
	address := tarokSetup + "&p=DK"
	p.show(address)
	p.until("!document.getElementById('url-error')")
	p.valued()
	for _, test := range [][2]string{
		{"T2", w("follow")},
		{"DK", w("played")},
		{"T21", w("turn", "seat", w("player", "p", "B"))},
		{"C8", w("why_away")},
		{"X", w("noCard", "text", "X")},
	} {
		eval[bool](p, "(document.getElementById('field').focus(), document.getElementById('field').select(), true)")
		p.typeText(test[0])
		p.press(kb.Enter)
		p.until(fmt.Sprintf("document.getElementById('status').textContent.includes(%q)", test[1]))
	}
	if hash(p) != address {
		t.Errorf("the position has changed to %s", hash(p))
	}
	imports := func(text string) {
		t.Helper()
		if !eval[bool](p, "!!document.querySelector('dialog')") {
			p.click("#import")
		}
		p.until("document.getElementById('import-text')")
		eval[bool](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})); return true `+
			`})(document.getElementById('import-text'))`, text))
		p.click("#import-do")
	}
	asJSON := func(v any) string {
		t.Helper()
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, test := range [][2]string{
		{"nonsense", w("importBad")},
		{asJSON(tarokBody(t, 1, map[string]any{"played": []string{"D2"}})), "/played/0: D2 is not legal"},
	} {
		imports(test[0])
		p.until(fmt.Sprintf("document.getElementById('import-error').textContent.includes(%q)", test[1]))
	}
	imports(asJSON(tarokBody(t, 48, map[string]any{"announcements": map[string]any{"kings": map[string]string{"by": "declarer"}}})))
	p.until(fmt.Sprintf("location.hash === %q", tarokGame))
	imports("20261122")
	p.until("!document.querySelector('dialog') && document.getElementById('seed')?.textContent === 'Seed 20261122'")
	drawn := request[api.TarokDeal](t, s, "GET", "/v1/tarok/deals/random?seed=20261122", nil)
	shown := eval[[]string](p, `[...document.querySelectorAll('.hand-S [data-card]')].map(e => e.dataset.card).sort()`)
	dealt := drawn.Position.Hands.A
	slices.Sort(dealt)
	if diff := cmp.Diff(dealt, shown); diff != "" {
		t.Errorf("the hand of A (-API +page)\n%s", diff)
	}
}
