package handlers_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"roem/internal/api"
	"roem/internal/testkit"
	"roem/internal/web"
)

// accepting returns a request with a header Accept-Encoding, which is absent if it is "-".
func accepting(method, path, body, encodings string) *http.Request {
	r := request(method, path, body)
	if encodings != "-" {
		r.Header.Set("Accept-Encoding", encodings)
	}
	return r
}

func gunzipped(t *testing.T, body []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// The server sends what Accept-Encoding prefers, of what it has: Brotli of assets, gzip of everything that is larger than a packet.
func TestContentCodings(t *testing.T) {
	s := newServer(t)
	asset, err := web.AssetPath("klaverjas.js")
	if err != nil {
		t.Fatal(err)
	}
	const worlds = `{"trump": "S", "leader": "S", "seat": "S", "hand": ["7C","JC","AC","JH","KH","7S","9S","KS"], "worlds": 20, "seed": "1"}`
	for _, tt := range []struct{ accept, asset, answer string }{
		{"-", "", ""},
		{"", "", ""},
		{"identity", "", ""},
		{"gzip", "gzip", "gzip"},
		{"GZIP", "gzip", "gzip"},
		{"x-gzip", "gzip", "gzip"},
		{"br", "br", ""},
		{"gzip, deflate, br, zstd", "br", "gzip"}, // of a browser
		{"gzip;q=1.0, br;q=0.5", "gzip", "gzip"},
		{"gzip;q=0.5, br;q=0.8", "br", "gzip"},
		{"gzip; q=0.5 , br ; q=0.5", "br", "gzip"},
		{"gzip;q=0", "", ""},
		{"gzip;q=0, br;q=0.001", "br", ""},
		{"*", "br", "gzip"},
		{"*;q=0", "", ""},
		{"br;q=0, *", "gzip", "gzip"},
		{"identity, gzip;q=0.5", "", ""},
		{"identity;q=0.5, gzip", "gzip", "gzip"},
		{"identity;q=0", "", ""}, // nothing is acceptable: the answer is sent as it is
		{"gzip;q=2", "", ""},
		{"gzip;level=9", "", ""},
		{"deflate, zstd", "", ""},
		{",;=,gzip", "gzip", "gzip"},
	} {
		t.Run(tt.accept, func(t *testing.T) {
			for _, one := range []struct {
				what, want string
				r          func(method string) *http.Request
			}{
				{"an asset", tt.asset, func(method string) *http.Request { return accepting(method, asset, "", tt.accept) }},
				{"a document", tt.answer, func(method string) *http.Request { return accepting(method, "/openapi.json", "", tt.accept) }},
				{"a page", tt.answer, func(method string) *http.Request { return accepting(method, "/docs/errors", "", tt.accept) }},
				{"an answer", tt.answer, func(string) *http.Request { return accepting("POST", "/v1/klaverjas/worlds", worlds, tt.accept) }},
			} {
				w := httptest.NewRecorder()
				s.ServeHTTP(w, one.r(http.MethodGet))
				status(t, w, 200)
				header := w.Header()
				if got := header.Get("Content-Encoding"); got != one.want {
					t.Errorf("%s has the coding %q, want %q", one.what, got, one.want)
				}
				if !strings.Contains(strings.Join(header.Values("Vary"), ","), "Accept-Encoding") {
					t.Errorf("%s varies by %q", one.what, header.Values("Vary"))
				}
				if got := header.Get("Content-Length"); got != strconv.Itoa(w.Body.Len()) {
					t.Errorf("%s has %d bytes, Content-Length %s", one.what, w.Body.Len(), got)
				}
				head := httptest.NewRecorder()
				s.ServeHTTP(head, one.r(http.MethodHead))
				if one.what != "an answer" && (head.Body.Len() != 0 || head.Header().Get("Content-Length") != header.Get("Content-Length") ||
					head.Header().Get("ETag") != header.Get("ETag") || head.Header().Get("Content-Encoding") != one.want) {
					t.Errorf("HEAD of %s: %d bytes, %v", one.what, head.Body.Len(), head.Header())
				}
			}
		})
	}
}

// Each coding of a file decodes to the same bytes, and has an entity tag of its own, with which it is revalidated. A client can ask for a
// part of it.
func TestCodingsAreTheFile(t *testing.T) {
	s := newServer(t)
	assets, err := web.Assets()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{web.AssetFolder + assets["swagger-ui.css"].Name, "/openapi.json", "/docs/licences"} {
		tags := map[string]string{}
		plain := s.get(t, path).Body.Bytes()
		for _, coding := range []string{"identity", "gzip", "br"} {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, accepting("GET", path, "", coding))
			etag, body := w.Header().Get("ETag"), w.Body.Bytes()
			sent := w.Header().Get("Content-Encoding")
			if other, is := tags[etag]; is && other != sent {
				t.Errorf("%s has the same entity tag as %q and as %q", path, other, sent)
			}
			tags[etag] = sent
			switch sent {
			case "gzip":
				if !bytes.Equal(gunzipped(t, body), plain) {
					t.Errorf("%s: gzip is another file", path)
				}
			case "":
				if !bytes.Equal(body, plain) {
					t.Errorf("%s: identity is another file", path)
				}
			case "br":
				decoded, err := io.ReadAll(brotli.NewReader(bytes.NewReader(body)))
				if err != nil || !bytes.Equal(decoded, plain) {
					t.Errorf("%s: Brotli is another file: %v", path, err)
				}
			default:
				t.Errorf("%s has the coding %q", path, sent)
			}
			again := accepting("GET", path, "", coding)
			again.Header.Set("If-None-Match", etag)
			w = httptest.NewRecorder()
			s.ServeHTTP(w, again)
			if w.Code != http.StatusNotModified || w.Body.Len() != 0 || w.Header().Get("ETag") != etag || w.Header().Get("Vary") == "" {
				t.Errorf("%s as %s again: %d %v", path, coding, w.Code, w.Header())
			}
			part := accepting("GET", path, "", coding)
			part.Header.Set("Range", "bytes=10-19")
			w = httptest.NewRecorder()
			s.ServeHTTP(w, part)
			if w.Code != http.StatusPartialContent || !bytes.Equal(w.Body.Bytes(), body[10:20]) || w.Header().Get("Content-Length") != "10" {
				t.Errorf("a part of %s as %s: %d %v", path, coding, w.Code, w.Header())
			}
		}
	}
}

