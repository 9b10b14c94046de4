package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"roem/internal/api"
	"roem/internal/testkit"
)

func jobOf(kind, body string) string { return `{"kind": "` + kind + `", "request": ` + body + `}` }

// finished waits for the end of a job.
func (s *server) finished(tb testing.TB, job api.Job) api.Job {
	tb.Helper()
	until(tb, "the end of the job", func() bool {
		w := s.get(tb, job.Links.Self+"?wait=20")
		status(tb, w, http.StatusOK)
		job = decodeAs[api.Job](tb, w)
		return job.FinishedAt != nil
	})
	return job
}

// accept sends a request that must become a job.
func (s *server) accept(tb testing.TB, path, body string) api.Job {
	tb.Helper()
	return accepted(tb, s.post(tb, path, body))
}

// accepted returns the job of an answer that must be one. A job that has ended by then is answered with 200.
func accepted(tb testing.TB, w *httptest.ResponseRecorder) api.Job {
	tb.Helper()
	if w.Code != http.StatusOK {
		status(tb, w, http.StatusAccepted)
	}
	job := decodeAs[api.Job](tb, w)
	if w.Code == http.StatusOK && job.FinishedAt == nil {
		status(tb, w, http.StatusAccepted)
	}
	if got := w.Header().Get("Location"); got != job.Links.Self || got != "/v1/jobs/"+job.Id {
		tb.Errorf("Location %q of the job %s", got, job.Id)
	}
	return job
}

func result[T any](tb testing.TB, job api.Job) T {
	tb.Helper()
	var out T
	if job.Status != api.JobStatusSucceeded || job.Result == nil {
		tb.Fatalf("the job has no result: %+v", job)
	}
	if err := json.Unmarshal(*job.Result, &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// until polls until is returns true. The test fails after testkit.Patience.
func until(tb testing.TB, what string, is func() bool) {
	tb.Helper()
	testkit.Until(tb, what, is)
}

// pathOf returns the path of the operation for a kind of job.
func pathOf(kind string) string {
	return "/v1/" + strings.NewReplacer(".", "/", "_", "/").Replace(kind)
}

func withKey(r *http.Request, key string) *http.Request {
	r.Header.Set("Idempotency-Key", key)
	return r
}

// twinOf returns a twin of the deal: its suits are renamed and its seats rotated by one.
func twinOf(body string) string {
	var in map[string]any
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		panic(err)
	}
	next := map[string]string{"N": "E", "E": "S", "S": "W", "W": "N"}
	hands := map[string][]string{}
	for seat, hand := range in["hands"].(map[string]any) {
		for _, card := range hand.([]any) {
			card := card.(string)
			suit := map[byte]string{'S': "D", 'H': "C", 'D': "S", 'C': "H"}[card[len(card)-1]]
			hands[next[seat]] = append(hands[next[seat]], card[:len(card)-1]+suit)
		}
	}
	text, err := json.Marshal(map[string]any{"trump": "D", "leader": "W", "hands": hands})
	if err != nil {
		panic(err)
	}
	return string(text)
}
