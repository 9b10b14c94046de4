package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"roem/internal/api"
)

// An open puzzle, a hidden one, and an open one with three decisions.
const (
	openPuzzle    = "24kftt"
	hiddenPuzzle  = "239g8z"
	severalPuzzle = "3xkjta"
)

// puzzleViews are the views of the page of puzzles.
var puzzleViews = []view{
	{"open", "#v=1&p=" + openPuzzle, "", "#felt .card.legal"},
	{"open again", "", "#felt [data-card='8D']", "#again"},
	{"open hint", "", "#hint", "#hint-text"},
	{"open solved", "", "#felt [data-card='JD']", "#verdict"},
	{"line", "", "[data-line]", ".controls"},
	{"rating", "", "#kept summary", "#rating-forget"},
	{"several", "#v=1&p=" + severalPuzzle, "#felt [data-card='10H']", "#ask[data-decision='2']"},
	{"several asked", "", "", "#answer[aria-disabled='false']"},
	{"several over", "", "#answer", "#decisions"},
	{"hidden", "#v=1&p=" + hiddenPuzzle, "", "#felt.seen .card.legal"},
	{"hidden solved", "", "#answer", "#verdict"},
	{"hidden why", "#v=1&p=4bkqza", "#answer", "#why-example"},
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

// decisionsOf returns the decisions of a solution, the first one too.
func decisionsOf(s api.KlaverjasPuzzleSolution) []api.KlaverjasPuzzleDecision {
	first := api.KlaverjasPuzzleDecision{Card: s.Card, Values: s.Values, Themes: s.Themes}
	return append([]api.KlaverjasPuzzleDecision{first}, s.Later...)
}

// asked waits until a decision is asked for, and its card can be played.
func (t *tab) asked(number int) {
	t.tb.Helper()
	t.until(fmt.Sprintf(`document.querySelector("#ask[data-decision='%d'] #answer[aria-disabled='false']")`, number))
}

// solved waits for the verdict, and compares what the page shows of a decision with the API.
func (t *tab) solved(s api.KlaverjasPuzzleSolution, number int, right bool) {
	t.tb.Helper()
	d := decisionsOf(s)[number-1]
	t.until("document.querySelector('#verdict')")
	if got := eval[bool](t, "document.querySelector('#verdict').classList.contains('made')"); got != right {
		t.tb.Errorf("%s: right is %v on the page", s.Id, got)
	}
	var cards []string
	for _, v := range d.Values {
		cards = append(cards, v.Card)
	}
	values := eval[[]string](t, "[...document.querySelectorAll('#values [data-value]')].map(e => e.dataset.value)")
	if !slices.Equal(values, cards) {
		t.tb.Errorf("%s: the values are of %v, by the API of %v", s.Id, values, cards)
	}
	starred := eval[[]string](t, "[...document.querySelectorAll('#felt .card.best')].map(e => e.dataset.card)")
	if !slices.Equal(starred, []string{d.Card}) {
		t.tb.Errorf("%s: the star is on %v, the best card is %s", s.Id, starred, d.Card)
	}
	var shares []float64
	if number == 1 {
		for _, g := range s.Grades {
			shares = append(shares, float64(g.Found)/float64(g.Players))
		}
	}
	if got := eval[[]float64](t, "[...document.querySelectorAll('#grades progress')].map(e => e.value / e.max)"); !slices.Equal(got, shares) {
		t.tb.Errorf("%s: the shares are %v, by the API %v", s.Id, got, shares)
	}
}

// marks returns the cards of the table that have a mark below them, with it.
func (t *tab) marks() []string {
	t.tb.Helper()
	const value = "e.closest('.card').dataset.card + ' ' + e.textContent"
	return eval[[]string](t, "[...document.querySelectorAll('#felt .card .value')].map(e => "+value+")")
}

// rating returns the rating on the page.
func (t *tab) rating() int {
	t.tb.Helper()
	return eval[int](t, "Number(document.querySelector('#rating b').textContent)")
}

// A puzzle is answered with the mouse and with the keyboard, with a second try before the solution is shown. The filters and the puzzle are
// in the address, and the browser counts.
func TestPuzzles(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/puzzles#v=1&p="+openPuzzle)
	_, solution := p.puzzleShown()
	p.click(fmt.Sprintf("#felt [data-card=%q]", solution.Values[1].Card))
	p.until("document.querySelector('#again') && document.querySelector('#status').textContent.includes('Try once more')")
	marks, tables := p.marks(), eval[int](p, "document.querySelectorAll('.panel table').length")
	if !slices.Equal(marks, []string{solution.Values[1].Card + " ✗"}) || tables > 0 {
		t.Errorf("before the second try, the cards have the marks %q", marks)
	}
	if got := p.text("#kept"); !strings.Contains(got, "0 of 0 found") {
		t.Errorf("the first try counts: %q", got)
	}
	wrong := solution.Values[2]
	p.click(fmt.Sprintf("#felt [data-card=%q]", wrong.Card))
	p.solved(solution, 1, false)
	p.until("document.querySelector('#kept').textContent.includes('0 of 1 found')")
	// The sentence that says why is of the reason that the API has.
	open, _ := p.puzzleOf(openPuzzle)
	analysis := request[api.KlaverjasAnalysis](t, p.site, "POST", "/v1/klaverjas/analyse", map[string]any{
		"rules": open.Position.Rules, "trump": open.Position.Trump, "leader": open.Position.Leader, "declarer": open.Position.Declarer,
		"hands": open.Position.Hands, "played": append(slices.Clone(open.Position.Played), wrong.Card),
	})
	p.until(fmt.Sprintf("document.querySelector('#why')?.dataset.code === '%s'", analysis.Cards[len(open.Position.Played)].Reason.Code))
	if got := p.text("#why"); !strings.HasSuffix(got, ".") || strings.Contains(got, "why_") {
		t.Errorf("the reason is %q", got)
	}
	if want := analysis.Cards[len(open.Position.Played)].Reason.Code; wrong.Reason.Code != want {
		t.Errorf("the solution has the reason %s, the analysis %s", wrong.Reason.Code, want)
	}
	// The lines go to the end of the hand.
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
	for i, d := range decisionsOf(solution) {
		p.asked(i + 1)
		eval[bool](p, `(document.querySelector('#felt [data-card][tabindex="0"]').focus(), true)`)
		for p.focused() != d.Card {
			p.press(kb.ArrowRight)
		}
		p.press(kb.Enter)
	}
	p.solved(solution, hidden.Decisions, true)
	p.until("document.querySelector('#kept').textContent.includes('1 of 2 found, 0 at the second try, in a row: 1')")
	p.until("document.querySelector('#status').textContent.startsWith('Right. ')")
	p.press("n")
	p.until(fmt.Sprintf("!location.hash.includes(%q)", hidden.Id))
	third, _ := p.puzzleShown()
	p.reload()
	if again, _ := p.puzzleShown(); again.Id != third.Id || !strings.Contains(p.text("#kept"), "1 of 2 found") {
		t.Errorf("after a reload %s is shown, and %q", again.Id, p.text("#kept"))
	}
	eval[bool](p, "(history.back(), true)")
	p.until(fmt.Sprintf("location.hash.includes(%q)", hidden.Id))
}

// A puzzle goes on for several cards: after each right one the others play, one by one, and the next decision is asked for. A second try
// counts less than a first one, and each decision has its solution.
func TestPuzzleOfSeveralCards(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/puzzles#v=1&p="+severalPuzzle)
	puzzle, solution := p.puzzleShown()
	decisions := decisionsOf(solution)
	if len(decisions) != 3 || puzzle.Decisions != 3 {
		t.Fatalf("%d decisions", len(decisions))
	}
	wrong := decisions[1].Values[1].Card
	for i, d := range decisions {
		p.asked(i + 1)
		if got, want := p.text("#ask"), fmt.Sprintf("Card %d of 3. ", i+1); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if i > 0 {
			p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", len(d.Played)))
			p.until(fmt.Sprintf("document.querySelector('#status').textContent.endsWith('Card %d of 3.')", i+1))
		}
		if i == 1 {
			p.click(fmt.Sprintf("#felt [data-card=%q]", wrong))
			p.until("document.querySelector('#again')")
			if marks := p.marks(); !slices.Equal(marks, []string{wrong + " ✗"}) {
				t.Errorf("%s was tried, and the cards have the marks %q", wrong, marks)
			}
			p.asked(2)
		}
		p.click(fmt.Sprintf("#felt [data-card=%q]", d.Card))
	}
	p.solved(solution, 3, true)
	p.until("document.querySelector('#status').textContent.startsWith('Right, at the second try')")
	if got := p.text("#kept"); !strings.Contains(got, "1 of 1 found, 1 at the second try, in a row: 0") {
		t.Errorf("the browser has counted %q", got)
	}
	for i := range decisions {
		p.click(fmt.Sprintf("#decisions [data-place='%d']", i))
		p.until(fmt.Sprintf("document.querySelector('#decisions [aria-pressed=true]').dataset.place === '%d'", i))
		p.solved(solution, i+1, true)
	}
	marks := eval[[]string](p, "[...document.querySelectorAll('#decisions button')].map(e => e.getAttribute('aria-label'))")
	want := []string{"Card 1 of 3: Right", "Card 2 of 3: Right, at the second try or with a hint", "Card 3 of 3: Right"}
	if !slices.Equal(marks, want) {
		t.Errorf("the decisions are %q", marks)
	}
}

// The rating changes with each puzzle, stays in the browser, and chooses the puzzle that comes next. No puzzle comes twice before all
// others of the level have come. A hint counts as a second try.
func TestPuzzleRating(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/puzzles#v=1&c=open&l=casual&p="+severalPuzzle)
	puzzle, _ := p.puzzleShown()
	if got := p.rating(); got != 1500 {
		t.Errorf("the rating begins at %d", got)
	}
	p.click("#answer")
	p.until("document.querySelector('#rating-change')")
	after := p.rating()
	if got := p.text("#rating-change"); after >= 1500 || !strings.Contains(got, fmt.Sprintf("(−%d)", 1500-after)) {
		t.Errorf("the rating is %d, %q", after, got)
	}
	seen := map[string]bool{puzzle.Id: true}
	nearest := 0
	for shown := puzzle.Id; len(seen) < 6; {
		p.click("#next")
		p.until(fmt.Sprintf("!location.hash.includes(%q)", shown))
		next, _ := p.puzzleShown()
		shown = next.Id
		if seen[next.Id] || next.Level != "casual" {
			t.Fatalf("%s of the level %s comes", next.Id, next.Level)
		}
		seen[next.Id] = true
		far := max(next.Rating-after, after-next.Rating)
		if nearest > 0 && far > nearest+50 {
			t.Errorf("%s with the rating %d comes for %d", next.Id, next.Rating, after)
		}
		nearest = max(nearest, far)
	}
	p.reload()
	next, solution := p.puzzleShown()
	if got := p.rating(); got != after {
		t.Errorf("after a reload the rating is %d, it was %d", got, after)
	}
	p.click("#hint")
	p.until("document.querySelector('#hint-text')")
	for i, d := range decisionsOf(solution) {
		p.asked(i + 1)
		p.click(fmt.Sprintf("#felt [data-card=%q]", d.Card))
	}
	p.solved(solution, next.Decisions, true)
	p.until("document.querySelector('#kept').textContent.includes('1 of 2 found, 1 at the second try')")
	p.click("#kept summary")
	p.click("#rating-forget")
	p.until("document.querySelector('#rating b').textContent === '1500' && !document.querySelector('#rating-change')")
	p.reload()
	if p.puzzleShown(); p.rating() != 1500 || !strings.Contains(p.text("#kept"), "1 of 2 found") {
		t.Errorf("after the rating began again, the page has %q", p.text("#kept"))
	}
	// All others were seen: the one that was seen first comes again.
	ids := eval[[]string](p, `(async () => {
		const ids = []
		for (let token = ''; token !== undefined; ) {
			const page = await (await ask('/v1/klaverjas/puzzles?cards=open&level=casual&limit=100' + (token && '&page_token=' + token))).json()
			ids.push(...page.puzzles.map((p) => p.id))
			token = page.next_page_token
		}
		const kept = JSON.parse(localStorage['roem.puzzles'])
		kept.seen = ids
		localStorage['roem.puzzles'] = JSON.stringify(kept)
		return ids
	})()`)
	p.reload()
	now, _ := p.puzzleShown()
	first := ids[0]
	if first == now.Id {
		first = ids[1]
	}
	p.click("#next")
	p.until(fmt.Sprintf("location.hash.includes(%q)", first))
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
	p.until("document.querySelector('#again')")
	p.asked(1)
	p.click("#answer")
	p.solved(solution, 1, false)
	p.until(fmt.Sprintf("document.querySelector('#why')?.dataset.code === '%s'", other.Reason.Code))
	share := fmt.Sprintf("In %d of %d possible deals, ", other.Evidence.Applies, other.Evidence.Worlds)
	if got := p.text("#why"); !strings.HasPrefix(got, share) || !strings.HasSuffix(got, ".") {
		t.Errorf("the page says %q, and the API %q", got, other.Reason.Text)
	}
	known := eval[[]string](p, "[...document.querySelectorAll('.known-then')].map(e => e.textContent)")
	if len(known) < len(other.Evidence.Facts) {
		t.Errorf("the page has the facts %q, and the API %+v", known, other.Evidence)
	}
	p.click("#lineEnd")
	p.until("document.querySelector('#lineEnd').ariaDisabled === 'true'")
	for id, line := range map[string]api.Cards{"line-played": other.Lines.Played, "line-best": other.Lines.Best} {
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
