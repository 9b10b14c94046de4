package handlers_test

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"roem/internal/handlers"
	"roem/internal/service"
	"roem/internal/web"
)

func TestHeadAndOptions(t *testing.T) {
	s := newServer(t)
	for path, allow := range map[string]string{
		"/v1/klaverjas/solve": "POST, OPTIONS", "/v1/klaverjas/deals/index": "POST, OPTIONS", "/v1/klaverjas/deals/random": "GET, HEAD, OPTIONS",
		"/v1/klaverjas/deals/7": "GET, HEAD, OPTIONS",
		"/healthz":              "GET, HEAD, OPTIONS", "/openapi.yaml": "GET, HEAD, OPTIONS", "/docs/errors": "GET, HEAD, OPTIONS",
	} {
		w := s.do(t, request(http.MethodOptions, path, ""))
		status(t, w, 204)
		if got := w.Header().Get("Allow"); got != allow {
			t.Errorf("%s allows %q, want %q", path, got, allow)
		}
		head := s.do(t, request(http.MethodHead, path, ""))
		if strings.Contains(allow, "HEAD") {
			status(t, head, 200)
			if head.Body.Len() != 0 || head.Header().Get("Content-Length") == "0" {
				t.Errorf("HEAD %s: %d bytes, length %s", path, head.Body.Len(), head.Header().Get("Content-Length"))
			}
		} else {
			status(t, head, 405)
		}
	}
	status(t, s.do(t, request(http.MethodOptions, "/v1/nothing", "")), 404)
}

// Pages of the origins may show /embed in a frame, and no page any other answer of the server.
func TestFrames(t *testing.T) {
	origins := []string{"https://cards.example", "https://*.club.example:8443"}
	listed := newServer(t, func(c *config) { c.options = func(o *handlers.Options) { o.Embedders = origins } })
	paths := []string{
		"/", "/docs", "/docs/errors", "/docs/developers", "/docs/licences", "/docs/compatibility", "/docs/records",
		"/openapi.yaml", "/v1", "/healthz", "/nothing",
	}
	for _, p := range web.Pages {
		paths = append(paths, p.Path)
	}
	for name, s := range map[string]*server{"listed": listed, "default": newServer(t)} {
		for _, path := range paths {
			want := "frame-ancestors 'none'"
			if path == "/embed" && name == "listed" {
				want = "frame-ancestors https://cards.example https://*.club.example:8443"
			}
			w := s.get(t, path)
			if got := w.Header().Get("Content-Security-Policy"); !strings.HasSuffix(got, "; "+want) || strings.Count(got, "frame-ancestors") != 1 {
				t.Errorf("%s, %s: %q, want %s", name, path, got, want)
			}
		}
	}
}

func TestDocuments(t *testing.T) {
	s := newServer(t)
	asset := func(name string) string {
		path, err := web.AssetPath(name)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	for path, want := range map[string]struct{ mediaType, holds string }{
		"/":                           {"text/html; charset=utf-8", `href="./board#v=1&amp;m=begin"`},
		"/docs/developers":            {"text/html; charset=utf-8", "curl -s http://roem/v1/klaverjas/solve"},
		"/docs/licences":              {"text/plain; charset=utf-8", "swagger-ui-dist"},
		"/docs/compatibility":         {"text/plain; charset=utf-8", "## What may change within /v1"},
		"/docs/records":               {"text/plain; charset=utf-8", "# Records of hands"},
		"/docs":                       {"text/html; charset=utf-8", "swagger-ui-bundle-"},
		"/docs/errors":                {"text/html; charset=utf-8", `<h2 id="impossible">`},
		asset("swagger-ui-bundle.js"): {"text/javascript; charset=utf-8", "SwaggerUIBundle"},
		asset("swagger-ui.css"):       {"text/css; charset=utf-8", ".swagger-ui"},
		asset("icon.svg"):             {"image/svg+xml", "<svg"},
		"/openapi.yaml":               {"application/yaml", "openapi: 3.0.3"},
		"/openapi.json":               {"application/json", `"openapi":"3.0.3"`},
	} {
		t.Run(path, func(t *testing.T) {
			w := s.get(t, path)
			status(t, w, 200)
			if got := w.Header().Get("Content-Type"); got != want.mediaType {
				t.Errorf("type %q, want %q", got, want.mediaType)
			}
			if !strings.Contains(w.Body.String(), want.holds) {
				t.Errorf("does not contain %q", want.holds)
			}
			etag := w.Header().Get("ETag")
			r := request(http.MethodGet, path, "")
			r.Header.Set("If-None-Match", etag)
			if again := s.do(t, r); etag == "" || again.Code != 304 {
				t.Errorf("ETag %s, then %d", etag, again.Code)
			}
			if strings.HasPrefix(want.mediaType, "text/html") {
				policy := w.Header().Get("Content-Security-Policy")
				if !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe") {
					t.Errorf("policy %q", policy)
				}
				for _, bad := range []string{"<script>", "style=", "onclick", "https://", "//cdn"} {
					if strings.Contains(w.Body.String(), bad) {
						t.Errorf("the page contains %q", bad)
					}
				}
			}
		})
	}
	for _, kind := range service.Kinds() {
		if !strings.Contains(s.get(t, "/docs/errors").Body.String(), `id="`+kind.Info().Slug+`"`) {
			t.Errorf("the page of errors does not explain %s", kind.Info().Slug)
		}
	}
	page := html.UnescapeString(s.get(t, "/docs/errors").Body.String())
	for _, code := range service.Codes() {
		said := fmt.Sprintf(`<ul><li lang="en">%s</li><li lang="nl">%s</li></ul>`, code.English, code.Dutch)
		if !strings.Contains(page, `<h3 id="`+string(code.Code)+`">`) || !strings.Contains(page, said) {
			t.Errorf("the page of errors does not have the sentences of %s", code.Code)
		}
	}
}

func TestReadiness(t *testing.T) {
	s := newServer(t)
	status(t, s.get(t, "/readyz"), 200)
	s.Stop()
	status(t, s.get(t, "/readyz"), 503)
	status(t, s.get(t, "/healthz"), 200)
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), 200)
}

// Over a real connection the answer has the headers that clients need.
func TestOverTheWire(t *testing.T) {
	web := httptest.NewServer(newServer(t))
	defer web.Close()
	answer, err := web.Client().Post(web.URL+"/v1/klaverjas/solve", "application/json", strings.NewReader(someDeal))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || int64(len(body)) != answer.ContentLength {
		t.Errorf("%v, status %d, %d bytes of %d", err, answer.StatusCode, len(body), answer.ContentLength)
	}
	if !strings.HasPrefix(string(body), `{"goal":"value","won":true,"outcome":32,`) {
		t.Errorf("the fields are not in the order of the contract: %.80s", body)
	}
	if answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", answer.Header)
	}
}
