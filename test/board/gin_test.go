package board_test

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
)

const ginSessions = "/v1/gin-rummy/sessions"

// ginAsked waits until the page shows the session as it is, with its estimate, and returns what the server says of it.
func (t *tab) ginAsked() api.GinSession {
	t.tb.Helper()
	t.until("document.querySelector('#felt[data-acts]') && document.querySelector('#heat[data-late=false]')")
	now := request[api.GinSession](t.tb, t.site, http.MethodGet, ginSessions+"/"+eval[string](t, "localStorage.getItem('roem.gin')"), nil)
	if shown := eval[[]string](t, "(d => [d.state, d.acts])(document.getElementById('felt').dataset)"); shown[0] != string(now.State) ||
		shown[1] != itoa(now.Acts) {
		t.tb.Fatalf("the page shows %v, the session is %s after %d acts", shown, now.State, now.Acts)
	}
	return now
}

// ginAct does something that is an act, and waits for its answer.
func (t *tab) ginAct(do func()) {
	t.tb.Helper()
	before := eval[string](t, "document.getElementById('felt').dataset.acts")
	do()
	t.until(fmt.Sprintf("document.getElementById('felt').dataset.acts !== %q", before))
}

// ginEstimated compares the heat map with the estimate of the API. Of cards that lie open it shows what is known.
func (t *tab) ginEstimated(situation any) api.GinEstimate {
	t.tb.Helper()
	want := request[api.GinEstimate](t.tb, t.site, http.MethodPost, "/v1/gin-rummy/estimate", situation)
	got := eval[map[string]float64](t, "Object.fromEntries([...document.querySelectorAll('#heat td')].map(e => "+
		"[e.dataset.heat, +e.dataset.p]))")
	if diff := cmp.Diff(want.Probabilities, got); diff != "" {
		t.tb.Errorf("the heat map (-API +page)\n%s", diff)
	}
	var order []string // of the cells, under the heads of their columns
	for _, suit := range "SHCD" {
		for rank := range strings.FieldsSeq("A 2 3 4 5 6 7 8 9 10 J Q K") {
			order = append(order, rank+string(suit))
		}
	}
	if diff := cmp.Diff(order, eval[[]string](t, "[...document.querySelectorAll('#heat td')].map(e => e.dataset.heat)")); diff != "" {
		t.tb.Errorf("the places in the heat map (-want +page)\n%s", diff)
	}
	texts := eval[map[string]string](t, "Object.fromEntries([...document.querySelectorAll('#heat td')].map(e => [e.dataset.heat, "+
		"e.querySelector('[aria-hidden]').textContent]))")
	shown := t.ginCards("shown")
	for card, p := range want.Probabilities {
		text := texts[card]
		if len(shown) > 0 { // the computer's hand lies open
			if there := slices.Contains(shown, card); there && text != "✓" || !there && !slices.Contains([]string{"●", "✗", "0"}, text) {
				t.tb.Errorf("%s shows %s, beside the cards %v that lie open", card, text, shown)
			}
			continue
		}
		switch percent := itoa(int(math.Floor(100*p + 0.5))); {
		case p == 0 && text != "●" && text != "✗", p == 1 && text != "✓", p >= 0.005 && p < 0.995 && text != percent:
			t.tb.Errorf("%s has the probability %g and shows %s", card, p, text)
		}
	}
	return want
}

// ginCards are the cards in an attribute of elements, sorted.
func (t *tab) ginCards(attribute string) []string {
	t.tb.Helper()
	return eval[[]string](t, fmt.Sprintf("[...document.querySelectorAll('[data-%[1]s]')].map(e => e.dataset.%[1]s).sort()", attribute))
}

func sortedCards(list []string) []string { return slices.Sorted(slices.Values(list)) }

