package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"roem/internal/api"
)

// An open puzzle and a hidden one.
const (
	openPuzzle   = "24kftt"
	hiddenPuzzle = "239g8z"
)

// puzzleViews are the views of the page of puzzles.
var puzzleViews = []view{
	{"open", "#v=1&p=" + openPuzzle, "", "#felt .card.legal"},
	{"open solved", "", "#felt .card.legal", "#verdict"},
	{"line", "", "[data-line]", ".controls"},
	{"hidden", "#v=1&p=" + hiddenPuzzle, "", "#felt.seen .card.legal"},
	{"hidden solved", "", "#felt .card.legal", "#verdict"},
	{"hidden why", "#v=1&p=4bkqza", "#felt [data-card='7C']", "#why-example"},
	{"play on", "", "#play-from", "#stop-dialog"}, // the browser keeps a game
	{"none", "#v=1&c=hidden&l=casual&t=pit&p=" + hiddenPuzzle, "#next", "#none"},
	{"key", "", "#cards-open", "#key-dialog"},
}

// eachPuzzle opens every view of the page of puzzles in turn and calls f.
func (t *tab) eachPuzzle(f func(view string)) {
	t.tb.Helper()
	kept := func(change string) func() { return func() { eval[bool](t, "(localStorage."+change+", true)") } }
	t.walk("/puzzles", puzzleViews, map[string]func(){
		"play on": kept("setItem('roem.game', 'kept')"), "none": kept("removeItem('roem.game')"),
	}, func(view string) { f("puzzles, " + view) })
}

// puzzleShown waits until the page shows a puzzle, and returns it with its solution.
func (t *tab) puzzleShown() (api.KlaverjasPuzzle, api.KlaverjasPuzzleSolution) {
	t.tb.Helper()
	t.until("document.querySelector('#ask') && document.querySelector('#felt .card.legal') && /[#&]p=/.test(location.hash)")
	return t.puzzleOf(eval[string](t, "new URLSearchParams(location.hash.slice(1)).get('p')"))
}

// puzzleOf returns a puzzle with its solution.
func (t *tab) puzzleOf(id string) (api.KlaverjasPuzzle, api.KlaverjasPuzzleSolution) {
	t.tb.Helper()
	path := "/v1/klaverjas/puzzles/" + id
	return request[api.KlaverjasPuzzle](t.tb, t.site, "GET", path, nil),
		request[api.KlaverjasPuzzleSolution](t.tb, t.site, "GET", path+"/solution", nil)
}

// solved waits for the verdict, and compares what the page shows of the solution with the API.
func (t *tab) solved(s api.KlaverjasPuzzleSolution, right bool) {
	t.tb.Helper()
	t.until("document.querySelector('#verdict')")
	if got := eval[bool](t, "document.querySelector('#verdict').classList.contains('made')"); got != right {
		t.tb.Errorf("%s: right is %v on the page", s.Id, got)
	}
	var cards []string
	for _, v := range s.Values {
		cards = append(cards, v.Card)
	}
	values := eval[[]string](t, "[...document.querySelectorAll('#values [data-value]')].map(e => e.dataset.value)")
	if !slices.Equal(values, cards) {
		t.tb.Errorf("%s: the values are of %v, by the API of %v", s.Id, values, cards)
	}
	starred := eval[[]string](t, "[...document.querySelectorAll('#felt .card.best')].map(e => e.dataset.card)")
	if !slices.Equal(starred, []string{s.Card}) {
		t.tb.Errorf("%s: the star is on %v, the best card is %s", s.Id, starred, s.Card)
	}
	var shares []float64
	for _, g := range s.Grades {
		shares = append(shares, float64(g.Found)/float64(g.Players))
	}
	if got := eval[[]float64](t, "[...document.querySelectorAll('#grades progress')].map(e => e.value / e.max)"); !slices.Equal(got, shares) {
		t.tb.Errorf("%s: the shares are %v, by the API %v", s.Id, got, shares)
	}
}

