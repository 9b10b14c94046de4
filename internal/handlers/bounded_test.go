package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"roem/internal/api"
)

// What is wrong with a body is listed up to a limit, and the detail says so. Of a list that is too long only that is told.
func TestWhatIsWrongIsBounded(t *testing.T) {
	s := newServer(t)
	zeros := func(n int) string {
		return `{"trump": "C", "leader": "N", "deal": "0", "played": [` + strings.Repeat("0,", n-1) + `0]}`
	}
	events := func(n int) string {
		const known = `{"seat": "A", "starter": "A", "upcard": "AS", ` +
			`"hand": ["AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C"], "events": [`
		return known + strings.Repeat("{},", n-1) + `{}]}`
	}
	const seen = `{"trump": "S", "leader": "S", "seat": "S", "hand": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"], "card": `
	many := `{"kind": "klaverjas.solve", "request": {"trump": "C", "leader": "N", "deal": "0", "played": [` +
		strings.Repeat(`"JH",`, 300_000) + `"JH"]}}`
	for _, tt := range []struct {
		name, path, body string
		listed           int
		says             string
	}{
		{"as many as are listed", "/v1/klaverjas/legal-moves", zeros(32), 32, "/played/0: must be a string: a card; 31 more."},
		{"one more", "/v1/gin-rummy/estimate", events(33), 32, "; at least 31 more."},
		{"thousands", "/v1/gin-rummy/estimate", events(1000), 32, "; at least 31 more."},
		{"a list too long, with wrong items", "/v1/gin-rummy/estimate", events(1501), 1, "/events: has 1501 items, expected at most 1000"},
		{
			"too many positions", "/v1/klaverjas/predict/batch", `{"positions": [` + strings.Repeat("{},", 100_000) + `{}]}`, 1,
			"/positions: has 100001 items, expected 1 to 1000",
		},
		{"more values than any request has", "/v1/jobs", many, 1, "has more than 262144 values"},
		{"a long card", "/v1/klaverjas/knowledge/card", seen + `"Q♥` + strings.Repeat("\ufe0f", 40) + `"}`, 1, "is longer than 32 characters"},
		{"broken far behind", "/v1/klaverjas/legal-moves", strings.TrimSuffix(zeros(20_000), "}"), 1, "is not JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := s.post(t, tt.path, tt.body)
			status(t, w, http.StatusBadRequest)
			p := decodeAs[api.Problem](t, w)
			if n := len(places(t, p)); n != tt.listed || !strings.Contains(p.Detail, tt.says) {
				t.Errorf("%d places, want %d; %q, want %q in it", n, tt.listed, p.Detail, tt.says)
			}
		})
	}
}

// The mark that text programs put before UTF-8 is no part of a body, and UTF-16 is named.
func TestMarksOfEncodings(t *testing.T) {
	s := newServer(t)
	const path = "/v1/klaverjas/legal-moves"
	status(t, s.post(t, path, "\ufeff"+someDeal), http.StatusOK)
	for _, body := range []string{"\xff\xfe{\x00}\x00", "\xfe\xff\x00{\x00}", "{\x00}\x00"} {
		w := s.post(t, path, body)
		status(t, w, http.StatusBadRequest)
		if p := decodeAs[api.Problem](t, w); !strings.Contains(p.Detail, "send UTF-8, not UTF-16") || len(places(t, p)) != 1 {
			t.Errorf("%q: %s", body, p.Detail)
		}
	}
}

// Each wrong item of a list lists something, and all of them together a bounded number of things.
func TestWhatIsWrongWithAListIsBounded(t *testing.T) {
	s := newServer(t)
	item := `{"trump": "C", "leader": "N", "deal": "0", "played": [` + strings.Repeat("0."+strings.Repeat("0", 24)+",", 31) + `0]}`
	const good = `{"trump": "C", "leader": "N", "deal": "0"}`
	w := s.post(t, "/v1/klaverjas/predict/batch", `{"positions": [`+strings.Repeat(item+",", 999)+good+`]}`)
	status(t, w, http.StatusOK)
	all := 0
	var answer struct {
		Results []struct{ Error api.Problem }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	for i, result := range answer.Results[:999] {
		n := len(places(t, result.Error))
		if n == 0 || !strings.HasSuffix(result.Error.Detail, " more.") {
			t.Fatalf("item %d: %d places, %q", i, n, result.Error.Detail)
		}
		if want := fmt.Sprintf("/positions/%d/played/0", i); places(t, result.Error)[0] != want {
			t.Fatalf("item %d: the first place is %s", i, places(t, result.Error)[0])
		}
		all += n
	}
	if all < 999 || all > 2024+32 {
		t.Errorf("%d places in all", all)
	}
}
