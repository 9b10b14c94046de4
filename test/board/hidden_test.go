package board_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// viewBody is South's view of the deal of the examples, as the API takes it.
func viewBody(played []string, more map[string]any) map[string]any {
	out := map[string]any{"trump": "S", "leader": "S", "declarer": "NS", "seat": "S", "hand": example().Hands["S"], "played": played}
	maps.Copy(out, more)
	return out
}

// viewFragment is the address of the view.
func viewFragment(played []string) string {
	if len(played) == 0 {
		return southHolds
	}
	return southHolds + "&p=" + strings.ReplaceAll(strings.Join(played, ""), "10", "T")
}

func holdersOf(p api.KlaverjasProbabilities) map[string]float64 {
	out := map[string]float64{}
	for seat, value := range map[string]*float64{"N": p.N, "E": p.E, "W": p.W} {
		if value != nil {
			out[seat] = *value
		}
	}
	return out
}

// The grid of the unseen cards is the API's. Its rows sum to 100 %, its columns to the cards left, and a void zeroes a suit.
func TestHolders(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+southHolds)
	ruffed := []string{"JH", "8S", "7H", "8H", "8D", "7D", "JD", "7S"}
	for _, test := range []struct {
		played []string
		level  string
		void   string // a cell of a void
	}{
		{[]string{}, "rules", ""},
		{ruffed, "rules", "QHW"},
		{ruffed, "belief", "QHW"},
		{wholeHand[:20], "rules", ""},
		{wholeHand[:20], "belief", ""},
	} {
		name := fmt.Sprintf("%d cards, %s", len(test.played), test.level)
		p.navigate("/docs/errors")
		p.navigate("/board" + viewFragment(test.played))
		p.click("#tab-holders")
		p.click("#level-" + test.level)
		p.until(fmt.Sprintf("document.querySelector('#level-%s[aria-pressed=true]') && document.querySelector('.holders')", test.level))
		want := request[api.KlaverjasKnowledge](t, s, "POST", "/v1/klaverjas/knowledge",
			viewBody(test.played, map[string]any{"level": test.level}))
		got := eval[map[string]float64](p, `Object.fromEntries([...document.querySelectorAll('[data-holder]')].map(e => `+
			`[e.dataset.holder, +e.dataset.p]))`)
		columns := map[string]float64{}
		for _, c := range want.Cards {
			row := 0.0
			for _, seat := range []string{"N", "E", "W"} {
				value, ok := got[c.Card+seat]
				if !ok || math.Abs(value-holdersOf(c.Holders)[seat]) > 1e-9 {
					t.Errorf("%s: %s with %s is %g on the page, by the API %g", name, c.Card, seat, value, holdersOf(c.Holders)[seat])
				}
				row += value
				columns[seat] += value
			}
			if math.Abs(row-1) > 1e-9 {
				t.Errorf("%s: the row of %s sums to %g", name, c.Card, row)
			}
		}
		if len(got) != 3*len(want.Cards) || len(got) == 0 {
			t.Errorf("%s: %d cells for %d cards", name, len(got), len(want.Cards))
		}
		for seat, sum := range columns {
			left := eval[float64](p, fmt.Sprintf("+document.querySelector('[data-left=%s]').textContent", seat))
			if math.Abs(sum-left) > 1e-9 {
				t.Errorf("%s: the column of %s sums to %g, and it has %g cards left", name, seat, sum, left)
			}
		}
		if facts := eval[int](p, "document.querySelectorAll('[data-fact]').length"); facts != len(want.Facts) {
			t.Errorf("%s: %d facts on the page, by the API %d", name, facts, len(want.Facts))
		}
		if test.void != "" {
			for _, c := range want.Cards {
				if strings.HasSuffix(c.Card, "H") && got[c.Card+"W"] != 0 {
					t.Errorf("%s: West may have %s, which it ruffed", name, c.Card)
				}
			}
			if got := p.text(fmt.Sprintf("[data-holder=%s]", test.void)); got != "✗West not" {
				t.Errorf("%s: the cell of a void reads %q", name, got)
			}
			w := words(t, "en", "klaverjas")
			voidText := w("fact_void", "seat", w("W"), "suit", w("H"))
			if got := p.text("[data-fact=voidW]"); !strings.HasSuffix(got, voidText) {
				t.Errorf("%s: the fact reads %q", name, got)
			}
		}
	}
}

