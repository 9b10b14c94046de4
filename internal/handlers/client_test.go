package handlers_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/api"
	"roem/internal/handlers"
	"roem/internal/testkit"
)

func keyFor(id, secret string) handlers.Key {
	return handlers.Key{ID: id, SHA256: sha256.Sum256([]byte(secret))}
}

// publishableFor returns a publishable key for the operations that it has by default.
func publishableFor(id, secret string, origins ...string) handlers.Key {
	key := keyFor(id, secret)
	key.Publishable = &handlers.Publishable{Origins: origins}
	return key
}

const anyDeal = `{"trump": "D", "leader": "N", "deal": "0", "goal": "win"}`

// logged returns a change of the configuration that writes the log to memory, and that log.
func logged() (*observer.ObservedLogs, func(*config)) {
	core, logs := observer.New(zapcore.DebugLevel)
	return logs, func(c *config) { c.log = zap.New(core) }
}

func TestKeys(t *testing.T) {
	keys := []handlers.Key{keyFor("ann", "first-secret"), keyFor("ann-2027", "second-secret"), keyFor("bob", "third-secret")}
	tests := []struct {
		name   string
		header []string // of Authorization
		status int
		client string // the client in the log
	}{
		{name: "the first", header: []string{"Bearer first-secret"}, status: 200, client: "key:ann"},
		{name: "another that is active", header: []string{"Bearer second-secret"}, status: 200, client: "key:ann-2027"},
		{name: "the scheme in other case", header: []string{"bEARER  third-secret "}, status: 200, client: "key:bob"},
		{name: "a wrong one", header: []string{"Bearer fourth-secret"}, status: 401, client: "addr:192.0.2.1"},
		{name: "the start of one", header: []string{"Bearer first-secre"}, status: 401, client: "addr:192.0.2.1"},
		{name: "its hash", header: []string{fmt.Sprintf("Bearer %x", keys[0].SHA256)}, status: 401, client: "addr:192.0.2.1"},
		{name: "its name", header: []string{"Bearer ann"}, status: 401, client: "addr:192.0.2.1"},
		{name: "an empty one", header: []string{"Bearer "}, status: 401, client: "addr:192.0.2.1"},
		{name: "no scheme", header: []string{"first-secret"}, status: 401, client: "addr:192.0.2.1"},
		{name: "another scheme", header: []string{"Basic Zmlyc3Qtc2VjcmV0"}, status: 401, client: "addr:192.0.2.1"},
		{name: "two", header: []string{"Bearer first-secret", "Bearer second-secret"}, status: 401, client: "addr:192.0.2.1"},
		{name: "a very long one", header: []string{"Bearer " + strings.Repeat("a", 10_000)}, status: 401, client: "addr:192.0.2.1"},
	}
	logs, withLog := logged()
	s := newServer(t, withLog, func(c *config) { c.clients.Keys = keys })
	free := newServer(t, withLog, func(c *config) { c.clients = handlers.Clients{Keys: keys, KeyFree: true} })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, server := range map[string]*server{"required": s, "not required": free} {
				logs.TakeAll()
				r := request(http.MethodPost, "/v1/klaverjas/legal-moves", strings.Replace(anyDeal, `, "goal": "win"`, "", 1))
				r.Header["Authorization"] = tt.header
				w := server.do(t, r)
				status(t, w, tt.status)
				if got := logs.All()[0].ContextMap()["client"]; got != tt.client {
					t.Errorf("%s: the client is %q, want %q", name, got, tt.client)
				}
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		status(t, s.post(t, "/v1/klaverjas/solve", anyDeal), 401)
		status(t, free.post(t, "/v1/klaverjas/solve", anyDeal), 200)
		status(t, newServer(t).post(t, "/v1/klaverjas/solve", anyDeal), 200)
	})
	t.Run("a server without keys", func(t *testing.T) {
		r := request(http.MethodPost, "/v1/klaverjas/solve", anyDeal)
		r.Header.Set("Authorization", "Bearer whatever")
		status(t, newServer(t).do(t, r), 200)
	})
	t.Run("paths", func(t *testing.T) {
		// Exactly the open paths of the contract need no key.
		open := []string{"/docs", "/healthz", "/openapi.json", "/openapi.yaml", "/readyz", "/v1", "/v1/klaverjas/picture", "/version"}
		for path, item := range s.doc.Paths.Map() {
			for method := range item.Operations() {
				want := http.StatusUnauthorized
				for _, o := range open {
					if path == o {
						want = http.StatusOK
					}
				}
				target := strings.NewReplacer("{index}", "0", "/picture", "/picture?"+picturedDeal).Replace(path)
				w := httptest.NewRecorder()
				s.ServeHTTP(w, request(method, target, "{}"))
				if w.Code != want {
					t.Errorf("%s %s without a key: %d, want %d", method, path, w.Code, want)
				}
			}
		}
		for _, path := range []string{"/", "/docs/errors", "/docs/licences", "/docs/compatibility"} {
			status(t, s.get(t, path), 200)
		}
		status(t, s.get(t, "/nothing"), 404)
	})
}

