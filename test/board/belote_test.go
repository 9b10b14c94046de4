package board_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
)

// belotePosition is a position of Belote Découverte as the API takes it.
type belotePosition struct {
	Trump     *string                `json:"trump"`
	Suits     []string               `json:"suits"`
	Leader    string                 `json:"leader"`
	Declarer  string                 `json:"declarer"`
	Threshold int                    `json:"threshold"`
	Stacks    map[string][][2]string `json:"stacks"`
	Played    []string               `json:"played,omitempty"`
	Goal      string                 `json:"goal,omitempty"`
	Utility   string                 `json:"utility,omitempty"`
}

func firstSuits(n int) []piquet.Suit {
	all := piquet.Suits()
	return all[:n]
}

// drawnBelote is a deal as the engine has it.
func drawnBelote(random *rand.Rand, suits int) belote.Deal {
	trump := belote.Trump(random.IntN(suits))
	if random.IntN(4) == 0 {
		trump = belote.NoTrump
	}
	d := belote.Random(random, belote.Deck(firstSuits(suits)...), trump)
	d.Leader, d.Declarer = belote.Player(random.IntN(2)), belote.Player(random.IntN(2))
	if random.IntN(2) == 0 {
		d.Threshold = 1 + random.IntN(d.Total())
	}
	return d
}

// inTwo writes a card in two characters.
func inTwo(c piquet.Card) string { return strings.Replace(c.String(), "10", "T", 1) }

// beloteAddress is the part of the URL that names the position.
func beloteAddress(d belote.Deal, played []piquet.Card) string {
	trump := "N"
	if s, ok := d.Trump.Suit(); ok {
		trump = s.String()
	}
	out := fmt.Sprintf("#v=1&t=%s&l=%s&d=%s", trump, d.Leader, d.Declarer)
	if d.Threshold != d.Trump.DefaultThreshold(d.Deck) {
		out += "&c=" + strconv.Itoa(d.Threshold)
	}
	for _, p := range belote.Players() {
		out += "&" + strings.ToLower(p.String()) + "="
		for _, s := range d.Of(p) {
			out += inTwo(s.Top) + inTwo(s.Bottom)
		}
	}
	for i, c := range played {
		if i == 0 {
			out += "&p="
		}
		out += inTwo(c)
	}
	return out
}

// beloteBody is the position as the API takes it.
func beloteBody(d belote.Deal, played []piquet.Card) belotePosition {
	out := belotePosition{Leader: d.Leader.String(), Declarer: d.Declarer.String(), Threshold: d.Threshold, Stacks: map[string][][2]string{}}
	if s, ok := d.Trump.Suit(); ok {
		out.Trump = new(s.String())
	}
	for _, s := range firstSuits(d.Suits()) {
		out.Suits = append(out.Suits, s.String())
	}
	for _, p := range belote.Players() {
		for _, s := range d.Of(p) {
			out.Stacks[p.String()] = append(out.Stacks[p.String()], [2]string{s.Top.String(), s.Bottom.String()})
		}
	}
	for _, c := range played {
		out.Played = append(out.Played, c.String())
	}
	return out
}

// playedBelote plays random legal cards.
func playedBelote(t *testing.T, random *rand.Rand, d belote.Deal, n int) []piquet.Card {
	t.Helper()
	p, err := belote.NewPosition(d)
	if err != nil {
		t.Fatal(err)
	}
	var played []piquet.Card
	for range n {
		legal := p.Legal().Slice()
		c := legal[random.IntN(len(legal))]
		if p, err = p.Play(c); err != nil {
			t.Fatal(err)
		}
		played = append(played, c)
	}
	return played
}

// count waits until the page is at a card.
func (t *tab) count(n, of int) {
	t.tb.Helper()
	t.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / %d'", n, of))
}

