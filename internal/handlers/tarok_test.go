package handlers_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// ofTarok returns a request body with the example game of the paper and the given fields.
func ofTarok(fields string) string {
	return `{"hands": {"A": ["T1","T4","T6","T11","T14","T15","T21","HK","SK","D4","D3","D1","DJ","DK","C8","CJ"],
		"B": ["T2","T8","T9","T13","T16","T17","T18","T19","S8","SQ","DC","DQ","C7","C10","CC","CK"],
		"C": ["T3","T10","T12","T22","H4","H3","H2","HJ","HQ","S7","S9","S10","SJ","D2","C9","CQ"]},
		"talon": ["T7","H1","HC","T5","T20","SC"], "contract": "two", "declarer": "A", "group": 2, "discards": ["C8","CJ"], ` + fields + `}`
}

// Errors of tarok are problems with pointers, as in the other games.
func TestBadTarok(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct {
		name, method, path, body string
		status                   int
		where                    []string
	}{
		{"no body", http.MethodPost, "/v1/tarok/solve", ``, 400, []string{""}},
		{"unknown goal", http.MethodPost, "/v1/tarok/solve", ofTarok(`"goal": "win"`), 400, []string{"/goal"}},
		{"no depth", http.MethodPost, "/v1/tarok/solve", ofTarok(`"goal": "value"`), 422, []string{"/depth"}},
		{"illegal card", http.MethodPost, "/v1/tarok/legal-moves", ofTarok(`"played": ["DK", "T2"]`), 422, []string{"/played/1"}},
		{"not finished", http.MethodPost, "/v1/tarok/score", ofTarok(`"played": ["DK"]`), 422, []string{"/played"}},
		{"no view", http.MethodPost, "/v1/tarok/worlds", ofTarok(`"worlds": 3`), 400, []string{"/hand", "/hands", "/seat"}},
		{"a short hand of a view", http.MethodPost, "/v1/tarok/worlds", `{"seat": "A", "hand": ["T1"]}`, 422, []string{"/hand"}},
		{"a void deal", http.MethodPost, "/v1/tarok/worlds", `{"seat": "A", "hand": ` +
			`["H4","H3","H2","H1","HJ","HC","HQ","HK","D4","D3","D2","D1","DJ","DC","DQ","DK"]}`, 422, []string{"/hand"}},
		{"too many play-outs", http.MethodPost, "/v1/tarok/complexity", `{"playouts": 10001}`, 400, []string{"/playouts"}},
		{"no talon", http.MethodPost, "/v1/tarok/complexity", `{"talon": ["T7","H1","HC","T5","T20","SC"]}`, 422, []string{"/hands"}},
		{"a bid out of turn", http.MethodPost, "/v1/tarok/bid", `{"seat": "B", "hand": ` +
			`["T1","T4","T6","T11","T14","T15","T21","HK","SK","D4","D3","D1","DJ","DK","C8","CJ"]}`, 422, []string{"/seat"}},
		{
			"an exchange without a talon", http.MethodPost, "/v1/tarok/exchange", `{"seat": "A", "hand": [], "contract": "two"}`, 400,
			[]string{"/hand", "/talon"},
		},
		{
			"words of an unknown bonus", http.MethodPost, "/v1/tarok/announce", `{"seat": "A", "contract": "two", "said": [{"double": ["game"]}]}`,
			400,
			[]string{"/hand", "/said/0/double/0"},
		},
		{
			"a bonus announced twice", http.MethodPost, "/v1/tarok/announce",
			ofTarokHand(`"contract": "two", "declarer": "A", "talon": ["T7","H1","HC","T5","T20","SC"], "group": 2, "discards": ["C8","CJ"], ` +
				`"said": [{"bonuses": ["kings", "trula", "kings"]}]`),
			400,
			[]string{"/said/0/bonuses/2"},
		},
		{
			"too many deals for a card", http.MethodPost, "/v1/tarok/advise", `{"seat": "A", "worlds": 1000}`, 400,
			[]string{"/contract", "/hand", "/worlds"},
		},
		{"a match with nobody", http.MethodPost, "/v1/tarok/match", `{"a": "program", "b": "nobody"}`, 400, []string{"/b"}},
		{"unknown parameter", http.MethodGet, "/v1/tarok/deals/random?n=1", ``, 400, []string{"?n"}},
		{"no seed", http.MethodGet, "/v1/tarok/deals/random?seed=x", ``, 400, []string{"?seed"}},
		{
			"another game in a job", http.MethodPost, "/v1/jobs", `{"kind": "belote.solve", "request": ` + ofTarok(`"goal": "moves"`) + `}`, 400,
			[]string{
				"/request/contract", "/request/discards", "/request/group", "/request/hands", "/request/leader", "/request/stacks",
				"/request/talon", "/request/trump",
			},
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

// TestTarokMatch: a match is a job with progress, and equal requests share it.
func TestTarokMatch(t *testing.T) {
	s := newServer(t)
	const body = `{"a": "heuristic", "b": "random", "deals": 3, "hands": 2, "seating": "one", "seed": "1"}`
	first := result[api.TarokMatch](t, s.finished(t, s.accept(t, "/v1/tarok/match", body)))
	if first.Deals != 3 || first.Tables != 3 || first.Hands != 18 || first.A.Player != "heuristic" {
		t.Errorf("%+v", first)
	}
	status(t, s.post(t, "/v1/tarok/match", body), 200)
}

// TestTarokAdviceAsJob: a decision can become a job.
func TestTarokAdviceAsJob(t *testing.T) {
	s := newServer(t)
	r := request(http.MethodPost, "/v1/tarok/advise",
		`{"seat": "A", "hand": ["T1","T4","T6","T11","T14","T15","T21","HK","SK","D4","D3","D1","DJ","DK","C8","CJ"],
		"contract": "zero", "declarer": "A", "worlds": 2, "depth": 3}`)
	r.Header.Set("Prefer", "respond-async")
	w := s.do(t, r)
	status(t, w, 202)
	got := result[api.TarokAdvice](t, s.finished(t, decodeAs[api.Job](t, w)))
	if got.Worlds.Used != 2 || len(got.Cards) != 16 {
		t.Errorf("%+v", got)
	}
}