// The metrics tell what all clients do. Where there are keys, they need a secret one, also if other operations need none.
func TestMetricsNeedAKey(t *testing.T) {
	keys := []handlers.Key{keyFor("ann", "a"), publishableFor("site", "site", cardSite)}
	for name, free := range map[string]bool{"required": false, "not required": true} {
		s := newServer(t, func(c *config) { c.clients.Keys, c.clients.KeyFree = keys, free })
		for key, want := range map[string]int{"": 401, "wrong": 401, "site": 403, "a": 200} {
			w := s.do(t, fromPage(cardSite, key, http.MethodGet, "/metrics", ""))
			if w.Code != want {
				t.Errorf("keys are %s, with %q: %d, want %d", name, key, w.Code, want)
			}
		}
	}
	status(t, newServer(t).get(t, "/metrics"), 200)
}

// No log line and no answer contains the key of a request, whether it is valid or not.
func TestKeysAreNeverLogged(t *testing.T) {
	const right, wrong = "roem-RIGHT-SECRET", "roem-WRONG-SECRET"
	logs, withLog := logged()
	change := func(c *config) { c.clients.Keys = []handlers.Key{keyFor("ann", right)} }
	s := newServer(t, withLog, change)
	broken := newServer(t, withLog, change, withSearcher(panics))
	for _, secret := range []string{right, wrong} {
		for _, scheme := range []string{"Bearer ", "bearer ", "Basic ", ""} {
			for _, r := range []*http.Request{
				request(http.MethodPost, "/v1/klaverjas/solve", anyDeal), request(http.MethodPost, "/v1/klaverjas/solve", "{"),
				request(http.MethodPost, "/v1/klaverjas/analyse", anyDeal), request(http.MethodDelete, "/v1/klaverjas/solve", ""),
				request(http.MethodGet, "/v1/klaverjas/deals/random?seed=x", ""), request(http.MethodGet, "/nothing", ""),
				request(http.MethodGet, "/healthz", ""), request(http.MethodGet, "/metrics", ""),
			} {
				for _, server := range []*server{s, broken} {
					r := r.Clone(context.Background())
					r.Header.Set("Authorization", scheme+secret)
					w := httptest.NewRecorder()
					server.ServeHTTP(w, r)
					if strings.Contains(w.Body.String(), "SECRET") || strings.Contains(fmt.Sprint(w.Header()), "SECRET") {
						t.Errorf("%s %s answers %v %s", r.Method, r.URL, w.Header(), w.Body)
					}
				}
			}
		}
	}
	var text bytes.Buffer
	enc := zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig())
	for _, entry := range logs.All() {
		line, err := enc.EncodeEntry(entry.Entry, entry.Context)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(line.Bytes())
	}
	if n := logs.Len(); n != 128 {
		t.Errorf("%d log entries, want 128", n)
	}
	if bytes.Contains(text.Bytes(), []byte("SECRET")) {
		t.Errorf("a key is in the log:\n%s", text.String())
	}
}

