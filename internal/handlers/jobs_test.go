package handlers_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	game "roem/internal/service/klaverjas"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/handlers"
)

func jobOf(kind, body string) string { return `{"kind": "` + kind + `", "request": ` + body + `}` }

// finished waits for the end of a job.
func (s *server) finished(tb testing.TB, job api.Job) api.Job {
	tb.Helper()
	until(tb, "the end of the job", func() bool {
		w := s.get(tb, job.Links.Self+"?wait=20")
		status(tb, w, http.StatusOK)
		job = decodeAs[api.Job](tb, w)
		return job.FinishedAt != nil
	})
	return job
}

// accept sends a request that must become a job.
func (s *server) accept(tb testing.TB, path, body string) api.Job {
	tb.Helper()
	return accepted(tb, s.post(tb, path, body))
}

func accepted(tb testing.TB, w *httptest.ResponseRecorder) api.Job {
	tb.Helper()
	status(tb, w, http.StatusAccepted)
	job := decodeAs[api.Job](tb, w)
	if got := w.Header().Get("Location"); got != job.Links.Self || got != "/v1/jobs/"+job.Id {
		tb.Errorf("Location %q of the job %s", got, job.Id)
	}
	return job
}

func result[T any](tb testing.TB, job api.Job) T {
	tb.Helper()
	var out T
	if job.Status != api.Succeeded || job.Result == nil {
		tb.Fatalf("the job has no result: %+v", job)
	}
	if err := json.Unmarshal(*job.Result, &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// until asks again and again, for what comes by itself within a moment.
func until(tb testing.TB, what string, is func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatal("timed out waiting for: " + what)
		}
	}
}

// pathOf returns the path of the operation that a kind of job names.
func pathOf(kind string) string {
	return "/v1/" + strings.NewReplacer(".", "/", "_", "/").Replace(kind)
}

// Every kind of job has the result that its operation answers with.
func TestJobsOfEveryKind(t *testing.T) {
	s := newServer(t)
	played := with(`"played": ["JH", "8S", "7H", "8H"]`)
	for kind, body := range map[string]string{
		"klaverjas.solve": with(`"goal": "moves"`), "klaverjas.analyse": played,
		"klaverjas.table": `{"leader": "S", "hands": ` + goodHands + `}`,
	} {
		t.Run(kind, func(t *testing.T) {
			job := s.finished(t, s.accept(t, "/v1/jobs", jobOf(kind, body)))
			got := result[map[string]any](t, job)
			w := s.post(t, pathOf(kind), body)
			status(t, w, http.StatusOK)
			if diff := cmp.Diff(steady(decodeAs[map[string]any](t, w)), steady(got)); diff != "" {
				t.Errorf("(-at once +as a job)\n%s", diff)
			}
			if job.Attempts != 1 || job.StartedAt == nil || job.Error != nil || job.PositionInQueue != 0 {
				t.Errorf("%+v", job)
			}
			nodes, _ := got["stats"].(map[string]any)["nodes"].(float64)
			if p := job.Progress; p == nil || p.Done != p.Of || p.Of == 0 || float64(p.Nodes) != nodes {
				t.Errorf("progress %+v of a result of %v nodes", p, nodes)
			}
		})
	}
}

// What the operation would refuse makes no job, and the pointers lead into the request.
func TestJobsThatAreRefused(t *testing.T) {
	s := newServer(t)
	tests := []struct {
		name, body string
		status     int
		pointers   []string
	}{
		{"no kind", `{"request": ` + someDeal + `}`, 400, []string{"/kind"}},
		{"another kind", jobOf("legal-moves", someDeal), 400, []string{"/kind"}},
		{"no request", `{"kind": "klaverjas.solve"}`, 400, []string{"/request"}},
		{"no object", jobOf("klaverjas.solve", "7"), 400, []string{"/request"}},
		{"another field", `{"kind": "klaverjas.solve", "request": ` + someDeal + `, "owner": "me"}`, 400, []string{"/owner"}},
		{"a field of another kind", jobOf("klaverjas.analyse", with(`"goal": "win"`)), 400, []string{"/request/goal"}},
		{"a card twice", jobOf("klaverjas.solve", strings.Replace(someDeal, `"AH"`, `"AS"`, 1)), 422, []string{"/request/hands/E/7"}},
		{"nothing to analyse", jobOf("klaverjas.analyse", someDeal), 422, []string{"/request/played"}},
		{"half a table", jobOf("klaverjas.table", `{"leader": "S"}`), 400, []string{"/request/hands"}},
		{"a rule that is none", jobOf("klaverjas.solve", with(`"rules": {"troef": 1}`)), 422, []string{"/request/rules/troef"}},
		{"an empty batch", jobOf("klaverjas.solve_batch", `{"positions": []}`), 400, []string{"/request/positions"}},
		{"no batch", jobOf("klaverjas.solve_batch", `{"positions": {}}`), 400, []string{"/request/positions"}},
		{"twice the same", `{"kind": "klaverjas.solve", "kind": "klaverjas.solve", "request": {}}`, 400, []string{"/kind"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := s.post(t, "/v1/jobs", tt.body)
			status(t, w, tt.status)
			var pointers []string
			for _, e := range *decodeAs[api.Problem](t, w).Errors {
				pointers = append(pointers, *e.Pointer)
			}
			if diff := cmp.Diff(tt.pointers, pointers); diff != "" {
				t.Errorf("pointers (-want +got)\n%s\n%s", diff, w.Body)
			}
		})
	}
	if list := decodeAs[api.JobList](t, s.get(t, "/v1/jobs")); len(list.Jobs) != 0 {
		t.Errorf("jobs were made: %+v", list.Jobs)
	}
}