// A game is begun and a round played with the keyboard alone. At each decision the hand agrees with the session, and the heat map with
// the API; nothing of the game but its id is in the storage, and something has the focus. A reload comes back to it. At the end the hand
// of the computer is shown with what the estimate had said of it.
func TestGinRummy(t *testing.T) {
	sweep(t)
	t.Parallel()
	p := open(t, commonSite(t), "/gin-rummy")
	p.tabTo("lobby-play")
	p.press(kb.Enter)
	p.until("document.getElementById('play-dialog')")
	p.tabTo("play-player")
	p.press(kb.ArrowDown) // simple
	p.tabTo("play-begin")
	p.press(kb.Enter)
	p.until("document.getElementById('felt').dataset.acts")
	states, reloads, step := map[api.GinSessionState]int{}, 0, 0
	var now api.GinSession
	for now = p.ginAsked(); now.State != api.GinSessionStateOver; now = p.ginAsked() {
		// A round can end with the first cards. Then the next one is played too.
		enough := reloads > 0 && states[api.GinSessionStateDraw] > 1 && states[api.GinSessionStateDiscard] > 1
		if now.State == api.GinSessionStateHandOver {
			if enough {
				break
			}
			p.ginAct(func() { p.press("n") })
			continue
		}
		states[now.State]++
		if diff := cmp.Diff(sortedCards(now.View.Hand), p.ginCards("card")); diff != "" {
			t.Fatalf("the hand (-session +page)\n%s", diff)
		}
		if step++; step%4 == 1 {
			p.ginEstimated(now.View)
		}
		if got := p.ginCards("shown"); now.Knock == nil && len(got) > 0 {
			t.Fatalf("the page shows %v of the computer", got)
		}
		kept := eval[map[string]string](p, "({...localStorage})")
		delete(kept, "roem.gin-terms") // the choices before a match
		if !cmp.Equal(kept, map[string]string{"roem.gin": now.Id}) {
			t.Fatalf("the storage has %v", kept)
		}
		if got := p.focused(); got == "BODY" {
			t.Fatalf("in the state %s nothing has the focus", now.State)
		}
		if now.State == api.GinSessionStateDiscard && reloads == 0 && now.Drawn != nil {
			reloads++
			p.reload()
			if again := p.ginAsked(); !cmp.Equal(again.View, now.View) {
				t.Errorf("after a reload the session is %+v", again)
			}
			eval[bool](p, fmt.Sprintf("(document.querySelector(`[data-card=%q]`).focus(), true)", *now.Drawn))
		}
		p.ginPress(now)
	}
	t.Logf("%v, %d rounds", states, len(now.Results))
	if now.State != api.GinSessionStateHandOver {
		t.Fatalf("the game ended in few states: %v", states)
	}

	estimate := p.ginEstimated(now.View)
	theirs := sortedCards(now.Revealed.Held.B)
	if diff := cmp.Diff(theirs, p.ginCards("shown")); diff != "" {
		t.Errorf("the hand of the computer (-session +page)\n%s", diff)
	}
	had := eval[[]string](p, "[...document.querySelectorAll('#heat .had')].map(e => e.dataset.heat).sort()")
	if diff := cmp.Diff(theirs, had); diff != "" {
		t.Errorf("marked in the heat map (-session +page)\n%s", diff)
	}
	likely, sum := 0, 0.0
	for _, c := range theirs {
		sum += estimate.Probabilities[c]
		if slices.Contains(estimate.Likely, c) {
			likely++
		}
	}
	want := []string{itoa(likely), itoa(int(math.Floor(10*sum + 0.5)))}
	if got := eval[[]string](p, "(d => [d.n, d.p])(document.getElementById('compared').dataset)"); !cmp.Equal(got, want) {
		t.Errorf("the estimate is compared with %v, want %v", got, want)
	}
	if got := []string{p.text("#score-me"), p.text("#score-opp")}; !cmp.Equal(got, []string{itoa(now.Totals.A), itoa(now.Totals.B)}) {
		t.Errorf("the score is %v, want %+v", got, now.Totals)
	}
	if got := p.focused(); got != "act-next" {
		t.Errorf("after the round %s has the focus", got)
	}
	p.ginAct(func() { p.press("n") })
	if second := p.ginAsked(); second.Number != now.Number+1 || second.Revealed != nil || len(p.ginCards("shown")) > 0 {
		t.Errorf("the next round is %+v", second)
	}
}

