package test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"testing"
	"time"

	"roem/internal/loadtest"
	"roem/internal/testkit"
)

// job holds the fields of a job that these tests read.
type job struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind"`
	Status   string          `json:"status"`
	Attempts int             `json:"attempts"`
	Result   json.RawMessage `json:"result"`
	Error    json.RawMessage `json:"error"`
}

func (j job) final() bool {
	return j.Status == "succeeded" || j.Status == "failed" || j.Status == "cancelled"
}

// patient is a client that follows the documentation: it repeats a request with the same Idempotency-Key, to any of the servers, if it
// got no answer, 503 or 429.
type patient struct {
	urls   func() []string
	client *http.Client
}

func newPatient(tb testing.TB, urls func() []string) *patient {
	tb.Helper()
	p := &patient{urls: urls, client: client(testkit.Patience)}
	tb.Cleanup(p.client.CloseIdleConnections)
	return p
}

// errGaveUp is the error of a request that got no answer in time.
var errGaveUp = errors.New("no answer in time")

// ask repeats a request until there is an answer. It returns the body of an answer with a status below 300.
func (p *patient) ask(ctx context.Context, method, path, key string, body []byte) (job, error) {
	var last error
	for ctx.Err() == nil {
		urls := p.urls()
		status, text, wait, err := p.once(ctx, method, urls[rand.IntN(len(urls))]+path, key, body)
		switch {
		case err != nil:
			last = err
		case status < 300:
			var j job
			if err := json.Unmarshal(text, &j); err != nil {
				return job{}, fmt.Errorf("%s %s: %w: %.300s", method, path, err, text)
			}
			return j, nil
		case status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests:
			last = fmt.Errorf("%d: %.300s", status, text)
		default:
			return job{}, fmt.Errorf("%s %s: %d: %.500s", method, path, status, text)
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(max(wait, 50*time.Millisecond), time.Second)):
		}
	}
	return job{}, fmt.Errorf("%s %s: %w, the last time because of: %v", method, path, errGaveUp,
		last) //nolint:errorlint // only for the message
}

func (p *patient) once(ctx context.Context, method, url, key string,
	body []byte,
) (status int, text []byte, retryAfter time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, 0, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	answer, err := p.client.Do(request)
	if err != nil {
		return 0, nil, 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	if text, err = io.ReadAll(answer.Body); err != nil {
		return 0, nil, 0, err
	}
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	return answer.StatusCode, text, time.Duration(seconds) * time.Second, nil
}

// submit creates a job.
func (p *patient) submit(ctx context.Context, key, kind string, request any) (job, error) {
	text, err := json.Marshal(map[string]any{"kind": kind, "request": request})
	if err != nil {
		return job{}, err
	}
	return p.ask(ctx, http.MethodPost, "/v1/jobs", key, text)
}

// finish waits for the end of a job.
func (p *patient) finish(ctx context.Context, id string) (job, error) {
	for {
		j, err := p.ask(ctx, http.MethodGet, "/v1/jobs/"+id+"?wait=5", "", nil)
		if err != nil || j.final() {
			return j, err
		}
	}
}

// hard returns a function that returns different requests. Each search takes some tens of milliseconds.
func hard(tb testing.TB, seed uint64) func() map[string]any {
	tb.Helper()
	route, err := loadtest.NewRoute("solve-hard", 1, seed)
	if err != nil {
		tb.Fatal(err)
	}
	return func() map[string]any {
		q, err := route.Next()
		if err != nil {
			tb.Fatal(err)
		}
		var body map[string]any
		if err := json.Unmarshal(q.Body, &body); err != nil {
			tb.Fatal(err)
		}
		return body
	}
}

// hardTable returns a function that returns requests for tables of hard deals, which take eight searches each.
func hardTable(tb testing.TB, seed uint64) func() map[string]any {
	tb.Helper()
	next := hard(tb, seed)
	return func() map[string]any {
		body := next()
		return map[string]any{"rules": body["rules"], "leader": body["leader"], "hands": body["hands"]}
	}
}

// longBatch returns a request that keeps a worker busy for many seconds.
func longBatch(tb testing.TB, seed uint64, n int) map[string]any {
	tb.Helper()
	next := hard(tb, seed)
	var positions []map[string]any
	for range n {
		body := next()
		delete(body, "goal")
		positions = append(positions, body)
	}
	return map[string]any{"positions": positions, "goal": "moves"}
}
