package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/testkit"
)

// list returns the body of a batch.
func list(fields string, positions ...string) string {
	return `{` + fields + `"positions": [` + strings.Join(positions, ", ") + `]}`
}

// batch is the answer of both batches, with raw results.
type batch struct {
	Results []json.RawMessage
	Routes  api.KlaverjasRouteCounts
	Stats   api.KlaverjasStats
}

// Each position of a list has the answer of a single request. The pointers of errors point into the list.
func TestBatchesMatchSingleRequests(t *testing.T) {
	positions := []string{
		someDeal,
		`{"trump": "S"}`,
		`{"trump": "D", "leader": "W", "deal": "71234567890123456"}`,
		replaced(`"8C"`, `"9C"`),
		`{"trump": "S", "trump": "S", "leader": "S", "deal": "0"}`,
		"{\"trump\": \"\xff\", \"leader\": \"S\", \"deal\": \"0\"}",
		`17`, `null`, `[]`, `"x"`, strings.Repeat("[", 40) + strings.Repeat("]", 40),
		with(`"played": ["JH", "9D"]`),
		with(`"rules": {"troef": true}`),
		with(`"goal": "win"`),
		with(`"budget_ms": 1`),
		with(`"rules": {"system": "amsterdam"}, "played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S"]`),
		someDeal,
	}
	for _, path := range []string{"/v1/klaverjas/predict", "/v1/klaverjas/hybrid"} {
		t.Run(path, func(t *testing.T) {
			s := newServer(t, withPredictor(doubtful))
			body := list("", positions...)
			w := s.post(t, path+"/batch", body)
			status(t, w, http.StatusOK)
			var got batch
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Results) != len(positions) {
				t.Fatalf("%d results for %d positions, %v", len(got.Results), len(positions), err)
			}
			failed := 0
			for i, position := range positions {
				if path == "/v1/klaverjas/hybrid" && (strings.Contains(position, "budget_ms") || strings.Contains(position, "goal")) {
					continue // the answer to a single request has more fields
				}
				alone := s.post(t, path, position)
				var want, answer map[string]any
				for text, to := range map[string]*map[string]any{alone.Body.String(): &want, string(got.Results[i]): &answer} {
					if err := json.Unmarshal([]byte(text), to); err != nil {
						t.Fatal(err)
					}
				}
				if answer["ok"] != (alone.Code == http.StatusOK) {
					t.Errorf("position %d: %s", i, got.Results[i])
				}
				if alone.Code == http.StatusOK {
					delete(answer, "ok")
					if diff := cmp.Diff(steady(want), steady(answer)); diff != "" {
						t.Errorf("position %d (-alone +listed)\n%s", i, diff)
					}
					continue
				}
				failed++
				problem, _ := answer["error"].(map[string]any)
				if problem == nil || problem["status"] != float64(alone.Code) || problem["type"] != want["type"] {
					t.Errorf("position %d: %s\nalone: %s", i, got.Results[i], alone.Body)
					continue
				}
				listed, _ := problem["errors"].([]any)
				for j, e := range want["errors"].([]any) {
					v := e.(map[string]any)
					wantPointer := fmt.Sprintf("/positions/%d%v", i, v["pointer"])
					got := listed[j].(map[string]any)
					detail := strings.ReplaceAll(fmt.Sprint(got["detail"]), fmt.Sprintf("/positions/%d", i), "")
					// A single request has the model too, which a list has once.
					v["detail"] = strings.NewReplacer("leader, model, played", "leader, played",
						"at byte 11:", fmt.Sprintf("at byte %d:", 11+strings.Index(body, position))).Replace(fmt.Sprint(v["detail"]))
					if got["pointer"] != wantPointer || detail != v["detail"] {
						t.Errorf("position %d: %v\nalone: %v", i, listed[j], v)
					}
					if detail, _ := problem["detail"].(string); len(listed) == 1 && !strings.Contains(detail, wantPointer) {
						t.Errorf("position %d: the detail %q does not contain %s", i, detail, wantPointer)
					}
				}
			}
			if failed < 9 {
				t.Errorf("only %d positions are wrong", failed)
			}
		})
	}
}

