package board_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/handlers"
)

// Two cards are played quickly, and the answer for the position between them comes last. No value of it is shown for another position.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	held := make(chan struct{})
	release := sync.OnceFunc(func() { close(held) })
	defer release()
	var between atomic.Int32
	s.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/klaverjas/solve" {
			return false
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return false // the page has left
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if strings.Contains(string(body), `"played":["KH"]`) && between.Add(1) == 1 {
			<-held
		}
		return false
	})
	p := open(t, s, "/board"+example().fragment(-1))
	p.valued()
	// The page does not stop its requests: the late answer arrives.
	eval[bool](p, `(window.late = 0, window.fetch = (f => (path, o) => f(path, {...o, signal: undefined}).then(r => (window.late++, `+
		`r)))(window.fetch), true)`)
	p.click(`#felt [data-card="KH"]`)
	p.until("document.querySelector('.count').textContent === '1 / 32'")
	p.click(`#felt [data-card="8S"]`)
	p.until("document.querySelector('.count').textContent === '2 / 32'")
	p.valued()
	want := eval[string](p, state)
	answered := eval[int](p, "window.late")
	release()
	p.until(fmt.Sprintf("window.late > %d", answered))
	eval[bool](p, "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true))))")
	if diff := cmp.Diff(want, eval[string](p, state)); diff != "" {
		t.Errorf("the late answer has changed the page (-before +after)\n%s", diff)
	}
	p.click("#undo")
	p.valued()
	if got, want := len(eval[map[string]string](p, labels)), len(request[struct{ Legal []string }](t, s, "POST", "/v1/klaverjas/legal-moves",
		example("KH")).Legal); got != want {
		t.Errorf("%d cards have values, expected %d", got, want)
	}
}

// A server with keys: the page asks for one, says that a wrong one is wrong, and goes on with the right one.
func TestKey(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *options) {
		o.clients = handlers.Clients{Keys: []handlers.Key{{ID: "ann", SHA256: sha256.Sum256([]byte("secret"))}}}
	})
	p := open(t, s, "/board"+example().fragment(-1))
	p.allow("status of 401")
	// A dialog that is sent closes a little later, and the next one is another element.
	enter := func(key string) {
		p.until("document.querySelector('#key-dialog:not([data-sent]) #key')")
		eval[bool](p, "(document.getElementById('key').focus(), document.getElementById('key-dialog').dataset.sent = 'yes', true)")
		p.typeText(key)
		p.click("#key-dialog button.main")
	}
	enter("wrong")
	p.until("document.querySelector('#key-dialog:not([data-sent]) .bad')")
	enter("secret")
	p.valued()
	if got := eval[int](p, "document.querySelectorAll('dialog').length"); got != 0 {
		t.Errorf("%d dialogs are open", got)
	}
	if eval[bool](p, "JSON.stringify(localStorage).includes('secret') || location.href.includes('secret')") {
		t.Error("the key is kept beyond the tab")
	}
}

// A server that is busy, or a limit: the page counts down and asks again. Meanwhile cards can be played.
func TestBusy(t *testing.T) {
	t.Parallel()
	for status, key := range map[int]string{429: "limited", 503: "busy"} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			var refuse atomic.Bool
			refuse.Store(true)
			s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != "/v1/klaverjas/solve" || !refuse.Load() {
					return false
				}
				w.Header().Set("Content-Type", "application/problem+json")
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(status)
				_, _ = fmt.Fprintf(w, `{"type":"/docs/errors","title":"Busy","status":%d,"detail":"Busy."}`, status)
				return true
			})
			p := open(t, s, "/board"+example().fragment(-1))
			p.allow(fmt.Sprintf("status of %d", status))
			says, _, _ := strings.Cut(words(t, "en", "klaverjas")(key), "{n}")
			p.until(fmt.Sprintf("document.getElementById('countdown')?.textContent.startsWith(%q)", says))
			p.click(`#felt [data-card="KH"]`)
			p.until("document.querySelector('.count').textContent === '1 / 32'")
			refuse.Store(false)
			p.valued()
			if got := eval[int](p, "document.querySelectorAll('#countdown').length"); got != 0 {
				t.Error("the countdown is still there")
			}
		})
	}
}

// A search that takes long becomes a job: the page shows its bounds as they narrow, cards can be played, and leaving the position, or
// Cancel, stops the search on the server.
func TestSlowAnswer(t *testing.T) {
	t.Parallel()
	s, searcher := slowSite(t)
	p := open(t, s, "/board"+example().fragment(-1))
	notice := func(want string) {
		t.Helper()
		p.until(fmt.Sprintf("document.querySelector('.notice')?.textContent.includes(%q)", want))
	}
	searcher.tell(t, 2, 200)
	notice("between +2 and +200")
	searcher.tell(t, 30, 60)
	notice("between +30 and +60")
	unfinished := func(want int) {
		t.Helper()
		waitFor(t, fmt.Sprintf("%d unfinished jobs", want), func() bool {
			n := 0
			ids := eval[string](p, "JSON.parse(localStorage['roem.jobs']).map(([id]) => id).join()")
			for _, job := range request[api.JobList](t, s, "GET", "/v1/jobs?id="+ids, nil).Jobs {
				if job.FinishedAt == nil {
					n++
				}
			}
			return n == want
		})
	}
	unfinished(1)
	p.click(`#felt [data-card="KH"]`)
	p.until("document.querySelector('.count').textContent === '1 / 32'")
	unfinished(0)
	p.click("#cancel")
	notice("Cancelled.")
	unfinished(0)
	close(searcher.finish)
	p.click(".notice button")
	p.valued()
}

// A server that cannot be reached: the page says so, can be played on, and asks again.
func TestOffline(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var gone atomic.Bool
	gone.Store(true)
	s.intercepts(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/v1/klaverjas/solve" && gone.Load() {
			panic(http.ErrAbortHandler) // closes the connection
		}
		return false
	})
	p := open(t, s, "/board"+example().fragment(-1))
	p.allow("ERR_EMPTY_RESPONSE")
	p.until("document.getElementById('offline')")
	gone.Store(false)
	p.click("#offline button")
	p.valued()
}