// A puzzle is answered with the mouse and with the keyboard. The filters and the puzzle are in the address, and the browser counts.
func TestPuzzles(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/puzzles#v=1&p="+openPuzzle)
	_, solution := p.puzzleShown()
	p.click(fmt.Sprintf("#felt [data-card=%q]", solution.Values[1].Card))
	p.solved(solution, false)
	p.until("document.querySelector('#kept').textContent.includes('0 of 1 right')")
	// The sentence that says why is of the reason that the API has.
	open, _ := p.puzzleOf(openPuzzle)
	analysis := request[api.KlaverjasAnalysis](t, p.site, "POST", "/v1/klaverjas/analyse", map[string]any{
		"rules": open.Position.Rules, "trump": open.Position.Trump, "leader": open.Position.Leader, "declarer": open.Position.Declarer,
		"hands": open.Position.Hands, "played": append(slices.Clone(open.Position.Played), solution.Values[1].Card),
	})
	p.until(fmt.Sprintf("document.querySelector('#why')?.dataset.code === '%s'", analysis.Cards[len(open.Position.Played)].Reason.Code))
	if got := p.text("#why"); !strings.HasSuffix(got, ".") || strings.Contains(got, "why_") {
		t.Errorf("the reason is %q", got)
	}
	if want := analysis.Cards[len(open.Position.Played)].Reason.Code; solution.Values[1].Reason.Code != want {
		t.Errorf("the solution has the reason %s, the analysis %s", solution.Values[1].Reason.Code, want)
	}
	// Another answer to the same puzzle does not count, and the lines go to the end of the hand.
	p.click(fmt.Sprintf("[data-line=%q]", solution.Card))
	p.click("#last")
	p.until("document.querySelector('.count').textContent === '32 / 32'")

	p.click("#cards-hidden")
	hidden, solution := p.puzzleShown()
	if hidden.View == nil || !strings.Contains(eval[string](p, "location.hash"), "c=hidden") {
		t.Errorf("hidden puzzles are wanted, and %s is shown at %s", hidden.Id, eval[string](p, "location.hash"))
	}
	if backs := eval[int](p, "document.querySelectorAll('#felt .other .backs').length"); backs != 3 {
		t.Errorf("%d hands have backs", backs)
	}
	eval[bool](p, `(document.querySelector('#felt [data-card][tabindex="0"]').focus(), true)`)
	for p.focused() != solution.Card {
		p.press(kb.ArrowRight)
	}
	p.press(kb.Enter)
	p.solved(solution, true)
	p.until("document.querySelector('#kept').textContent.includes('1 of 2 right, in a row: 1')")
	p.until("document.querySelector('#status').textContent.startsWith('Right. ')")
	p.press("n")
	p.until(fmt.Sprintf("!location.hash.includes(%q)", hidden.Id))
	third, _ := p.puzzleShown()
	p.reload()
	if again, _ := p.puzzleShown(); again.Id != third.Id || !strings.Contains(p.text("#kept"), "1 of 2 right") {
		t.Errorf("after a reload %s is shown, and %q", again.Id, p.text("#kept"))
	}
	eval[bool](p, "(history.back(), true)")
	p.until(fmt.Sprintf("location.hash.includes(%q)", hidden.Id))
}

// After the answer to a hidden puzzle the page says in how many of the possible deals another card is a mistake, what happens in one of
// them, and what the seat can know of it, with both lines. Then one plays on from the position, at the seat of the puzzle.
func TestHiddenPuzzleWhy(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/puzzles#v=1&p="+hiddenPuzzle)
	puzzle, solution := p.puzzleShown()
	other := solution.Values[1]
	p.click(fmt.Sprintf("#felt [data-card=%q]", other.Card))
	p.solved(solution, false)
	p.until(fmt.Sprintf("document.querySelector('#why')?.dataset.code === '%s'", other.Reason.Code))
	share := fmt.Sprintf("In %d of %d possible deals, ", other.Evidence.Applies, other.Evidence.Worlds)
	if got := p.text("#why"); !strings.HasPrefix(got, share) || !strings.HasSuffix(got, ".") {
		t.Errorf("the page says %q, and the API %q", got, other.Reason.Text)
	}
	known := eval[[]string](p, "[...document.querySelectorAll('.known-then')].map(e => e.textContent)")
	if len(known) < len(other.Evidence.Facts) {
		t.Errorf("the page has the facts %q, and the API %+v", known, other.Evidence)
	}
	for id, line := range map[string]api.Cards{"line-played": other.Lines.Played, "line-best": other.Lines.Best} {
		p.click("#lineEnd")
		if got := len(p.shownLine(id)); got != len(line)+len(puzzle.View.Played)%4 {
			t.Errorf("%s has %d cards, by the API %v", id, got, line)
		}
	}
	p.click("#play-from")
	p.until(fmt.Sprintf(
		"location.hash === '#v=1&m=play' && document.querySelector('.count')?.textContent === '%d / 32'", len(puzzle.View.Played),
	))
	p.until("document.querySelector('#felt .own .legal')")
	legal := eval[[]string](p, "[...document.querySelectorAll('#felt .own .legal')].map(e => e.dataset.card).sort()")
	if slices.Sort(puzzle.Legal); !slices.Equal(legal, puzzle.Legal) {
		t.Errorf("%v may be played, in the puzzle %v", legal, puzzle.Legal)
	}
}

// Without an address the page shows the puzzle of the day.
func TestPuzzleOfTheDay(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/puzzles#v=1&d=2026-12-05")
	p.until("document.querySelector('#ask')")
	daily := request[api.KlaverjasDailyPuzzle](t, p.site, "GET", "/v1/klaverjas/puzzles/daily?date=2026-12-05", nil)
	legal := eval[[]string](p, "[...document.querySelectorAll('#felt .card.legal')].map(e => e.dataset.card).sort()")
	if slices.Sort(daily.Puzzle.Legal); !slices.Equal(legal, daily.Puzzle.Legal) {
		t.Errorf("%v may be played, in the puzzle of the day %v", legal, daily.Puzzle.Legal)
	}
	if got := p.text("#deal-line"); !strings.Contains(got, "Puzzle of December 5, 2026") {
		t.Errorf("the page says %q", got)
	}
}
