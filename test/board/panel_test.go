package board_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// The values agree with the API.
func TestValues(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example().fragment(-1))
	for _, n := range []int{0, 3, 14, 25} {
		deal := example(wholeHand[:n]...)
		p.show(deal.fragment(-1))
		p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", n))
		p.valued()
		deal.Goal = "moves"
		solution := request[api.KlaverjasSolution](t, s, "POST", "/v1/klaverjas/solve", deal)
		sign := 1
		if solution.Turn != nil && (*solution.Turn == "E" || *solution.Turn == "W") {
			sign = -1
		}
		want, outcomes := map[string]string{}, map[string]string{}
		for _, m := range *solution.Moves {
			loss := sign * (*solution.Outcome - m.Outcome)
			if loss == 0 {
				want[m.Card] = "best"
			} else {
				want[m.Card] = "loses " + strconv.Itoa(loss)
			}
			outcomes[m.Card] = strconv.Itoa(m.Outcome)
		}
		got := eval[map[string]string](p, labels)
		for card, label := range got {
			got[card] = label[strings.LastIndex(label, ", ")+2:]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %d cards (-API +cards)\n%s", n, diff)
		}
		moves := eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-move]')].map(e => `+
			`[e.dataset.move, e.dataset.outcome]))`)
		if diff := cmp.Diff(outcomes, moves); diff != "" {
			t.Errorf("after %d cards (-API +panel)\n%s", n, diff)
		}
	}
}

// The best line ends on its stated outcome.
func TestBestLine(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example().fragment(-1))
	for _, n := range []int{0, 6} {
		p.show(example(wholeHand[:n]...).fragment(-1))
		p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", n))
		p.valued()
		stated := eval[string](p, "document.getElementById('outcome').dataset.outcome")
		if got := eval[int](p, "document.querySelectorAll('.line button').length"); got != 32-n {
			t.Errorf("the line has %d cards", got)
		}
		p.click(".line li:last-child button")
		p.until("document.querySelector('.count').textContent === '32 / 32'")
		if got := eval[string](p, "document.getElementById('outcome').dataset.outcome"); got != stated {
			t.Errorf("the line ends on %s, stated %s", got, stated)
		}
	}
}

// The best card, step by step, keeps the outcome.
func TestBestCard(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example(wholeHand[:20]...).fragment(-1))
	p.valued()
	stated := eval[string](p, "document.getElementById('outcome').dataset.outcome")
	for n := 21; n <= 32; n++ {
		p.valued()
		p.press("b")
		p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", n))
	}
	p.until("document.getElementById('outcome')")
	if got := eval[string](p, "document.getElementById('outcome').dataset.outcome"); got != stated {
		t.Errorf("the hand ends on %s, stated %s", got, stated)
	}
}

// The review is the API's.
func TestReview(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example(wholeHand...).fragment(0))
	p.valued()
	p.click("#tab-review")
	p.until("document.querySelector('.review')")
	want := request[api.KlaverjasAnalysis](t, s, "POST", "/v1/klaverjas/analyse", example(wholeHand...))
	costs := map[string]string{}
	first := 0
	for _, c := range want.Cards {
		costs[strconv.Itoa(c.Number)] = strconv.Itoa(c.Cost)
		if first == 0 && c.Cost > 0 && c.Number > 1 {
			first = c.Number
		}
	}
	got := eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-number]')].map(e => `+
		`[e.dataset.number, e.dataset.cost]))`)
	if diff := cmp.Diff(costs, got); diff != "" {
		t.Errorf("costs (-API +page)\n%s", diff)
	}
	sums := map[string]string{
		"N": strconv.Itoa(want.Seats.N.Cost), "E": strconv.Itoa(want.Seats.E.Cost), "S": strconv.Itoa(want.Seats.S.Cost),
		"W": strconv.Itoa(want.Seats.W.Cost),
	}
	if diff := cmp.Diff(sums, eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-sum]')].map(e => `+
		`[e.dataset.sum, e.textContent]))`)); diff != "" {
		t.Errorf("sums (-API +page)\n%s", diff)
	}
	// The key goes to the position before the next costly card.
	p.press("n")
	p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", first-1))
	if got := p.text("#status"); !strings.Contains(got, "cost "+costs[strconv.Itoa(first)]+".") {
		t.Errorf("the page says %q", got)
	}
}

// The table of trumps is the API's.
func TestTrumps(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	deal := example(wholeHand[:4]...)
	p := open(t, s, "/board"+deal.fragment(-1))
	p.valued()
	p.click("#tab-trumps")
	p.until("document.querySelector('.trumps')")
	want := request[api.KlaverjasTable](t, s, "POST", "/v1/klaverjas/table", map[string]any{"leader": deal.Leader, "hands": deal.Hands})
	text, err := json.Marshal(want.Outcomes)
	if err != nil {
		t.Fatal(err)
	}
	var outcomes map[string]map[string]struct{ Outcome int }
	if err := json.Unmarshal(text, &outcomes); err != nil {
		t.Fatal(err)
	}
	entries := map[string]string{}
	for suit, row := range outcomes {
		for team, e := range row {
			entries[suit+team] = strings.ReplaceAll(fmt.Sprintf("%+d", e.Outcome), "-", "−")
		}
	}
	if diff := cmp.Diff(entries, eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-entry]')].map(e => `+
		`[e.dataset.entry, e.textContent]))`)); diff != "" {
		t.Errorf("(-API +page)\n%s", diff)
	}
}
