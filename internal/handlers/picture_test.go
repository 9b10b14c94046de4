package handlers_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/api"
)

// picturedDeal is the deal of the contract's examples as an address of the board, and picturedCards a whole hand of it.
const (
	picturedDeal  = "t=S&l=S&d=NS&h=SENNSEESNWWWEWEWNENNSESESWSNWWSN"
	picturedCards = "KH8S7H8HJSTSKD7SQSASJD9SKS8D9C8CAC9DTCQC7CTD7DKCQHJHQDTH9HAHJCAD"
	picturePath   = "/v1/klaverjas/picture?"
)

// pictured is the request for a picture of picturedDeal with other fields.
func pictured(fields string) string {
	address, err := url.ParseQuery(picturedDeal)
	if err != nil {
		panic(err) // it is written above
	}
	for field := range strings.SplitSeq(fields, "&") {
		name, value, _ := strings.Cut(field, "=")
		if text, err := url.QueryUnescape(value); err == nil {
			value = text
		}
		address.Set(name, value)
	}
	return "GET " + picturePath + address.Encode()
}

// elements are all that a picture consists of.
var elements = []string{"defs", "desc", "g", "path", "rect", "svg", "text", "title", "use"}

// picture asks for a picture, checks its form, and returns it with the cards that are drawn.
func (s *server) picture(t *testing.T, query string) (body string, cards []string) {
	t.Helper()
	w := s.get(t, picturePath+query)
	status(t, w, 200)
	body = w.Body.String()
	if got := w.Header().Get("Content-Type"); got != "image/svg+xml" || len(body) > 20<<10 {
		t.Errorf("%s: %q of %d bytes", query, got, len(body))
	}
	for d := xml.NewDecoder(strings.NewReader(body)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", query, err, body)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains(elements, e.Name.Local) {
			t.Errorf("%s: a picture has %s", query, e.Name.Local)
		}
		for _, a := range e.Attr {
			switch {
			case a.Name.Local == "style", strings.HasPrefix(a.Name.Local, "on"), a.Name.Local == "href" && a.Value[0] != '#':
				t.Errorf("%s: %s has %s=%q", query, e.Name.Local, a.Name.Local, a.Value)
			case a.Name.Local == "id" && strings.HasPrefix(a.Value, "card-"):
				cards = append(cards, strings.TrimPrefix(a.Value, "card-"))
			}
		}
	}
	slices.Sort(cards)
	return body, cards
}

// At every card of a hand a picture has the cards that are held and those in the trick, each once, and the picture of the tricks has those
// that were played.
func TestPictureHasTheCards(t *testing.T) {
	s := newServer(t)
	var all []string
	for c := range slices.Chunk([]byte(picturedCards), 2) {
		all = append(all, strings.Replace(string(c), "T", "10", 1))
	}
	for i := range len(all) + 1 {
		query := fmt.Sprintf("v=1&%s&p=%s&i=%d", picturedDeal, picturedCards, i)
		_, got := s.picture(t, query)
		want := slices.Sorted(slices.Values(all[i/4*4:])) // the cards that are held, and those in the trick
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("after %d cards (-want +got)\n%s", i, diff)
		}
		_, got = s.picture(t, query+"&view=tricks")
		if diff := cmp.Diff(slices.Sorted(slices.Values(all[:i])), got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("the tricks after %d cards (-want +got)\n%s", i, diff)
		}
	}
	// The score agrees with the API, by the same rules.
	for query, rules := range map[string]string{
		"": `{}`, "&r=melds:0": `{"melds":false}`, "&r=amsterdam,under:free,nat:all,pit:100/50,fourJ:200,fourK:0": `{"system":"amsterdam",` +
			`"under_ruff":"free","nat_melds":"all","pit":{"declarers":100,"defenders":50},"four_of_a_kind":{"J":200,"K":0}}`,
	} {
		s.picturedScore(t, query, rules, all)
	}
}