// The drawing of who knows what of a card is the model of the API: its worlds, and a line for each seat and two worlds that it cannot tell
// apart.
func TestModelOfACard(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	played := []string{"JH", "8S", "7H", "8H", "8D", "7D", "JD", "7S"}
	p := open(t, s, "/board"+viewFragment(played))
	p.click("#tab-holders")
	p.click("[data-model=QH]")
	p.until("document.querySelector('.legend')")
	want := request[api.KlaverjasCardModel](t, s, "POST", "/v1/klaverjas/knowledge/card", viewBody(played, map[string]any{"card": "QH"}))
	if len(want.Steps) != 2 {
		t.Fatalf("the model has %d steps", len(want.Steps))
	}
	for i, step := range slices.Backward(want.Steps) {
		var worlds, lines []string
		for _, w := range step.Worlds {
			worlds = append(worlds, string(w))
		}
		for agent, seat := range map[string]api.KlaverjasCardModelSeat{
			"N": step.Seats.N, "E": step.Seats.E, "S": step.Seats.S,
			"W": step.Seats.W,
		} {
			for _, class := range seat.Classes {
				for b := range class {
					for a := range b {
						lines = append(lines, agent+string(class[a])+string(class[b]))
					}
				}
			}
		}
		slices.Sort(worlds)
		slices.Sort(lines)
		got := eval[map[string][]string](p, `({worlds: [...document.querySelectorAll('.world:not(.gone)')].map(e => e.dataset.world).sort(), `+
			`lines: [...document.querySelectorAll('[data-relation]')].map(e => e.dataset.relation).sort()})`)
		if diff := cmp.Diff(map[string][]string{"worlds": worlds, "lines": lines}, got); diff != "" {
			t.Errorf("step %d (-API +page)\n%s", i, diff)
		}
		if i == len(want.Steps)-1 {
			if got := p.text(".legend li:nth-child(3)"); got != "You: North or East has it." {
				t.Errorf("of South it says %q", got)
			}
			p.click("#model-before")
			p.until("document.querySelectorAll('.world.gone').length === 0")
		}
	}
}

// bestAdvice waits for the last advice of the page, and returns the advice of the API for as many worlds.
func (t *tab) bestAdvice(body map[string]any) api.KlaverjasAdvice {
	t.tb.Helper()
	t.until("document.querySelector('#advice[data-refining=false]')")
	body["worlds"] = min(100<<(eval[int](t, "+document.querySelector('#advice').dataset.answers")-1), 10_000)
	return request[api.KlaverjasAdvice](t.tb, t.site, "POST", "/v1/klaverjas/advise", body)
}

// The advice is the API's: the card, what each card costs, and whether it is clear.
func TestAdvice(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+viewFragment(wholeHand[:12]))
	for _, method := range []string{"playout", "search"} {
		p.click("#tab-advice")
		p.click("#by-" + method)
		p.until(fmt.Sprintf("document.querySelector('#by-%s[aria-pressed=true]') && document.querySelector('#advice')", method))
		want := p.bestAdvice(viewBody(wholeHand[:12], map[string]any{"method": method}))
		if got := eval[[]string](p, "(e => [e.dataset.card, e.dataset.confidence])(document.querySelector('#advice'))"); got[0] != want.Card ||
			got[1] != string(want.Confidence) {
			t.Errorf("%s: the page advises %v, the API %s, %s", method, got, want.Card, want.Confidence)
		}
		costs := map[string]string{}
		for _, c := range want.Cards {
			costs[c.Card] = strconv.FormatFloat(c.Cost, 'f', -1, 64)
		}
		if diff := cmp.Diff(costs, eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-advised]')].map(e => `+
			`[e.dataset.advised, e.dataset.cost]))`)); diff != "" {
			t.Errorf("%s (-API +page)\n%s", method, diff)
		}
		wins := map[string]string{}
		for _, c := range want.Cards { // South's team declares
			wins[c.Card] = fmt.Sprintf("%.0f %%", math.Round(100**c.WinProbability))
		}
		if diff := cmp.Diff(wins, eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-wins]')].map(e => `+
			`[e.dataset.wins, e.textContent]))`)); diff != "" {
			t.Errorf("%s, chances (-API +page)\n%s", method, diff)
		}
		if got := p.text("#felt .card.best .value"); got != "★" {
			t.Errorf("%s: the card that is advised shows %q", method, got)
		}
		if got := eval[string](p, "document.querySelector('#felt .card.best').dataset.card"); got != want.Card {
			t.Errorf("%s: the star is on %s, advised is %s", method, got, want.Card)
		}
	}
	// What the others have played is entered in the grid.
	p.press("b")
	p.until("document.querySelector('.count').textContent === '13 / 32'")
	p.click("#tab-holders")
	p.click("[data-plays]")
	p.until("document.querySelector('.count').textContent === '14 / 32'")
}

// Before a card is played, the strength of the hand for each trump is the API's.
func TestStrength(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+southHolds)
	p.click("#tab-advice")
	p.until("document.querySelector('#strength') && document.querySelector('#bid')")
	want := request[api.KlaverjasHandStrength](t, s, "POST", "/v1/klaverjas/hand-strength",
		map[string]any{"hand": example().Hands["S"], "seat": "S", "leader": "S", "declarer": "NS"})
	var rows []string
	for _, x := range want.Trumps {
		rows = append(rows, fmt.Sprintf("%s %.0f %%", x.Trump, math.Round(100**x.TableWinProbability)))
	}
	got := eval[[]string](p, `[...document.querySelectorAll('[data-strength]')].map(e => e.dataset.strength + ' ' + `+
		`e.querySelector('td').textContent)`)
	if diff := cmp.Diff(rows, got); diff != "" {
		t.Errorf("(-API +page)\n%s", diff)
	}
}