// A client's equal requests, however they are written, share a job; those of different clients share the work alone.
func TestEqualRequestsShareAJob(t *testing.T) { onEachQueue(t, testEqualRequestsShareAJob) }

func testEqualRequestsShareAJob(t *testing.T, queue func(*config)) {
	t.Helper()
	var searches atomic.Int64
	gate := make(chan struct{})
	s := newServer(t, counting(&searches, gate), queue)
	first := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	for _, same := range []string{
		with(`"goal": "value"`), with(`"declarer": "ns"`), with(`"rules": {"system": "rotterdam"}`),
		strings.ReplaceAll(someDeal, "10C", "tc"),
	} {
		if again := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", same)); again.Id != first.Id {
			t.Errorf("another job for %s", same)
		}
	}
	for _, other := range []string{with(`"goal": "win"`), with(`"declarer": "EW"`), with(`"played": ["JH"]`)} {
		if again := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", other)); again.Id == first.Id {
			t.Errorf("the same job for %s", other)
		} else {
			status(t, s.do(t, request(http.MethodDelete, again.Links.Self, "")), 200)
		}
	}
	r := request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	r.RemoteAddr = "192.0.2.77:1234"
	theirs := accepted(t, s.do(t, r))
	if theirs.Id == first.Id {
		t.Error("two clients share a job")
	}
	// Neither sees, follows or cancels the job of the other.
	for _, path := range []string{theirs.Links.Self, theirs.Links.Events, "/v1/jobs/nonsense", "/v1/jobs/%00", "/v1/jobs/" + strings.Repeat("x", 5000)} {
		status(t, s.get(t, path), 404)
	}
	status(t, s.do(t, request(http.MethodDelete, theirs.Links.Self, "")), 404)
	until(t, "the search", func() bool { return searches.Load() > 0 })
	before := searches.Load()
	close(gate)
	mine := s.finished(t, first)
	w := s.post(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	status(t, w, http.StatusOK)
	if again := decodeAs[api.Job](t, w); again.Id != mine.Id || again.Status != api.Succeeded {
		t.Errorf("afterwards: %+v", again)
	}
	r = request(http.MethodGet, theirs.Links.Self+"?wait=20", "")
	r.RemoteAddr = "192.0.2.77:4321"
	if got := decodeAs[api.Job](t, s.do(t, r)); got.Status != api.Succeeded {
		t.Errorf("the other client's: %+v", got)
	}
	if got := searches.Load(); got != before || before > 4 {
		t.Errorf("%d searches, then %d", before, got)
	}
}

func withKey(r *http.Request, key string) *http.Request {
	r.Header.Set("Idempotency-Key", key)
	return r
}

func TestIdempotencyKey(t *testing.T) { onEachQueue(t, testIdempotencyKey) }

