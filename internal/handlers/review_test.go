package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// goodReview is a request for a review of the cards of south in two tricks.
func goodReview() string {
	return with(`"played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S"], "seat": "S", "worlds": 3`)
}

// Every kind of bad request for a review has its exact status and place.
func TestBadReview(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct {
		name, old, by string
		status        int
		where         []string
		says          string
	}{
		{"an empty seat", `"seat": "S"`, `"seat": ""`, 400, []string{"/seat"}, "N, E, S or W"},
		{
			"no card played, all seats", `["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S"], "seat": "S"`, `[]`, 422,
			[]string{"/played"},
			"has no card: expected at least one",
		},
		{"no worlds", `"worlds": 3`, `"worlds": 0`, 400, []string{"/worlds"}, "expected 1 to 5000: number of worlds"},
		{"a budget", `"worlds": 3`, `"budget_ms": 3`, 400, []string{"/budget_ms"}, "is not a field here"},
		{"a seed that is none", `"worlds": 3`, `"seed": "x"`, 400, []string{"/seed"}, ""},
		{"no such seat", `"seat": "S"`, `"seat": "X"`, 400, []string{"/seat"}, "N, E, S or W"},
		{"no card played", `"KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S"`, ``, 422, []string{"/played"}, "has no card of S"},
		{
			"no card of the seat", `["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S"], "seat": "S"`, `["KH", "8S"], "seat": "N"`, 422,
			[]string{"/played"},
			"has no card of N",
		},
		{"a card of another hand", `"8S", "7H"`, `"7H", "8S"`, 422, []string{"/played/1"}, ""},
		{"all at once", `"leader": "S"`, `"leader": "Q", "declarer": "XX"`, 400, []string{"/leader", "/declarer"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := strings.Replace(goodReview(), tt.old, tt.by, 1)
			if body == goodReview() {
				t.Fatal("nothing replaced")
			}
			w := s.post(t, "/v1/klaverjas/review", body)
			status(t, w, tt.status)
			p := decodeAs[api.Problem](t, w)
			if p.Errors == nil {
				t.Fatalf("no place: %s", w.Body)
			}
			if diff := cmp.Diff(tt.where, places(t, p)); diff != "" || !strings.Contains((*p.Errors)[0].Detail, tt.says) {
				t.Errorf("%s\n%s", w.Body, diff)
			}
		})
	}
	both := strings.NewReplacer(`"seat": "S"`, `"seat": "X"`, `"trump": "S"`, `"trump": "X"`).Replace(goodReview())
	p := decodeAs[api.Problem](t, s.post(t, "/v1/klaverjas/review", both))
	if p.Errors == nil || len(*p.Errors) != 2 {
		t.Errorf("the seat and the trump are wrong: %+v", p)
	}
}

// A review as a job is the review of a request. Its progress counts the worlds, and the hands themselves once for each card.
func TestReviewAsJob(t *testing.T) {
	s := newServer(t, func(c *config) { c.noCache = true })
	w := s.post(t, "/v1/klaverjas/review", goodReview())
	status(t, w, http.StatusOK)
	job := s.finished(t, s.accept(t, "/v1/jobs", jobOf("klaverjas.review", goodReview())))
	if diff := cmp.Diff(steady(decodeAs[map[string]any](t, w)), steady(result[map[string]any](t, job))); diff != "" {
		t.Errorf("(-request +job)\n%s", diff)
	}
	choices := 0
	for _, c := range decodeAs[api.KlaverjasReview](t, w).Cards {
		if c.Knowledge != nil {
			choices++
		}
	}
	if job.Progress == nil || choices == 0 || job.Progress.Done != 4*choices || job.Progress.Of != 4*choices {
		t.Errorf("%d choices, progress %+v", choices, job.Progress)
	}
}
