package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// Every kind of bad request for advice has its exact status and place.
func TestBadAdvice(t *testing.T) {
	s := newServer(t)
	const path = "/v1/klaverjas/advise"
	finished := `["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S", "KS", "8D", "9C", "8C", "AC", "9D", "10C", "QC", ` +
		`"7C", "10D", "7D", "KC", "QH", "JH", "QD", "10H", "9H", "AH", "JC", "AD"]`
	for _, tt := range []struct {
		name, old, by string
		status        int
		where         string
		says          string
	}{
		{"no seat", `"seat": "S", `, ``, 400, "/seat", "is missing"},
		{"hands of others", `"seat"`, `"hands": {}, "seat"`, 400, "/hands", "is not a field here"},
		{"no worlds", `"seat"`, `"worlds": 0, "seat"`, 400, "/worlds", "expected 1 to 50000: number of worlds to search"},
		{"no budget", `"seat"`, `"budget_ms": 0, "seat"`, 400, "/budget_ms", "expected 1 to 600000: maximum time"},
		{"no such objective", `"seat"`, `"objective": "points", "seat"`, 400, "/objective", "score"},
		{"no such seat", `"seat": "S"`, `"seat": "X"`, 400, "/seat", "N, E, S or W"},
		{"another seat's turn", `, "9S"]`, `, "9S", "7C"]`, 422, "/seat", "it is the turn of W, not of S"},
		{
			"finished", goodView[strings.Index(goodView, `["KH"`):strings.LastIndex(goodView, `}`)], finished, 422, "/played",
			"no card left to play",
		},
		{"seven cards", `"7C", `, ``, 422, "/hand", "has 7 cards"},
		{"no card", `"7C"`, `"7X"`, 400, "/hand/0", "is not a card"},
		{"a card twice", `"7C"`, `"JC"`, 422, "/hand/1", "twice"},
		{"a card of another hand", `"8H"`, `"JH"`, 422, "/played/3", "is in the hand of S"},
		{"a card played twice", `"8H"`, `"7H"`, 422, "/played/3", "before"},
		{"a card known to be held by two", `"played"`, `"known": {"N": ["KC"], "W": ["KC"]}, "played"`, 422, "/known/W", "another hand"},
		{"own cards known", `"played"`, `"known": {"S": ["AC"]}, "played"`, 422, "/known/S", "given in hand"},
		{"a revoke", `"7H"`, `"KC"`, 422, "/played/5", "proves that N revoked"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := strings.Replace(goodView, tt.old, tt.by, 1)
			if body == goodView {
				t.Fatal("nothing replaced")
			}
			w := s.post(t, path, body)
			status(t, w, tt.status)
			p := decodeAs[api.Problem](t, w)
			if p.Errors == nil || len(*p.Errors) == 0 {
				t.Fatalf("no place: %s", w.Body)
			}
			first := (*p.Errors)[0]
			if first.Pointer == nil || *first.Pointer != tt.where || !strings.Contains(first.Detail, tt.says) {
				t.Errorf("%s", w.Body)
			}
		})
	}
}

// Advice as a job is the advice of a request.
func TestAdviceAsJob(t *testing.T) {
	s := newServer(t, func(c *config) { c.noCache = true })
	w := s.post(t, "/v1/klaverjas/advise", goodView)
	status(t, w, http.StatusOK)
	job := s.finished(t, s.accept(t, "/v1/jobs", jobOf("klaverjas.advise", goodView)))
	if diff := cmp.Diff(steady(decodeAs[map[string]any](t, w)), steady(result[map[string]any](t, job))); diff != "" {
		t.Errorf("(-request +job)\n%s", diff)
	}
	if job.Progress == nil || job.Progress.Done != 100 || job.Progress.Of != 100 {
		t.Errorf("progress %+v", job.Progress)
	}
}