// After a hand the review tells mistakes from bad luck, as the API does, and a key goes from one mistake to the next.
func TestSeatReview(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example(wholeHand...).fragment(-1))
	p.until("document.getElementById('outcome')")
	p.press("m")
	p.until("document.querySelector('#seat-S')")
	p.click("#seat-S")
	p.click("#tab-review")
	p.until("document.querySelector('#seat-review')")
	body := example(wholeHand...)
	want := request[api.KlaverjasReview](t, s, "POST", "/v1/klaverjas/review", map[string]any{
		"trump": body.Trump, "leader": body.Leader, "declarer": body.Declarer, "hands": body.Hands, "played": body.Played, "seat": "S",
	})
	verdicts := map[string]string{}
	first := 0
	for _, c := range want.Cards {
		verdicts[c.Card] = string(c.Verdict)
		if first == 0 && (c.Verdict == "mistake" || c.Verdict == "lucky") {
			first = c.Number
		}
	}
	if diff := cmp.Diff(verdicts, eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-reviewed]')].map(e => `+
		`[e.dataset.reviewed, e.dataset.verdict]))`)); diff != "" {
		t.Errorf("(-API +page)\n%s", diff)
	}
	if first == 0 {
		t.Fatalf("the hand has no mistake: %v", verdicts)
	}
	// A reader can check each verdict: the cost with two standard errors, and the rule.
	costs := map[string]string{}
	for _, c := range want.Cards {
		costs[c.Card] = ""
		if c.Knowledge == nil {
			continue
		}
		tenths := func(x float64) string { return strconv.FormatFloat(math.Round(10*x)/10, 'f', -1, 64) }
		costs[c.Card] = tenths(c.Knowledge.Cost)
		if e := *c.Knowledge.StandardError; e > 0 {
			costs[c.Card] += " ± " + tenths(want.Rule.StandardErrors*e)
		}
	}
	if diff := cmp.Diff(costs, eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-reviewed]')].map(e => `+
		`[e.dataset.reviewed, e.querySelector('.known').textContent]))`)); diff != "" {
		t.Errorf("known costs (-API +page)\n%s", diff)
	}
	if got := p.text("#review-rule"); !strings.Contains(got, "2 standard errors") || !strings.Contains(got, "at least 5 points") {
		t.Errorf("the rule is %q", got)
	}
	// With the keyboard alone: to the first mistake, then to the first card of the seat in the table of the review.
	p.tabTo("tab-review")
	eval[bool](p, watchFocus)
	p.press("n")
	p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", first-1))
	if got := p.text("#status"); !strings.Contains(got, "mistake. Better: ") {
		t.Errorf("the page says %q", got)
	}
	for _, c := range want.Cards { // why it was a mistake, and the marks on the table
		if c.Number != first {
			continue
		}
		code := ""
		if c.Reason != nil {
			code = string(c.Reason.Code)
		}
		got := eval[string](p, "document.getElementById('why')?.dataset.code ?? ''")
		if lines := eval[bool](p, "!!document.getElementById('mistake')"); lines != (c.Lines != nil) || got != code {
			t.Errorf("%s: lines %t, reason %q, expected %t and %q", c.Card, lines, got, c.Lines != nil, code)
		}
		if got := p.text(fmt.Sprintf("#felt [data-card=%q] .value", c.Card)); !strings.HasPrefix(got, "✗") && !strings.HasPrefix(got, "!") {
			t.Errorf("%s is marked %q", c.Card, got)
		}
		if got := p.text(fmt.Sprintf("#felt [data-card=%q] .value", c.Knowledge.Advised)); got != "★" {
			t.Errorf("the advised card %s is marked %q", c.Knowledge.Advised, got)
		}
	}
	// Below the buttons stand the lines of the mistake, and then the table.
	p.tabTo("next-mistake")
	for p.press(kb.Tab); eval[bool](p, "!!document.activeElement.closest('#mistake')"); p.press(kb.Tab) {
	}
	if got := eval[string](p, "document.activeElement.closest('[data-reviewed]')?.dataset.reviewed ?? ''"); got != want.Cards[0].Card {
		t.Errorf("after the buttons the focus is on the card %q, expected %s", got, want.Cards[0].Card)
	}
	p.press(kb.Enter)
	p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", want.Cards[0].Number-1))
	if lost := eval[int](p, "window.lost"); lost > 0 {
		t.Errorf("in %d frames nothing has had the focus", lost)
	}
	review := p.accessible("table", "Review", "columnheader", "rowheader", "cell")
	if diff := cmp.Diff([]string{
		"columnheader Card", "columnheader Verdict", "columnheader Known", "columnheader Open",
		"columnheader Better",
	}, review[:5]); diff != "" {
		t.Errorf("the heads of the review (-want +got)\n%s", diff)
	}
	if len(review) != 5+5*len(want.Cards) {
		t.Errorf("%d parts of the review of %d cards", len(review), len(want.Cards))
	}
}