func TestClientAddresses(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48")}
	tests := []struct {
		name    string
		clients handlers.Clients
		peer    string
		header  http.Header
		want    string
	}{
		{"the connection", handlers.Clients{}, "192.0.2.7:1234", nil, "addr:192.0.2.7"},
		{"no proxy is trusted by default", handlers.Clients{}, "192.0.2.7:1234", http.Header{
			"X-Forwarded-For": {"198.51.100.1"}, "X-Real-Ip": {"198.51.100.1"}, "Forwarded": {"for=198.51.100.1"},
			"True-Client-Ip": {"198.51.100.1"},
		}, "addr:192.0.2.7"},
		{
			"a header without proxies",
			handlers.Clients{Header: "X-Real-IP"},
			"192.0.2.7:1234",
			http.Header{"X-Real-Ip": {"198.51.100.1"}},
			"addr:192.0.2.7",
		},
		{"IPv6 by its network", handlers.Clients{}, "[2001:db8:1:2:3:4:5:6]:1", nil, "addr:2001:db8:1:2::/64"},
		{"IPv4 in IPv6", handlers.Clients{}, "[::ffff:192.0.2.7]:1", nil, "addr:192.0.2.7"},
		{
			"behind a proxy",
			handlers.Clients{Proxies: proxies},
			"10.1.2.3:1",
			http.Header{"X-Forwarded-For": {"198.51.100.1"}},
			"addr:198.51.100.1",
		},
		{
			"an address added by the client",
			handlers.Clients{Proxies: proxies},
			"10.1.2.3:1",
			http.Header{"X-Forwarded-For": {"203.0.113.9, 198.51.100.1, 10.9.9.9"}},
			"addr:198.51.100.1",
		},
		{
			"in several headers",
			handlers.Clients{Proxies: proxies},
			"10.1.2.3:1",
			http.Header{"X-Forwarded-For": {"203.0.113.9", "198.51.100.1"}},
			"addr:198.51.100.1",
		},
		{
			"not through the proxy",
			handlers.Clients{Proxies: proxies},
			"192.0.2.7:1",
			http.Header{"X-Forwarded-For": {"198.51.100.1"}},
			"addr:192.0.2.7",
		},
		{"a proxy without the header", handlers.Clients{Proxies: proxies}, "10.1.2.3:1", nil, "addr:unknown"},
		{
			"a proxy with an invalid header",
			handlers.Clients{Proxies: proxies},
			"10.1.2.3:1",
			http.Header{"X-Forwarded-For": {"198.51.100.1, junk"}},
			"addr:unknown",
		},
		{
			"an address with a port",
			handlers.Clients{Proxies: proxies},
			"10.1.2.3:1",
			http.Header{"X-Forwarded-For": {"198.51.100.1:4711, 10.9.9.9:80"}},
			"addr:198.51.100.1",
		},
		{
			"IPv6 with a port",
			handlers.Clients{Proxies: proxies},
			"10.1.2.3:1",
			http.Header{"X-Forwarded-For": {"[2001:db8:1:2::3]:4711"}},
			"addr:2001:db8:1:2::/64",
		},
		{
			"IPv6 in brackets",
			handlers.Clients{Proxies: proxies},
			"10.1.2.3:1",
			http.Header{"X-Forwarded-For": {"[2001:db8:1:2::3]"}},
			"addr:2001:db8:1:2::/64",
		},
		{
			"a proxy behind IPv4 in IPv6",
			handlers.Clients{Proxies: proxies},
			"10.1.2.3:1",
			http.Header{"X-Forwarded-For": {"198.51.100.1, ::ffff:10.9.9.9"}},
			"addr:198.51.100.1",
		},
		{
			"only proxies",
			handlers.Clients{Proxies: proxies},
			"10.1.2.3:1",
			http.Header{"X-Forwarded-For": {"10.9.9.9, , 10.9.9.8"}},
			"addr:unknown",
		},
		{"a name", handlers.Clients{Proxies: proxies}, "10.1.2.3:1", http.Header{"X-Forwarded-For": {"client.example:80"}}, "addr:unknown"},
		{
			"another header with a port",
			handlers.Clients{Proxies: proxies, Header: "X-Real-IP"},
			"10.1.2.3:1",
			http.Header{"X-Real-Ip": {"198.51.100.1:4711"}},
			"addr:198.51.100.1",
		},
		{"another header", handlers.Clients{Proxies: proxies, Header: "x-real-ip"}, "10.1.2.3:1", http.Header{
			"X-Forwarded-For": {"203.0.113.9"}, "X-Real-Ip": {"203.0.113.9", "198.51.100.1"},
		}, "addr:198.51.100.1"},
		{
			"another header, not through the proxy",
			handlers.Clients{Proxies: proxies, Header: "X-Real-IP"},
			"192.0.2.7:1",
			http.Header{"X-Real-Ip": {"198.51.100.1"}},
			"addr:192.0.2.7",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			logs, withLog := logged()
			s := newServer(t, withLog, func(c *config) { c.clients = tt.clients })
			r := request(http.MethodGet, "/healthz", "")
			r.RemoteAddr = tt.peer
			maps.Copy(r.Header, tt.header)
			status(t, s.do(t, r), 200)
			if got := logs.FilterMessage("request").All()[0].ContextMap()["client"]; got != tt.want {
				t.Errorf("the client is %q, want %q", got, tt.want)
			}
		})
	}
}