// ginPress makes an act with the keyboard: what the simple player advises, with the arrows and Enter for a discard.
func (t *tab) ginPress(now api.GinSession) {
	t.tb.Helper()
	key := ""
	switch now.State {
	case api.GinSessionStateMeld:
		key = "k"
	case api.GinSessionStateDiscard:
		body := map[string]any{
			"seat": now.View.Seat, "starter": now.View.Starter, "upcard": now.View.Upcard, "hand": now.View.Hand,
			"events": now.View.Events, "player": "simple",
		}
		card := *request[api.GinAdvice](t.tb, t.site, http.MethodPost, "/v1/gin-rummy/advise", body).Action.Card
		for moves := 0; t.focused() != card; moves++ {
			if moves > 11 {
				t.tb.Fatalf("the arrows do not reach %s", card)
			}
			t.press(kb.ArrowRight)
		}
		t.ginAct(func() { t.press(kb.Enter) })
		discarded := func(e api.GinEvent) bool { return e.Seat == api.GinSeatA && e.Kind == "discard" && *e.Card == card }
		if events := t.ginAsked().View.Events; !slices.ContainsFunc(events[len(now.View.Events):], discarded) {
			t.tb.Errorf("Enter on %s has not discarded it: %v", card, events)
		}
		return
	default:
		key = map[api.GinSessionActionKind]string{
			api.GinSessionActionKindPass: "p", api.GinSessionActionKindStock: "s", api.GinSessionActionKindTake: "t",
			api.GinSessionActionKindKnock: "k",
		}[now.LegalActions[0]]
		if slices.Contains(now.LegalActions, api.GinSessionActionKindStock) {
			key = "s"
		}
	}
	t.ginAct(func() { t.press(key) })
}

// The advice agrees with the API, and following it plays the action. A screen reader finds the heat map as a table whose cells have heads.
func TestGinAdvice(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/gin-rummy")
	p.ginBegin("simple")
	p.click("#tab-advice")
	for range 3 {
		now := p.ginDeciding()
		p.until("document.querySelector('#advice')")
		body := map[string]any{
			"seat": now.View.Seat, "starter": now.View.Starter, "upcard": now.View.Upcard, "hand": now.View.Hand, "events": now.View.Events,
			"totals": now.Totals,
		}
		advice := request[api.GinAdvice](t, s, http.MethodPost, "/v1/gin-rummy/advise", body)
		want := map[string][]string{}
		text := func(n *float64) string {
			if n == nil {
				return "undefined"
			}
			return eval[string](p, fmt.Sprintf("String(%v)", *n))
		}
		for _, o := range advice.Options {
			name, deadwood := string(o.Action.Kind), "undefined"
			if o.Action.Card != nil {
				name = *o.Action.Card
			}
			if o.Deadwood != nil {
				deadwood = itoa(*o.Deadwood)
			}
			want[name] = []string{deadwood, text(o.Danger), text(o.Value)}
		}
		got := eval[map[string][]string](p, "Object.fromEntries([...document.querySelectorAll('[data-option]')].map(e => [e.dataset.option, "+
			"[e.dataset.deadwood, e.dataset.danger, e.dataset.value].map(String)]))")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the advice (-API +page)\n%s", diff)
		}
		p.ginAct(func() { p.click("#best") })
		after := p.ginAsked()
		if events := after.View.Events; advice.Action.Card != nil &&
			!slices.ContainsFunc(events[len(now.View.Events):], func(e api.GinEvent) bool {
				return e.Seat == api.GinSeatA && e.Card != nil && *e.Card == *advice.Action.Card
			}) {
			t.Errorf("the advised %s was not discarded: %v", *advice.Action.Card, events)
		}
	}
	p.ginDeciding()
	lines := p.accessible("table", "What the computer holds", "columnheader", "rowheader", "cell")
	if len(lines) != 14+4*14 || lines[0] != "columnheader Suit" || lines[1] != "columnheader ace" || lines[13] != "columnheader king" ||
		lines[14] != "rowheader spades" {
		t.Errorf("%d lines: %q", len(lines), lines[:min(16, len(lines))])
	}
	for _, line := range lines[14:] {
		if cell, ok := strings.CutPrefix(line, "cell "); ok && !strings.HasSuffix(cell, " per cent") &&
			!slices.Contains([]string{"you hold it", "discarded", "the computer has it"}, cell) {
			t.Errorf("a cell reads %q", cell)
		}
	}
}