func testIdempotencyKey(t *testing.T, queue func(*config)) {
	t.Helper()
	s := newServer(t, queue, func(c *config) { c.workers = noWorkers })
	post := func(path, body, key string) *httptest.ResponseRecorder {
		return s.do(t, withKey(request(http.MethodPost, path, body), key))
	}
	body := jobOf("klaverjas.solve", someDeal)
	first := accepted(t, post("/v1/jobs", body, `"a key"`))
	// The same again, also after the job was cancelled, and in another spelling of the header.
	status(t, s.do(t, request(http.MethodDelete, first.Links.Self, "")), 200)
	w := post("/v1/jobs", body, "a key")
	status(t, w, 200)
	if again := decodeAs[api.Job](t, w); again.Id != first.Id || again.Status != api.Cancelled {
		t.Errorf("again: %+v", again)
	}
	// Without the key, or with another one, it is a new job.
	second := accepted(t, post("/v1/jobs", body, "another key"))
	if second.Id == first.Id {
		t.Error("a new key finds the old job")
	}
	for path, other := range map[string]string{"/v1/jobs": jobOf("klaverjas.solve", with(`"goal": "win"`)), "/v1/klaverjas/solve/batch": `{"positions": [` + someDeal + `]}`} {
		w = post(path, other, `"a key"`)
		status(t, w, 422)
		if got := decodeAs[api.Problem](t, w).Type; got != "/docs/errors#idempotency-key-reused" {
			t.Errorf("type %s", got)
		}
	}
	// Keys are each client's own.
	r := withKey(request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", with(`"goal": "win"`))), `"a key"`)
	r.RemoteAddr = "192.0.2.77:1234"
	accepted(t, s.do(t, r))
	for _, bad := range []string{`""`, "   ", strings.Repeat("k", 256), "line\nbreak", "é", `a"b`, `a\b`, `"unclosed`} {
		w := post("/v1/jobs", body, bad)
		status(t, w, 400)
		if e := *decodeAs[api.Problem](t, w).Errors; *e[0].Parameter != "Idempotency-Key" {
			t.Errorf("%q: %+v", bad, e)
		}
	}
}

func TestListingJobs(t *testing.T) { onEachQueue(t, testListingJobs) }

func testListingJobs(t *testing.T, queue func(*config)) {
	t.Helper()
	s := newServer(t, queue, func(c *config) { c.workers = noWorkers })
	var made []string
	for i := range 5 {
		made = append([]string{s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d"}`, i))).Id}, made...)
	}
	var seen []string
	token := ""
	for range 3 {
		w := s.get(t, "/v1/jobs?limit=2"+token)
		status(t, w, 200)
		page := decodeAs[api.JobList](t, w)
		for _, job := range page.Jobs {
			seen = append(seen, job.Id)
			if job.Result != nil || job.PositionInQueue == 0 {
				t.Errorf("%+v", job)
			}
		}
		if (page.NextPageToken == nil) != (len(seen) == 5) {
			t.Errorf("after %d jobs: %v", len(seen), page.NextPageToken)
		}
		if page.NextPageToken != nil {
			token = "&page_token=" + *page.NextPageToken
		}
	}
	if diff := cmp.Diff(made, seen); diff != "" {
		t.Errorf("(-made +listed)\n%s", diff)
	}
	status(t, s.do(t, request(http.MethodDelete, "/v1/jobs/"+made[0], "")), 200)
	for query, want := range map[string]int{"?status=queued": 4, "?status=cancelled": 1, "?status=failed": 0, "": 5} {
		if got := len(decodeAs[api.JobList](t, s.get(t, "/v1/jobs"+query)).Jobs); got != want {
			t.Errorf("%s: %d jobs, want %d", query, got, want)
		}
	}
	for _, bad := range []string{"status=done", "limit=0", "limit=101", "limit=x", "page_token=nonsense", "owner=me", "limit=1&limit=2"} {
		w := s.get(t, "/v1/jobs?"+bad)
		status(t, w, 400)
		name, _, _ := strings.Cut(bad, "=")
		if e := decodeAs[api.Problem](t, w).Errors; e == nil || *(*e)[0].Parameter != name {
			t.Errorf("%s: %s", bad, w.Body)
		}
	}
	for _, bad := range []string{"wait=-1", "wait=x", "wait=86401", "wait=1&wait=2", "w=1"} {
		status(t, s.get(t, "/v1/jobs/"+made[1]+"?"+bad), 400)
	}
}

// A search that takes longer than its request waits goes on as a job: the same search, which nobody begins again.
func TestASearchCarriesOnAsAJob(t *testing.T) { onEachQueue(t, testASearchCarriesOnAsAJob) }

func testASearchCarriesOnAsAJob(t *testing.T, queue func(*config)) {
	t.Helper()
	for _, path := range []string{"/v1/klaverjas/solve", "/v1/klaverjas/analyse", "/v1/klaverjas/table"} {
		t.Run(path, func(t *testing.T) {
			var searches atomic.Int64
			gate := make(chan struct{})
			s := newServer(t, queue, counting(&searches, gate), func(c *config) { c.maxWait = 100 * time.Millisecond })
			body, want := someDeal, int64(1)
			switch path {
			case "/v1/klaverjas/table":
				body, want = `{"leader": "S", "hands": `+goodHands+`}`, 8
			case "/v1/klaverjas/analyse":
				body, want = with(`"played": ["JH", "8S"]`), 2
			}
			job := s.accept(t, path, body)
			if job.Status != api.Running || job.Attempts != 1 || pathOf(string(job.Kind)) != path {
				t.Errorf("%+v", job)
			}
			time.Sleep(200 * time.Millisecond) // whoever would search again has begun by now
			if got := searches.Load(); got != 1 {
				t.Errorf("%d searches under way", got)
			}
			// The same again finds the same job, and its search.
			if again := s.accept(t, path, body); again.Id != job.Id {
				t.Errorf("a second job: %+v", again)
			}
			close(gate)
			got := result[map[string]any](t, s.finished(t, job))
			if got["exact"] != true || got["source"] != "search" {
				t.Errorf("the result: %v", got)
			}
			w := s.post(t, path, body)
			status(t, w, 200)
			if n := searches.Load(); n != want {
				t.Errorf("%d searches, want %d", n, want)
			}
			if diff := cmp.Diff(steady(got), steady(decodeAs[map[string]any](t, w))); diff != "" {
				t.Errorf("(-job +at once)\n%s", diff)
			}
		})
	}
}

// What has not been begun when its time is up waits in the queue as any other job, and leaves its place before the searchers.
func TestWhatWaitsForASearcherBecomesAQueuedJob(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), func(c *config) {
		c.searchers, c.queue, c.workers, c.maxWait = 1, 1, 1, 50*time.Millisecond
	})
	deal := func(i int) string { return fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d"}`, i) }
	s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", deal(0)))
	within(t, waiting.started, "the search of the job")
	for i := 1; i <= 3; i++ { // each finds the one place in the queue free again
		if job := s.accept(t, "/v1/klaverjas/solve", deal(i)); job.Status != api.Queued || job.PositionInQueue != i || job.StartedAt != nil {
			t.Errorf("%+v", job)
		}
		until(t, "the request to leave the line", func() bool { return s.service.Load().Waiting == 0 })
	}
}

func TestPreferRespondAsync(t *testing.T) {
	s := newServer(t, func(c *config) { c.workers = noWorkers })
	w := s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), "respond-async"))
	job := accepted(t, w)
	if got := w.Header().Get("Preference-Applied"); got != "respond-async" || job.Status != api.Queued || job.PositionInQueue != 1 {
		t.Errorf("applied %q: %+v", got, job)
	}
	w = s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), "wait=0"))
	if again := accepted(t, w); again.Id != job.Id || w.Header().Get("Preference-Applied") != "wait=0" {
		t.Errorf("%+v %v", again, w.Header())
	}
	// What is known is told at once.
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), 200)
	for _, prefer := range []string{"respond-async", "wait=0"} {
		status(t, s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), prefer)), 200)
	}
	w = s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", `{"trump": "S"}`), "respond-async"))
	status(t, w, 400)
	w = s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", strings.Replace(someDeal, `"AH"`, `"AS"`, 1)), "respond-async"))
	status(t, w, 422)
}

