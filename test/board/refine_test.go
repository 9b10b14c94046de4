package board_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"roem/internal/api"
)

// away makes the page one that can be hidden and seen again, as by another tab of the window.
const away = `Object.defineProperty(document, 'hidden', {get: () => window.isAway === true})`

// Advice is asked for only while it is looked at. Its stream ends with a card, with another tab of the panel, and while the page is hidden;
// when it is seen again there is exactly one other request.
func TestAdviceWhileLookedAt(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	played := []string{"JH", "8S", "7H", "8H", "8D", "7D", "JD", "7S"}
	body, err := json.Marshal(request[api.KlaverjasAdvice](t, s, "POST", "/v1/klaverjas/advise",
		viewBody(played, map[string]any{"method": "playout"})))
	if err != nil {
		t.Fatal(err)
	}
	var asked, running atomic.Int64
	s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/klaverjas/advise" {
			return false
		}
		asked.Add(1)
		running.Add(1)
		defer running.Add(-1)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "event: advice\ndata: %s\n\n", body)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done() // better ones would come
		return true
	})
	p := open(t, s, "/docs/errors")
	p.script(away)
	p.navigate("/board" + southSees)
	state := func(what string, wantAsked, wantRunning int64) {
		t.Helper()
		waitFor(t, what, func() bool { return asked.Load() >= wantAsked && running.Load() == wantRunning })
		// What the page does at an event it has done after two frames.
		eval[bool](p, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
		if a, r := asked.Load(), running.Load(); a != wantAsked || r != wantRunning {
			t.Errorf("%s: %d requests, %d running; expected %d and %d", what, a, r, wantAsked, wantRunning)
		}
	}
	see := func(hidden bool) {
		t.Helper()
		eval[bool](p, fmt.Sprintf("(window.isAway = %v, document.dispatchEvent(new Event('visibilitychange')), true)", hidden))
	}
	p.until("document.querySelector('#advice[data-refining=true]')")
	state("the advice is looked at", 1, 1)
	see(true)
	state("the page is hidden", 1, 0)
	p.click("#tab-holders")
	p.click("#tab-advice")
	state("the tab is chosen while the page is hidden", 1, 0)
	see(false)
	state("the page is seen again", 2, 1)
	p.click("#tab-holders")
	state("another tab of the panel", 2, 0)
	p.click("#tab-advice")
	state("the tab again", 3, 1)
	p.click("#felt .card.best")
	p.until("document.querySelector('.count').textContent === '9 / 32'")
	state("a card is played", 3, 0)
}