// ginDeciding acts until there is advice: the computer can knock with its first cards.
func (t *tab) ginDeciding() api.GinSession {
	t.tb.Helper()
	for {
		switch now := t.ginAsked(); now.State {
		case api.GinSessionStateMeld:
			t.ginAct(func() { t.click("#act-melds") })
		case api.GinSessionStateHandOver:
			t.ginAct(func() { t.click("#act-next") })
		default:
			return now
		}
	}
}

// ginToEnd lets the player discard without thinking until the session waits for no more acts of the round.
func ginToEnd(tb testing.TB, s *site, now api.GinSession) api.GinSession {
	tb.Helper()
	for now.State != api.GinSessionStateOver && now.State != api.GinSessionStateHandOver {
		action := map[string]any{"kind": now.LegalActions[len(now.LegalActions)-1]}
		switch now.State {
		case api.GinSessionStateDiscard:
			action["card"] = now.Discards[now.Acts%len(now.Discards)]
		case api.GinSessionStateKnock:
			action["kind"] = now.LegalActions[0]
		default:
		}
		now = request[api.GinSession](tb, s, http.MethodPost, now.Links.Self+"/play", map[string]any{"acts": now.Acts, "action": action})
	}
	return now
}

// ginPlayed plays a round by the API, in which the player discards without thinking, and returns it.
func ginPlayed(t *testing.T, s *site) api.GinSession {
	t.Helper()
	now := request[api.GinSession](t, s, http.MethodPost, ginSessions, map[string]any{
		"players": map[string]any{"opponent": "simple"}, "hands": 1, "starter": "A", "seed": "5",
	})
	return ginToEnd(t, s, now)
}

// A round of a game that is not over is reviewed right after it ends, with the reason of each mistake. A reload comes back to the review.
// When the next round is played, the review is on the sheet, and there too after a reload.
func TestGinReviewOfRound(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	game := map[string]any{"players": map[string]any{"opponent": "simple"}, "starter": "A", "seed": "5"}
	now := ginToEnd(t, s, request[api.GinSession](t, s, http.MethodPost, ginSessions, game))
	if now.State != api.GinSessionStateHandOver {
		t.Fatalf("the session is %s", now.State)
	}
	review := request[api.GinReview](t, s, http.MethodPost, "/v1/gin-rummy/review", now.Revealed.Position)
	want := map[string]string{} // of mistakes of the player
	for _, a := range review.Actions {
		if a.Seat == api.GinSeatA && a.Reason != nil && a.Action.Card != nil {
			want[itoa(a.Number)+" "+*a.Action.Card] = string(a.Reason.Code)
		}
	}
	if len(want) < 2 {
		t.Fatalf("%d mistakes have a reason", len(want))
	}
	p := open(t, s, "/gin-rummy")
	eval[bool](p, fmt.Sprintf("(localStorage.setItem('roem.gin', %q), true)", now.Id))
	p.reload()
	p.click("#review")
	reviewed := func(language string) {
		t.Helper()
		p.until("document.querySelector('#seat-review')")
		got := eval[map[string]string](p, "Object.fromEntries([...document.querySelectorAll('[data-reason]')].map(e => "+
			"[e.dataset.reviewed, e.dataset.reason]))")
		for key, code := range want {
			if got[key] != code {
				t.Errorf("%s: %s has the reason %q, expected %s", language, key, got[key], code)
			}
		}
		if bad := eval[[]string](p, "[...document.querySelectorAll('[data-reviewed] button')].map(e => e.title)"+
			".filter(x => /y_|[{}]|undefined/.test(x))"); len(bad) > 0 {
			t.Errorf("%s: %q", language, bad)
		}
	}
	reviewed("after the round")
	p.reload()
	reviewed("after a reload")
	p.ginAct(func() { p.click("#act-next") })
	p.until("!document.querySelector('#seat-review')")
	p.click("#tab-sheet")
	p.click("[data-hand='1']")
	p.until("document.getElementById('hand-now')")
	p.click("#tab-review")
	reviewed("as an earlier round")
	p.reload()
	p.until("document.getElementById('hand-now')")
	reviewed("as an earlier round after a reload")
	p.click("#lang-nl")
	p.until("document.documentElement.lang === 'nl'")
	reviewed("in Dutch")
}

