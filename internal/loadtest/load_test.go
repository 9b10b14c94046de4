package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/service"
	"roem/internal/service/klaverjas"
	"roem/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func options(url string, routes ...Route) Options {
	return Options{URL: url, Routes: routes, Duration: 500 * time.Millisecond, Timeout: testkit.Patience, Connections: 64, Seed: 1}
}

func get(name string, rate float64) Route {
	return Route{Name: name, Rate: rate, Next: func() (Request, error) { return Request{Method: http.MethodGet, Path: "/" + name}, nil }}
}

// The server processes one request at a time, in 20 ms each, and five times as many are sent. A generator that waited for answers would
// measure 20 ms. The latencies of an open loop include the growing wait.
func TestWaitCounts(t *testing.T) {
	var one sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		one.Lock()
		defer one.Unlock()
		time.Sleep(20 * time.Millisecond)
	}))
	defer s.Close()
	for name, connections := range map[string]int{"in the server": 1000, "for a connection": 1} {
		t.Run(name, func(t *testing.T) {
			o := options(s.URL, get("slow", 250))
			o.Connections = connections
			report, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			due, counted, worst := report.Routes[0].Due, int64(0), 0.0
			for _, a := range report.Routes[0].Answers {
				counted += a.Count
				worst = max(worst, a.Latency.Max)
			}
			if due < 60 || counted != due {
				t.Errorf("%d due, %d counted", due, counted)
			}
			if worst < 300 {
				t.Errorf("the longest wait was %v ms, want at least 300", worst)
			}
			if late := report.Routes[0].Late.Max; connections == 1 && late < 300 {
				t.Errorf("the generator was at most %v ms late, want at least 300", late)
			}
		})
	}
}

func TestReport(t *testing.T) {
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/version":
			_, _ = io.WriteString(w, `{"version": "v9"}`)
		case "/busy":
			w.Header().Set("Retry-After", []string{"2", "7", "soon"}[n.Add(1)%3])
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/cut":
			panic(http.ErrAbortHandler)
		case "/hangs":
			<-r.Context().Done()
		default:
			if r.Header.Get("X-Key") != "k" {
				w.WriteHeader(http.StatusUnauthorized)
			}
		}
	}))
	defer s.Close()
	o := options(s.URL, get("ok", 200), get("busy", 100), get("cut", 50), get("hangs", 20))
	o.Header = http.Header{"X-Key": {"k"}}
	o.Timeout = 3 * time.Second // of the route that hangs; the others take much less
	report, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if report.Version != "v9" || report.Seconds != 0.5 {
		t.Errorf("version %q, %v seconds", report.Version, report.Seconds)
	}
	for route, status := range map[string]string{"ok": "200", "busy": "503", "cut": "reset", "hangs": "timeout"} {
		a := report.Find(route, status)
		for _, r := range report.Routes {
			if r.Route == route && (a.Count == 0 || a.Count != r.Due || len(r.Answers) != 1) {
				t.Errorf("%s: %d of %d with status %s: %+v", route, a.Count, r.Due, status, r.Answers)
			}
		}
		if l := a.Latency; l.P50 <= 0 || l.P50 > l.P90 || l.P90 > l.P99 || l.P99 > l.P999 || l.Max <= 0 {
			t.Errorf("%s: %+v", route, l)
		}
	}
	retry := report.Find("busy", "503").RetryAfter
	if retry == nil || retry.Min != 2 || retry.Max != 7 || retry.Wrong == 0 {
		t.Errorf("Retry-After: %+v", retry)
	}
	var text bytes.Buffer
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"v9", "seed 1", "p99.9", "2..7 s", "timeout"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

func TestSpread(t *testing.T) {
	s := newSpread()
	for i := range 1000 {
		s.add(time.Duration(i+1) * time.Millisecond)
	}
	s.add(-time.Second) // a clock that was set back
	got := s.latency()
	for name, v := range map[string][2]float64{
		"p50": {got.P50, 500}, "p90": {got.P90, 900}, "p99": {got.P99, 990}, "p99.9": {got.P999, 999}, "max": {got.Max, 1000},
	} {
		if v[0] < v[1]*0.998 || v[0] > v[1]*1.002 {
			t.Errorf("%s is %v, want %v", name, v[0], v[1])
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if n.Add(1) == 20 {
			cancel()
		}
	}))
	defer s.Close()
	o := options(s.URL, get("ok", 100))
	o.Duration = time.Hour
	report, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if report.Find("ok", "200").Count == 0 || report.Seconds > testkit.Patience.Seconds() {
		t.Errorf("%+v", report)
	}
}