// The log line of a request has its effort.
func TestLogHasEffort(t *testing.T) {
	logs, withLog := logged()
	gate, waiting := make(chan struct{}), newWaiting()
	s := newServer(t, withLog, func(c *config) { c.searchers = 1 },
		withSearcher(func(ctx context.Context, q searchQuery) (searchResult, error) {
			waiting.started <- struct{}{}
			select {
			case <-gate:
			case <-ctx.Done():
			}
			return stopped(ctx)
		}))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{}, 3)
	for range 2 { // the same request twice; the second shares the search of the first
		go func() {
			s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, "/v1/klaverjas/solve", anyDeal).WithContext(ctx))
			done <- struct{}{}
		}()
	}
	within(t, waiting.started, "the first search")
	r := request(http.MethodPost, "/v1/klaverjas/solve", strings.Replace(anyDeal, `"0"`, `"1"`, 1))
	r.Header.Set("Prefer", "wait=1")
	status(t, s.do(t, r), http.StatusAccepted) // it got no slot within its wait, so it became a job
	cancel()
	within(t, done, "the first request")
	within(t, done, "the second request")
	close(gate)

	solver := newServer(t, withLog)
	for range 2 {
		status(t, solver.post(t, "/v1/klaverjas/solve", anyDeal), 200)
	}
	entries := logs.TakeAll()
	last := len(entries) - 1
	waited, searched, cached := entries[0].ContextMap(), entries[last-1].ContextMap(), entries[last].ContextMap()
	if wait, _ := waited["queue_wait"].(time.Duration); wait < 900*time.Millisecond || wait > testkit.Patience {
		t.Errorf("a request that waited a second for a searcher: %v", waited)
	}
	if nodes, _ := searched["nodes"].(int64); nodes <= 0 || searched["source"] != "search" || searched["searches"] != int64(1) ||
		searched["search_time"] == nil || searched["queue_wait"] != time.Duration(0) || searched["cache_layer"] != nil {
		t.Errorf("a search: %v", searched)
	}
	if cached["source"] != "cache" || cached["cache_layer"] != "memory" || cached["searches"] != nil || cached["nodes"] != int64(0) {
		t.Errorf("from the cache: %v", cached)
	}
}