// A round that is over has the review of the API for both players, marks what was done and what was better, and goes from one mistake to
// the next by keys. Step by step back it shows the hands of both as they were.
func TestGinReview(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	now := ginPlayed(t, s)
	round := now.Revealed.Position
	p := open(t, s, "/gin-rummy")
	eval[bool](p, fmt.Sprintf("(localStorage.setItem('roem.gin', %q), true)", now.Id))
	p.reload()
	p.click("#review")
	review := request[api.GinReview](t, s, http.MethodPost, "/v1/gin-rummy/review", round)
	keyOf := func(a api.GinAction) string {
		if a.Card != nil {
			return *a.Card
		}
		return string(a.Kind)
	}
	mistakes := 0
	for _, seat := range []api.GinSeat{api.GinSeatB, api.GinSeatA} {
		p.click("#review-" + string(seat))
		p.until("document.querySelector('#seat-review')")
		want := map[string]judged{}
		for _, a := range review.Actions {
			if a.Seat != seat {
				continue
			}
			if a.Action.Kind == api.GinActionKindContinue {
				a.Number++
			}
			j := judged{Verdict: string(a.Verdict)}
			if a.Knowledge != nil {
				j.Known = strconv.FormatFloat(a.Knowledge.Cost, 'f', -1, 64)
			}
			want[itoa(a.Number)+" "+keyOf(a.Action)] = j
		}
		p.compareJudged(want)
		p.click("#last")
		for _, a := range review.Actions {
			if a.Seat != seat || a.Verdict != api.VerdictMistake {
				continue
			}
			p.press("]")
			p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / %d'", a.Number-1, len(now.View.Events)))
			p.until(fmt.Sprintf("document.querySelector('[data-next=%q][data-verdict=mistake]')", keyOf(a.Action)))
			if seat == api.GinSeatA && a.Action.Card != nil {
				mistakes++
				p.marked(*a.Action.Card, "mistake")
				p.until(fmt.Sprintf("document.querySelector('#felt .best[data-card=%q]')", keyOf(a.Knowledge.Advised)))
			}
		}
	}
	if mistakes < 2 {
		t.Fatalf("%d mistakes in discards: %+v", mistakes, review.Actions)
	}
	p.ginStepsBack(&now)
}

// ginStepsBack goes from the deal to the end of a round that is over, and compares the hands of both with those after each event.
func (t *tab) ginStepsBack(now *api.GinSession) {
	t.tb.Helper()
	round := now.Revealed.Position
	hands := map[api.GinSeat][]string{api.GinSeatA: slices.Clone(round.Hands.A), api.GinSeatB: slices.Clone(round.Hands.B)}
	t.click("#first")
	for n := range len(now.View.Events) + 1 {
		if n > 0 {
			t.click("#redo")
			if e := round.Events[n-1]; e.Kind == "discard" {
				hands[e.Seat] = slices.DeleteFunc(hands[e.Seat], func(c string) bool { return c == *e.Card })
			} else if e.Card != nil {
				hands[e.Seat] = append(hands[e.Seat], *e.Card)
			}
		}
		t.until(fmt.Sprintf("document.querySelector('.count').textContent.startsWith('%d / ')", n))
		own, theirs := t.ginCards("card"), t.ginCards("shown")
		if !slices.Equal(own, sortedCards(hands[api.GinSeatA])) || !slices.Equal(theirs, sortedCards(hands[api.GinSeatB])) {
			t.tb.Errorf("after %d events the page shows %v and %v, expected %v and %v", n, own, theirs, hands[api.GinSeatA], hands[api.GinSeatB])
		}
	}
	t.until("document.getElementById('result')")
}

