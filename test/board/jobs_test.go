package board_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
	game "roem/internal/service/klaverjas"
)

// startJob asks for a job, as a program of the same address does. Pages see it if they are opened with its id.
func startJob(tb testing.TB, s *site) api.Job {
	tb.Helper()
	return request[api.Job](tb, s, "POST", "/v1/jobs", map[string]any{"kind": "klaverjas.solve", "request": example()})
}

func slowSite(t *testing.T) (*site, *slow) {
	t.Helper()
	searcher := newSlow()
	return newSite(t, func(o *options) { o.searcher = func() game.Searcher { return searcher } }), searcher
}

// tell sends the bounds of a search.
func (s *slow) tell(t *testing.T, lower, upper int) {
	t.Helper()
	select {
	case s.bounds <- search.Progress{Lower: lower, Upper: upper, Nodes: 1000}:
	case <-time.After(patience):
		t.Fatal("no search takes the bounds")
	}
}

// The bounds of a job narrow on the page while it runs. When it has finished, its stream is closed and its result opens on the board.
func TestJobsLive(t *testing.T) {
	t.Parallel()
	s, searcher := slowSite(t)
	job := startJob(t, s)
	p := open(t, s, "/jobs#"+job.Id)
	row := fmt.Sprintf(`[data-job=%q]`, job.Id)
	p.until(fmt.Sprintf("document.querySelector('%s')", row))
	// From now on the page learns nothing from lists, only from the stream.
	p.allow("status of 503")
	s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/jobs" || r.Method != http.MethodGet {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprint(w, `{"type":"/docs/errors","title":"Busy","status":503,"detail":"Busy."}`)
		return true
	})
	for _, b := range [][2]int{{-182, 262}, {2, 200}, {30, 60}} {
		searcher.tell(t, b[0], b[1])
		p.until(fmt.Sprintf(`(e => e && e.dataset.lower === '%d' && e.dataset.upper === '%d')(document.querySelector('%s [data-lower]'))`, b[0],
			b[1], row))
	}
	if n := s.streams.Load(); n != 1 {
		t.Errorf("%d streams are open, expected 1", n)
	}
	close(searcher.finish)
	p.until(fmt.Sprintf("document.querySelector('%s.succeeded .open')", row))
	waitFor(t, "the stream to close", func() bool { return s.streams.Load() == 0 })
	p.click(row + " .open")
	p.until("location.pathname === '/board' && document.getElementById('outcome')")
	if got, want := eval[int](p, "document.querySelectorAll('#felt .card').length"), 32; got != want {
		t.Errorf("the board shows %d cards", got)
	}
}

// A job is cancelled on the page.
func TestJobsCancel(t *testing.T) {
	t.Parallel()
	s, searcher := slowSite(t)
	job := startJob(t, s)
	searcher.tell(t, 2, 200)
	p := open(t, s, "/jobs#"+job.Id)
	p.click(fmt.Sprintf(`[data-job=%q] .cancel`, job.Id))
	p.until(fmt.Sprintf(`document.querySelector('[data-job=%q].cancelled')`, job.Id))
	if got := request[api.Job](t, s, "GET", "/v1/jobs/"+job.Id, nil); got.Status != "cancelled" {
		t.Errorf("the job is %s", got.Status)
	}
}

// Two browsers have one address and ask the same. Each sees its own job on the page of jobs, and cancels no other.
func TestJobsOfTwoBrowsers(t *testing.T) {
	t.Parallel()
	s, searcher := slowSite(t)
	rows := func(p *tab) []string {
		return eval[[]string](p, "[...document.querySelectorAll('[data-job]')].map(e => e.dataset.job)")
	}
	var pages []*tab
	for range 2 {
		board := open(t, s, "/board"+example().fragment(-1))
		if len(pages) == 0 {
			searcher.tell(t, 2, 200)
		}
		board.until("document.querySelector('.notice')?.textContent.includes('between +2 and +200')")
		p := board.another("/jobs")
		p.until("document.querySelector('[data-job].running')")
		pages = append(pages, p)
	}
	one, two := rows(pages[0]), rows(pages[1])
	if len(one) != 1 || len(two) != 1 || one[0] == two[0] {
		t.Fatalf("the browsers see the jobs %q and %q", one, two)
	}
	pages[0].click(fmt.Sprintf(`[data-job=%q] .cancel`, one[0]))
	pages[0].until(fmt.Sprintf(`document.querySelector('[data-job=%q].cancelled')`, one[0]))
	close(searcher.finish)
	pages[1].until(fmt.Sprintf(`document.querySelector('[data-job=%q].succeeded')`, two[0]))
	stranger := open(t, s, "/jobs")
	stranger.until("document.querySelector('.empty')")
	if seen := rows(stranger); len(seen) != 0 {
		t.Errorf("a third browser sees the jobs %q", seen)
	}
}

