package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"roem/internal/api"
	"roem/internal/handlers"
)

// Links have the path below which a client sees the server: the configured one, or what a trusted proxy says. No client can choose it, and
// it never leads to another server.
func TestPrefix(t *testing.T) {
	s := newServer(t, func(c *config) {
		c.workers = noWorkers
		c.clients.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		c.options = func(o *handlers.Options) { o.BasePath = "/cards" }
	})
	const proxy, stranger = "10.0.0.1:1", "203.0.113.7:1"
	ask := func(peer, prefix, method, path, body string) *httptest.ResponseRecorder {
		r := request(method, path, body)
		r.RemoteAddr = peer
		r.Header.Set("X-Forwarded-For", "203.0.113.7")
		if prefix != "" {
			r.Header.Set("X-Forwarded-Prefix", prefix)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	for name, one := range map[string]struct{ peer, header, want string }{
		"configured":                       {stranger, "", "/cards"},
		"a proxy that says nothing":        {proxy, "", "/cards"},
		"a proxy":                          {proxy, "/roem", "/roem"},
		"a proxy with a slash at the end":  {proxy, "/a/b.c/", "/a/b.c"},
		"a client":                         {stranger, "/roem", "/cards"},
		"another server":                   {proxy, "//evil.example", "/cards"},
		"another server, with a backslash": {proxy, `/\evil.example`, "/cards"},
		"up":                               {proxy, "/../x", "/cards"},
		"a line":                           {proxy, "/x\"><script>", "/cards"},
		"a long one":                       {proxy, "/" + strings.Repeat("x", 200), "/cards"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"", one.want} { // the proxy has removed it, or not
				w := ask(one.peer, one.header, http.MethodPost, path+"/v1/jobs", jobOf("klaverjas.solve", anyDeal))
				status(t, w, http.StatusAccepted)
				job := decodeAs[api.Job](t, w)
				if self := one.want + "/v1/jobs/" + job.Id; job.Links.Self != self || job.Links.Events != self+"/events" ||
					w.Header().Get("Location") != self {
					t.Errorf("the links of a job: %+v, %s", job.Links, w.Header().Get("Location"))
				}
				w = ask(one.peer, one.header, http.MethodPost, path+"/v1/tarok/sessions", `{}`)
				session := anySessionOf(t, w)
				if session.Links.Self != one.want+"/v1/tarok/sessions/"+session.ID || w.Header().Get("Location") != session.Links.Self {
					t.Errorf("the links of a session: %+v, %s", session.Links, w.Header().Get("Location"))
				}
				index := decodeAs[api.Operations](t, ask(one.peer, one.header, http.MethodGet, path+"/v1", ""))
				if index.Contract != one.want+"/openapi.yaml" || index.Errors != one.want+"/docs/errors" {
					t.Errorf("the links of the operations: %s %s", index.Contract, index.Errors)
				}
				var contract struct{ Servers []struct{ URL string } }
				if err := json.Unmarshal(ask(one.peer, one.header, http.MethodGet, path+"/openapi.json", "").Body.Bytes(), &contract); err != nil {
					t.Fatal(err)
				}
				if got := contract.Servers[0].URL; got != one.want+"/" {
					t.Errorf("the contract has the server %s", got)
				}
				yaml := ask(one.peer, one.header, http.MethodGet, path+"/openapi.yaml", "").Body.String()
				if !strings.Contains(yaml, "- url: "+one.want+"/\n") || strings.Contains(yaml, "](/docs") {
					t.Errorf("the contract does not have the path")
				}
				if page := ask(one.peer, one.header, http.MethodGet, path+"/", "").Body.String(); strings.Contains(page, `href="/`) {
					t.Errorf("the start page does not have the path")
				}
				page := ask(one.peer, one.header, http.MethodGet, path+"/docs/developers", "").Body.String()
				if !strings.Contains(page, "http://roem"+one.want+"/v1/") || strings.Contains(page, `href="/`) {
					t.Errorf("the page for developers does not have the path")
				}
			}
			w := ask(one.peer, one.header, http.MethodGet, one.want, "")
			if w.Code != http.StatusPermanentRedirect || w.Header().Get("Location") != one.want+"/" {
				t.Errorf("the path without a slash: %d %s", w.Code, w.Header().Get("Location"))
			}
		})
	}
}
