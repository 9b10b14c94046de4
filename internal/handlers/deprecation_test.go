package handlers_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"

	contract "roem/api"
	"roem/internal/handlers"
	"roem/internal/handlers/handlerstest"
	"roem/internal/service"
	game "roem/internal/service/klaverjas"
)

// withDeprecated returns the contract with days of some operations, which are deprecated.
func withDeprecated(since, sunset string, operations ...string) *contract.Contract {
	c := *contract.Embedded
	c.Operations = slices.Clone(c.Operations)
	for i := range c.Operations {
		if o := &c.Operations[i]; slices.Contains(operations, o.Method+" "+o.Path) {
			o.Deprecated, o.Since, o.Sunset = true, since, sunset
		}
	}
	return &c
}

// The answers of an operation that the contract deprecates say since when, until when, and where that is explained. Other answers do not.
func TestDeprecatedOperations(t *testing.T) {
	c := withDeprecated("2027-01-01", "2027-07-01",
		"POST /v1/klaverjas/legal-moves", "GET /v1/klaverjas/deals/random", "GET /v1/klaverjas/sessions/{id}",
		"GET /v1/jobs", "GET /v1/jobs/{id}")
	s := handlerstest.New(t, c, func(s *service.Service) { game.New(s, game.Options{}) })
	for _, tt := range []struct {
		method, path, body string
		status             int
		deprecated         bool
	}{
		{"POST", "/v1/klaverjas/legal-moves", `{"trump": "D", "leader": "N", "deal": "0"}`, 200, true},
		{"POST", "/v1/klaverjas/legal-moves", `{}`, 400, true},
		{"GET", "/v1/klaverjas/deals/random", "", 200, true},
		{"HEAD", "/v1/klaverjas/deals/random", "", 200, true},
		{"GET", "/v1/klaverjas/sessions/x", "", 404, true},
		{"DELETE", "/v1/klaverjas/sessions/x", "", 404, false},
		{"GET", "/v1/jobs", "", 200, true},
		{"POST", "/v1/jobs", `{}`, 400, false},
		{"GET", "/v1/jobs/x", "", 404, true},
		{"POST", "/v1/klaverjas/score", `{}`, 400, false},
		{"PUT", "/v1/klaverjas/legal-moves", "", 405, false},
		{"GET", "/v1/nothing", "", 404, false},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request(tt.method, tt.path, tt.body))
		want := [3]string{}
		if tt.deprecated {
			want = [3]string{"@1798761600", "Thu, 01 Jul 2027 00:00:00 GMT", `</docs/compatibility>; rel="deprecation"; type="text/plain"`}
		}
		header := w.Header()
		got := [3]string{header.Get("Deprecation"), header.Get("Sunset"), header.Get("Link")}
		if w.Code != tt.status || got != want {
			t.Errorf("%s %s: %d %q, expected %d %q", tt.method, tt.path, w.Code, got, tt.status, want)
		}
	}
}

// A server does not start with a contract whose deprecated operations have no days, or whose days contradict each other.
func TestDeprecatedWithoutDays(t *testing.T) {
	for name, tt := range map[string]struct {
		since, sunset string
		undo          bool
		want          string
	}{
		"no days":    {"", "", false, "x-deprecated-since"},
		"no end":     {"2027-01-01", "", false, "x-sunset"},
		"no day":     {"2027-01-01", "soon", false, `x-sunset is "soon"`},
		"year":       {"2027", "2027-07-01", false, "needs a day"},
		"ended":      {"2027-07-01", "2027-01-01", false, "is not after"},
		"deprecated": {"", "2027-07-01", true, "not deprecated: true"},
	} {
		c := withDeprecated(tt.since, tt.sunset, "POST /v1/klaverjas/score")
		for i := range c.Operations {
			c.Operations[i].Deprecated = c.Operations[i].Deprecated && !tt.undo
		}
		s, err := service.New(service.Options{Version: "v1"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = handlers.New(handlers.Options{Contract: c, Service: s, Log: zap.NewNop()})
		if err == nil || !strings.Contains(err.Error(), "POST /v1/klaverjas/score") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, expected %s", name, err, tt.want)
		}
	}
}