// Small answers, problems and event streams are sent as they are.
func TestSmallAnswersAreNotCompressed(t *testing.T) {
	s := newServer(t)
	for _, r := range []*http.Request{
		accepting("GET", "/healthz", "", "gzip"), accepting("GET", "/v1/nothing", "", "gzip"),
		accepting("POST", "/v1/klaverjas/solve", anyDeal, "gzip"),
	} {
		w := s.do(t, r)
		if w.Header().Get("Content-Encoding") != "" || w.Body.Len() > 1<<10 {
			t.Errorf("%s %s: %d bytes as %q", r.Method, r.URL, w.Body.Len(), w.Header().Get("Content-Encoding"))
		}
	}
	job := accepted(t, s.post(t, "/v1/jobs", jobOf("klaverjas.solve", anyDeal)))
	until(t, "the job to end", func() bool { return decodeAs[api.Job](t, s.get(t, job.Links.Self)).Status == api.JobStatusSucceeded })
	w := httptest.NewRecorder()
	s.ServeHTTP(w, accepting("GET", job.Links.Events, "", "gzip, br"))
	if w.Header().Get("Content-Encoding") != "" || !strings.Contains(w.Body.String(), "event: finished") {
		t.Errorf("the stream: %v %s", w.Header(), w.Body)
	}
}

// hashedName matches the name of an asset.
var hashedName = regexp.MustCompile(`docs/assets/[a-z-]+-[0-9a-f]{10}\.[a-z]+`)

// Everything that a page refers to has a name with its hash and is kept for a year. The page itself is revalidated. A name of another
// version does not exist.
func TestAssetsAreImmutable(t *testing.T) {
	s := newServer(t)
	pages := []string{"/", "/docs", "/docs/errors"}
	for _, p := range web.Pages {
		pages = append(pages, p.Path)
	}
	for _, path := range pages {
		page := s.get(t, path)
		if got := page.Header().Get("Cache-Control"); got != "no-cache" || page.Header().Get("ETag") == "" {
			t.Errorf("%s: Cache-Control %q, ETag %q", path, got, page.Header().Get("ETag"))
		}
		body := page.Body.String()
		found := hashedName.FindAllString(body, -1)
		if len(found) == 0 || len(found) != strings.Count(body, "docs/assets/") {
			t.Errorf("%s refers to %q", path, found)
		}
		for _, asset := range found {
			asset = "/" + asset
			w := s.get(t, asset)
			status(t, w, 200)
			if got := w.Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
				t.Errorf("%s: Cache-Control %q", asset, got)
			}
			old := asset[:len(asset)-len("0.js")] + "x" + asset[len(asset)-len(".js"):]
			status(t, s.get(t, old), 404)
			status(t, s.get(t, regexp.MustCompile(`-[0-9a-f]{10}`).ReplaceAllString(asset, "")), 404)
		}
	}
}

// A result of several parts is sent compressed while it is read.
func TestLargeResultCompressed(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	s := newServer(t, counting(new(atomic.Int64), open()))
	job := accepted(t, s.post(t, "/v1/klaverjas/solve/batch", list("", randomPositions(1000)...)))
	var plain *httptest.ResponseRecorder
	until(t, "the job to end", func() bool {
		plain = s.get(t, job.Links.Self+"?wait=5")
		return decodeAs[api.Job](t, plain).Status == api.JobStatusSucceeded
	})
	if plain.Body.Len() < 400<<10 {
		t.Fatalf("the result has %d bytes only", plain.Body.Len())
	}
	w := httptest.NewRecorder()
	began := time.Now()
	s.ServeHTTP(w, accepting("GET", job.Links.Self, "", "gzip"))
	t.Logf("%d bytes, %d compressed, in %v", plain.Body.Len(), w.Body.Len(), time.Since(began))
	if w.Header().Get("Content-Encoding") != "gzip" || w.Header().Get("Content-Length") != "" || w.Body.Len() > plain.Body.Len()/3 {
		t.Errorf("%d bytes of %d, %v", w.Body.Len(), plain.Body.Len(), w.Header())
	}
	if got := gunzipped(t, w.Body.Bytes()); !bytes.Equal(got, plain.Body.Bytes()) || !json.Valid(got) {
		t.Errorf("%d bytes, want %d", len(got), plain.Body.Len())
	}
	head := httptest.NewRecorder()
	s.ServeHTTP(head, accepting("HEAD", job.Links.Self, "", "gzip"))
	if head.Body.Len() != 0 || head.Header().Get("Content-Encoding") != "gzip" || head.Code != 200 {
		t.Errorf("HEAD: %d %v", head.Code, head.Header())
	}
}
