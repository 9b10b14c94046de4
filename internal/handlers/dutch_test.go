package handlers_test

import (
	"net/http"
	"strings"
	"testing"
)

// The start page is in the language that the client prefers or asks for, and says so.
func TestLanguageOfStartPage(t *testing.T) {
	s := newServer(t)
	for _, test := range []struct{ path, prefers, want string }{
		{"/", "", "en"},
		{"/", "nl", "nl"},
		{"/", "nl-BE,nl;q=0.9,en;q=0.8", "nl"},
		{"/", "en-GB, nl;q=0.5", "en"},
		{"/", "fr, nl;q=0.4, en;q=0.3", "nl"},
		{"/", "de", "en"},
		{"/", "nl;q=x, en;q=0.1", "en"},
		{"/?language=nl", "en", "nl"},
		{"/?language=en", "nl", "en"},
		{"/?language=fr", "nl", "nl"},
	} {
		r := request(http.MethodGet, test.path, "")
		if test.prefers != "" {
			r.Header.Set("Accept-Language", test.prefers)
		}
		w := s.do(t, r)
		status(t, w, 200)
		body := w.Body.String()
		if got := w.Header().Get("Content-Language"); got != test.want || !strings.Contains(body, `<html lang="`+test.want+`"`) {
			t.Errorf("%s for %q is in %q", test.path, test.prefers, got)
		}
		dutch := strings.Contains(body, "Speel klaverjassen")
		if dutch != (test.want == "nl") || dutch == strings.Contains(body, "Play klaverjas<") {
			t.Errorf("%s for %q has the texts of another language", test.path, test.prefers)
		}
		if !strings.Contains(strings.Join(w.Header().Values("Vary"), ", "), "Accept-Language") {
			t.Errorf("%s varies by %q", test.path, w.Header().Values("Vary"))
		}
	}
}