// toLegal presses the right arrow until a card has the focus that may be played.
func (t *tab) toLegal() {
	t.tb.Helper()
	for range 10 {
		if eval[bool](t, "document.activeElement.getAttribute('aria-disabled') === 'false'") {
			return
		}
		t.press(kb.ArrowRight)
	}
	t.tb.Fatalf("no card that may be played has the focus, but %s", t.focused())
}

// The page has the rules of the engine: after each card of random hands of one to four suits.
func TestBeloteRules(t *testing.T) {
	t.Parallel()
	type outline struct {
		Legal     []string       `json:"legal"`
		Points    map[string]int `json:"points"`
		Threshold int            `json:"threshold"`
	}
	random := rand.New(rand.NewPCG(15, 4))
	var addresses []string
	var want []outline
	for n := range 120 {
		d := drawnBelote(random, 1+n%4)
		played := playedBelote(t, random, d, d.Deck.Len())
		p, err := belote.NewPosition(d)
		if err != nil {
			t.Fatal(err)
		}
		for i := range len(played) + 1 {
			addresses = append(addresses, beloteAddress(d, played[:i]))
			o := outline{Legal: []string{}, Points: map[string]int{"A": p.Points(belote.A), "B": p.Points(belote.B)}, Threshold: d.Threshold}
			for c := range p.Legal().All() {
				o.Legal = append(o.Legal, c.String())
			}
			want = append(want, o)
			if i < len(played) {
				if p, err = p.Play(played[i]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	text, err := json.Marshal(addresses)
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, commonSite(t), "/belote")
	got := eval[[]outline](p, fmt.Sprintf(`import('%s').then(m => %s.map(a => m.outline(a)))`, asset(t, "belote-ondemand.js"), text))
	for i := range want {
		slices.Sort(got[i].Legal)
		slices.Sort(want[i].Legal)
		if diff := cmp.Diff(want[i], got[i]); diff != "" {
			t.Fatalf("%s (-engine +page)\n%s", addresses[i], diff)
		}
	}
}

// The values below the cards and in the panel agree with the API, for points and for the contract; the best line ends on what is stated.
func TestBeloteValues(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	random := rand.New(rand.NewPCG(15, 5))
	p := open(t, s, "/belote")
	p.valued()
	for i, suits := range []int{1, 3, 4, 4, 2} {
		d := drawnBelote(random, suits)
		size := d.Deck.Len()
		played := playedBelote(t, random, d, []int{0, 5, 8, 0, 3}[i])
		for _, utility := range []string{"points", "contract"} {
			address := beloteAddress(d, played)
			if utility == "contract" {
				address = strings.Replace(address, "&a=", "&u=contract&a=", 1)
			}
			p.show(address)
			p.until(fmt.Sprintf("document.getElementById('for-%s').ariaPressed === 'true' && location.hash === %q", utility, address))
			p.count(len(played), size)
			p.valued()
			body := beloteBody(d, played)
			body.Goal, body.Utility = "moves", utility
			solution := request[api.BeloteSolution](t, s, "POST", "/v1/belote/solve", body)
			sign, lost := 1, "loses the contract"
			if string(*solution.Turn) != d.Declarer.String() {
				sign, lost = -1, "lets the contract be made"
			}
			want, points := map[string]string{}, map[string]string{}
			for _, m := range *solution.Moves {
				switch {
				case m.Best:
					want[m.Card] = "best"
				case utility == "contract":
					want[m.Card] = lost
				default:
					want[m.Card] = "loses " + strconv.Itoa(sign*(*solution.Points-*m.Points))
				}
				if m.Points != nil {
					points[m.Card] = strconv.Itoa(*m.Points)
				}
			}
			got := eval[map[string]string](p, labels)
			for card, label := range got {
				got[card] = label[strings.LastIndex(label, ", ")+2:]
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-API +cards)\n%s", address, diff)
			}
			moves := eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-points][data-move]')].map(e => `+
				`[e.dataset.move, e.dataset.points]))`)
			if diff := cmp.Diff(points, moves); diff != "" {
				t.Errorf("%s (-API +panel)\n%s", address, diff)
			}
			if utility == "points" {
				stated := eval[string](p, "document.getElementById('outcome').dataset.points")
				p.click(".line li:last-child button")
				p.count(size, size)
				if got := eval[string](p, "document.getElementById('outcome').dataset.points"); got != stated || got != strconv.Itoa(*solution.Points) {
					t.Errorf("the line ends on %s, stated %s, by the API %d", got, stated, *solution.Points)
				}
			}
		}
	}
}