// ginBegin begins a game by the dialog.
func (t *tab) ginBegin(player string) {
	t.tb.Helper()
	t.click("#play")
	t.until("document.getElementById('play-dialog')")
	for id, value := range map[string]string{"play-player": player, "play-starter": "A"} {
		eval[bool](t, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); return true `+
			`})(document.getElementById(%q))`, value, id))
	}
	t.click("#play-begin")
	t.until("!document.querySelector('dialog') && document.querySelector('#felt[data-acts]')")
}

// A game played on in another tab, one that has ended, a busy server and an impossible situation: the page says so in words, and goes on
// where it can.
func TestGinTrouble(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/gin-rummy")
	p.allow("Failed to load resource")
	p.still()
	p.ginBegin("simple")
	now := p.ginAsked()
	post := func(path, body string) {
		t.Helper()
		_ = eval[int](p, fmt.Sprintf("fetch(%q, {method: %q, headers: {'Content-Type': 'application/json'}, body: %s}).then(r => r.status)", path,
			strings.Fields(body)[0], strings.SplitN(body, " ", 2)[1]))
	}
	post(now.Links.Self+"/play", `POST '{"acts": 0, "action": {"kind": "pass"}}'`)
	p.click("#act-take")
	p.until("document.getElementById('conflict') && document.getElementById('felt').dataset.acts === '1'")

	refuse := 2
	s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/play") || refuse == 0 {
			return false
		}
		refuse--
		w.Header().Set("Content-Type", "application/problem+json")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"type": "/docs/errors#busy", "title": "Busy", "status": 503, "detail": "busy", "request_id": "x"}`))
		return true
	})
	p.ginAct(func() {
		p.click(".acts button")
		p.until("document.getElementById('countdown')")
	})
	s.intercepts(nil)
	p.until("!document.getElementById('countdown')")

	p.click("#situation")
	enter := func(text string) {
		t.Helper()
		p.until("document.getElementById('situation-text')")
		eval[bool](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})); return true `+
			`})(document.getElementById('situation-text'))`, text))
		p.click("#situation-show")
	}
	enter("nonsense")
	p.until("document.getElementById('situation-error').textContent.includes('This is no JSON of a view')")
	enter(`{"seat": "A", "starter": "B", "upcard": "9D", "hand": ["2C", "3C", "4C", "8C", "QC", "KH", "AS", "7S", "KS", "9D"]}`)
	p.until("document.getElementById('failed')?.textContent.includes('9D is among the cards dealt to the player')")
	p.click("#back")
	p.until("document.querySelector('#felt[data-acts]') && !document.getElementById('failed')")

	post(now.Links.Self, "DELETE undefined")
	p.click("#felt button:not([aria-disabled=true])")
	p.until("document.getElementById('gone') && document.getElementById('lobby-play')")
}

// A situation that was entered has an address: it survives a reload, can be shared, and is left with the browser's way back. Advice is
// asked for only if it is for "A" to decide.
func TestGinSituation(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/gin-rummy")
	p.still()
	p.until("document.getElementById('lobby-example')")
	p.click("#lobby-example")
	const example = "#v=1&s=b&u=9D&h=2C3C4C8CQCKHAS7SKSJD5C&e=bt9DbdQSas5C"
	p.until(fmt.Sprintf("location.hash === %q && document.querySelector('#felt .card.best')", example))
	card := p.text("#felt .card.best")
	p.click("#share")
	p.until(fmt.Sprintf("document.getElementById('share-address').value.endsWith(%q)", "/gin-rummy?"+example[1:]))
	p.press(kb.Escape)
	p.until("!document.querySelector('dialog')")
	p.reload()
	p.until("document.querySelector('#felt .card.best')")
	if got := p.text("#felt .card.best"); got != card {
		t.Errorf("after a reload %q is advised, before it %q", got, card)
	}
	eval[bool](p, "(history.back(), true)")
	p.until("location.hash === '' && document.getElementById('lobby-play')")

	s.record()
	p.click("#situation")
	p.until("document.getElementById('situation-text')")
	eval[bool](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})); return true `+
		`})(document.getElementById('situation-text'))`,
		`{"seat": "A", "starter": "B", "upcard": "9D", "hand": ["2C", "3C", "4C", "8C", "QC", "KH", "AS", "7S", "KS", "10D"], `+
			`"events": [{"seat": "B", "kind": "pass"}, {"seat": "A", "kind": "pass"}]}`))
	p.click("#situation-show")
	p.until("location.hash.endsWith('&h=2C3C4C8CQCKHAS7SKSTD&e=bpap') && document.querySelector('[data-heat][data-p]')")
	if got := p.text(".panel"); !strings.Contains(got, "Advice comes when you are to decide.") ||
		eval[bool](p, "!!document.getElementById('failed')") {
		t.Errorf("the panel says %q", got)
	}
	for _, e := range s.recorded() {
		if e.path == "/v1/gin-rummy/advise" {
			t.Errorf("advice is asked for: %s", e.request)
		}
	}
	p.navigate("/gin-rummy#v=1&s=b&u=1D")
	p.until("document.getElementById('url-error')?.textContent.includes('no view') && document.getElementById('lobby-play')")
}

