package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// ofBelote returns a request body with a deal of one suit and the given fields.
func ofBelote(fields string) string {
	return `{"trump": "H", "suits": ["H"], "leader": "A", ` +
		`"stacks": {"A": [["QH", "7H"], ["KH", "AH"]], "B": [["10H", "8H"], ["JH", "9H"]]}, ` + fields + `}`
}

// Errors of Belote are problems with pointers, as in Klaverjas.
func TestBadBelote(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct {
		name, method, path, body string
		status                   int
		where                    []string
	}{
		{"no body", http.MethodPost, "/v1/belote/solve", ``, 400, []string{""}},
		{"unknown goal", http.MethodPost, "/v1/belote/solve", ofBelote(`"goal": "win"`), 400, []string{"/goal"}},
		{"illegal card", http.MethodPost, "/v1/belote/analyse", ofBelote(`"played": ["KH", "8H"]`), 422, []string{"/played/1"}},
		{"nothing to analyse", http.MethodPost, "/v1/belote/analyse", ofBelote(`"played": []`), 422, []string{"/played"}},
		{"unknown parameter", http.MethodGet, "/v1/belote/deals/random?n=1", ``, 400, []string{"?n"}},
		{"no seed", http.MethodGet, "/v1/belote/deals/random?seed=x", ``, 400, []string{"?seed"}},
		{"no suits", http.MethodGet, "/v1/belote/deals/random?suits=CC", ``, 400, []string{"?suits"}},
		{"another trump", http.MethodGet, "/v1/belote/deals/random?suits=C&trump=D", ``, 422, []string{"?trump"}},
		{
			"another game in a job", http.MethodPost, "/v1/jobs", `{"kind": "klaverjas.solve", "request": ` + ofBelote(`"goal": "moves"`) + `}`, 400,
			[]string{"/request/stacks", "/request/suits"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := s.do(t, request(tt.method, tt.path, tt.body))
			status(t, w, tt.status)
			if diff := cmp.Diff(tt.where, places(t, decodeAs[api.Problem](t, w))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A drawn deal can be solved as it is, by a request and by a job, with the same result.
func TestRandomBelote(t *testing.T) {
	s := newServer(t)
	for _, query := range []string{"?suits=DS&trump=S&seed=3", "?suits=CDH&trump=none&seed=4"} {
		w := s.get(t, "/v1/belote/deals/random"+query)
		status(t, w, http.StatusOK)
		text, err := json.Marshal(decodeAs[api.BeloteDeal](t, w).Position)
		if err != nil {
			t.Fatal(err)
		}
		position := string(text)
		w = s.post(t, "/v1/belote/solve", position)
		status(t, w, http.StatusOK)
		solution := decodeAs[api.BeloteSolution](t, w)
		w = s.post(t, "/v1/jobs", fmt.Sprintf(`{"kind": "belote.solve", "request": %s}`, position))
		status(t, w, http.StatusAccepted)
		w = s.get(t, decodeAs[api.Job](t, w).Links.Self+"?wait=20")
		status(t, w, http.StatusOK)
		text, err = json.Marshal(decodeAs[api.Job](t, w).Result)
		if err != nil {
			t.Fatal(err)
		}
		var again api.BeloteSolution
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if again.Source != api.SourceCache || *again.Points != *solution.Points {
			t.Errorf("the job: %+v, the request: %+v", again, solution)
		}
	}
}

// The error for a trump that is no suit says that there may be none.
func TestBeloteUnknownTrump(t *testing.T) {
	s := newServer(t)
	w := s.get(t, "/v1/belote/deals/random?trump=X")
	status(t, w, http.StatusBadRequest)
	if got := (*decodeAs[api.Problem](t, w).Errors)[0].Detail; got != `"X" is not a suit: expected C, D, H or S, or none` {
		t.Error(got)
	}
}
