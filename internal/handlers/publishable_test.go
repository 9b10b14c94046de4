package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	contract "roem/api"
	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/handlers"
)

const (
	cardSite   = "https://cards.example"
	otherSite  = "https://evil.example"
	newSession = `{"players": {"partner": "simple", "opponents": "simple"}}`
	legalDeal  = `{"trump": "D", "leader": "N", "deal": "0"}`
)

// fromPage returns a request as a page of an origin sends it, with a key if it is not empty.
func fromPage(origin, secret, method, path, body string) *http.Request {
	r := request(method, path, body)
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	return r
}

// A publishable key is valid with one of its origins, for its operations. By default these use no searcher.
func TestPublishableKeys(t *testing.T) {
	chosen := publishableFor("chosen", "chosen", cardSite, "http://localhost:3000")
	chosen.Publishable.Operations = []string{"klaverjasSolve", "getJob"}
	keys := []handlers.Key{keyFor("ann", "secret"), publishableFor("site", "site", cardSite), chosen}
	s := newServer(t, func(c *config) { c.clients.Keys = keys })
	for name, tt := range map[string]struct {
		r      *http.Request
		status int
		detail string // a part of it
		allow  string // Access-Control-Allow-Origin
	}{
		"its origin": {fromPage(cardSite, "site", "POST", "/v1/klaverjas/legal-moves", legalDeal), 200, "", cardSite},
		"a GET":      {fromPage(cardSite, "site", "GET", "/v1/klaverjas/deals/random", ""), 200, "", cardSite},
		"HEAD":       {fromPage(cardSite, "site", "HEAD", "/v1/klaverjas/deals/random", ""), 200, "", cardSite},
		"another game": {
			fromPage(cardSite, "site", "POST", "/v1/tarok/deals/random", ""), 405, "", cardSite,
		},
		"no origin":            {fromPage("", "site", "POST", "/v1/klaverjas/legal-moves", legalDeal), 403, "no header Origin", ""},
		"another origin":       {fromPage(otherSite, "site", "POST", "/v1/klaverjas/legal-moves", legalDeal), 403, `"https://evil.example"`, ""},
		"the origin null":      {fromPage("null", "site", "POST", "/v1/klaverjas/legal-moves", legalDeal), 403, `"null"`, ""},
		"a part of the origin": {fromPage(cardSite+".evil.example", "site", "POST", "/v1/klaverjas/legal-moves", legalDeal), 403, "", ""},
		"a search":             {fromPage(cardSite, "site", "POST", "/v1/klaverjas/solve", anyDeal), 403, "klaverjasSolve", cardSite},
		"a job":                {fromPage(cardSite, "site", "POST", "/v1/jobs", jobOf("klaverjas.solve", anyDeal)), 403, "createJob", cardSite},
		"the list of jobs":     {fromPage(cardSite, "site", "GET", "/v1/jobs", ""), 403, "listJobs", cardSite},
		"a session":            {fromPage(cardSite, "site", "POST", "/v1/klaverjas/sessions", "{}"), 403, "klaverjasCreateSession", cardSite},
		"a chosen search":      {fromPage(cardSite, "chosen", "POST", "/v1/klaverjas/solve", anyDeal), 200, "", cardSite},
		"its second origin": {
			fromPage("http://localhost:3000", "chosen", "POST", "/v1/klaverjas/solve", anyDeal), 200, "", "http://localhost:3000",
		},
		"not chosen":       {fromPage(cardSite, "chosen", "POST", "/v1/klaverjas/legal-moves", legalDeal), 403, "klaverjasLegalMoves", cardSite},
		"no key":           {fromPage(cardSite, "", "POST", "/v1/klaverjas/legal-moves", legalDeal), 401, "", cardSite},
		"a secret key":     {fromPage("", "secret", "POST", "/v1/klaverjas/solve", anyDeal), 200, "", ""},
		"the open version": {fromPage(otherSite, "site", "GET", "/version", ""), 200, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := s.do(t, tt.r)
			status(t, w, tt.status)
			if got := w.Header().Get("Access-Control-Allow-Origin"); got != tt.allow {
				t.Errorf("Access-Control-Allow-Origin %q, want %q", got, tt.allow)
			}
			if tt.status == 403 {
				problem := decodeAs[api.Problem](t, w)
				if problem.Type != "/docs/errors#not-permitted" || !strings.Contains(problem.Detail, tt.detail) {
					t.Errorf("the problem is %+v", problem)
				}
			}
		})
	}
	t.Run("preflight", func(t *testing.T) {
		for origin, want := range map[string]string{cardSite: cardSite, otherSite: ""} {
			r := request(http.MethodOptions, "/v1/klaverjas/solve", "")
			r.Header.Set("Origin", origin)
			r.Header.Set("Access-Control-Request-Method", "POST")
			r.Header.Set("Access-Control-Request-Headers", "authorization,content-type")
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if got := w.Header().Get("Access-Control-Allow-Origin"); got != want {
				t.Errorf("%s: %q, want %q", origin, got, want)
			}
		}
	})
}