// The marks are the standings of the answer: ≈ also where the value is the higher one, and what an uncertain action may cost. The legend
// says the rule, and the values have their error.
func TestGinStar(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/gin-rummy/advise" {
			return false
		}
		option := func(card, rest string) string {
			return `{"action": {"kind": "discard", "card": "` + card + `"}, "deadwood": 20, "danger": 0.1, ` + rest + `}`
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"phase": "discard", "action": {"kind": "discard", "card": "KH"}, "deadwood": 20, "player": "playout", ` +
			`"version": "v0.1.0", "options": [` + strings.Join([]string{
			option("KH", `"value": -3.1, "best": true, "standing": "best"`),
			option("KS", `"value": -1.8, "standard_error": 1.1, "best": false, "standing": "as_good"`),
			option("JD", `"value": -4.9, "standard_error": 1.3, "best": false, "standing": "uncertain"`),
			option("QC", `"value": -5.5, "standard_error": 0.4, "best": false, "standing": "worse"`),
			`{"action": {"kind": "discard", "card": "9C"}, "deadwood": 20, "danger": 0.1, "best": false}`,
		}, ", ") + `]}`))
		return true
	})
	p := open(t, s, "/gin-rummy#v=1&s=b&u=9D&h=2C3C4C9CQCKHAS7SKSJD5C&e=bt9DbdQSas5C")
	p.until("document.querySelector('#felt .card.best')")
	marks := map[string]string{"KH": "★", "KS": "≈", "JD": "0–4", "QC": "−2"}
	if diff := cmp.Diff(marks, eval[map[string]string](p, "Object.fromEntries([...document.querySelectorAll('#felt [data-card]')].filter(e "+
		"=> e.querySelector('.value')).map(e => [e.dataset.card, e.querySelector('.value').textContent]))")); diff != "" {
		t.Errorf("below the cards (-want +page)\n%s", diff)
	}
	rows := map[string]string{
		"KH": "−3.1 ★advised", "KS": "−1.8 ±\u00a02.2 ≈about as good", "JD": "−4.9 ±\u00a02.6 0–4probably costs 0 to 4",
		"QC": "−5.5 ±\u00a00.8 −2costs about 2", "9C": " ",
	}
	if diff := cmp.Diff(rows, eval[map[string]string](p, "Object.fromEntries([...document.querySelectorAll('[data-option]')].map(e => "+
		"[e.dataset.option, [...e.querySelectorAll('td')].slice(2).map(c => c.textContent).join(' ')]))")); diff != "" {
		t.Errorf("in the table (-want +page)\n%s", diff)
	}
	if got := p.text(".panel"); !strings.Contains(got, "≈ costs less than 2, if anything.") {
		t.Errorf("the panel says %q", got)
	}
	if got := eval[[]string](p, "[...document.querySelectorAll('#felt .card.best')].map(e => e.dataset.card)"); len(got) != 1 ||
		got[0] != "KH" {
		t.Errorf("marked as best are %v", got)
	}
}

// The server asks for a key before the browser has told the page that the dialog of the game was closed: the dialog for the key stays.
func TestKeyAskedEarly(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/gin-rummy")
	p.still()
	p.withoutKey()
	p.click("#play")
	p.until("document.querySelector('#play-dialog')")
	// The event is held until the other dialog is open.
	eval[bool](p, `(play => { play.addEventListener('close', e => {
		if (!e.isTrusted) return
		e.stopImmediatePropagation()
		const wait = () => document.querySelector('#key-dialog') ? (play.dispatchEvent(new Event('close')), window.told = true) : setTimeout(wait)
		wait()
	}, true); return true })(document.querySelector('#play-dialog'))`)
	p.click("#play-begin")
	p.until("window.told === true")
	p.rendered()
	if !eval[bool](p, "!!document.querySelector('#key-dialog')") {
		t.Error("the dialog for the key was closed with the dialog of the game")
	}
}

// After a knock of the computer one's own lay-offs are sent, card by card, and decide the result. The rule of a new game is chosen in its
// dialog, and a game with the fixed order has nothing to choose.
func TestGinLayOffs(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/gin-rummy")
	now, card, meld := p.joinKnocked()
	p.click("#act-layoff")
	p.until("document.getElementById('layoff-dialog')")
	if title := p.text("#layoff-dialog-title"); title != words(t, "en", "gin-rummy")("layOff") {
		t.Errorf("the title is %q", title)
	}
	p.choose("layoff-"+card, itoa(meld))
	p.click("#layoff-do")
	p.until("document.getElementById('result')")
	now = request[api.GinSession](t, s, http.MethodGet, now.Links.Self, nil)
	if off := now.Results[0].LaidOff; len(off) != 1 || off[0].Card != card {
		t.Errorf("laid off %v, want %s", off, card)
	}
	p.click("#play")
	p.until("document.getElementById('play-layOffs')")
	p.choose("play-layOffs", "challenge")
	p.click("#play-begin")
	p.until(fmt.Sprintf("localStorage.getItem('roem.gin') !== %q && document.querySelector('#felt[data-acts]')", now.Id))
	if got := p.ginAsked(); got.LayOffs != api.GinLayOffsRuleChallenge {
		t.Errorf("the game has the rule %s", got.LayOffs)
	}
}

// choose selects an option of a field.
func (t *tab) choose(id, value string) {
	t.tb.Helper()
	eval[bool](t, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); return e.value === %q `+
		`})(document.getElementById(%q))`, value, value, id))
}