// A header of a proxy that is not trusted is warned of once, with the setting to change. One of a trusted proxy is not.
func TestForwardedHeaderIsWarnedOf(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for name, test := range map[string]struct {
		clients handlers.Clients
		header  string
		peer    string
		warned  int
	}{
		"no trusted proxies":           {handlers.Clients{}, "X-Forwarded-For", "192.0.2.7:1", 1},
		"another header":               {handlers.Clients{}, "Forwarded", "192.0.2.7:1", 1},
		"the configured header":        {handlers.Clients{Header: "CF-Connecting-IP"}, "Cf-Connecting-Ip", "192.0.2.7:1", 1},
		"a proxy that is not trusted":  {handlers.Clients{Proxies: proxies}, "X-Forwarded-For", "192.0.2.7:1", 1},
		"a trusted proxy":              {handlers.Clients{Proxies: proxies}, "X-Forwarded-For", "10.1.1.1:1", 0},
		"a header that no proxy sends": {handlers.Clients{}, "X-Other", "192.0.2.7:1", 0},
	} {
		t.Run(name, func(t *testing.T) {
			logs, withLog := logged()
			s := newServer(t, withLog, func(c *config) { c.clients = test.clients })
			for range 3 {
				r := request(http.MethodGet, "/healthz", "")
				r.RemoteAddr = test.peer
				r.Header.Set(test.header, "198.51.100.1")
				status(t, s.do(t, r), 200)
			}
			warnings := logs.FilterLevelExact(zapcore.WarnLevel).All()
			if len(warnings) != test.warned {
				t.Fatalf("%d warnings, want %d", len(warnings), test.warned)
			}
			for _, w := range warnings {
				if !strings.Contains(w.Message, "http.trusted_proxies (ROEM_HTTP_TRUSTED_PROXIES)") || w.ContextMap()["peer"] != test.peer {
					t.Errorf("the warning %q, %v", w.Message, w.ContextMap())
				}
			}
		})
	}
}

// Clients who may have one address do not meet each other's jobs and sessions: no list has a job, an equal request has another job, and an
// idempotency key counts together with its request. Who knows the id of a job can list, read and cancel it.
func TestClientsOfOneAddress(t *testing.T) {
	proxy := []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")}
	const here, elsewhere = "198.51.100.1", "198.51.100.2"
	for name, tt := range map[string]struct {
		keys      []handlers.Key
		header    string // X-Forwarded-For of both
		elsewhere string // a client of another address has it; empty if no client has another one
	}{
		"one address":       {nil, here, elsewhere},
		"one IPv6 network":  {nil, "2001:db8::1", "2001:db8:0:1::1"},
		"no address":        {nil, "", ""},
		"keys are optional": {[]handlers.Key{keyFor("ann", "A")}, here, elsewhere},
	} {
		t.Run(name, func(t *testing.T) {
			onEachQueue(t, func(t *testing.T, queue func(*config)) {
				t.Helper()
				s := newServer(t, queue, func(c *config) {
					c.clients, c.workers = handlers.Clients{Proxies: proxy, Keys: tt.keys, KeyFree: true}, noWorkers
				})
				strangers{s, tt.header}.testJobs(t, tt.elsewhere)
				strangers{s, tt.header}.testSessions(t)
			})
		})
	}
}

// strangers are clients behind a proxy that have one address.
type strangers struct {
	*server

	address string // empty if the proxy does not say it
}

