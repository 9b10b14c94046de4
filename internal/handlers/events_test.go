package handlers_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/handlers"
	"roem/internal/testkit"
)

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
	answer, err := client.Do(r) //nolint:bodyclose // after the end of the stream
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

// stepping is a searcher that reports the given steps and then searches.
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

// The bounds in the events of a job narrow to its result. Several jobs that share a search all have these events. A client that
// connects again gets only newer events.
func TestEvents(t *testing.T) { onEachQueue(t, testEvents) }

func testEvents(t *testing.T, queue func(*config)) {
	t.Helper()
	steps := make(chan search.Progress)
	s := newServer(t, queue, stepping(steps), func(c *config) {
		c.maxWait = 50 * time.Millisecond
		c.options = func(o *handlers.Options) { o.Heartbeat = 20 * time.Millisecond }
	})
	web := httptest.NewUnstartedServer(s)
	web.Config.ReadTimeout, web.Config.WriteTimeout = time.Second, time.Second // less than the duration of the streams
	web.Start()
	defer web.Close()
	handedOff := s.accept(t, "/v1/klaverjas/solve", someDeal)
	other := request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", twinOf(someDeal))) // a twin, which has the same search
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
	time.Sleep(1200 * time.Millisecond) // longer than the timeouts of other answers
	bounds := []search.Progress{
		{Lower: -300, Upper: 262, Nodes: 10},
		{Lower: 2, Upper: 262, Nodes: 20},
		{Lower: 2, Upper: 64, Nodes: 30},
		{Lower: 30, Upper: 34, Nodes: 40},
	}
	last := map[string]string{}
	next := func(name string, want func(sseEvent) bool) sseEvent {
		t.Helper()
		timeout := time.After(testkit.Patience)
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
			if e.job.Progress.Nodes != int64(b.Nodes) || e.job.Status != api.JobStatusRunning || e.id == "" || e.id == last[name] {
				t.Errorf("%s: %+v %+v", name, e, e.job.Progress)
			}
			last[name] = e.id
		}
	}
	next("mine", func(e sseEvent) bool { return e.comment != "" })
	// A client that sends the id of the latest event gets only later events.
	again, _, _ := follow(t, web.URL+mine.Links.Events, last["mine"])
	close(steps)
	for name := range streams {
		e := next(name, func(e sseEvent) bool { return e.name == "finished" })
		if e.job.Result != nil || e.job.Status != api.JobStatusSucceeded {
			t.Errorf("%s: the event has the result, or the job has none: %+v", name, e.job)
		}
		// The link of the event leads to the result.
		answer, err := web.Client().Get(web.URL + e.job.Links.Self)
		if err != nil {
			t.Fatal(err)
		}
		var whole api.Job
		if err := errors.Join(json.NewDecoder(answer.Body).Decode(&whole), answer.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if got := result[api.KlaverjasSolution](t, whole); *got.Outcome != 32 {
			t.Errorf("%s: outcome %d", name, *got.Outcome)
		}
		if _, more := <-streams[name]; more {
			t.Errorf("%s: the stream does not end", name)
		}
		last[name] = e.id
	}
	for e := range again {
		if p := e.job.Progress; e.name == "progress" && p != nil && p.Upper != nil && *p.Upper != *p.Lower {
			t.Errorf("a repeated event: %+v %+v", e, p)
		}
	}
	// A client that connects after the end gets only the last event. A client that has it already gets 204.
	events, _, _ := follow(t, web.URL+mine.Links.Events, "")
	if e := <-events; e.name != "finished" || e.id != last["mine"] {
		t.Errorf("late: %+v", e)
	}
	if _, more := <-events; more {
		t.Error("an event after the end")
	}
	if _, code, _ := follow(t, web.URL+mine.Links.Events, last["mine"]); code != http.StatusNoContent {
		t.Errorf("status %d, want 204", code)
	}
	head := s.do(t, request(http.MethodHead, handedOff.Links.Events, ""))
	if head.Code != 200 || head.Body.Len() != 0 {
		t.Errorf("HEAD: %d, %d bytes", head.Code, head.Body.Len())
	}
}