// waitFor waits for something that happens on the server.
func waitFor(tb testing.TB, what string, done func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatal("timed out waiting for " + what)
		}
	}
}

// A stream that is cut is opened again after the event that came last. 204 ends it.
func TestStreamCut(t *testing.T) {
	t.Parallel()
	s, searcher := slowSite(t)
	job := startJob(t, s)
	searcher.tell(t, 2, 200)
	var mu sync.Mutex
	var seen []string // the Last-Event-ID of each request
	var end atomic.Bool
	cut := make(chan struct{})
	release := sync.OnceFunc(func() { close(cut) })
	defer release()
	s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/jobs/"+job.Id+"/events" {
			return false
		}
		mu.Lock()
		seen = append(seen, r.Header.Get("Last-Event-ID"))
		n := len(seen)
		mu.Unlock()
		switch {
		case n == 1:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "retry: 50\n\nid: first\nevent: progress\ndata: "+
				"{\"id\":%q,\"kind\":\"klaverjas.solve\",\"status\":\"running\",\"position_in_queue\":0,"+
				"\"created_at\":\"2026-01-01T00:00:00Z\",\"progress\":{\"done\":0,\"of\":1,\"nodes\":7,\"elapsed_us\":1,\"lower\":4,\"upper\":8},"+
				"\"links\":{\"self\":%q,\"events\":%q}}\n\n",
				job.Id, job.Links.Self, job.Links.Events)
			_ = http.NewResponseController(w).Flush()
			<-cut
			panic(http.ErrAbortHandler)
		case end.Load():
			w.WriteHeader(http.StatusNoContent)
			return true
		default:
			end.Store(true)
			panic(http.ErrAbortHandler)
		}
	})
	p := open(t, s, "/jobs#"+job.Id)
	p.allow("ERR_")
	p.until(`document.querySelector('[data-lower="4"][data-upper="8"]')`)
	release()
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(seen)
	}
	waitFor(t, "three requests of the stream", func() bool { return count() == 3 })
	// The list is read every two seconds. When it was read twice more, the stream would long have been asked for again.
	lists := s.lists.Load()
	waitFor(t, "the list to be read", func() bool { return s.lists.Load() >= lists+2 })
	mu.Lock()
	defer mu.Unlock()
	if len(seen) != 3 || seen[0] != "" || seen[1] != "first" || seen[2] != "first" {
		t.Errorf("the stream was asked for with the ids %q", seen)
	}
}

// With eight pages of jobs open, the board still gets answers: a browser opens six connections to a server, and a stream holds one.
func TestEightPagesOfJobs(t *testing.T) {
	sweep(t)
	t.Parallel()
	s, searcher := slowSite(t)
	job := startJob(t, s)
	searcher.tell(t, 2, 200)
	row := fmt.Sprintf(`document.querySelector('[data-job=%q]')`, job.Id)
	first := open(t, s, "/jobs#"+job.Id)
	first.until(row)
	for range 7 {
		first.another("/jobs").until(row)
	}
	waitFor(t, "a stream", func() bool { return s.streams.Load() > 0 })
	p := first.another("/board" + example("KH").fragment(-1))
	if n := s.streams.Load(); n > 1 {
		t.Errorf("%d streams are open, expected 1", n)
	}
	close(searcher.finish)
	p.valued()
}
