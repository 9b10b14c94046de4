package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	game "roem/internal/service/klaverjas"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/hybrid"
	"roem/internal/service"
)

// fixed is a model that thinks the same of every deal, whoever declares and whatever the rules.
type fixed struct {
	win    float64
	effort hybrid.Hardness
}

func (fixed) Card() ([]api.ModelDescription, []api.ModelMeasured) { return nil, nil }

func (f fixed) Predict(klaverjas.Rules, klaverjas.Deal) (hybrid.Prediction, api.ModelIdentity, *game.NoModelFor) {
	return hybrid.Prediction{WinProbability: f.win, Effort: f.effort},
		api.ModelIdentity{Name: "fixed", Version: "1", Sha256: strings.Repeat("0", 64)}, nil
}

func (f fixed) PredictAll(rules klaverjas.Rules, deals []klaverjas.Deal) []game.Predicted {
	return oneByOne(f, rules, deals)
}

func withPredictor(p game.Predictor) func(*config) {
	return func(c *config) { c.predictor = p }
}

var (
	doubtful = fixed{0.6, hybrid.Hardness{Log10: 3, Sigma: 0.5}}
	certain  = fixed{0.00001, hybrid.Hardness{Log10: 6, Sigma: 0.5}}
)

func TestPredict(t *testing.T) {
	s := newServer(t, withPredictor(fixed{0.2, hybrid.Hardness{Log10: 3, Sigma: 0.5}}))
	w := s.post(t, "/v1/klaverjas/predict", someDeal)
	status(t, w, http.StatusOK)
	got := decodeAs[api.Prediction](t, w)
	if got.Won || got.WinProbability != 0.2 || got.Confidence != 0.8 || bool(got.Exact) || got.Model.Name != "fixed" {
		t.Errorf("%+v", got)
	}
	if h := got.Hardness; h.Nodes != 1940 || h.NodesP90 != 4373 || h.Ms <= 0 || h.MsP90 <= h.Ms {
		t.Errorf("hardness %+v", h)
	}
	if got.Deal.Index != "66664208398121072" || got.Rules.System != "rotterdam" {
		t.Errorf("%+v", got)
	}
}

// The card describes the model that predictions name, and says how good it is.
func TestModelCard(t *testing.T) {
	s := newServer(t)
	w := s.get(t, "/v1/klaverjas/model")
	status(t, w, http.StatusOK)
	card := decodeAs[api.ModelCard](t, w)
	prediction := decodeAs[api.Prediction](t, s.post(t, "/v1/klaverjas/predict", someDeal))
	found := false
	for _, m := range card.Models {
		found = found || m.Name == prediction.Model.Name && m.Version == prediction.Model.Version && m.Sha256 == prediction.Model.Sha256
	}
	if !found {
		t.Errorf("%+v is not among %+v", prediction.Model, card.Models)
	}
	if len(card.Measured) < 2 || card.Hybrid.Gain <= 0 {
		t.Errorf("%+v", card)
	}
	for _, m := range card.Measured {
		if a := m.Accuracy; a.Value < 0.85 || a.Low > a.Value || a.High < a.Value || len(m.Calibration) == 0 {
			t.Errorf("%+v", m)
		}
	}
	if empty := decodeAs[api.ModelCard](t, newServer(t, withPredictor(nil)).get(t, "/v1/klaverjas/model")); len(empty.Models) != 0 {
		t.Errorf("without a model: %+v", empty)
	}
}