func TestRefusesOptions(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"no URL":         func(o *Options) { o.URL = "localhost:8080" },
		"no route":       func(o *Options) { o.Routes = nil },
		"a rate of 0":    func(o *Options) { o.Routes[0].Rate = 0 },
		"no duration":    func(o *Options) { o.Duration = 0 },
		"no connections": func(o *Options) { o.Connections = 0 },
		"a cold cache":   func(o *Options) { o.Routes[0].Warm = []Request{{Method: http.MethodGet, Path: "/"}} },
	} {
		o := options("http://127.0.0.1:1", get("x", 1)) // no server listens there
		change(&o)
		if _, err := Run(t.Context(), o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func take(t *testing.T, name string, seed uint64, n int) []Request {
	t.Helper()
	route, err := NewRoute(name, 1, seed)
	if err != nil {
		t.Fatal(err)
	}
	var all []Request
	for range n {
		q, err := route.Next()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	return all
}

func TestRoutes(t *testing.T) {
	for _, r := range BuiltIn() {
		t.Run(r.Name, func(t *testing.T) {
			const n = 100
			first := take(t, r.Name, 1, n)
			if !reflect.DeepEqual(first, take(t, r.Name, 1, n)) {
				t.Error("the same seed gives other requests")
			}
			if bytes.Equal(first[0].Body, take(t, r.Name, 2, 1)[0].Body) {
				t.Error("another seed gives the same request")
			}
			seen := make(map[string]bool)
			for _, q := range first {
				seen[string(q.Body)] = true
			}
			want := len(first)
			if r.Name == "solve-cached" {
				want = cachedDeals
			}
			if len(seen) != want {
				t.Errorf("%d different requests of %d, want %d", len(seen), len(first), want)
			}
		})
	}
	if _, err := NewRoute("solves", 1, 1); err == nil {
		t.Error("an unknown route: no error")
	}
}

// The service accepts the requests of every route.
func TestRequestsAreGood(t *testing.T) {
	s, err := service.New(service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := klaverjas.New(s, klaverjas.Options{})
	for _, q := range take(t, "legal-moves", 3, 300) {
		p, err := klaverjas.ParsePosition(context.Background(), g, q.Body)
		if err != nil {
			t.Fatalf("%v: %s", err, q.Body)
		}
		if legal, err := g.Legal(p); err != nil || legal.Finished {
			t.Errorf("%v, finished %t: %s", err, legal.Finished, q.Body)
		}
	}
	for _, name := range []string{"solve-cached", "solve", "solve-hard"} {
		for _, q := range take(t, name, 3, 100) {
			if _, err := klaverjas.ParseSolve(context.Background(), g, q.Body); err != nil {
				t.Fatalf("%s: %v: %s", name, err, q.Body)
			}
		}
	}
}

func TestReadScenario(t *testing.T) {
	sources, err := ReadScenario(strings.NewReader(`
{"route": "a", "path": "/v1/klaverjas/solve", "body": {"deal": "1"}}
{"route": "b", "path": "/healthz"}

{"route": "a", "path": "/v1/jobs/1", "method": "DELETE"}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []Request
	for range 3 {
		q, err := sources["a"]()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, q)
	}
	q, err := sources["b"]()
	if err != nil {
		t.Fatal(err)
	}
	first := Request{Method: "POST", Path: "/v1/klaverjas/solve", Body: []byte(`{"deal": "1"}`)}
	want := []Request{first, {Method: "DELETE", Path: "/v1/jobs/1"}, first, {Method: "GET", Path: "/healthz"}}
	if diff := cmp.Diff(want, append(got, q), cmp.Transformer("text", func(b json.RawMessage) string { return string(b) })); diff != "" {
		t.Error(diff)
	}
	for name, text := range map[string]string{
		"empty": " \n", "no JSON": "GET /healthz", "no route": `{"path": "/"}`, "no path": `{"route": "a"}`,
		"another field": `{"route": "a", "path": "/", "rate": 1}`,
	} {
		if _, err := ReadScenario(strings.NewReader(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
