package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// The result of every kind of job is the answer of its operation.
func TestJobsOfEveryKind(t *testing.T) {
	s := newServer(t)
	played := with(`"played": ["JH", "8S", "7H", "8H"]`)
	for kind, body := range map[string]string{
		"klaverjas.solve": with(`"goal": "moves"`), "klaverjas.analyse": played,
		"klaverjas.table": `{"leader": "S", "hands": ` + goodHands + `}`,
	} {
		t.Run(kind, func(t *testing.T) {
			job := s.finished(t, s.accept(t, "/v1/jobs", jobOf(kind, body)))
			got := result[map[string]any](t, job)
			w := s.post(t, pathOf(kind), body)
			status(t, w, http.StatusOK)
			if diff := cmp.Diff(steady(decodeAs[map[string]any](t, w)), steady(got)); diff != "" {
				t.Errorf("(-immediately +as a job)\n%s", diff)
			}
			if job.Attempts != 1 || job.StartedAt == nil || job.Error != nil || job.PositionInQueue != 0 {
				t.Errorf("%+v", job)
			}
			nodes, _ := got["stats"].(map[string]any)["nodes"].(float64)
			if p := job.Progress; p == nil || p.Done != p.Of || p.Of == 0 || float64(p.Nodes) != nodes {
				t.Errorf("progress %+v of a result of %v nodes", p, nodes)
			}
		})
	}
}

// A request that the operation refuses creates no job. The pointers of the problem point into the request.
func TestRefusedJobs(t *testing.T) {
	s := newServer(t, keyed)
	tests := []struct {
		name, body string
		status     int
		pointers   []string
	}{
		{"no kind", `{"request": ` + someDeal + `}`, 400, []string{"/kind"}},
		{"another kind", jobOf("legal-moves", someDeal), 400, []string{"/kind"}},
		{"no request", `{"kind": "klaverjas.solve"}`, 400, []string{"/request"}},
		{"no object", jobOf("klaverjas.solve", "7"), 400, []string{"/request"}},
		{"another field", `{"kind": "klaverjas.solve", "request": ` + someDeal + `, "owner": "me"}`, 400, []string{"/owner"}},
		{"a field of another kind", jobOf("klaverjas.analyse", with(`"goal": "win"`)), 400, []string{"/request/goal"}},
		{"a card twice", jobOf("klaverjas.solve", strings.Replace(someDeal, `"AH"`, `"AS"`, 1)), 422, []string{"/request/hands/E/7"}},
		{"nothing to analyse", jobOf("klaverjas.analyse", someDeal), 422, []string{"/request/played"}},
		{"an incomplete table", jobOf("klaverjas.table", `{"leader": "S"}`), 400, []string{"/request/hands"}},
		{"an unknown rule", jobOf("klaverjas.solve", with(`"rules": {"troef": 1}`)), 400, []string{"/request/rules/troef"}},
		{"an empty batch", jobOf("klaverjas.solve_batch", `{"positions": []}`), 400, []string{"/request/positions"}},
		{"no batch", jobOf("klaverjas.solve_batch", `{"positions": {}}`), 400, []string{"/request/positions"}},
		{"a duplicate field", `{"kind": "klaverjas.solve", "kind": "klaverjas.solve", "request": {}}`, 400, []string{"/kind"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := s.post(t, "/v1/jobs", tt.body)
			status(t, w, tt.status)
			if diff := cmp.Diff(tt.pointers, places(t, decodeAs[api.Problem](t, w))); diff != "" {
				t.Errorf("pointers (-want +got)\n%s\n%s", diff, w.Body)
			}
		})
	}
	if list := decodeAs[api.JobList](t, s.get(t, "/v1/jobs")); len(list.Jobs) != 0 {
		t.Errorf("jobs were created: %+v", list.Jobs)
	}
}

func TestListingJobs(t *testing.T) { onEachQueue(t, testListingJobs) }

func testListingJobs(t *testing.T, queue func(*config)) {
	t.Helper()
	s := newServer(t, queue, keyed, func(c *config) { c.workers = noWorkers })
	var made []string
	for i := range 5 {
		made = append([]string{s.accept(t, "/v1/jobs", jobOf("klaverjas.solve",
			fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d"}`, i))).Id}, made...)
	}
	var seen []string
	token := ""
	for range 3 {
		w := s.get(t, "/v1/jobs?limit=2"+token)
		status(t, w, 200)
		page := decodeAs[api.JobList](t, w)
		for _, job := range page.Jobs {
			seen = append(seen, job.Id)
			if job.Result != nil || job.PositionInQueue == 0 {
				t.Errorf("%+v", job)
			}
		}
		if (page.NextPageToken == nil) != (len(seen) == 5) {
			t.Errorf("after %d jobs: %v", len(seen), page.NextPageToken)
		}
		if page.NextPageToken != nil {
			token = "&page_token=" + *page.NextPageToken
		}
	}
	if diff := cmp.Diff(made, seen); diff != "" {
		t.Errorf("(-made +listed)\n%s", diff)
	}
	status(t, s.do(t, request(http.MethodDelete, "/v1/jobs/"+made[0], "")), 200)
	theirs := request(http.MethodGet, "/v1/jobs?id="+strings.Join(made, ","), "")
	theirs.RemoteAddr = "192.0.2.2:1"
	if list := decodeAs[api.JobList](t, s.do(t, theirs)); len(list.Jobs) != 0 {
		t.Errorf("another key lists %d jobs by their ids", len(list.Jobs))
	}
	for query, want := range map[string]int{
		"?status=queued": 4, "?status=cancelled": 1, "?status=failed": 0, "": 5,
		"?id=" + made[1] + ",x," + made[0]: 2,
	} {
		if got := len(decodeAs[api.JobList](t, s.get(t, "/v1/jobs"+query)).Jobs); got != want {
			t.Errorf("%s: %d jobs, want %d", query, got, want)
		}
	}
	for _, bad := range []string{
		"status=done", "limit=0", "limit=101", "limit=x", "page_token=nonsense", "owner=me", "limit=1&limit=2", "id=a&id=b",
		"limit=2&id=" + made[0], "page_token=x&id=" + made[0], "id=" + strings.Repeat("a,", 100) + "a",
	} {
		w := s.get(t, "/v1/jobs?"+bad)
		status(t, w, 400)
		name, _, _ := strings.Cut(bad, "=")
		if e := decodeAs[api.Problem](t, w).Errors; e == nil || *(*e)[0].Parameter != name {
			t.Errorf("%s: %s", bad, w.Body)
		}
	}
	for _, bad := range []string{"wait=-1", "wait=x", "wait=86401", "wait=1&wait=2", "w=1"} {
		status(t, s.get(t, "/v1/jobs/"+made[1]+"?"+bad), 400)
	}
}
