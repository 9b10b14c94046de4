package handlers_test

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

const (
	ginHand  = `{"hand": ["AD", "AS", "AH", "AC", "2C", "3C", "4C", "4H", "4D", "4S"]}`
	ginScore = `{"knocker": {"hand": ["AC", "2C", "3C", "5H", "5S", "5D", "7H", "8H", "9H", "4S"],
		"melds": [["AC", "2C", "3C"], ["5H", "5S", "5D"], ["7H", "8H", "9H"]]},
		"opponent": {"hand": ["4C", "5C", "10H", "JH", "KC", "KH", "KS", "QD", "QS", "2S"]}}`
)

// ginSituation returns a request body with a situation and the given fields.
func ginSituation(fields string) string {
	return `{"seat": "A", "starter": "B", "upcard": "9D", "hand": ["2C", "3C", "4C", "8C", "QC", "KH", "AS", "7S", "KS", "JD"],
		"events": [{"seat": "B", "kind": "take", "card": "9D"}, {"seat": "B", "kind": "discard", "card": "QS"}]` + fields + `}`
}

// Errors of Gin Rummy are problems with pointers.
func TestBadGinRummy(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct {
		name, method, path, body string
		status                   int
		where                    []string
	}{
		{"no body", http.MethodPost, "/v1/gin-rummy/melds", ``, 400, []string{""}},
		{"nine cards", http.MethodPost, "/v1/gin-rummy/melds", strings.Replace(ginHand, `, "4S"`, ``, 1), 422, []string{"/hand"}},
		{"a card twice", http.MethodPost, "/v1/gin-rummy/melds", strings.Replace(ginHand, `"4S"`, `"4D"`, 1), 422, []string{"/hand/9"}},
		{
			"a card in both hands", http.MethodPost, "/v1/gin-rummy/score", strings.Replace(ginScore, `"QD"`, `"4S"`, 1), 422,
			[]string{"/opponent/hand/7"},
		},
		{"too much deadwood", http.MethodPost, "/v1/gin-rummy/score", strings.Replace(ginScore, `["AC", "2C", "3C"], `, ``, 1), 200, nil},
		{"unknown method", http.MethodPost, "/v1/gin-rummy/estimate", ginSituation(`, "method": "guess"`), 400, []string{"/method"}},
		{
			"a card not held", http.MethodPost, "/v1/gin-rummy/estimate", strings.Replace(ginSituation(``), `"QS"`, `"KS"`, 1), 422,
			[]string{"/events/1/card"},
		},
		{"no views", http.MethodPost, "/v1/gin-rummy/estimate/batch", `{"views": []}`, 400, []string{"/views"}},
		{"unknown player", http.MethodPost, "/v1/gin-rummy/advise", ginSituation(`, "player": "best"`), 400, []string{"/player"}},
		{"the other's turn", http.MethodPost, "/v1/gin-rummy/advise", `{"seat": "A", "starter": "B", "upcard": "9D", ` +
			`"hand": ["2C", "3C", "4C", "8C", "QC", "KH", "AS", "7S", "KS", "JD"]}`, 422, []string{"/events"}},
		{"an unknown player in a match", http.MethodPost, "/v1/gin-rummy/match", `{"a": "simple", "b": "best"}`, 400, []string{"/b"}},
		{"no pairs", http.MethodPost, "/v1/gin-rummy/match", `{"a": "simple", "b": "simple", "deals": 0}`, 400, []string{"/deals"}},
		{"unknown parameter", http.MethodGet, "/v1/gin-rummy/deals/random?n=1", ``, 400, []string{"?n"}},
		{"no seed", http.MethodGet, "/v1/gin-rummy/deals/random?seed=x", ``, 400, []string{"?seed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := s.do(t, request(tt.method, tt.path, tt.body))
			status(t, w, tt.status)
			if tt.status == 200 {
				return
			}
			if diff := cmp.Diff(tt.where, places(t, decodeAs[api.Problem](t, w))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Estimates sum to ten cards, and one of a list agrees with a single request.
func TestGinEstimates(t *testing.T) {
	s := newServer(t)
	w := s.post(t, "/v1/gin-rummy/estimate", ginSituation(``))
	status(t, w, http.StatusOK)
	one := decodeAs[api.GinEstimate](t, w)
	if one.Model == nil || one.Model.Name != "gin-hand" {
		t.Errorf("the model is %+v", one.Model)
	}
	w = s.post(t, "/v1/gin-rummy/estimate", ginSituation(`, "method": "uniform"`))
	status(t, w, http.StatusOK)
	if uniform := decodeAs[api.GinEstimate](t, w); uniform.Model != nil {
		t.Errorf("equally likely cards have the model %+v", uniform.Model)
	}
	sum := 0.0
	for _, p := range one.Probabilities {
		sum += p
	}
	if math.Abs(sum-10) > 1e-9 || len(one.Probabilities) != 52 || one.Probabilities["9D"] != 1 || one.Probabilities["QS"] != 0 ||
		one.Likely[0] != "9D" {
		t.Errorf("the sum is %v: %+v", sum, one)
	}
	w = s.post(t, "/v1/gin-rummy/estimate/batch", fmt.Sprintf(`{"views": [%s, {"starter": "A"}, %s]}`, ginSituation(``),
		ginSituation(`, "threshold": 1`)))
	status(t, w, http.StatusOK)
	list := decodeAs[struct {
		Results []struct {
			api.GinEstimate
			Ok    bool         `json:"ok"`
			Error *api.Problem `json:"error"`
		} `json:"results"`
		Version string `json:"version"`
	}](t, w).Results
	if diff := cmp.Diff(one, list[0].GinEstimate); diff != "" || !list[0].Ok || list[1].Ok || list[1].Error == nil ||
		!list[2].Ok || list[2].Error != nil || len(list[2].Above) != 0 {
		t.Errorf("%s\n%+v", diff, list[1:])
	}
}

// A match is a job. Equal requests share its result, which depends on the seed.
func TestGinMatch(t *testing.T) {
	s := newServer(t)
	const body = `{"a": "simple", "b": "random", "deals": 3, "seed": "2"}`
	first := result[api.GinMatch](t, s.finished(t, s.accept(t, "/v1/gin-rummy/match", body)))
	if first.Deals != 3 || first.Games != 6 || first.Won < 5 || first.Share.Mean != float64(first.Won)/6 || first.A.Player != "simple" ||
		first.A.Decisions == 0 {
		t.Errorf("%+v", first)
	}
	status(t, s.post(t, "/v1/gin-rummy/match", body), 200)
}
