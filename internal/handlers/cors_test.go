package handlers_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/handlers"
)

const someHands = `{"N": ["9C","10C","7D","7H","9H","10H","10S","AS"], "E": ["8C","QC","KC","JD","KD","8H","QH","AH"],
	"S": ["7C","JC","AC","JH","KH","7S","9S","KS"], "W": ["8D","9D","10D","QD","AD","8S","JS","QS"]}`

func TestCrossOrigin(t *testing.T) {
	const page, other = "https://cards.example", "https://evil.example"
	preflight := func(origin string) *http.Request {
		r := request(http.MethodOptions, "/v1/klaverjas/solve", "")
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header.Set("Access-Control-Request-Headers", "authorization,content-type")
		return r
	}
	plain := func(origin string) *http.Request {
		r := request(http.MethodPost, "/v1/klaverjas/legal-moves", `{"trump": "D", "leader": "N", "deal": "0"}`)
		r.Header.Set("Origin", origin)
		return r
	}
	tests := []struct {
		name      string
		origins   []string
		request   *http.Request
		allowed   string // Access-Control-Allow-Origin
		preflight string // Access-Control-Allow-Headers
	}{
		{"none by default", nil, plain(page), "", ""},
		{"none by default, asked", nil, preflight(page), "", ""},
		{"one", []string{page}, plain(page), page, ""},
		{"one, asked", []string{page}, preflight(page), page, "Authorization, Content-Type"},
		{"not one", []string{page}, plain(other), "", ""},
		{"not one, asked", []string{page}, preflight(other), "", ""},
		{"all", []string{"*"}, plain(other), "*", ""},
	}
	traced := preflight(page)
	traced.Header.Set("Access-Control-Request-Headers", "baggage,content-type,sentry-trace,traceparent,tracestate,x-mine")
	tests = append(tests, struct {
		name      string
		origins   []string
		request   *http.Request
		allowed   string
		preflight string
	}{
		"headers of traces and configured ones",
		[]string{page},
		traced, page,
		"Baggage, Content-Type, Sentry-Trace, Traceparent, Tracestate, X-Mine",
	})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, func(c *config) {
				c.origins = tt.origins
				c.options = func(o *handlers.Options) { o.Headers = []string{"X-Mine"} }
			})
			w := s.do(t, tt.request)
			if w.Code >= 300 {
				t.Errorf("status %d", w.Code)
			}
			got := []string{
				w.Header().Get("Access-Control-Allow-Origin"), w.Header().Get("Access-Control-Allow-Headers"),
				w.Header().Get("Access-Control-Allow-Credentials"),
			}
			if diff := cmp.Diff([]string{tt.allowed, tt.preflight, ""}, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
