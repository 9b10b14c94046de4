package handlers_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"roem/internal/service"
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

// The Dutch pages have a sentence for each code, as the page of errors has it.
func TestDutchErrorsOfPages(t *testing.T) {
	text, err := os.ReadFile("../web/board/src/shared/errorwords-nl.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range service.Codes() {
		line := "  " + string(code.Code) + ": '" + strings.ReplaceAll(code.Dutch, "'", "’") + "',\n"
		if !strings.Contains(string(text), line) {
			t.Errorf("errorwords-nl.ts has no line %q", line)
		}
	}
}