// What no model knows is 422 and names the field; the hybrid searches it and says so.
func TestWithoutAModel(t *testing.T) {
	s := newServer(t, withPredictor(trumps{}))
	for _, tt := range []struct{ name, body, where, says string }{
		{"other rules", with(`"rules": {"melds": false}`), "/rules", "No model knows"},
		{"other declarers", with(`"declarer": "EW"`), "/declarer", "No model knows"},
		{"cards played", with(`"played": ["JH", "8S", "7H", "QH", "JS"]`), "/played", "Cards have been played"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := s.post(t, "/v1/klaverjas/predict", tt.body)
			status(t, w, http.StatusUnprocessableEntity)
			p := decodeAs[api.Problem](t, w)
			if p.Type != "/docs/errors#no-model" || p.Errors == nil || len(*p.Errors) != 1 || *(*p.Errors)[0].Pointer != tt.where {
				t.Errorf("%s", w.Body)
			}
			w = s.post(t, "/v1/klaverjas/hybrid", tt.body)
			status(t, w, http.StatusOK)
			got := decodeAs[api.HybridAnswer](t, w)
			if got.Route != api.RouteSearch || !got.Exact || got.Model != nil || got.Hardness != nil || !strings.Contains(got.Reason, tt.says) {
				t.Errorf("%s", w.Body)
			}
			w = s.post(t, "/v1/klaverjas/solve", strings.Replace(tt.body, `"trump"`, `"goal": "win", "trump"`, 1))
			if solved := decodeAs[api.Solution](t, w); solved.Won != got.Won || solved.Source != api.Cache {
				t.Errorf("won %v by the hybrid, %v by the %s", got.Won, solved.Won, solved.Source)
			}
			if w = s.post(t, "/v1/klaverjas/hybrid", tt.body); decodeAs[api.HybridAnswer](t, w).Route != api.RouteCache {
				t.Errorf("the second time: %s", w.Body)
			}
		})
	}
}

// A server without any model still answers everything that a search can.
func TestNoModelAtAll(t *testing.T) {
	s := newServer(t, withPredictor(nil))
	status(t, s.post(t, "/v1/klaverjas/predict", someDeal), http.StatusUnprocessableEntity)
	w := s.post(t, "/v1/klaverjas/hybrid", someDeal)
	status(t, w, http.StatusOK)
	if got := decodeAs[api.HybridAnswer](t, w); got.Route != api.RouteSearch || !got.Won {
		t.Errorf("%s", w.Body)
	}
}

func TestHybridRoutes(t *testing.T) {
	var searches atomic.Int64
	finished := with(`"played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S", "KS", "8D", "9C", "8C", "AC", "9D", "10C", "QC", "7C", "10D", "7D", "KC", "QH", "JH", "QD", "10H", "9H", "AH", "JC", "AD"]`)
	for _, tt := range []struct {
		name     string
		model    fixed
		body     string
		route    api.Route
		won      bool
		searches int64
	}{
		{"in doubt", doubtful, someDeal, api.RouteSearch, true, 1},
		{"in doubt, with time", doubtful, with(`"budget_ms": 10000`), api.RouteSearch, true, 1},
		{"sure", certain, someDeal, api.RouteModel, false, 0},
		{"sure, but proof is wanted", certain, with(`"min_confidence": 1`), api.RouteSearch, true, 1},
		{"sure enough", doubtful, with(`"min_confidence": 0.55`), api.RouteModel, true, 0},
		{"not sure enough", doubtful, with(`"min_confidence": 0.65`), api.RouteSearch, true, 1},
		{"no time", doubtful, with(`"budget_ms": 0`), api.RouteModel, true, 0},
		{"no time for proof", doubtful, with(`"budget_ms": 0, "min_confidence": 1`), api.RouteModel, true, 0},
		{"hand over", doubtful, finished, api.RouteSearch, true, 0},
		{"hand over, no time", doubtful, strings.Replace(finished, `"trump"`, `"budget_ms": 0, "trump"`, 1), api.RouteSearch, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			searches.Store(0)
			s := newServer(t, counting(&searches, open()), withPredictor(tt.model))
			w := s.post(t, "/v1/klaverjas/hybrid", tt.body)
			status(t, w, http.StatusOK)
			got := decodeAs[api.HybridAnswer](t, w)
			if got.Route != tt.route || got.Won != tt.won || got.Exact != (tt.route != api.RouteModel) || got.Reason == "" {
				t.Errorf("%s", w.Body)
			}
			switch {
			case got.Exact && (got.Confidence != 1 || got.WinProbability != map[bool]float64{true: 1}[got.Won]):
				t.Errorf("proven with %v, %v", got.Confidence, got.WinProbability)
			case !got.Exact && (got.Confidence != max(tt.model.win, 1-tt.model.win) || got.WinProbability != tt.model.win):
				t.Errorf("predicted with %v, %v", got.Confidence, got.WinProbability)
			}
			if n := searches.Load(); n != tt.searches {
				t.Errorf("%d searches, want %d", n, tt.searches)
			}
		})
	}
}