// A publishable key sees no job of a secret key, and its visitors see no job of each other, but each its own by the id.
func TestPublishableKeysOwnNothingOfOthers(t *testing.T) {
	site := publishableFor("ann", "site", cardSite) // the name of a secret key
	site.Publishable.Operations = []string{"createJob", "getJob", "cancelJob", "jobEvents", "jobToken", "listJobs", "klaverjasCreateSession"}
	s := newServer(t, func(c *config) { c.clients.Keys = []handlers.Key{keyFor("ann", "secret"), site}; c.workers = noWorkers })
	secrets := accepted(t, s.do(t, fromPage("", "secret", "POST", "/v1/jobs", jobOf("klaverjas.solve", anyDeal))))
	for _, r := range []*http.Request{
		fromPage(cardSite, "site", "GET", secrets.Links.Self, ""), fromPage(cardSite, "site", "DELETE", secrets.Links.Self, ""),
		fromPage(cardSite, "site", "GET", secrets.Links.Events, ""), fromPage(cardSite, "site", "POST", secrets.Links.Self+"/token", ""),
	} {
		status(t, s.do(t, r), 404)
	}
	one := accepted(t, s.do(t, fromPage(cardSite, "site", "POST", "/v1/jobs", jobOf("klaverjas.solve", anyDeal))))
	two := accepted(t, s.do(t, fromPage(cardSite, "site", "POST", "/v1/jobs", jobOf("klaverjas.solve", anyDeal))))
	if one.Id == two.Id || one.Id == secrets.Id {
		t.Error("two visitors have the same job")
	}
	for path, bodies := range map[string][2]string{
		"/v1/jobs":               {jobOf("klaverjas.solve", anyDeal), jobOf("klaverjas.solve", someDeal)},
		"/v1/klaverjas/sessions": {newSession, `{"seed": "7"}`},
	} {
		var ids []string
		for _, body := range []string{bodies[0], bodies[1], bodies[0]} {
			r := fromPage(cardSite, "site", "POST", path, body)
			r.Header.Set("Idempotency-Key", "8e03978e40d543ddbc936894a57f9324")
			var made struct{ ID string }
			if err := json.Unmarshal(s.do(t, r).Body.Bytes(), &made); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, made.ID)
		}
		// An equal request has the same job, but never the session of another visitor.
		if ids[0] == "" || ids[1] == "" || ids[0] == ids[1] || (ids[0] == ids[2]) != (path == "/v1/jobs") {
			t.Errorf("%s: visitors with the same idempotency key have %q", path, ids)
		}
	}
	if list := decodeAs[api.JobList](t, s.do(t, fromPage(cardSite, "site", "GET", "/v1/jobs", ""))); len(list.Jobs) != 0 {
		t.Errorf("a visitor sees %d jobs", len(list.Jobs))
	}
	status(t, s.do(t, fromPage(cardSite, "site", "GET", one.Links.Self, "")), 200)
	both := fromPage(cardSite, "site", "GET", "/v1/jobs?id="+one.Id+","+secrets.Id, "")
	if list := decodeAs[api.JobList](t, s.do(t, both)); len(list.Jobs) != 1 || list.Jobs[0].Id != one.Id {
		t.Errorf("a visitor lists %+v by ids, want %s", list.Jobs, one.Id)
	}
	if list := decodeAs[api.JobList](t, s.do(t, fromPage("", "secret", "GET", "/v1/jobs", ""))); len(list.Jobs) != 1 {
		t.Errorf("the secret key has %d jobs, want its own", len(list.Jobs))
	}
}

