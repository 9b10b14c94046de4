package board_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/tarok"
)

// tarokStep does what the player of the page may do: in the order of the page the first thing. It is done when the hand is over.
const tarokStep = `(() => {
  const at = s => document.querySelector(s)
  if (at('.status .late')) return 'wait'
  if (at('#next-hand, #again')) return 'over'
  for (const s of ['#felt [data-call]:not([aria-disabled=true])', '#say', '#felt button[data-group]:not([data-done])']) {
    const e = at(s)
    if (e && !(s.includes('group') && at('#discards-title'))) { e.click(); return s }
  }
  const c = at('#felt .card.legal')
  if (c) { c.click(); return 'card' }
  at('#felt')?.click() // the cards of the others come at once
  return 'nothing'
})()`

// playTarok plays hands on the page until one is over.
func (t *tab) playTarok() (steps []string) {
	t.tb.Helper()
	for range 4000 {
		step := eval[string](t, tarokStep)
		if step == "over" {
			return steps
		}
		if step != "wait" && step != "nothing" {
			steps = append(steps, step)
		}
	}
	t.tb.Fatalf("the hand does not end; the page reads\n%.2000s", eval[string](t, "document.body.innerText"))
	return nil
}

// begin begins a game of the server with a seed, so that its course is known.
func (t *tab) beginTarok(request map[string]any) {
	t.tb.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.tb.Fatal(err)
	}
	t.site.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/v1/tarok/sessions" {
			replaceBody(r, text)
		}
		return false
	})
	t.click("#play")
	t.until("document.querySelector('#play-dialog')")
	t.click("#play-begin")
	t.until("document.querySelector('.felt.seen')")
}