// What solve has found answers the hybrid, for the same deal under other names too, and the other way round.
func TestHybridSharesTheCache(t *testing.T) {
	s := newServer(t, withPredictor(doubtful))
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), http.StatusOK)
	swapped := strings.NewReplacer(`C"`, `D"`, `D"`, `C"`).Replace(someDeal)
	w := s.post(t, "/v1/klaverjas/hybrid", swapped)
	status(t, w, http.StatusOK)
	if got := decodeAs[api.HybridAnswer](t, w); got.Route != api.RouteCache || !got.Won || !got.Exact || got.Stats.Nodes != 0 {
		t.Errorf("%s", w.Body)
	}
}

// A budget holds whatever the search does: the model answers when it is spent, or an error where there is no model.
func TestHybridKeepsItsBudget(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), withPredictor(doubtful))
	began := time.Now()
	w := s.post(t, "/v1/klaverjas/hybrid", with(`"budget_ms": 300`))
	took := time.Since(began)
	status(t, w, http.StatusOK)
	if got := decodeAs[api.HybridAnswer](t, w); got.Route != api.RouteModel || !strings.Contains(got.Reason, "budget of 300 ms") {
		t.Errorf("%s", w.Body)
	}
	if took < 300*time.Millisecond || took > 10*time.Second {
		t.Errorf("took %v for a budget of 300 ms", took)
	}
	within(t, waiting.stopped, "the end of the search")

	w = s.post(t, "/v1/klaverjas/hybrid", with(`"budget_ms": 50, "played": ["JH"]`))
	status(t, w, http.StatusServiceUnavailable)
	if p := decodeAs[api.Problem](t, w); p.Type != "/docs/errors#too-slow" || !strings.Contains(p.Detail, "no model knows") {
		t.Errorf("%s", w.Body)
	}
}

// Where no searcher is free, the budget counts the wait for one, and a full queue leaves the answer to the model at once.
func TestHybridOnABusyServer(t *testing.T) {
	for name, tt := range map[string]struct {
		queue  int
		budget string
		says   string
	}{
		"in the queue": {10, "300", "wait for a free searcher"},
		"queue full":   {service.NoQueue, "60000", "Every searcher is busy"},
	} {
		t.Run(name, func(t *testing.T) {
			waiting := newWaiting()
			s := newServer(t, withSearcher(waiting.solve), withPredictor(doubtful), func(c *config) { c.searchers, c.queue = 1, tt.queue })
			ctx, leave := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				other := request(http.MethodPost, "/v1/klaverjas/solve", `{"trump": "D", "leader": "N", "deal": "1"}`)
				s.ServeHTTP(httptest.NewRecorder(), other.WithContext(ctx))
			}()
			within(t, waiting.started, "the search that keeps the server busy")
			w := s.post(t, "/v1/klaverjas/hybrid", with(`"budget_ms": `+tt.budget))
			leave()
			within(t, done, "the other request")
			status(t, w, http.StatusOK)
			if got := decodeAs[api.HybridAnswer](t, w); got.Route != api.RouteModel || !strings.Contains(got.Reason, tt.says) {
				t.Errorf("%s", w.Body)
			}
		})
	}
}