// The position of every item is answered in its place; equal ones, and equal ones under other names, cost one search.
func TestBatch(t *testing.T) {
	var searches atomic.Int64
	s := newServer(t, counting(&searches, open()))
	status(t, s.post(t, "/v1/klaverjas/solve", with(`"played": ["JH"], "goal": "win"`)), 200)
	known := searches.Load()
	over := `"KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S", "KS", "8D", "9C", "8C", "AC", "9D", "10C", "QC", "7C", "10D", "7D", "KC", "QH", "JH", "QD", "10H", "9H", "AH", "JC", "AD"`
	positions := []string{
		someDeal, `{"trump": "S", "leader": "S"}`, someDeal, `7`, with(`"played": ["JH"]`), twinOf(someDeal),
		strings.Replace(someDeal, `"AH"`, `"AS"`, 1), with(`"declarer": "EW"`), with(`"goal": "win"`), `{"trump": "S", "trump": "S"}`,
		with(`"played": [` + over + `]`),
	}
	job := s.finished(t, s.accept(t, "/v1/klaverjas/solve/batch", `{"goal": "win", "positions": [`+strings.Join(positions, ",")+`]}`))
	batch := result[struct {
		Results []struct {
			api.Solution
			Error *api.Problem
		}
		Stats   api.Stats
		Version string
	}](t, job)
	if len(batch.Results) != len(positions) {
		t.Fatalf("%d results of %d", len(batch.Results), len(positions))
	}
	type line struct {
		Status, Pointer, Source string
		Won                     bool
		Declarer                string
	}
	var got []line
	for _, r := range batch.Results {
		if r.Error != nil {
			got = append(got, line{Status: fmt.Sprint(r.Error.Status), Pointer: *(*r.Error.Errors)[0].Pointer})
			continue
		}
		got = append(got, line{Source: string(r.Source), Won: r.Won, Declarer: string(*r.Deal.Declarer)})
	}
	want := []line{
		{Source: "search", Won: true, Declarer: "NS"},
		{Status: "400", Pointer: "/positions/1/hands"},
		{Source: "cache", Won: true, Declarer: "NS"},
		{Status: "400", Pointer: "/positions/3"},
		{Source: "cache", Won: true, Declarer: "NS"},
		{Source: "cache", Won: true, Declarer: "EW"},
		{Status: "422", Pointer: "/positions/6/hands/E/7"},
		{Source: "search", Won: false, Declarer: "EW"},
		{Status: "400", Pointer: "/positions/8/goal"},
		{Status: "400", Pointer: "/positions/9/trump"},
		{Source: "search", Won: true, Declarer: "NS"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n := searches.Load() - known; n != 2 {
		t.Errorf("%d searches, want 2", n)
	}
	if p := job.Progress; p.Done != len(positions) || p.Of != len(positions) || p.Nodes != batch.Stats.Nodes || p.Lower != nil {
		t.Errorf("progress %+v, %d nodes", p, batch.Stats.Nodes)
	}
	// Too many, and too large.
	many := `{"positions": [` + strings.Repeat(`{},`, 1000) + `{}]}`
	status(t, s.post(t, "/v1/klaverjas/solve/batch", many), 400)
	status(t, s.post(t, "/v1/klaverjas/solve/batch", strings.Repeat(" ", maxList+1)), 413)
}

// twinOf is the deal with its suits renamed and its seats turned one place on.
func twinOf(body string) string {
	var in map[string]any
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		panic(err)
	}
	next := map[string]string{"N": "E", "E": "S", "S": "W", "W": "N"}
	hands := map[string][]string{}
	for seat, hand := range in["hands"].(map[string]any) {
		for _, card := range hand.([]any) {
			card := card.(string)
			suit := map[byte]string{'S': "D", 'H': "C", 'D': "S", 'C': "H"}[card[len(card)-1]]
			hands[next[seat]] = append(hands[next[seat]], card[:len(card)-1]+suit)
		}
	}
	text, err := json.Marshal(map[string]any{"trump": "D", "leader": "W", "hands": hands})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// The searches of a cancelled job stop, and its searchers are free for others.
func TestCancelledJobsStop(t *testing.T) { onEachQueue(t, testCancelledJobsStop) }

func testCancelledJobsStop(t *testing.T, queue func(*config)) {
	t.Helper()
	waiting := newWaiting()
	s := newServer(t, queue, withSearcher(waiting.solve), func(c *config) { c.searchers = 1; c.maxWait = 100 * time.Millisecond })
	for name, begin := range map[string]func() api.Job{
		"a job":                   func() api.Job { return s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal)) },
		"a request that waited":   func() api.Job { return s.accept(t, "/v1/klaverjas/solve", with(`"goal": "win"`)) },
		"a batch":                 func() api.Job { return s.accept(t, "/v1/klaverjas/solve/batch", `{"positions": [`+someDeal+`]}`) },
		"a table that carried on": func() api.Job { return s.accept(t, "/v1/klaverjas/table", `{"leader": "S", "hands": `+goodHands+`}`) },
	} {
		t.Run(name, func(t *testing.T) {
			job := begin()
			within(t, waiting.started, "the search")
			for range 2 {
				w := s.do(t, request(http.MethodDelete, job.Links.Self, ""))
				status(t, w, 200)
				if got := decodeAs[api.Job](t, w); got.Status != api.Cancelled || got.FinishedAt == nil {
					t.Errorf("%+v", got)
				}
			}
			within(t, waiting.stopped, "the end of the search")
			if got := s.finished(t, job); got.Status != api.Cancelled {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A cancelled job frees its processor within 50 ms. The figure is logged; the test fails only where it is far off, for
// machines that do other things as well.
func TestCancelFreesTheSearcher(t *testing.T) {
	var began, ended atomic.Int64
	s := newServer(t, func(c *config) {
		c.searchers = 1
		c.searcher = func() game.Searcher {
			solver := search.New(search.Options{TableBytes: 8 << 20})
			return searcherFunc(func(ctx context.Context, q search.Query) (r search.Result, err error) {
				began.Add(1)
				for ctx.Err() == nil { // no deal takes the real search long enough
					solver = search.New(search.Options{TableBytes: 1 << 20})
					r, err = solver.Solve(ctx, q)
				}
				ended.Store(time.Now().UnixNano())
				return r, err
			})
		}
	})
	var worst time.Duration
	for i := range 10 {
		job := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d", "goal": "moves"}`, 12345678901234+i)))
		until(t, "the search", func() bool { return began.Load() == int64(i+1) })
		asked := time.Now()
		ended.Store(0)
		status(t, s.do(t, request(http.MethodDelete, job.Links.Self, "")), 200)
		until(t, "the end of the search", func() bool { return ended.Load() != 0 })
		worst = max(worst, time.Unix(0, ended.Load()).Sub(asked))
	}
	t.Logf("from the request to cancel to the end of the search: %v at worst", worst)
	if worst > time.Second {
		t.Errorf("%v", worst)
	}
}

// A search that fails is tried again, and in the end the job shows a problem that tells nothing of the inside.
func TestPoison(t *testing.T) { onEachQueue(t, testPoison) }

func testPoison(t *testing.T, queue func(*config)) {
	t.Helper()
	var attempts atomic.Int64
	s := newServer(t, queue, withSearcher(func(context.Context, search.Query) (search.Result, error) {
		attempts.Add(1)
		panic("the inside of the server")
	}))
	job := s.finished(t, s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal)))
	if job.Status != api.Failed || job.Attempts != 3 || attempts.Load() != 3 || job.Error == nil || job.Error.Status != 500 ||
		strings.Contains(job.Error.Detail, "inside") {
		t.Errorf("after %d attempts: %+v %+v", attempts.Load(), job, job.Error)
	}
	// Another request for the same makes a new job.
	if again := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal)); again.Id == job.Id {
		t.Error("the failed job is taken for the answer")
	}
}

// sseEvent is a server-sent event.
type sseEvent struct {
	id, name string
	job      api.Job
	comment  string
}

// follow reads the events of a job over a real connection until the stream ends.
func follow(t *testing.T, url, lastEventID string) (events <-chan sseEvent, status int, header http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if lastEventID != "" {
		r.Header.Set("Last-Event-ID", lastEventID)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r) //nolint:bodyclose // when the stream has ended
	if err != nil {
		t.Fatal(err)
	}
	out := make(chan sseEvent, 100)
	go func() {
		defer close(out)
		defer answer.Body.Close()
		var e sseEvent
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ":")
			value = strings.TrimPrefix(value, " ")
			switch field {
			case "id":
				e.id = value
			case "event":
				e.name = value
			case "data":
				if err := json.Unmarshal([]byte(value), &e.job); err != nil {
					t.Errorf("%v: %s", err, value)
				}
			case "":
				if lines.Text() != "" {
					out <- sseEvent{comment: value}
				} else if e.name != "" {
					out <- e
					e = sseEvent{}
				}
			}
		}
	}()
	return out, answer.StatusCode, answer.Header
}

