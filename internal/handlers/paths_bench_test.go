package handlers_test

import (
	"net/http"
	"strings"
	"testing"
)

// BenchmarkUnknownPath measures the answer to a path that does not exist, for which similar ones are looked for, beside the answer to a
// method that the path does not accept, and to a path that exists. The longest paths of which similar ones are looked for cost most.
func BenchmarkUnknownPath(b *testing.B) {
	s := newServer(b)
	for _, of := range []struct{ name, path string }{
		{"health", "/healthz"},
		{"method", "/v1/klaverjas/solve"},
		{"near", "/v1/klaverjas/analyze"},
		{"game", "/v1/solve"},
		{"far", "/wp-login.php"},
		{"longest", "/" + strings.Repeat("solv/", 25)},
		{"word", "/v1/" + strings.Repeat("s", 120)},
		{"beyond", "/" + strings.Repeat("x/", 4000)},
	} {
		b.Run(of.name, func(b *testing.B) {
			b.ReportAllocs()
			r := request(http.MethodGet, of.path, "")
			for b.Loop() {
				s.ServeHTTP(newSink(), r)
			}
		})
	}
}
