package handlers_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap/zapcore"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/handlers"
)

// A token opens the events of its job for some minutes, at every server with the same secret, and nothing else.
func TestStreamTokens(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	keys := []handlers.Key{keyFor("ann", "secret"), keyFor("bob", "other")}
	with := func(secrets ...string) func(*config) {
		return func(c *config) {
			c.clients.Keys = keys
			c.options = func(o *handlers.Options) {
				o.Now = clock
				for _, secret := range secrets {
					o.Secrets = append(o.Secrets, []byte(secret))
				}
			}
		}
	}
	s := newServer(t, with("new", "old"))
	as := func(secret, method, path, body string) *httptest.ResponseRecorder {
		return s.do(t, fromPage("", secret, method, path, body))
	}
	mine := accepted(t, as("secret", "POST", "/v1/jobs", jobOf("klaverjas.solve", anyDeal)))
	theirs := decodeAs[api.Job](t, as("other", "POST", "/v1/jobs", jobOf("klaverjas.solve", anyDeal))) // which may have ended
	until(t, "the jobs to end", func() bool {
		return decodeAs[api.Job](t, as("secret", "GET", mine.Links.Self, "")).Status == api.JobStatusSucceeded &&
			decodeAs[api.Job](t, as("other", "GET", theirs.Links.Self, "")).Status == api.JobStatusSucceeded
	})
	w := as("secret", "POST", mine.Links.Self+"/token", "")
	status(t, w, 201)
	token := decodeAs[api.JobToken](t, w)
	if token.Events != mine.Links.Events+"?token="+token.Token || !token.ExpiresAt.Equal(now.Add(5*time.Minute)) {
		t.Errorf("the token is %+v", token)
	}
	status(t, as("other", "POST", mine.Links.Self+"/token", ""), 404)
	status(t, as("", "POST", mine.Links.Self+"/token", ""), 401)

	opens := func(server *server, path string, want int) {
		t.Helper()
		w := httptest.NewRecorder()
		server.ServeHTTP(w, request("GET", path, ""))
		if w.Code != want || want == 200 && !strings.Contains(w.Body.String(), "event: finished") {
			t.Errorf("%s: %d %s, want %d", path, w.Code, w.Body, want)
		}
		if want == 401 && (w.Header().Get("WWW-Authenticate") == "" || !strings.Contains(w.Body.String(), "/docs/errors#unauthorized")) {
			t.Errorf("%s: %v %s", path, w.Header(), w.Body)
		}
	}
	opens(s, token.Events, 200)
	opens(s, mine.Links.Events, 401)
	opens(s, theirs.Links.Events+"?token="+token.Token, 401)             // of another job
	opens(s, mine.Links.Self+"?token="+token.Token, 401)                 // only on the stream
	opens(s, "/v1/jobs?token="+token.Token, 401)                         // only on the stream
	opens(s, token.Events+"&token="+token.Token, 400)                    // twice
	opens(s, mine.Links.Events+"?token=", 401)                           // empty
	opens(s, mine.Links.Events+"?token="+strings.Repeat("a", 4000), 401) // long
	parts := strings.Split(token.Token, ".")
	for i := range parts { // forged
		forged := []string{parts[0], parts[1], parts[2]}
		forged[i] = map[int]string{0: "zzzzzz", 1: "a2V5OmJvYg", 2: strings.Repeat("A", 43)}[i]
		opens(s, mine.Links.Events+"?token="+strings.Join(forged, "."), 401)
	}
	now = now.Add(5*time.Minute - time.Second)
	opens(s, token.Events, 200)
	now = now.Add(time.Second)
	opens(s, token.Events, 401)
	now = now.Add(-time.Minute)

	// A server that has the secret, perhaps no longer as the first one, accepts the token. It has other jobs, so that this one is not found.
	opens(newServer(t, with("newest", "new")), token.Events, 404)
	opens(newServer(t, with("newest")), token.Events, 401)
	opens(newServer(t, with()), token.Events, 401)
}

// No token is in the log, in a trace, or in an answer other than its own.
func TestTokensAreNeverLogged(t *testing.T) {
	logs, withLog := logged()
	spans := tracetest.NewSpanRecorder()
	provider := trace.NewTracerProvider(trace.WithSpanProcessor(spans))
	s := newServer(t, withLog, func(c *config) {
		c.clients.Keys = []handlers.Key{keyFor("ann", "secret")}
		c.options = func(o *handlers.Options) { o.Tracer = provider.Tracer("test") }
	})
	job := accepted(t, s.do(t, fromPage("", "secret", "POST", "/v1/jobs", jobOf("klaverjas.solve", anyDeal))))
	token := decodeAs[api.JobToken](t, s.do(t, fromPage("", "secret", "POST", job.Links.Self+"/token", "")))
	wrong := strings.Replace(token.Token, ".", ".x", 1)
	for _, path := range []string{token.Events, job.Links.Events + "?token=" + wrong, job.Links.Self + "?token=" + token.Token} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request(http.MethodGet, path, ""))
		if text := fmt.Sprint(w.Header(), w.Body); strings.Contains(text, token.Token) || strings.Contains(text, wrong) {
			t.Errorf("the answer has the token: %s", text)
		}
	}
	var text bytes.Buffer
	enc := zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig())
	for _, entry := range logs.All() {
		line, err := enc.EncodeEntry(entry.Entry, entry.Context)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(line.Bytes())
	}
	for _, span := range spans.Ended() {
		fmt.Fprint(&text, span.Name(), span.Attributes(), span.Events(), span.Status())
	}
	if !strings.Contains(text.String(), "/v1/jobs/{id}/events") {
		t.Error("the requests are not in the log")
	}
	for _, secret := range []string{token.Token, wrong, strings.Split(token.Token, ".")[2]} {
		if strings.Contains(text.String(), secret) {
			t.Errorf("a token is in the log or in a trace:\n%s", text.String())
		}
	}
}