// The limits of a publishable key hold for all its visitors together. Every answer says what is left.
func TestPublishableKeysHaveLimits(t *testing.T) {
	site := publishableFor("site", "site", cardSite)
	site.Publishable.Operations, site.Publishable.PerMinute = []string{"klaverjasLegalMoves", "klaverjasSolve"}, 3
	s := newServer(t, func(c *config) {
		c.clients.Keys = []handlers.Key{keyFor("ann", "secret"), site}
		now := time.Now()
		c.options = func(o *handlers.Options) { o.Now = func() time.Time { return now } }
		c.limits = computation.Limits{Searches: 32, Own: map[string]computation.Limits{"site:site": {Searches: 2}}}
	})
	for i, want := range []string{`"requests";r=2;t=20`, `"requests";r=1;t=40`, `"requests";r=0;t=60`, `"requests";r=0;t=60`} {
		r := fromPage(cardSite, "site", "POST", "/v1/klaverjas/legal-moves", legalDeal)
		r.RemoteAddr = []string{"192.0.2.1:1", "192.0.2.2:1"}[i%2]
		w := s.do(t, r)
		status(t, w, map[bool]int{false: 200, true: 429}[i == 3])
		if got := w.Header().Get("RateLimit"); got != want {
			t.Errorf("RateLimit %s, want %s", got, want)
		}
		if got, want := w.Header().Get("RateLimit-Policy"), `"requests";q=3;w=60`; got != want {
			t.Errorf("RateLimit-Policy %s, want %s", got, want)
		}
		exposed := w.Header().Get("Access-Control-Expose-Headers")
		if !strings.Contains(exposed, "Ratelimit,") || !strings.Contains(exposed, "Ratelimit-Policy") {
			t.Errorf("exposed are %q", exposed)
		}
		if i == 3 && w.Header().Get("Retry-After") != "20" {
			t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
		}
	}
	w := s.do(t, fromPage("", "secret", "POST", "/v1/klaverjas/solve", anyDeal))
	if got, want := w.Header().Get("RateLimit"), `"searches";r=32`; got != want {
		t.Errorf("a secret key: RateLimit %s, want %s", got, want)
	}
}

// Operations that the contract does not have, and those that need no key, are refused at the start.
func TestPublishableKeysNeedKnownOperations(t *testing.T) {
	for _, operation := range []string{"klaverjasSolv", "", "healthz", "/v1/klaverjas/solve"} {
		key := publishableFor("site", "site", cardSite)
		key.Publishable.Operations = []string{operation}
		err := handlers.CheckOperations(contract.Embedded.Operations, []handlers.Key{key})
		if err == nil || !strings.Contains(err.Error(), "the key site") {
			t.Errorf("%q: %v", operation, err)
		}
	}
}

// RateLimit says what is left of the limits on searches and new sessions, also where one of them refuses a request.
func TestRateLimitHeaders(t *testing.T) {
	s := newServer(t, func(c *config) {
		c.limits = computation.Limits{Searches: 5, Time: 0.5, Burst: 30_000_000_000}
		c.sessionRates.Client = 1
	})
	w := s.post(t, "/v1/klaverjas/solve", anyDeal)
	status(t, w, 200)
	want := `"searches";q=5;qu="concurrent-requests", "search-time";q=30;qu="seconds";w=60`
	if got := w.Header().Get("RateLimit-Policy"); got != want {
		t.Errorf("RateLimit-Policy %s, want %s", got, want)
	}
	if got := w.Header().Get("RateLimit"); !strings.HasPrefix(got, `"searches";r=5, "search-time";r=`) {
		t.Errorf("RateLimit %s", got)
	}
	for i, want := range []int{201, 429} {
		w = s.post(t, "/v1/klaverjas/sessions", newSession)
		status(t, w, want)
		got, policy := w.Header().Get("RateLimit"), w.Header().Get("RateLimit-Policy")
		if !strings.HasPrefix(got, `"sessions";r=0;t=`) || policy != `"sessions";q=1;w=60` {
			t.Errorf("session %d: RateLimit %s, RateLimit-Policy %s", i+1, got, policy)
		}
	}
	if w = s.post(t, "/v1/klaverjas/legal-moves", legalDeal); w.Header().Get("RateLimit") != "" {
		t.Errorf("legal moves have no limit: RateLimit %s", w.Header().Get("RateLimit"))
	}
}

// Every operation that needs a key can refuse a publishable one.
func TestEveryOperationWithKeysHasNotPermitted(t *testing.T) {
	for path, item := range loadContract(t).Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.Responses.Status(401) != nil && operation.Responses.Status(403) == nil {
				t.Errorf("%s %s can answer 401, and not 403", method, path)
			}
		}
	}
}
