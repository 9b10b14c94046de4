package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"roem/internal/api"
)

// A 404 says which paths were probably meant, in its sentence and for programs.
func TestUnknownPathsAreExplained(t *testing.T) {
	s := newServer(t)
	of := func(operation string, games ...string) (paths []string) {
		for _, game := range games {
			paths = append(paths, "/v1/"+game+"/"+operation)
		}
		return paths
	}
	for path, want := range map[string][]string{
		"/v1/solve":                            of("solve", "belote", "klaverjas", "tarok"),
		"/solve":                               of("solve", "belote", "klaverjas", "tarok"),
		"/v1/deals/random":                     of("deals/random", "belote", "gin-rummy", "klaverjas", "tarok"),
		"/v1/klaverjas/analyze":                of("analyse", "klaverjas"),
		"/v1/klaverjas/analysis":               of("analyse", "klaverjas"),
		"/v1/klaverjas/hand_strength":          of("hand-strength", "klaverjas"),
		"/v1/hand_strength":                    of("hand-strength", "klaverjas"),
		"/v1/klaverjas/moves":                  of("legal-moves", "klaverjas"),
		"/v1/klaverjas/Solve":                  of("solve", "klaverjas"),
		"/v1/klaverjas/solve/":                 of("solve", "klaverjas"),
		"//v1//klaverjas/solve":                of("solve", "klaverjas"),
		"/v2/klaverjas/solve":                  of("solve", "klaverjas"),
		"/api/v1/klaverjas/solve":              of("solve", "klaverjas"),
		"/klaverjas/solve":                     of("solve", "klaverjas"),
		"/v1/gin_rummy/advise":                 of("advise", "gin-rummy"),
		"/v1/gin/advise":                       of("advise", "gin-rummy"),
		"/v1/belotte/solve":                    of("solve", "belote"),
		"/v1/tarock/solve":                     of("solve", "tarok"),
		"/v1/tarok/sessions/x/plya":            of("sessions/{id}/play", "tarok"),
		"/v2":                                  {"/v1"},
		"/v1/":                                 {"/v1"},
		"/v1/job":                              {"/v1/jobs"},
		"/v1/healthz":                          {"/healthz"},
		"/openapi":                             {"/openapi.json", "/openapi.yaml"},
		"/v1/klaverjas":                        nil,
		"/v1/bridge/double-dummy":              nil,
		"/" + strings.Repeat("x/", 60_000):     nil,
		"/v1/" + strings.Repeat("solve", 9000): nil,
	} {
		w := s.get(t, path)
		status(t, w, http.StatusNotFound)
		p := decodeAs[api.Problem](t, w)
		if p.Errors == nil || len(*p.Errors) != 1 || (*p.Errors)[0].Code != "unknown_path" {
			t.Errorf("%.60s: %s", path, w.Body)
			continue
		}
		var got []string
		if e := (*p.Errors)[0].Expected; e != nil && e.OneOf != nil {
			got = *e.OneOf
		}
		if !slices.Equal(got, want) || len(want) > 0 != strings.Contains(p.Detail, "Did you mean "+strings.Join(want[:min(len(want), 1)], "")) {
			t.Errorf("%.60s: %q, want %q\n%s", path, got, want, p.Detail)
		}
	}
}

// GET /v1 has every operation of the contract below /v1 once.
func TestIndexOfOperations(t *testing.T) {
	s := newServer(t)
	w := s.get(t, "/v1")
	status(t, w, http.StatusOK)
	index := decodeAs[api.Operations](t, w)
	listed := index.Jobs
	for i, game := range s.service.Games() {
		if index.Games[i].Game != game.Name {
			t.Errorf("game %d is %s, want %s", i, index.Games[i].Game, game.Name)
		}
		listed = append(listed, index.Games[i].Operations...)
	}
	var got, want []string
	for _, o := range listed {
		got = append(got, string(o.Method)+" "+o.Path)
	}
	for path, item := range s.doc.Paths.Map() {
		for method := range item.Operations() {
			if strings.HasPrefix(path, "/v1/") {
				want = append(want, method+" "+path)
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