// stepping is a searcher that narrows its bounds step by step, each when it is told to.
func stepping(steps <-chan search.Progress) func(*config) {
	return withSearcher(func(ctx context.Context, q search.Query) (search.Result, error) {
		for {
			select {
			case p, more := <-steps:
				if !more {
					return search.New(search.Options{TableBytes: 4 << 20}).Solve(ctx, search.Query{Position: q.Position, Goal: q.Goal})
				}
				q.Progress(p)
			case <-ctx.Done():
				return search.Result{}, ctx.Err()
			}
		}
	})
}

// The events of a job narrow its bounds down to its result. Several who wait for the same search all see them, and who
// connects again is told what is new.
func TestEvents(t *testing.T) { onEachQueue(t, testEvents) }

func testEvents(t *testing.T, queue func(*config)) {
	t.Helper()
	steps := make(chan search.Progress)
	s := newServer(t, queue, stepping(steps), func(c *config) {
		c.maxWait = 50 * time.Millisecond
		c.options = func(o *handlers.Options) { o.Heartbeat = 20 * time.Millisecond }
	})
	web := httptest.NewUnstartedServer(s)
	web.Config.ReadTimeout, web.Config.WriteTimeout = 300*time.Millisecond, 300*time.Millisecond // streams last longer
	web.Start()
	defer web.Close()
	carried := s.accept(t, "/v1/klaverjas/solve", someDeal)
	other := request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", twinOf(someDeal))) // the same search, under other names
	accepted(t, s.do(t, other))

	post := func(path, body string) api.Job {
		answer, err := web.Client().Post(web.URL+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		var job api.Job
		if err := json.NewDecoder(answer.Body).Decode(&job); err != nil {
			t.Fatal(err)
		}
		return job
	}
	mine := post("/v1/jobs", jobOf("klaverjas.solve", someDeal))
	twin := post("/v1/jobs", jobOf("klaverjas.solve", twinOf(someDeal)))
	streams := map[string]<-chan sseEvent{}
	for name, job := range map[string]api.Job{"mine": mine, "twin": twin} {
		events, code, header := follow(t, web.URL+job.Links.Events, "")
		if code != http.StatusOK || header.Get("Content-Type") != "text/event-stream" || header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %v", code, header)
		}
		streams[name] = events
	}
	time.Sleep(500 * time.Millisecond) // longer than the server's limits for other answers
	bounds := []search.Progress{{Lower: -300, Upper: 262, Nodes: 10}, {Lower: 2, Upper: 262, Nodes: 20}, {Lower: 2, Upper: 64, Nodes: 30}, {Lower: 30, Upper: 34, Nodes: 40}}
	last := map[string]string{}
	next := func(name string, want func(sseEvent) bool) sseEvent {
		t.Helper()
		timeout := time.After(20 * time.Second)
		for {
			select {
			case e, more := <-streams[name]:
				if !more {
					t.Fatalf("%s: the stream ended", name)
				}
				if want(e) {
					return e
				}
			case <-timeout:
				t.Fatalf("%s: timed out", name)
			}
		}
	}
	for _, b := range bounds {
		steps <- b
		for name := range streams {
			e := next(name, func(e sseEvent) bool {
				p := e.job.Progress
				return e.name == "progress" && p != nil && p.Lower != nil && *p.Lower == b.Lower && *p.Upper == b.Upper
			})
			if e.job.Progress.Nodes != int64(b.Nodes) || e.job.Status != api.Running || e.id == "" || e.id == last[name] {
				t.Errorf("%s: %+v %+v", name, e, e.job.Progress)
			}
			last[name] = e.id
		}
	}
	next("mine", func(e sseEvent) bool { return e.comment != "" })
	// A client that knows the present state is told what comes after it alone.
	again, _, _ := follow(t, web.URL+mine.Links.Events, last["mine"])
	close(steps)
	for name := range streams {
		e := next(name, func(e sseEvent) bool { return e.name == "finished" })
		if got := result[api.Solution](t, e.job); *got.Outcome != 32 {
			t.Errorf("%s: outcome %d", name, *got.Outcome)
		}
		if _, more := <-streams[name]; more {
			t.Errorf("%s: the stream goes on", name)
		}
		last[name] = e.id
	}
	for e := range again {
		if p := e.job.Progress; e.name == "progress" && p != nil && p.Upper != nil && *p.Upper != *p.Lower {
			t.Errorf("told again: %+v %+v", e, p)
		}
	}
	// Who comes later gets the end alone; who has it already is told not to come again.
	events, _, _ := follow(t, web.URL+mine.Links.Events, "")
	if e := <-events; e.name != "finished" || e.id != last["mine"] {
		t.Errorf("late: %+v", e)
	}
	if _, more := <-events; more {
		t.Error("something after the end")
	}
	if _, code, _ := follow(t, web.URL+mine.Links.Events, last["mine"]); code != http.StatusNoContent {
		t.Errorf("status %d, want 204", code)
	}
	head := s.do(t, request(http.MethodHead, carried.Links.Events, ""))
	if head.Code != 200 || head.Body.Len() != 0 {
		t.Errorf("HEAD: %d, %d bytes", head.Code, head.Body.Len())
	}
}

