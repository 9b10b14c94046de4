package handlers_test

import (
	"bytes"
	"encoding/json"
	"html"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"roem/internal/handlers"
	"roem/internal/web"
)

// sharedLinks are links to positions, as the pages write them, with what a preview says of them.
var sharedLinks = []struct{ name, link, title, text string }{
	{
		"klaverjas", "/board?v=1&" + picturedDeal + "&p=KH8S7H8HJS&i=5", "Klaverjas: trump spades, N/S declare", "Trick 2, North to play",
	},
	{
		"klaverjas in Dutch", "/board?v=1&" + picturedDeal + "&language=nl",
		"Klaverjassen: troef schoppen, N/Z spelen", "Slag 1, Zuid aan de beurt",
	},
	{
		"klaverjas, rules", "/board?v=1&t=S&l=S&d=NS&r=amsterdam,melds:0,pit:0/100&h=SENNSEESNWWWEWEWNENNSESESWSNWWSN",
		"Klaverjas: trump spades, N/S declare", "Trick 1, South to play",
	},
	{"klaverjas, finished", "/board?v=1&" + picturedDeal + "&p=" + picturedCards, "Klaverjas: trump spades, N/S declare", "N/S 96 · E/W 86"},
	{
		"klaverjas, a seat", "/board?v=1&t=S&l=S&d=NS&s=S&h=S...S..S............S.S.S.S...S.&p=JH8S7H8H8D7DJD7S",
		"Klaverjas: trump spades, N/S declare", "Trick 3, South to play",
	},
	{
		"klaverjas, the review of a seat", "/board?v=1&t=S&l=S&d=NS&s=S&m=review&h=SENNSEESNWWWEWEWNENNSESESWSNWWSN",
		"Klaverjas: trump spades, N/S declare", "Trick 1, South to play",
	},
	{
		"belote", "/belote?v=1&t=H&l=A&d=A&a=ADTDTH9HKH9DJD8D9CKDQH7CQSJSACTS&b=KS8HQCAH7SJC8C7H9SJH8S7DTCKCASQD&p=JD8STH7DKHQCAC8C9CTC&i=8",
		"Belote: hearts, A declares", "Trick 5, A to play",
	},
	{
		"tarok", "/tarok?v=1&c=two&d=A&h=ABCA4A1BBCACBAABBBB5ACCCC2C3CAAACAABBACBCCC6BABACBABCB&g=3&x=C8CJ&s=kD0", "Tarok: two, A declares",
		"Trick 1, A to play",
	},
	{
		"gin rummy", "/gin-rummy?v=1&s=b&u=9D&h=2C3C4C8CQCKHAS7SKSJD5C&e=bt9DbdQSas5C", "Gin Rummy", "Turn 2",
	},
}

var metaTag = regexp.MustCompile(`<meta (?:property|name)="([^"]+)" content="([^"]*)">`)

// metas returns what a page tells messengers.
func metas(body string) map[string]string {
	out := map[string]string{}
	for _, m := range metaTag.FindAllStringSubmatch(body, -1) {
		out[m[1]] = html.UnescapeString(m[2])
	}
	return out
}

// pictureAt returns the picture at a URL of the site.
func (s *server) pictureAt(t *testing.T, link string) []byte {
	t.Helper()
	at, err := url.Parse(link)
	if err != nil || !at.IsAbs() {
		t.Fatalf("%q: %v", link, err)
	}
	w := s.get(t, at.RequestURI())
	status(t, w, http.StatusOK)
	if got := w.Header().Get("Content-Type"); got != "image/png" {
		t.Errorf("%s: %s", link, got)
	}
	picture, err := png.Decode(bytes.NewReader(w.Body.Bytes()))
	if err != nil || picture.Bounds().Dx() != 1200 || picture.Bounds().Dy() != 630 {
		t.Fatalf("%s: %v", link, err)
	}
	return w.Body.Bytes()
}