// list makes the body of a batch.
func list(fields string, positions ...string) string {
	return `{` + fields + `"positions": [` + strings.Join(positions, ", ") + `]}`
}

// batch is what both batches answer, its results as they are.
type batch struct {
	Results []json.RawMessage
	Routes  api.RouteCounts
	Stats   api.Stats
}

// Each position of a list is answered as it is alone, errors too, whose pointers lead into the list.
func TestBatchesAnswerAsAlone(t *testing.T) {
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
			w := s.post(t, path+"/batch", list("", positions...))
			status(t, w, http.StatusOK)
			var got batch
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Results) != len(positions) {
				t.Fatalf("%d results for %d positions, %v", len(got.Results), len(positions), err)
			}
			failed := 0
			for i, position := range positions {
				if path == "/v1/klaverjas/hybrid" && (strings.Contains(position, "budget_ms") || strings.Contains(position, "goal")) {
					continue // a position alone has more fields there than one in a list
				}
				alone := s.post(t, path, position)
				var want, answer map[string]any
				for text, to := range map[string]*map[string]any{alone.Body.String(): &want, string(got.Results[i]): &answer} {
					if err := json.Unmarshal([]byte(text), to); err != nil {
						t.Fatal(err)
					}
				}
				if alone.Code == http.StatusOK {
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
					if listed[j].(map[string]any)["pointer"] != wantPointer || listed[j].(map[string]any)["detail"] != v["detail"] {
						t.Errorf("position %d: %v\nalone: %v", i, listed[j], v)
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
		{"list of nothing", "/v1/klaverjas/predict/batch", list(""), 400, "/positions", "has 0: A list of 1 to 1,000"},
		{"too many", "/v1/klaverjas/predict/batch", list("", append(thousand, position)...), 400, "/positions", "has 1001: A list of 1 to 1,000"},
		{"positions no list", "/v1/klaverjas/hybrid/batch", `{"positions": {}}`, 400, "/positions", "must be an array"},
		{"positions null", "/v1/klaverjas/hybrid/batch", `{"positions": null}`, 400, "/positions", "null"},
		{"cut short", "/v1/klaverjas/predict/batch", `{"positions": [{"trump": "S"`, 400, "/positions/0", "not JSON"},
		{"cut after an item", "/v1/klaverjas/predict/batch", `{"positions": [` + position, 400, "/positions", "not JSON"},
		{"not JSON in an item", "/v1/klaverjas/predict/batch", `{"positions": [` + position + `, {'trump': 1}]}`, 400, "/positions/1", "not JSON"},
		{"not JSON after the list", "/v1/klaverjas/predict/batch", list("", position)[:len(list("", position))-1] + `,}`, 400, "", "not JSON"},
		{"more after it", "/v1/klaverjas/predict/batch", list("", position) + `{}`, 400, "", "more after"},
		{"two lists", "/v1/klaverjas/predict/batch", `{"positions": [` + position + `], "positions": []}`, 400, "/positions", "given twice"},
		{"unknown field", "/v1/klaverjas/predict/batch", list(`"budget_ms": 1, `, position), 400, "/budget_ms", "is no field here"},
		{"field of a position", "/v1/klaverjas/hybrid/batch", list(`"trump": "S", `, position), 400, "/trump", "is no field here"},
		{"budget no number", "/v1/klaverjas/hybrid/batch", list(`"budget_ms": "1", `, position), 400, "/budget_ms", "must be a number"},
		{"budget below zero", "/v1/klaverjas/hybrid/batch", list(`"budget_ms": -1, `, position), 400, "/budget_ms", "is -1: Maximum time for the answer in milliseconds"},
		{"budget too large", "/v1/klaverjas/hybrid", with(`"budget_ms": 1e6`), 400, "/budget_ms", "from 0 to 600000"},
		{"confidence too low", "/v1/klaverjas/hybrid", with(`"min_confidence": 0.4`), 400, "/min_confidence", "from 0.5 to 1"},
		{"confidence too high", "/v1/klaverjas/hybrid/batch", list(`"min_confidence": 95, `, position), 400, "/min_confidence", "from 0.5 to 1"},
		{"confidence in a prediction", "/v1/klaverjas/predict", with(`"min_confidence": 0.9`), 400, "/min_confidence", "is no field here"},
		{"too large", "/v1/klaverjas/predict/batch", list("", position) + strings.Repeat(" ", maxList), 413, "-", "bytes"},
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
		if got := decodeAs[api.PredictBatch](t, w); len(got.Results) != 1000 {
			t.Errorf("%d results", len(got.Results))
		}
	})
}

