package test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"roem/internal/testkit"
)

// proxied sends requests from any address, by a proxy that the server trusts.
type proxied struct {
	*server
	client *http.Client
}

// trusts is the configuration of a server for proxied.
const trusts = "ROEM_HTTP_TRUSTED_PROXIES=127.0.0.0/8"

func startProxied(t *testing.T, environ ...string) *proxied {
	t.Helper()
	b := &proxied{start(t, append(environ, trusts)...), client(testkit.Patience)}
	t.Cleanup(b.client.CloseIdleConnections)
	return b
}

// jobState is what these tests read of a job.
type jobState struct {
	ID              string
	Status          string
	Position        int    `json:"position_in_queue"`
	EstimatedWaitMs *int64 `json:"estimated_wait_ms"`
	Progress        struct{ Done, Nodes int }
	Attempts        int
}

// send sends a request from an address.
func (b *proxied) send(t *testing.T, address, method, path, body string) (status int, header http.Header, text []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, b.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", address)
	r.Header.Set("Content-Type", "application/json")
	answer, err := b.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if text, err = io.ReadAll(answer.Body); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, text
}

// job sends a request about a job, which must be answered with it.
func (b *proxied) job(t *testing.T, address, method, path, body string) (job jobState) {
	t.Helper()
	status, _, text := b.send(t, address, method, path, body)
	if err := json.Unmarshal(text, &job); err != nil || status/100 != 2 {
		t.Fatalf("%s %s: %d, %s", method, path, status, text)
	}
	return job
}

// ends waits until a job has succeeded.
func (b *proxied) ends(t *testing.T, address string, job jobState) jobState {
	t.Helper()
	for deadline := time.Now().Add(testkit.Patience); ; {
		job = b.job(t, address, http.MethodGet, "/v1/jobs/"+job.ID+"?wait=10", "")
		switch {
		case job.Status == "succeeded":
			return job
		case job.Status != "queued" && job.Status != "running" || time.Now().After(deadline):
			t.Fatalf("the job is %+v", job)
		}
	}
}

// longMatch is a match that takes minutes.
func longMatch(seed int) string {
	return fmt.Sprintf(`{"a": "pimc:20", "b": "simple", "deals": 500, "seed": "%d"}`, seed)
}

// TestSmallJobBesideLongOnes creates 60 long matches of one client, and then the smallest match of another one. The small one ends while
// the long ones go on.
func TestSmallJobBesideLongOnes(t *testing.T) {
	b := startProxied(t, "ROEM_SEARCH_SEARCHERS=2")
	const many, other = "192.0.2.1", "192.0.2.2"
	var long []jobState
	for seed := range 60 {
		long = append(long, b.job(t, many, http.MethodPost, "/v1/klaverjas/match", longMatch(seed)))
	}
	eventually(t, testkit.Patience, "the first long match searches", func() bool {
		return b.job(t, many, http.MethodGet, "/v1/jobs/"+long[0].ID, "").Progress.Nodes > 0
	})
	for n := range 3 {
		began := time.Now()
		small := b.ends(t, other, b.job(t, other, http.MethodPost, "/v1/klaverjas/match",
			fmt.Sprintf(`{"a": "simple", "b": "simple", "deals": 1, "seed": "%d"}`, n)))
		t.Logf("a match of one deal took %v beside 60 long ones of another client", time.Since(began).Round(time.Millisecond))
		if small.Attempts != 1 {
			t.Errorf("the small match ended as %+v", small)
		}
	}
	ended := 0
	for i, job := range long {
		job = b.job(t, many, http.MethodGet, "/v1/jobs/"+job.ID, "")
		if i < 2 && job.Attempts > 1 {
			t.Errorf("a long match was started again: %+v", job)
		}
		if job.Status == "succeeded" {
			ended++
		}
		b.job(t, many, http.MethodDelete, "/v1/jobs/"+job.ID, "")
	}
	if ended > 0 {
		t.Errorf("%d long matches had ended before the three small ones", ended)
	}
	b.sound(t)
}