// A link to a position has a title, a sentence and a picture for messengers, in each game and both languages.
func TestLinksHavePreviews(t *testing.T) {
	s := newServer(t)
	for _, one := range sharedLinks {
		w := s.get(t, one.link)
		status(t, w, http.StatusOK)
		got := metas(w.Body.String())
		if got["og:title"] != one.title || got["og:description"] != one.text {
			t.Errorf("%s: %q, %q", one.name, got["og:title"], got["og:description"])
		}
		if got["og:image"] == "" {
			continue
		}
		body := s.pictureAt(t, got["og:image"])
		if folder := os.Getenv("PREVIEWS"); folder != "" {
			if err := os.WriteFile(filepath.Join(folder, one.name+".png"), body, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
}

// The preview of what a seat has seen has the cards of that seat, and of no other.
func TestPreviewOfASeat(t *testing.T) {
	s := newServer(t)
	_, query, _ := strings.Cut(sharedLinks[4].link, "?")
	for played, rows := range map[string]int{"": 1, "9S": 2} {
		shared, err := s.service.ReadShared("klaverjas", query+played)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.service.Preview(t.Context(), "klaverjas", shared)
		if err != nil || len(got.Rows) != rows || got.Rows[0].Name != "South" || len(got.Rows[0].Cards) != 7-rows {
			t.Errorf("with %q: %v, %v", played, got, err)
		}
	}
}

// A link to a hand that was played has a preview: the records of all games.
func TestRecordsHavePreviews(t *testing.T) {
	s := newServer(t)
	pages := map[string]string{}
	for _, p := range web.Pages {
		if p.Previewed {
			pages[p.Name] = p.Path
		}
	}
	if len(pages) != len(s.service.Records().Kinds) {
		t.Errorf("%d pages, %d kinds of records", len(pages), len(s.service.Records().Kinds))
	}
	drawn := map[string]int{}
	for _, v := range recordVectors(t) {
		if len(v.Hands) != 1 || len(v.Text) > 2000 {
			continue
		}
		var hand struct {
			Game     string
			Position json.RawMessage
		}
		if err := json.Unmarshal(v.Hands[0], &hand); err != nil {
			t.Fatal(err)
		}
		w := s.get(t, pages[hand.Game]+"?record="+url.QueryEscape(v.Text))
		status(t, w, http.StatusOK)
		got := metas(w.Body.String())
		if picture := got["og:image"]; picture != "" {
			drawn[hand.Game]++
			body := s.pictureAt(t, picture)
			if folder := os.Getenv("PREVIEWS"); folder != "" {
				_ = os.WriteFile(filepath.Join(folder, hand.Game+" record "+strings.ReplaceAll(v.Name, "/", "_")+".png"), body, 0o600)
			}
		} else if hand.Position != nil {
			t.Errorf("%s has no preview", v.Name)
		}
	}
	for game := range pages {
		if drawn[game] == 0 {
			t.Errorf("no record of %s has a preview", game)
		}
	}
}

// A query that shares nothing gets the page as it is, whatever is in it, and nothing of the query is in the page.
func TestBadLinksGetThePage(t *testing.T) {
	s := newServer(t)
	for path, queries := range map[string][]string{
		"/board": {
			"v=1", "v=2&" + picturedDeal, "v=1&t=X&l=S&d=NS&h=SENNSEESNWWWEWEWNENNSESESWSNWWSN", "v=1&" + picturedDeal + "&p=KHKH", "%zz",
			"v=1&" + picturedDeal + "&p=KH8&i=1", "v=1&" + picturedDeal + "&i=4", "v=1&" + picturedDeal + "&i=-1", "v=1&" + picturedDeal + "&r=odd",
			"v=1&t=S&l=S&d=NS&s=S&h=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "record=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "record=",
			"v=1&v=1&" + picturedDeal, "v=1&" + picturedDeal + "&p=" + strings.Repeat("KH", 6000), strings.Repeat("a=b&", 5000),
			"v=1&t=S&l=S&d=NS&h=é",
			"v=1&t=S&l=S&d=NS&s=S&h=" + strings.Repeat("S", 32), "v=1&" + picturedDeal + "&h=" + strings.Repeat(".", 32), "language=nl",
		},
		"/belote": {
			"v=1&t=H&l=A&d=A&a=AD&b=KS", "v=1&t=H&l=A&d=A&a=&b=", "v=1&t=H&l=A&d=A&a=A&b=K", "v=1&t=H&c=x&l=A&d=A&a=ADTD&b=KS8H",
			"v=1&t=H&l=A&d=A&a=AD..TH9H&b=KS8HQCAH",
		},
		"/tarok": {
			"v=1&c=two", "v=1&c=<&d=A&h=A", "v=1&c=two&d=A&h=" + strings.Repeat("A", 54), "v=1&c=two&d=A&h=" + strings.Repeat("9", 54) + "&g=99",
			"v=1&c=klop&h=ABCA4A1BBCACBAABBBB5ACCCC2C3CAAACAABBACBCCC6BABACBABCB&p=0",
		},
		"/gin-rummy": {
			"v=1&s=x", "v=1&s=b&u=9&h=2C&e=b", "v=1&s=b&u=9D&h=2C3C4C8CQCKHAS7SKSJD5C&e=btdd<>", "v=1&s=b&u=&h=&e=", "v=1&s=b&u=9D&h=T&e=a",
		},
	} {
		plain := s.get(t, path).Body.String()
		for _, query := range queries {
			w := s.get(t, path+"?"+query)
			status(t, w, http.StatusOK)
			if w.Body.String() != plain {
				t.Errorf("%s?%.80s: the page has %v", path, query, metas(w.Body.String()))
			}
			status(t, s.get(t, path+"/picture.png?"+query), http.StatusNotFound)
		}
	}
	// A good link with more in it: the text is in the address of the picture, and nowhere unescaped.
	w := s.get(t, `/board?v=1&`+picturedDeal+`&x=%22%3E%3Cscript%3Ealert(1)%3C/script%3E`)
	status(t, w, http.StatusOK)
	if body := w.Body.String(); strings.Contains(body, "<script>") || strings.Contains(body, "alert(1)<") {
		t.Errorf("the page has the text of the link:\n%.1500s", body)
	}
}

// The addresses in a preview are those at which the client sees the server: behind a proxy, and below a path.
func TestPreviewsBehindAProxy(t *testing.T) {
	s := newServer(t, func(c *config) {
		c.clients.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		c.options = func(o *handlers.Options) { o.BasePath = "/cards" }
	})
	ask := func(peer, prefix, path string) *httptest.ResponseRecorder {
		r := request(http.MethodGet, path, "")
		r.RemoteAddr, r.Host = peer, "play.example"
		r.Header.Set("X-Forwarded-Proto", "https")
		r.Header.Set("X-Forwarded-For", "203.0.113.7")
		if prefix != "" {
			r.Header.Set("X-Forwarded-Prefix", prefix)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	for name, one := range map[string]struct{ peer, prefix, want string }{
		"configured":         {"203.0.113.7:1", "", "http://play.example/cards/board"},
		"a proxy":            {"10.0.0.1:1", "/roem", "https://play.example/roem/board"},
		"a client that lies": {"203.0.113.7:1", "/evil", "http://play.example/cards/board"},
	} {
		w := ask(one.peer, one.prefix, "/board?v=1&"+picturedDeal)
		status(t, w, http.StatusOK)
		at, query, _ := strings.Cut(metas(w.Body.String())["og:image"], "?")
		if at != one.want+"/picture.png" {
			t.Errorf("%s: the picture is at %s", name, at)
		}
		status(t, ask(one.peer, one.prefix, "/board/picture.png?"+query), http.StatusOK)
	}
}