// picturedScore compares the score in a picture of a whole hand, by the rules of the query, with the API.
func (s *server) picturedScore(t *testing.T, query, rules string, played []string) {
	t.Helper()
	scored := decodeAs[api.KlaverjasLegalMoves](t, s.post(t, "/v1/klaverjas/legal-moves", fmt.Sprintf( //nolint:gocritic // JSON
		`{"rules":%s,"trump":"S","leader":"S","declarer":"NS","deal":"66664208398121072","played":["%s"]}`,
		rules, strings.Join(played, `","`)))).Score
	body, _ := s.picture(t, picturedDeal+query+"&p="+picturedCards)
	want := fmt.Sprintf("N/S %d · E/W %d", scored.NS.Tricks+scored.NS.Melds, scored.EW.Tricks+scored.EW.Melds)
	if !strings.Contains(body, want) {
		t.Errorf("the picture does not say %q", want)
	}
}

// Themes and languages differ, and nothing else of the picture does: the places of the cards stay.
func TestPictureLooks(t *testing.T) {
	s := newServer(t)
	colour := regexp.MustCompile(`#[0-9a-f]{6}`)
	for _, view := range []string{"table", "tricks"} {
		query := picturedDeal + "&p=" + picturedCards + "&i=7&view=" + view
		light, _ := s.picture(t, query)
		dark, _ := s.picture(t, query+"&theme=dark")
		if dark == light || colour.ReplaceAllString(dark, "") != colour.ReplaceAllString(light, "") {
			t.Errorf("%s: dark is %s, light %s", view, dark, light)
		}
		dutch, _ := s.picture(t, query+"&language=nl")
		if !strings.Contains(dutch, ">Troef: schoppen. N/Z spelen<") || strings.Contains(dutch, "Trump") ||
			!strings.Contains(light, ">Trump: spades. N/S declare<") {
			t.Errorf("%s: in Dutch the picture is %s", view, dutch)
		}
	}
	// The suits have the shapes of the pages.
	picture, _ := s.picture(t, picturedDeal)
	page := s.get(t, "/board").Body.String()
	shapes := regexp.MustCompile(`<path id="suit-[CDHS]" d="([^"]+)"/>`).FindAllStringSubmatch(picture, -1)
	for _, shape := range shapes {
		if !strings.Contains(page, `d="`+shape[1]+`"`) {
			t.Errorf("the board has no suit of the shape %s", shape[1])
		}
	}
	if len(shapes) != 4 {
		t.Errorf("%d shapes", len(shapes))
	}
}

// A picture is kept by its address, compressed or not, and needs no key.
func TestPictureIsCached(t *testing.T) {
	s := newServer(t)
	target := picturePath + picturedDeal + "&r=" + url.QueryEscape("amsterdam,under:free,melds:0,nat:all,pit:100/50,fourJ:200")
	w := s.get(t, target)
	status(t, w, 200)
	etag := w.Header().Get("ETag")
	if got := w.Header().Get("Cache-Control"); got != "public, max-age=86400" || etag == "" || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("Cache-Control %q, headers %v", got, w.Header())
	}
	compressed := s.do(t, accepting(http.MethodGet, target, "", "gzip"))
	header := compressed.Header()
	if header.Get("Content-Encoding") != "gzip" || header.Get("ETag") != etag || compressed.Body.Len() > w.Body.Len()/2 {
		t.Errorf("compressed it is %d of %d bytes: %v", compressed.Body.Len(), w.Body.Len(), header)
	}
	for known, want := range map[string]int{etag: 304, `"other", ` + etag: 304, "*": 304, `W/"other"`: 200, "": 200} {
		r := request(http.MethodGet, target, "")
		r.Header.Set("If-None-Match", known)
		if again := s.do(t, r); again.Code != want || want == 304 && (again.Body.Len() > 0 || again.Header().Get("ETag") != etag) {
			t.Errorf("with If-None-Match %s: %d, headers %v", known, again.Code, again.Header())
		}
	}
	head := s.do(t, request(http.MethodHead, target, ""))
	if head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("ETag") != etag {
		t.Errorf("HEAD: %d %v", head.Code, head.Header())
	}
}
