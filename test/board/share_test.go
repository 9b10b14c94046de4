package board_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roem/internal/testkit"
)

// sharedPositions are positions that the pages share, by page.
var sharedPositions = map[string]string{
	"board": example(wholeHand[:10]...).fragment(8), "belote": beloteTen, "tarok": tarokSetup,
	"gin-rummy": "#v=1&s=b&u=9D&h=2C3C4C8CQCKHAS7SKSJD5C&e=bt9DbdQSas5C",
}

// sharesLinks is a share sheet of the device. It keeps what it is handed.
const sharesLinks = "navigator.share = what => (window.sent = what, Promise.resolve())"

// pageOf returns what the server answers for a link.
func pageOf(t *testing.T, link string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Body.Close() }()
	body, err := io.ReadAll(w.Body)
	if err != nil || w.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v", link, w.StatusCode, err)
	}
	return string(body)
}

// What a page shares has a picture for messengers, and opens what was shared, in every game. The share sheet gets the same link.
func TestLinksOpenWhatWasShared(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for page, fragment := range sharedPositions {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			p := open(t, s, "/healthz")
			p.script(sharesLinks)
			p.navigate("/" + page + fragment)
			p.click("#share")
			p.until("document.querySelector('#share-address')")
			link := eval[string](p, "document.querySelector('#share-address').value")
			if want := s.url + strings.TrimPrefix(s.at("/"+page), below) + "?" + fragment[1:]; link != want {
				t.Errorf("the link is %s, want %s", link, want)
			}
			p.click("#share-send")
			p.until(fmt.Sprintf("window.sent?.url === %q", link))
			if s.alone == nil && !strings.Contains(pageOf(t, link), `<meta property="og:image" content="`+s.url+"/"+page+"/picture.png?") {
				t.Errorf("%s has no picture", link)
			}
			p.navigate(strings.TrimPrefix(link, s.url) + "&fbclid=added")
			p.until(fmt.Sprintf("location.hash === %q && location.search === ''", fragment))
			p.until("document.querySelector('#felt [data-card]') && !document.querySelector('#url-error')")
		})
	}
}

// A link to a hand that was played opens it, in every game.
func TestLinksOpenRecords(t *testing.T) {
	t.Parallel()
	root, err := testkit.Root()
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := os.ReadFile(filepath.Join(root, "testdata", "records", "vectors.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	records := map[string]string{}
	for line := range bytes.Lines(vectors) {
		var v struct {
			Name, Text string
			Hands      []struct{ Game string }
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		over := strings.Contains(v.Name, ", finished") || strings.Contains(v.Name, "knock")
		if over && len(v.Hands) == 1 {
			records[v.Hands[0].Game] = v.Text
		}
	}
	s := newSite(t)
	s.speaks("the picture of a link")
	for page, game := range map[string]string{"board": "klaverjas", "belote": "belote", "tarok": "tarok", "gin-rummy": "gin-rummy"} {
		if records[game] == "" {
			t.Fatalf("no record of %s", game)
		}
		link := "/" + page + "?record=" + strings.ReplaceAll(url.QueryEscape(records[game]), "+", "%20")
		body := pageOf(t, s.url+link)
		if !strings.Contains(body, `<meta property="og:url" content="`+s.url+link+`"`) || !strings.Contains(body, "og:image") {
			t.Errorf("%s has no picture, or another address", link)
		}
		p := open(t, s, link)
		p.until("location.search === '' && location.hash.startsWith('#v=1&') && document.querySelector('#felt:not(.lobby)')")
		if wrong := p.text("#url-error, .notice.bad"); wrong != "(none)" {
			t.Errorf("%s says %s", page, wrong)
		}
	}
}

// What a page shows at first needs none of the texts that are loaded later: a text that is not there is shown as its key.
func TestEveningHasItsTexts(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/evening")
	p.until("document.body.innerText.includes('Choose a file')")
}