// Two hands are played on the page, with what is seen, announced and scored; no card that the player has not seen is in the page, the
// storage, the address or an answer before a hand is over. A reload comes back to the game.
func TestTarokGame(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/tarok#v=1&m=play")
	s.record()
	p.beginTarok(map[string]any{"seat": "B", "hands": 2, "players": map[string]string{"left": "heuristic", "right": "heuristic"}, "seed": "9"})
	p.reload()
	p.until("document.querySelector('.felt.seen')")
	if got := hash(p); got != "#v=1&m=play" {
		t.Errorf("the address is %s", got)
	}
	p.tarokStepsBack()
	steps := p.playTarok()
	if n := slices.Index(steps, "card"); len(steps)-max(n, 0) < 13 {
		t.Errorf("the steps were %v", steps)
	}
	kept := eval[string](p, "JSON.stringify({...localStorage})")
	answers := 0
	for _, e := range s.recorded() {
		if !strings.Contains(e.path, "/sessions") || e.status >= 300 {
			continue
		}
		var now api.TarokSession
		if err := json.Unmarshal([]byte(e.response), &now); err != nil {
			t.Fatal(err)
		}
		if answers++; now.Revealed == nil && len(now.View.Hand) != 16 {
			t.Errorf("an answer without a hand: %s", e.response)
		}
		if strings.Contains(kept, `"hands"`) {
			t.Errorf("the storage has cards: %s", kept)
		}
	}
	if answers < 18 {
		t.Errorf("%d answers", answers)
	}
	id := eval[string](p, "localStorage.getItem('roem.tarok-game')")
	shown := func() map[string]string {
		return eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('aside [data-total]')].filter(e => `+
			`e.closest('.score')).map(e => [e.dataset.total, e.textContent]))`)
	}
	for hand := range 2 {
		now := request[api.TarokSession](t, s, "GET", "/v1/tarok/sessions/"+id, nil)
		if len(now.Results) != hand+1 {
			t.Fatalf("%d results after hand %d", len(now.Results), hand+1)
		}
		want := map[string]string{"you": signed(now.Totals.You), "left": signed(now.Totals.Left), "right": signed(now.Totals.Right)}
		if diff := cmp.Diff(want, shown()); diff != "" {
			t.Errorf("totals after hand %d (-API +page)\n%s", hand+1, diff)
		}
		if hand == 0 {
			p.reload()
			p.until("document.querySelector('#next-hand')")
			p.compareTarokReview(&now)
			p.click("#last")
			p.click("#next-hand")
			p.until("!document.querySelector('#next-hand')")
			p.playTarok()
		}
	}
	p.until("document.querySelector('#again')")
}

// tarokStepsBack plays until a card of the third trick may be played, and goes back: the trick and the hand are shown as they were then,
// and nothing can be played.
func (t *tab) tarokStepsBack() {
	t.tb.Helper()
	for !eval[bool](t, "parseInt(document.querySelector('.count').textContent) > 5 && !!document.querySelector('#felt .card.legal')") {
		eval[string](t, tarokStep)
	}
	id := eval[string](t, "localStorage.getItem('roem.tarok-game')")
	now := request[api.TarokSession](t.tb, t.site, "GET", "/v1/tarok/sessions/"+id, nil)
	played := *now.View.Played
	t.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 48'", len(played)))
	const table = `({own: document.querySelectorAll('.hand-S [data-card]').length, ` +
		`legal: document.querySelectorAll('#felt .card.legal').length, trick: document.querySelectorAll('.trick li').length})`
	for _, step := range []struct {
		click string
		want  map[string]int
	}{
		{"#first", map[string]int{"own": 16, "legal": 0, "trick": 0}},
		{"#redo", map[string]int{"own": 16 - len(ownOf(&now, 1)), "legal": 0, "trick": 1}},
		{"#last", map[string]int{"own": 16 - len(ownOf(&now, len(played))), "legal": len(now.Legal), "trick": (len(played)-1)%3 + 1}},
	} {
		t.click(step.click)
		if diff := cmp.Diff(step.want, eval[map[string]int](t, table)); diff != "" {
			t.tb.Errorf("after %s (-session +page)\n%s", step.click, diff)
		}
	}
}

// ownOf are the cards of the client among the first n cards.
func ownOf(now *api.TarokSession, n int) (own []string) {
	for _, c := range (*now.View.Played)[:n] {
		if slices.Contains(now.View.Hand, c) || (now.Declarer != nil && *now.Declarer == now.Seat && slices.Contains(now.Talon, c)) {
			own = append(own, c)
		}
	}
	return own
}

// compareTarokReview compares the review of a finished hand with the API for each player, goes from mistake to mistake, and to the hands
// as they were dealt.
func (t *tab) compareTarokReview(now *api.TarokSession) {
	t.tb.Helper()
	t.click("#review")
	text, err := json.Marshal(now.Revealed)
	if err != nil {
		t.tb.Fatal(err)
	}
	var body map[string]any
	if err := json.Unmarshal(text, &body); err != nil {
		t.tb.Fatal(err)
	}
	for _, seat := range []string{"A", "B", "C"} {
		body["seat"] = seat
		review := request[api.TarokReview](t.tb, t.site, "POST", "/v1/tarok/review", body)
		want := map[string]judged{}
		known := func(cost float64) string { return strconv.FormatFloat(cost, 'f', -1, 64) }
		if x := review.Exchange; x != nil {
			want["exchange"] = judged{Verdict: string(x.Verdict)}
			if x.Knowledge != nil {
				want["exchange"] = judged{Verdict: string(x.Verdict), Known: known(x.Knowledge.Cost)}
			}
		}
		at := -1
		for _, c := range review.Cards {
			want[c.Card] = judged{Verdict: string(c.Verdict)}
			if c.Knowledge != nil {
				want[c.Card] = judged{Verdict: string(c.Verdict), Known: known(c.Knowledge.Cost)}
				if at < 0 {
					at = c.Number - 1
				}
			}
		}
		t.click("#review-" + seat)
		t.until(fmt.Sprintf("document.querySelectorAll('[data-reviewed]').length === %d && document.querySelector('[data-reviewed=%q]')",
			len(want), review.Cards[0].Card))
		t.compareJudged(want)
		c := review.Cards[slices.IndexFunc(review.Cards, func(c api.TarokReviewedCard) bool { return c.Number == at+1 })]
		t.click(fmt.Sprintf("[data-reviewed=%q] button", c.Card))
		t.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 48'", at))
		t.marked(c.Card, string(c.Verdict))
		for _, c := range review.Cards {
			if c.Reason != nil {
				t.click(fmt.Sprintf("[data-reviewed=%q] button", c.Card))
				t.because(string(c.Reason.Code))
			}
		}
	}
	dealt := eval[map[string]int](t, `Object.fromEntries([...document.querySelectorAll('[data-dealt]')].map(e => [e.dataset.dealt, `+
		`e.querySelectorAll('.brief').length]))`)
	if diff := cmp.Diff(map[string]int{"A": 16, "B": 16, "C": 16}, dealt); diff != "" {
		t.tb.Errorf("the hands as they were dealt (-want +page)\n%s", diff)
	}
}

// In each state of a hand the page shows the advice of the API, and following it does that. The hand has an exchange: the player of the
// page declares.
func TestTarokAdvice(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/tarok#v=1&m=play")
	p.still()
	rules := map[string]any{"bidding": "forehand_last"}
	p.beginTarok(map[string]any{
		"seat": "A", "hands": 1, "players": map[string]string{"left": "heuristic", "right": "heuristic"},
		"rules": rules, "seed": "1",
	})
	id := eval[string](p, "localStorage.getItem('roem.tarok-game')")
	states, marks := map[api.TarokSessionState]int{}, map[string]int{}
	for range 12 {
		now := request[api.TarokSession](t, s, "GET", "/v1/tarok/sessions/"+id, nil)
		if states[now.State]++; now.State == api.TarokSessionStatePlaying && states[now.State] > 3 {
			break
		}
		p.until("document.querySelector('#ask')")
		if states[now.State] == 2 {
			p.press("a") // the other way to ask
		} else {
			p.click("#ask")
		}
		p.until("document.querySelector('#follow')")
		got := eval[map[string]any](p, "JSON.parse(document.getElementById('advised').dataset.advised)")
		if diff := cmp.Diff(tarokAdvised(t, s, &now), got); diff != "" {
			t.Fatalf("the advice in the state %s (-API +page)\n%s", now.State, diff)
		}
		if now.State == api.TarokSessionStatePlaying {
			if n := eval[int](p, "document.querySelectorAll('[data-value]').length"); n != len(now.Legal) {
				t.Errorf("%d cards are valued, %d are legal", n, len(now.Legal))
			}
			below := eval[[]string](p, "[...document.querySelectorAll('.hand-S .value')].map(e => e.textContent).sort()")
			rows := eval[[]string](p, "[...document.querySelectorAll('[data-value] td:last-child > :first-child')].map(e => e.textContent).sort()")
			if diff := cmp.Diff(rows, below); diff != "" && len(now.Legal) > 1 {
				t.Errorf("the marks of the advice (-in its table +below the cards)\n%s", diff)
			}
			for _, mark := range below {
				marks[strings.Trim(mark, "0123456789")]++
			}
			if got := eval[int](p, "document.querySelectorAll('[aria-labelledby=discards-title] .lying').length"); got != len(now.Discards) {
				t.Errorf("%d cards lie aside, %d were discarded", got, len(now.Discards))
			}
			if got := eval[int](p, "document.querySelectorAll('#bids li').length"); got != len(now.Calls) {
				t.Errorf("%d bids are listed of %d", got, len(now.Calls))
			}
		}
		if states[now.State] == 2 {
			p.press("b")
		} else {
			p.click("#follow")
		}
		p.until("!document.querySelector('#follow') && !document.querySelector('#refused') && !document.querySelector('.status .late')")
		after := request[api.TarokSession](t, s, "GET", "/v1/tarok/sessions/"+id, nil)
		if after.Acts != now.Acts+1 {
			t.Fatalf("in the state %s the advice was not followed", now.State)
		}
		if discards, ok := got["discards"]; ok && !cmp.Equal(fmt.Sprint(discards), fmt.Sprint(after.Discards)) {
			t.Errorf("%v were discarded, advised were %v", after.Discards, discards)
		}
	}
	if marks["★"] == 0 || marks["≈"]+marks["–"]+marks["−"] == 0 {
		t.Errorf("the cards have the marks %v", marks)
	}
	for _, want := range []api.TarokSessionState{
		api.TarokSessionStateBidding, api.TarokSessionStateExchange, api.TarokSessionStateAnnounce,
		api.TarokSessionStatePlaying,
	} {
		if states[want] == 0 {
			t.Errorf("no advice in the state %s: %v", want, states)
		}
	}
}

// tarokAdvised asks the API what the player of a session should do, and returns it as the act of the session.
func tarokAdvised(t *testing.T, s *site, now *api.TarokSession) map[string]any {
	t.Helper()
	text, err := json.Marshal(now.View)
	if err != nil {
		t.Fatal(err)
	}
	var body map[string]any
	if err := json.Unmarshal(text, &body); err != nil {
		t.Fatal(err)
	}
	names := func(list []string) []any {
		out := make([]any, len(list))
		for i, x := range list {
			out[i] = x
		}
		return out
	}
	switch now.State {
	case api.TarokSessionStateBidding:
		bids := []string{}
		for _, b := range now.Calls {
			bids = append(bids, b.Call)
		}
		body["calls"] = bids
		return map[string]any{"call": string(request[api.TarokBidAdvice](t, s, "POST", "/v1/tarok/bid", body).Call)}
	case api.TarokSessionStateExchange:
		a := request[api.TarokExchangeAdvice](t, s, "POST", "/v1/tarok/exchange", body)
		return map[string]any{"group": float64(a.Group), "discards": names(a.Discards)}
	case api.TarokSessionStateAnnounce:
		body["said"] = now.Words
		say := request[api.TarokAnnounceAdvice](t, s, "POST", "/v1/tarok/announce", body).Say
		bonuses, double := []string{}, []string{}
		for _, b := range *say.Bonuses {
			bonuses = append(bonuses, string(b))
		}
		if *say.Kontra {
			double = append(double, "game")
		}
		for _, b := range *say.Double {
			double = append(double, string(b))
		}
		return map[string]any{"bonuses": names(bonuses), "double": names(double)}
	default:
		bids, players := []string{}, []string{"A", "B", "C"}
		for _, b := range now.Calls {
			bids = append(bids, b.Call)
		}
		seat := slices.Index(players, string(now.Seat))
		body["calls"], body["radli"] = bids, map[string]int{
			players[seat]: now.Radli.You, players[(seat+1)%3]: now.Radli.Left,
			players[(seat+2)%3]: now.Radli.Right,
		}
		if len(now.Words) > 0 {
			body["said"] = now.Words
		}
		return map[string]any{"card": request[api.TarokAdvice](t, s, "POST", "/v1/tarok/advise", body).Card}
	}
}

// In klop the talon shows what was given with the tricks, and a trick counts with its gift.
func TestTarokKlop(t *testing.T) {
	sweep(t)
	t.Parallel()
	s := newSite(t)
	begin := map[string]any{
		"seat": "A", "hands": 1, "players": map[string]string{"left": "heuristic", "right": "heuristic"},
		"rules": map[string]any{"bidding": "forehand_last"},
	}
	pass := func(now api.TarokSession) api.TarokSession {
		for now.State == api.TarokSessionStateBidding {
			bid := "pass"
			if slices.Contains(now.LegalCalls, "klop") {
				bid = "klop"
			}
			now = request[api.TarokSession](t, s, "POST", now.Links.Self+"/call", map[string]any{"acts": now.Acts, "call": bid})
		}
		return now
	}
	for seed := 1; ; seed++ {
		if seed > 60 {
			t.Fatal("no klop in 60 hands")
		}
		begin["seed"] = fmt.Sprint(seed)
		if now := pass(request[api.TarokSession](t, s, "POST", "/v1/tarok/sessions", begin)); now.Contract != nil &&
			*now.Contract == api.TarokContractKlop {
			break
		}
	}
	p := open(t, s, "/tarok#v=1&m=play")
	p.beginTarok(begin)
	for !eval[bool](p, "!!document.querySelector('.hand-S .card.legal')") {
		eval[bool](p, "((document.querySelector('[data-call=klop]:not([aria-disabled=true])') ?? "+
			"document.querySelector('[data-call=pass]:not([aria-disabled=true])'))?.click(), true)")
	}
	id := eval[string](p, "localStorage.getItem('roem.tarok-game')")
	seen := 0
	for range 8 {
		p.until("document.querySelector('.hand-S .card.legal') && !document.querySelector('.status .late')")
		now := request[api.TarokSession](t, s, "GET", "/v1/tarok/sessions/"+id, nil)
		if now.LastTrick != nil && now.LastTrick.Number <= 6 && now.Trick != nil && len(now.Trick.Cards) == 0 {
			seen++
			gift := now.Talon[now.LastTrick.Number-1]
			thirds := 0
			for _, c := range append(slices.Clone(now.LastTrick.Cards), gift) {
				card, err := tarok.ParseCard(c)
				if err != nil {
					t.Fatal(err)
				}
				thirds += card.Thirds()
			}
			if got := p.text(".taken"); !strings.Contains(got, " with ") || !strings.Contains(got, fmt.Sprint(thirds/3)) {
				t.Errorf("trick %d of %v with %s, %d thirds: %q", now.LastTrick.Number, now.LastTrick.Cards, gift, thirds, got)
			}
		}
		if len(now.Talon) > 0 && !strings.Contains(p.text("#talon-title"), words(t, "en", "tarok")("given")) {
			t.Errorf("the talon has the title %q", p.text("#talon-title"))
		}
		p.click(".hand-S .card.legal")
		p.until(fmt.Sprintf("document.querySelectorAll('.hand-S .card').length < %d", len(now.Held)))
	}
	if seen == 0 {
		t.Error("no trick was looked at")
	}
}

// signed writes a number as the page does.
func signed(n int) string {
	switch {
	case n > 0:
		return fmt.Sprintf("+%d", n)
	case n < 0:
		return fmt.Sprintf("−%d", -n)
	default:
		return "0"
	}
}

// What goes wrong is said: a game that is gone, a server that cannot be reached.
func TestTarokTrouble(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s, "/tarok#v=1&m=play")
	p.allow("Failed to load resource")
	p.beginTarok(map[string]any{"players": map[string]string{"left": "heuristic", "right": "heuristic"}, "seed": "5"})
	id := eval[string](p, "localStorage.getItem('roem.tarok-game')")
	s.intercepts(func(w http.ResponseWriter, _ *http.Request) bool {
		panic(http.ErrAbortHandler)
	})
	p.click("#felt [data-call]")
	p.until(fmt.Sprintf("document.querySelector('#offline')?.textContent.includes(%q)", words(t, "en", "tarok")("offline")))
	s.intercepts(nil)
	p.click("#offline button")
	p.until("!document.querySelector('#offline') && !document.querySelector('.status .late')")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.url+"/v1/tarok/sessions/"+id, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	p.reload()
	p.until("document.querySelector('#gone')?.textContent.includes('does not exist any more') && document.querySelector('#lobby-play')")
}

// replaceBody gives a request another body.
func replaceBody(r *http.Request, text []byte) {
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
}
