package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/api"
	"roem/internal/handlers"
)

const advisePath = "/v1/klaverjas/advise"

// refined posts a body and reads the stream of advice to its end. It returns the advice of each event, and why there is no more.
func (s *server) refined(t *testing.T, body string) (advice []api.KlaverjasAdvice, reason string) {
	t.Helper()
	r := request(http.MethodPost, advisePath, body)
	r.Header.Set("Accept", "text/event-stream")
	w := s.do(t, r)
	status(t, w, 200)
	if got := w.Header().Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("the answer is %s: %s", got, w.Body)
	}
	for event := range strings.SplitSeq(strings.TrimSpace(w.Body.String()), "\n\n") {
		name, data, _ := strings.Cut(event, "\ndata: ")
		switch name {
		case "retry: 2000":
		case "event: advice":
			var one api.KlaverjasAdvice
			if err := json.Unmarshal([]byte(data), &one); err != nil {
				t.Fatal(err)
			}
			advice = append(advice, one)
		case "event: finished":
			var end struct{ Reason string }
			if err := json.Unmarshal([]byte(data), &end); err != nil || reason != "" {
				t.Fatalf("%q: %v", event, err)
			}
			reason = end.Reason
		default:
			t.Fatalf("the event %q", event)
		}
	}
	return advice, reason
}

// Each answer of a stream equals the answer to a request with its number of worlds. The numbers double, and the stream says why it ends.
func TestAdviceRefines(t *testing.T) {
	s, other := newServer(t), newServer(t) // the other one has no answers of streams in its cache
	view := goodView[:len(goodView)-1]
	late := strings.Replace(view, `"9S"]`, `"9S", "KS", "8D", "9C", "8C", "AC", "9D", "10C", "QC"]`, 1)
	for _, test := range []struct {
		name, body string
		worlds     []int
		reason     string
	}{
		{"playouts", view + `, "method": "playout"`, []int{100, 150}, "worlds"},
		{"one card is best", view + `, "method": "playout", "seed": "4"`, []int{100, 200, 400, 10_000}, "clear"},
		{"searches", view + `, "method": "search"`, []int{100, 200, 300}, "worlds"},
		{"fewer than the first", view + `, "method": "playout"`, []int{30}, "worlds"},
		{"all worlds", late + `, "method": "search"`, []int{100, 10_000}, "worlds"},
		{"the time is over", view + `, "method": "playout", "budget_ms": 1`, []int{100, 10_000}, "time"},
	} {
		t.Run(test.name, func(t *testing.T) {
			most := test.worlds[len(test.worlds)-1]
			got, reason := s.refined(t, test.body+fmt.Sprintf(`, "worlds": %d}`, most))
			if most == 10_000 {
				test.worlds = test.worlds[:len(test.worlds)-1]
			}
			if reason != test.reason || len(got) < len(test.worlds) {
				t.Fatalf("%d answers, then %q; expected %v, then %q", len(got), reason, test.worlds, test.reason)
			}
			if test.reason == "worlds" && most == 10_000 && !got[len(got)-1].Worlds.All {
				t.Errorf("the last answer has %+v", got[len(got)-1].Worlds)
			}
			body := strings.Replace(test.body, `, "budget_ms": 1`, "", 1)
			for i, worlds := range test.worlds {
				w := other.post(t, advisePath, body+fmt.Sprintf(`, "worlds": %d}`, worlds))
				status(t, w, 200)
				want := decodeAs[api.KlaverjasAdvice](t, w)
				if diff := cmp.Diff(want, got[i], cmpopts.IgnoreFields(api.KlaverjasAdvice{}, "Stats", "Source")); diff != "" {
					t.Errorf("answer %d, %d worlds (-alone +stream)\n%s", i+1, worlds, diff)
				}
			}
		})
	}
	t.Run("one legal card", func(t *testing.T) {
		got, reason := s.refined(t, `{"trump": "S", "leader": "W", "seat": "N", "hand": ["9C", "10C", "8D", "7H", "9H", "10H", "10S", "AS"], `+
			`"played": ["7D"]}`)
		if len(got) != 1 || reason != "worlds" || got[0].Card != "8D" {
			t.Errorf("%v, then %q", got, reason)
		}
	})
}

// A request that cannot be answered has its usual status, and one that does not ask for events gets none.
func TestRefiningRefuses(t *testing.T) {
	s := newServer(t)
	for accept, want := range map[string]struct {
		body, kind string
		status     int
	}{
		"text/event-stream":            {strings.Replace(goodView, `"seat": "S", `, "", 1), "application/problem+json", 400},
		"*/*":                          {goodView, "application/json", 200},
		"application/json, text/plain": {goodView, "application/json", 200},
		"application/json, Text/Event-Stream;q=1": {goodView[:len(goodView)-1] + `, "worlds": 2}`, "text/event-stream", 200},
	} {
		r := request(http.MethodPost, advisePath, want.body)
		r.Header.Set("Accept", accept)
		w := s.do(t, r)
		if got := w.Header().Get("Content-Type"); w.Code != want.status || !strings.HasPrefix(got, want.kind) {
			t.Errorf("Accept %s: %d %s", accept, w.Code, got)
		}
	}
}

// A client that leaves a stream ends its search at once. While it is there, it counts toward the limit of streams.
func TestRefiningClientLeaves(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), func(c *config) { c.options = func(o *handlers.Options) { o.StreamsEach = 1 } })
	web := httptest.NewServer(s)
	defer web.Close()
	ctx, leave := context.WithCancel(context.Background())
	ask := func(ctx context.Context) (*http.Response, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, web.URL+advisePath, strings.NewReader(goodView))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "text/event-stream")
		return web.Client().Do(r)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if answer, err := ask(ctx); err == nil {
			_ = answer.Body.Close()
		}
	}()
	within(t, waiting.started, "the search")
	second, err := ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = second.Body.Close()
	if second.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a second stream: %d", second.StatusCode)
	}
	leave()
	within(t, waiting.stopped, "the end of the search")
	within(t, done, "the client")
}