// joinKnocked gives the page the round of ginKnockedOn.
func (t *tab) joinKnocked() (now api.GinSession, card string, meld int) {
	t.tb.Helper()
	now, card, meld = ginKnockedOn(t.tb, t.site)
	eval[bool](t, fmt.Sprintf("(localStorage.setItem('roem.gin', %q), localStorage.setItem('roem.pace', 'off'), true)", now.Id))
	t.reload()
	t.until("document.getElementById('act-layoff')")
	return now, card, meld
}

// ginKnockedOn plays rounds by the API until the computer has knocked, and a card of the player fits a meld. It returns both.
func ginKnockedOn(tb testing.TB, s *site) (now api.GinSession, card string, meld int) {
	tb.Helper()
	for seed := 0; ; seed++ {
		now = request[api.GinSession](tb, s, http.MethodPost, ginSessions, map[string]any{
			"players": map[string]any{"opponent": "simple"}, "hands": 1, "starter": "A", "seed": itoa(seed),
		})
		for now.State != api.GinSessionStateOver && now.State != api.GinSessionStateMeld {
			action := map[string]any{"kind": now.LegalActions[len(now.LegalActions)-1]}
			if now.State == api.GinSessionStateDiscard {
				action["card"] = now.Discards[0]
			}
			now = request[api.GinSession](tb, s, http.MethodPost, now.Links.Self+"/play", map[string]any{"acts": now.Acts, "action": action})
		}
		if now.State == api.GinSessionStateOver || now.Knock.Laid.Deadwood == 0 {
			continue
		}
		for _, card := range now.View.Hand {
			for i, m := range now.Knock.Laid.Melds {
				set := ginrummy.Set(0)
				for _, name := range append([]string{card}, m...) {
					c, err := ginrummy.ParseCard(name)
					if err != nil {
						tb.Fatal(err)
					}
					set = set.With(c)
				}
				if set.IsMeld() {
					return now, card, i
				}
			}
		}
	}
}