// A whole deal is played with the keyboard, and the score is the engine's.
func TestBeloteByKeyboard(t *testing.T) {
	sweep(t)
	t.Parallel()
	s := commonSite(t)
	d := drawnBelote(rand.New(rand.NewPCG(15, 6)), 3)
	p := open(t, s, "/belote"+beloteAddress(d, nil))
	p.valued()
	size := d.Deck.Len()
	p.tabTo("share")
	for !eval[bool](p, "!!document.activeElement.closest('.hand.turn')") {
		p.press(kb.Tab)
	}
	// The live region changes once for each card, and the focus is always somewhere.
	eval[bool](p, `(window.changes = 0, new MutationObserver(() => window.changes++).observe(document.getElementById('status'), {childList: `+
		`true, characterData: true, subtree: true}), true)`)
	for n := range size {
		for step := range 1 + n%3 {
			if step > 0 {
				p.press(kb.ArrowRight)
			}
			p.toLegal()
		}
		p.press(kb.Enter)
		p.count(n+1, size)
		p.until("document.activeElement !== document.body && document.activeElement.isConnected")
		p.until(fmt.Sprintf("window.changes === %d", n+1))
	}
	position, err := belote.NewPosition(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range eval[[]string](p, `[...new URLSearchParams(location.hash.slice(1)).get('p').matchAll(/../g)].map(m => `+
		`m[0].replace('T', '10'))`) {
		c, err := piquet.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		if position, err = position.Play(c); err != nil {
			t.Fatal(err)
		}
	}
	for _, player := range belote.Players() {
		if got := p.text("#total-" + player.String()); got != strconv.Itoa(position.Points(player)) {
			t.Errorf("%s has %s points on the page, %d by the engine", player, got, position.Points(player))
		}
	}
	if got := eval[string](p, "document.getElementById('outcome').dataset.won"); got != strconv.FormatBool(position.Won()) {
		t.Errorf("made: %s on the page, %v by the engine", got, position.Won())
	}
}

// Going back and forth gives the same page; a different card cuts off what comes after, going back over it restores it, also after a
// reload.
func TestBeloteBackAndForward(t *testing.T) {
	sweep(t)
	t.Parallel()
	random := rand.New(rand.NewPCG(15, 7))
	d := drawnBelote(random, 2)
	played := playedBelote(t, random, d, 16)
	p := open(t, commonSite(t), "/belote"+beloteAddress(d, played))
	p.until("document.getElementById('outcome')")
	whole, end := hash(p), eval[string](p, state)
	eval[bool](p, "(document.getElementById('undo').focus(), true)")
	for range 16 {
		p.press(kb.Backspace)
	}
	p.count(0, 16)
	p.valued()
	start := eval[string](p, state)
	for range 16 {
		p.click("#redo")
	}
	p.count(16, 16)
	if diff := cmp.Diff(end, eval[string](p, state)); diff != "" {
		t.Errorf("at the end (-before +after)\n%s", diff)
	}
	eval[bool](p, "(document.getElementById('undo').focus(), true)")
	p.press(kb.Home)
	p.valued()
	if diff := cmp.Diff(start, eval[string](p, state)); diff != "" {
		t.Errorf("at the start (-before +after)\n%s", diff)
	}
	p.click(fmt.Sprintf(`#felt .card.legal:not([data-card=%q])`, played[0]))
	p.count(1, 16)
	p.valued()
	address, before := hash(p), eval[string](p, state)
	p.reload()
	p.valued()
	if hash(p) != address {
		t.Errorf("the address was %s, and is %s", address, hash(p))
	}
	if diff := cmp.Diff(before, eval[string](p, state)); diff != "" {
		t.Errorf("(-before +after the reload)\n%s", diff)
	}
	p.click("#undo")
	p.until(fmt.Sprintf("location.hash === %q", whole+"&i=0"))
	// The address beats what is stored, and that beats a new deal.
	other := beloteAddress(d, played[:3])
	p.navigate("/docs/errors")
	p.navigate("/belote" + other)
	p.count(3, 16)
	p.navigate("/docs/errors")
	p.navigate("/belote")
	p.count(3, 16)
	if hash(p) != other {
		t.Errorf("without an address the page shows %s, expected the stored %s", hash(p), other)
	}
}

// An address that cannot be read says so and is kept; a card that may not be played is not played, and the page says why.
func TestBeloteRefusals(t *testing.T) {
	t.Parallel()
	const good = "#v=1&t=H&l=A&d=A&a=9H7HKHAH&b=TH8HJHQH"
	w, p := words(t, "en", "belote"), open(t, commonSite(t), "/belote#v=2")
	says := func(address, want string) {
		t.Helper()
		p.until(fmt.Sprintf("document.getElementById('url-error')?.textContent.includes(%q)", want))
		if hash(p) != address {
			t.Errorf("the address %s has become %s", address, hash(p))
		}
	}
	says("#v=2", w("urlVersion"))
	for _, test := range [][2]string{
		{"#nonsense", w("urlField", "field", "nonsense")},
		{"#v=%zz", w("urlField", "field", "v=%zz")},
		{strings.Replace(good, "t=H", "t=X", 1), w("urlTrump")},
		{strings.Replace(good, "t=H", "t=S", 1), w("urlNoTrump")},
		{strings.Replace(good, "l=A", "l=C", 1), w("urlPlayer", "field", "l")},
		{strings.Replace(good, "d=A", "d=", 1), w("urlPlayer", "field", "d")},
		{strings.Replace(good, "9H", "9D", 1), w("urlSuits")},
		{strings.Replace(good, "9H", "KH", 1), w("urlTwice", "card", "KH", "field", "a")},
		{strings.Replace(good, "9H", "XX", 1), w("urlNoCard", "n", "1", "field", "a", "text", "XX")},
		{good[:len(good)-1], w("urlStacks", "field", "b")},
		{good + "&c=73", w("urlThreshold", "n", "72")},
		{good + "&u=win", w("urlUtility")},
		{good + "&p=9HX", w("urlPlayed")},
		{good + "&p=7H", w("urlIllegal", "n", "1", "card", "7H")},
		{good + "&p=9H&i=2", w("urlCursor")},
		{good + "&z=1", w("urlUnknown", "field", "z")},
	} {
		p.show(test[0])
		says(test[0], test[1])
	}
	address := good + "&p=9H" // B must play a higher trump
	p.show(address)
	p.until("!document.getElementById('url-error')")
	p.valued()
	for _, test := range [][2]string{
		{"10H", w("overtrump")},
		{"QH", w("covered")},
		{"9H", w("turn", "seat", w("playerB"))},
		{"KH", w("turn", "seat", w("playerB"))},
	} {
		eval[bool](p, "(document.getElementById('field').focus(), document.getElementById('field').select(), true)")
		p.typeText(test[0])
		p.press(kb.Enter)
		p.until(fmt.Sprintf("document.getElementById('status').textContent.includes(%q)", test[1]))
	}
	if hash(p) != address {
		t.Errorf("the position has changed to %s", hash(p))
	}
}

// A position as JSON, a seed and an address can be imported, and a bad position is refused by name. The review agrees with the API.
func TestBeloteImportAndReview(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	w, p := words(t, "en", "belote"), open(t, s, "/belote")
	p.valued()
	if got := eval[int](p, `new Set([...document.querySelectorAll('#felt .stack')].flatMap(e => `+
		`[...e.querySelectorAll('.mini')].map(m => m.textContent))).size`); got != 32 {
		t.Errorf("a new deal shows %d different cards", got)
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
	p.allow("Failed to load resource") // of the refused positions
	asJSON := func(v any) string {
		t.Helper()
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	random := rand.New(rand.NewPCG(15, 8))
	d := drawnBelote(random, 3)
	played := playedBelote(t, random, d, 24)
	bad := beloteBody(d, played)
	bad.Stacks["B"][0][1] = bad.Stacks["A"][0][0]
	for _, test := range [][2]string{
		{"nonsense", w("importBad")},
		{"{}", "/trump: is missing"},
		{asJSON(bad), fmt.Sprintf("/stacks/B/0/1: %s is also at /stacks/A/0/0", bad.Stacks["A"][0][0])},
		{"#v=1&t=H", w("urlPlayer", "field", "l")},
	} {
		imports(test[0])
		p.until(fmt.Sprintf("document.getElementById('import-error').textContent.includes(%q)", test[1]))
	}
	imports("20261122")
	p.until("!document.querySelector('dialog') && document.getElementById('seed')?.textContent === 'Seed 20261122'")
	drawn := request[api.BeloteDeal](t, s, "GET", "/v1/belote/deals/random?seed=20261122", nil)
	p.until(fmt.Sprintf("location.hash.includes('&a=%s')",
		strings.ReplaceAll(strings.Join(slices.Concat(drawn.Position.Stacks.A...), ""), "10", "T")))
	imports(asJSON(beloteBody(d, played)))
	p.until(fmt.Sprintf("location.hash === %q && !document.getElementById('seed')", beloteAddress(d, played)))

	analysis := request[api.BeloteAnalysis](t, s, "POST", "/v1/belote/analyse", beloteBody(d, played))
	p.click("#tab-review")
	p.until("document.querySelector('.review')")
	want := map[string]int{}
	for _, c := range analysis.Cards {
		want[strconv.Itoa(c.Number)] = c.Cost
	}
	got := eval[map[string]int](p, `Object.fromEntries([...document.querySelectorAll('.review [data-number]')].map(e => `+
		`[e.dataset.number, +e.dataset.cost]))`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("costs (-API +page)\n%s", diff)
	}
	sums := map[string]int{"A": analysis.Seats.A.Cost, "B": analysis.Seats.B.Cost}
	if diff := cmp.Diff(sums, eval[map[string]int](p, `Object.fromEntries([...document.querySelectorAll('[data-sum]')].map(e => `+
		`[e.dataset.sum, +e.textContent]))`)); diff != "" {
		t.Errorf("sums (-API +page)\n%s", diff)
	}
	// The keys go from one costly card to the next, and round.
	p.click("#last")
	costly := 0
	for _, c := range slices.Concat(analysis.Cards, analysis.Cards) {
		if c.Cost > 0 {
			costly++
			p.press("n")
			p.count(c.Number-1, 24)
		}
	}
	if costly < 4 {
		t.Fatalf("%d costly cards", costly/2)
	}
	// On what was seen, the same keys go from one mistake of a player to the next.
	p.click("#review-known")
	review := request[api.BeloteReview](t, s, "POST", "/v1/belote/review", beloteBody(d, played))
	p.compareBeloteReview(&review)
	p.click("#last")
	mistakes := 0
	for _, c := range slices.Concat(review.Cards, review.Cards) {
		if c.Seat == api.BeloteSeatB && (c.Verdict == api.VerdictMistake || c.Verdict == api.VerdictLucky) {
			mistakes++
			p.press("n")
			p.count(c.Number-1, 24)
			p.marked(c.Card, string(c.Verdict))
			if c.Reason != nil {
				p.because(string(c.Reason.Code))
			}
		}
	}
	if mistakes < 4 {
		t.Fatalf("B made %d mistakes", mistakes/2)
	}
}