// The number of streams is bounded; one that ends makes room.
func TestStreamsAreBounded(t *testing.T) {
	s := newServer(t, func(c *config) {
		c.workers = noWorkers
		c.options = func(o *handlers.Options) { o.Streams = 1 }
	})
	web := httptest.NewServer(s)
	defer web.Close()
	r := request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	r.RemoteAddr = "127.0.0.1:1"
	job := accepted(t, s.do(t, r))
	first, code, _ := follow(t, web.URL+job.Links.Events, "")
	if code != http.StatusOK {
		t.Fatalf("status %d", code)
	}
	_, code, header := follow(t, web.URL+job.Links.Events, "")
	if code != http.StatusServiceUnavailable || header.Get("Retry-After") == "" {
		t.Errorf("a second: %d %v", code, header)
	}
	r = request(http.MethodDelete, job.Links.Self, "")
	r.RemoteAddr = "127.0.0.1:1"
	status(t, s.do(t, r), 200)
	for range first { // until it ends
	}
	until(t, "room for another", func() bool {
		_, code, _ := follow(t, web.URL+job.Links.Events, "")
		return code == http.StatusOK
	})
}

// One client cannot take all streams: from its share on it is refused, and others are not.
func TestStreamsOfOneClient(t *testing.T) {
	s := newServer(t, func(c *config) {
		c.workers = noWorkers
		c.options = func(o *handlers.Options) { o.Streams, o.StreamsEach = 3, 2 }
	})
	web := httptest.NewServer(s)
	defer web.Close()
	from := func(client, method, path, body string) *httptest.ResponseRecorder {
		r := request(method, path, body)
		r.RemoteAddr = client
		return s.do(t, r)
	}
	const here, elsewhere = "127.0.0.1:1", "192.0.2.1:1"
	job := accepted(t, from(here, http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", someDeal)))
	for range 2 {
		if _, code, _ := follow(t, web.URL+job.Links.Events, ""); code != http.StatusOK {
			t.Fatalf("status %d", code)
		}
	}
	third := from(here, http.MethodGet, job.Links.Events, "")
	status(t, third, http.StatusTooManyRequests)
	detail := decodeAs[api.Problem](t, third).Detail
	if third.Header().Get("Retry-After") == "" || !strings.HasPrefix(detail, "2 streams of events go to you already, of at most 2.") {
		t.Errorf("a third: %v %q", third.Header(), detail)
	}
	if got := s.get(t, "/metrics").Body.String(); !strings.Contains(got, `roem_limited_total{reason="streams"} 1`) {
		t.Error("the refusal is not counted")
	}
	theirs := accepted(t, from(elsewhere, http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", someDeal)))
	status(t, from(elsewhere, http.MethodHead, theirs.Links.Events, ""), http.StatusOK)

	status(t, from(here, http.MethodDelete, job.Links.Self, ""), http.StatusOK) // which ends both
	until(t, "room for another", func() bool {
		_, code, _ := follow(t, web.URL+job.Links.Events, "")
		return code == http.StatusOK
	})
}

// One client cannot fill the queue: from its share on new jobs of its own are refused, however they are asked for, and those
// of others are taken.
func TestJobsOfOneClient(t *testing.T) { onEachQueue(t, testJobsOfOneClient) }

func testJobsOfOneClient(t *testing.T, queue func(*config)) {
	t.Helper()
	s := newServer(t, queue, func(c *config) { c.workers, c.maxQueued, c.maxOwned = noWorkers, 100, 2 })
	deal := func(n int) string {
		return fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d"}`, 71234567890123456+n)
	}
	submit := func(client string, n int) *httptest.ResponseRecorder {
		r := request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", deal(n)))
		r.RemoteAddr = client
		return s.do(t, r)
	}
	first := accepted(t, submit("192.0.2.1:1", 1))
	accepted(t, submit("192.0.2.1:2", 2))
	refused := func(what string, w *httptest.ResponseRecorder) {
		t.Helper()
		status(t, w, http.StatusTooManyRequests)
		problem := decodeAs[api.Problem](t, w)
		if w.Header().Get("Retry-After") == "" || problem.Type != "/docs/errors#too-many-requests" ||
			!strings.Contains(problem.Detail, "2 of your jobs have not finished, of at most 2.") {
			t.Errorf("%s: %v %+v", what, w.Header(), problem)
		}
	}
	refused("a third", submit("192.0.2.1:3", 3))
	batch := request(http.MethodPost, "/v1/klaverjas/solve/batch", `{"positions": [`+deal(3)+`]}`)
	batch.RemoteAddr = "192.0.2.1:4"
	refused("a batch", s.do(t, batch))
	async := request(http.MethodPost, "/v1/klaverjas/solve", deal(3))
	async.RemoteAddr = "192.0.2.1:5"
	async.Header.Set("Prefer", "respond-async")
	refused("respond-async", s.do(t, async))
	if again := accepted(t, submit("192.0.2.1:6", 1)); again.Id != first.Id {
		t.Errorf("the first, asked for again, is %s and not %s", again.Id, first.Id)
	}
	accepted(t, submit("192.0.2.2:1", 3))
	cancelled := request(http.MethodDelete, first.Links.Self, "")
	cancelled.RemoteAddr = "192.0.2.1:7"
	status(t, s.do(t, cancelled), http.StatusOK)
	accepted(t, submit("192.0.2.1:8", 4))
}

// When the server drains, streams and waiting for jobs end in order, and a request that waits for its answer becomes a job.
func TestDrain(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), func(c *config) {
		c.options = func(o *handlers.Options) { o.DrainWait = 100 * time.Millisecond }
	})
	web := httptest.NewServer(s)
	defer web.Close()
	answer, err := web.Client().Post(web.URL+"/v1/jobs", "application/json", strings.NewReader(jobOf("klaverjas.solve", with(`"goal": "win"`))))
	if err != nil {
		t.Fatal(err)
	}
	var job api.Job
	if err := json.NewDecoder(answer.Body).Decode(&job); err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	within(t, waiting.started, "the search of the job")
	var all sync.WaitGroup
	all.Go(func() {
		var end string
		events, _, _ := follow(t, web.URL+job.Links.Events, "")
		for e := range events {
			end = e.comment
		}
		if !strings.Contains(end, "shutting down") {
			t.Errorf("the stream ends with %q", end)
		}
	})
	all.Go(func() {
		answer, err := web.Client().Get(web.URL + job.Links.Self + "?wait=30")
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		var polled api.Job
		if err := json.NewDecoder(answer.Body).Decode(&polled); err != nil || answer.StatusCode != http.StatusOK || polled.Status != api.Running {
			t.Errorf("%v: %d %+v", err, answer.StatusCode, polled)
		}
	})
	all.Go(func() {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request(http.MethodPost, "/v1/klaverjas/solve", someDeal))
		if w.Code != http.StatusAccepted {
			t.Errorf("the request that waits: %d %s", w.Code, w.Body)
		}
	})
	within(t, waiting.started, "the search of the request")
	until(t, "the others to wait", func() bool {
		return strings.Contains(s.get(t, "/metrics").Body.String(), "roem_http_requests_in_flight 4\n") // this one included
	})
	s.Stop()
	s.Drain()
	s.Drain()
	done := make(chan struct{})
	go func() { defer close(done); all.Wait() }()
	within(t, done, "the end of all that waits")
	web.CloseClientConnections()
}

// Jobs that a stopping server leaves are done by the next one.
func TestJobsSurviveAStop(t *testing.T) { onEachQueue(t, testJobsSurviveAStop) }

func testJobsSurviveAStop(t *testing.T, queue func(*config)) {
	t.Helper()
	var searches atomic.Int64
	gate := make(chan struct{})
	s := newServer(t, counting(&searches, gate), queue)
	job := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	until(t, "the search", func() bool { return searches.Load() == 1 })
	s.stop()
	w := s.get(t, job.Links.Self)
	status(t, w, 200)
	if got := decodeAs[api.Job](t, w); got.Status != api.Queued || got.PositionInQueue != 1 {
		t.Errorf("%+v", got)
	}
	close(gate)
	s.work(t, 1)
	if got := s.finished(t, job); got.Status != api.Succeeded || got.Attempts != 1 {
		t.Errorf("%+v", got)
	}
}

// Without a place for jobs, what is answered at once still is.
func TestJobsCannotBeReached(t *testing.T) {
	s := newServer(t, func(c *config) { c.noQueue = true })
	for _, w := range []*httptest.ResponseRecorder{
		s.post(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal)), s.get(t, "/v1/jobs"), s.get(t, "/v1/jobs/0000000000000000000000000g"),
		s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), "respond-async")),
	} {
		status(t, w, 503)
	}
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), 200)
}