// from sends a request from an address behind the proxy, with an idempotency key if it is not empty.
func (s strangers) from(t *testing.T, address, method, target, body, key string) *httptest.ResponseRecorder {
	t.Helper()
	r := request(method, target, body)
	if address != "" {
		r.Header.Set("X-Forwarded-For", address)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	return s.do(t, r)
}

// list returns the ids of the jobs of a list.
func (s strangers) list(t *testing.T, address, query string) []string {
	t.Helper()
	w := s.from(t, address, http.MethodGet, "/v1/jobs"+query, "", "")
	status(t, w, http.StatusOK)
	ids := []string{}
	for _, job := range decodeAs[api.JobList](t, w).Jobs {
		ids = append(ids, job.Id)
	}
	return ids
}

func (s strangers) testJobs(t *testing.T, elsewhere string) {
	t.Helper()
	job := func(body, key string) api.Job {
		t.Helper()
		return accepted(t, s.from(t, s.address, http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", body), key))
	}
	one, two := job(anyDeal, ""), job(anyDeal, "")
	first, second := job(anyDeal, "1"), job(someDeal, "1")
	async := preferring(request(http.MethodPost, "/v1/klaverjas/solve", anyDeal), "respond-async")
	if s.address != "" {
		async.Header.Set("X-Forwarded-For", s.address)
	}
	made := map[string]bool{one.Id: true, two.Id: true, first.Id: true, second.Id: true, accepted(t, s.do(t, async)).Id: true}
	if len(made) != 5 {
		t.Errorf("five requests have %d jobs", len(made))
	}
	if again := job(anyDeal, "1"); again.Id != first.Id {
		t.Errorf("the first request again has the job %s, want %s", again.Id, first.Id)
	}
	for query, want := range map[string][]string{
		"":                                     {},
		"?status=queued":                       {},
		"?id=":                                 {},
		"?id=nonsense":                         {},
		"?id=" + one.Id:                        {one.Id},
		"?id=" + one.Id + ",x," + two.Id:       {two.Id, one.Id}, // newest first
		"?id=" + one.Id + "&status=running":    {},
		"?id=" + one.Id + "&status=queued":     {one.Id},
		"?id=" + one.Id + "%2C" + second.Id:    {second.Id, one.Id},
		"?id=" + strings.Repeat(one.Id+",", 5): {one.Id},
	} {
		if diff := cmp.Diff(want, s.list(t, s.address, query)); diff != "" {
			t.Errorf("GET /v1/jobs%s (-want +got)\n%s", query, diff)
		}
	}
	if elsewhere != "" {
		if ids := s.list(t, elsewhere, "?id="+one.Id); len(ids) != 0 {
			t.Errorf("another address lists %v", ids)
		}
		status(t, s.from(t, elsewhere, http.MethodGet, one.Links.Self, "", ""), http.StatusNotFound)
	}
	status(t, s.from(t, s.address, http.MethodDelete, two.Links.Self, "", ""), http.StatusOK)
	if w := s.from(t, s.address, http.MethodGet, one.Links.Self, "", ""); decodeAs[api.Job](t, w).Status != api.JobStatusQueued {
		t.Errorf("an equal job was cancelled: %s", w.Body)
	}
}

func (s strangers) testSessions(t *testing.T) {
	t.Helper()
	session := func(body, key string) string {
		t.Helper()
		w := s.from(t, s.address, http.MethodPost, "/v1/klaverjas/sessions", body, key)
		status(t, w, http.StatusCreated)
		return w.Header().Get("Location")
	}
	const key = "8e03978e-40d5-43dd-bc93-6894a57f9324"
	one := session(newSession, key)
	if two := session(newSession, key); two == one {
		t.Error("an equal request with an equal key has the same session")
	}
	status(t, s.get(t, one), http.StatusOK)
}

// A session that was created with a key is not there for other keys, and for clients without one.
func TestKeysOwnSessions(t *testing.T) {
	s := newServer(t, func(c *config) {
		c.clients = handlers.Clients{Keys: []handlers.Key{keyFor("alice", "A"), keyFor("bob", "B")}, KeyFree: true}
	})
	send := func(secret, method, path, body string) *httptest.ResponseRecorder {
		r := request(method, path, body)
		if secret != "" {
			r.Header.Set("Authorization", "Bearer "+secret)
		}
		return s.do(t, r)
	}
	const wish = `{"players": {"partner": "simple", "opponents": "simple"}, "leader": "S"}`
	created := send("A", http.MethodPost, "/v1/klaverjas/sessions", wish)
	status(t, created, 201)
	path := created.Header().Get("Location")
	for _, secret := range []string{"B", ""} {
		status(t, send(secret, http.MethodGet, path, ""), 404)
		status(t, send(secret, http.MethodPost, path+"/next", `{"acts": 0}`), 404)
		status(t, send(secret, http.MethodDelete, path, ""), 404)
	}
	status(t, send("A", http.MethodGet, path, ""), 200)
	status(t, send("A", http.MethodPost, path+"/next", `{"acts": 0}`), 409)
	status(t, send("A", http.MethodDelete, path, ""), 204)
	// Without a key, whoever knows the id may play.
	created = send("", http.MethodPost, "/v1/klaverjas/sessions", wish)
	status(t, created, 201)
	status(t, send("B", http.MethodGet, created.Header().Get("Location"), ""), 200)
}