// A batch larger than the body of another request may be is still read.
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

// The budget of a list is for all of it: what the searches do not reach in time is left to the model, and where there is
// none the position alone has an error.
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
	got := decodeAs[api.HybridBatch](t, w)
	if diff := cmp.Diff(api.RouteCounts{Model: 100, Error: 1}, got.Routes); diff != "" {
		t.Errorf("routes (-want +got)\n%s", diff)
	}
	if took := time.Duration(got.Stats.ElapsedUs) * time.Microsecond; took < 300*time.Millisecond || took > 10*time.Second {
		t.Errorf("took %v for a budget of 400 ms", took)
	}
	if !strings.Contains(fmt.Sprint(got.Results[100]), "no model knows such positions") {
		t.Errorf("%v", got.Results[100])
	}
}

// A list is searched once: what it asks twice and what was solved before costs nothing.
func TestHybridBatchSearchesWhatItMust(t *testing.T) {
	var searches atomic.Int64
	s := newServer(t, counting(&searches, open()), withPredictor(doubtful))
	status(t, s.post(t, "/v1/klaverjas/solve", with(`"goal": "win"`)), http.StatusOK)
	const other = `{"trump": "D", "leader": "W", "deal": "71234567890123456"}`
	w := s.post(t, "/v1/klaverjas/hybrid/batch", list(`"min_confidence": 1, `, someDeal, other, other, someDeal, other))
	status(t, w, http.StatusOK)
	got := decodeAs[api.HybridBatch](t, w)
	if n := searches.Load(); n != 2 { // one by solve
		t.Errorf("%d searches", n)
	}
	if got.Routes.Cache < 2 || got.Routes.Search < 1 || got.Routes.Cache+got.Routes.Search != 5 {
		t.Errorf("%+v", got.Routes)
	}
}

// A client that leaves ends the searches of its list.
func TestHybridClientLeaves(t *testing.T) {
	for path, body := range map[string]string{"/v1/klaverjas/hybrid": someDeal, "/v1/klaverjas/hybrid/batch": list("", someDeal)} {
		t.Run(path, func(t *testing.T) {
			waiting := newWaiting()
			s := newServer(t, withSearcher(waiting.solve), withPredictor(doubtful))
			ctx, leave := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, path, body).WithContext(ctx))
			}()
			within(t, waiting.started, "the search")
			leave()
			within(t, waiting.stopped, "the end of the search")
			within(t, done, "the request")
		})
	}
}

// A search that fails is a fault of the server, also where a model could have answered.
func TestHybridDoesNotHideFaults(t *testing.T) {
	s := newServer(t, withSearcher(func(context.Context, search.Query) (search.Result, error) { panic("inside") }), withPredictor(doubtful))
	status(t, s.post(t, "/v1/klaverjas/hybrid", someDeal), http.StatusInternalServerError)
	w := s.post(t, "/v1/klaverjas/hybrid/batch", list("", someDeal))
	status(t, w, http.StatusOK)
	if !strings.Contains(w.Body.String(), "/docs/errors#internal") {
		t.Errorf("%s", w.Body)
	}
}