func TestBadBatches(t *testing.T) {
	s := newServer(t)
	const position = `{"trump": "D", "leader": "W", "deal": "0"}`
	thousand := strings.Split(strings.Repeat(position+"|", 1000)[:1000*len(position+"|")-1], "|")
	for _, tt := range []struct {
		name, path, body string
		status           int
		where, says      string
	}{
		{"empty body", "/v1/klaverjas/predict/batch", ``, 400, "", "is empty"},
		{"no object", "/v1/klaverjas/predict/batch", `[]`, 400, "", "must be an object"},
		{"no list", "/v1/klaverjas/predict/batch", `{}`, 400, "/positions", "is missing"},
		{"empty list", "/v1/klaverjas/predict/batch", list(""), 400, "/positions", "has 0 items, expected 1 to 1000"},
		{
			"too many", "/v1/klaverjas/predict/batch", list("", append(thousand, position)...), 400, "/positions",
			"has 1001 items, expected 1 to 1000",
		},
		{"positions not a list", "/v1/klaverjas/hybrid/batch", `{"positions": {}}`, 400, "/positions", "must be an array"},
		{"positions null", "/v1/klaverjas/hybrid/batch", `{"positions": null}`, 400, "/positions", "null"},
		{"cut short", "/v1/klaverjas/predict/batch", `{"positions": [{"trump": "S"`, 400, "/positions/0", "not JSON"},
		{"incomplete after an item", "/v1/klaverjas/predict/batch", `{"positions": [` + position, 400, "/positions", "not JSON"},
		{
			"not JSON in an item", "/v1/klaverjas/predict/batch", `{"positions": [` + position + `, {'trump': 1}]}`, 400, "/positions/1",
			"not JSON",
		},
		{"not JSON after the list", "/v1/klaverjas/predict/batch", list("", position)[:len(list("", position))-1] + `,}`, 400, "", "not JSON"},
		{"data after the list", "/v1/klaverjas/predict/batch", list("", position) + `{}`, 400, "", "data after"},
		{"two lists", "/v1/klaverjas/predict/batch", `{"positions": [` + position + `], "positions": []}`, 400, "/positions", "given twice"},
		{"unknown field", "/v1/klaverjas/predict/batch", list(`"budget_ms": 1, `, position), 400, "/budget_ms", "is not a field here"},
		{"field of a position", "/v1/klaverjas/hybrid/batch", list(`"trump": "S", `, position), 400, "/trump", "is not a field here"},
		{"budget not a number", "/v1/klaverjas/hybrid/batch", list(`"budget_ms": "1", `, position), 400, "/budget_ms", "must be a number"},
		{
			"budget below zero", "/v1/klaverjas/hybrid/batch", list(`"budget_ms": -1, `, position), 400, "/budget_ms",
			"is -1, expected 0 to 600000: maximum time for the answer in milliseconds",
		},
		{"budget too large", "/v1/klaverjas/hybrid", with(`"budget_ms": 1e6`), 400, "/budget_ms", "is 1000000, expected 0 to 600000"},
		{"confidence too low", "/v1/klaverjas/hybrid", with(`"min_confidence": 0.4`), 400, "/min_confidence", "expected 0.5 to 1"},
		{
			"confidence too high", "/v1/klaverjas/hybrid/batch", list(`"min_confidence": 95, `, position), 400, "/min_confidence",
			"is 95, expected 0.5 to 1: minimum confidence",
		},
		{"confidence in a prediction", "/v1/klaverjas/predict", with(`"min_confidence": 0.9`), 400, "/min_confidence", "is not a field here"},
		{"too large", "/v1/klaverjas/predict/batch", list("", position) + strings.Repeat(" ", maxList), 413, "", "bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := s.post(t, tt.path, tt.body)
			status(t, w, tt.status)
			p := decodeAs[api.Problem](t, w)
			if p.Errors == nil {
				if tt.where != "-" || !strings.Contains(p.Detail, tt.says) {
					t.Errorf("%s", w.Body)
				}
				return
			}
			if e := (*p.Errors)[0]; *e.Pointer != tt.where || !strings.Contains(e.Detail, tt.says) {
				t.Errorf("%s: %s\nwant %s: %s", *e.Pointer, e.Detail, tt.where, tt.says)
			}
		})
	}
	t.Run("as many as may be", func(t *testing.T) {
		w := s.post(t, "/v1/klaverjas/predict/batch", list("", thousand...))
		status(t, w, http.StatusOK)
		if got := decodeAs[api.KlaverjasPredictBatch](t, w); len(got.Results) != 1000 {
			t.Errorf("%d results", len(got.Results))
		}
	})
}

// A batch that is larger than the limit of other bodies is accepted.
func TestBatchBodiesMayBeLarger(t *testing.T) {
	s := newServer(t)
	body := list("", slicesOf(someDeal, 500)...)
	if len(body) < 2*maxBody {
		t.Fatalf("only %d bytes", len(body))
	}
	status(t, s.post(t, "/v1/klaverjas/predict/batch", body), http.StatusOK)
}

func slicesOf(text string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = text
	}
	return out
}

// The budget of a list applies to all its positions. The model answers the positions that are not searched in time. A position without
// a model has an error.
func TestHybridBatchKeepsItsBudget(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), withPredictor(doubtful))
	var positions []string
	for i := range 100 {
		positions = append(positions, fmt.Sprintf(`{"trump": "D", "leader": "W", "deal": "%d"}`, i))
	}
	positions = append(positions, with(`"played": ["JH"]`))
	w := s.post(t, "/v1/klaverjas/hybrid/batch", list(`"budget_ms": 400, `, positions...))
	status(t, w, http.StatusOK)
	got := decodeAs[api.KlaverjasHybridBatch](t, w)
	if diff := cmp.Diff(api.KlaverjasRouteCounts{Model: 100, Error: 1}, got.Routes); diff != "" {
		t.Errorf("routes (-want +got)\n%s", diff)
	}
	if took := time.Duration(got.Stats.ElapsedUs) * time.Microsecond; took < 300*time.Millisecond || took > testkit.Patience {
		t.Errorf("took %v for a budget of 400 ms", took)
	}
	if !strings.Contains(fmt.Sprint(got.Results[100]), "there is no prediction for the position") {
		t.Errorf("%v", got.Results[100])
	}
}

// Repeated and cached positions of a list are not searched again.
func TestHybridBatchSearchesOnce(t *testing.T) {
	var searches atomic.Int64
	s := newServer(t, counting(&searches, open()), withPredictor(doubtful))
	status(t, s.post(t, "/v1/klaverjas/solve", with(`"goal": "win"`)), http.StatusOK)
	const other = `{"trump": "D", "leader": "W", "deal": "71234567890123456"}`
	w := s.post(t, "/v1/klaverjas/hybrid/batch", list(`"min_confidence": 1, `, someDeal, other, other, someDeal, other))
	status(t, w, http.StatusOK)
	got := decodeAs[api.KlaverjasHybridBatch](t, w)
	if n := searches.Load(); n != 2 { // one of them by solve
		t.Errorf("%d searches", n)
	}
	if got.Routes.Cache < 2 || got.Routes.Search < 1 || got.Routes.Cache+got.Routes.Search != 5 {
		t.Errorf("%+v", got.Routes)
	}
}
