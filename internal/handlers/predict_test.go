package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	game "roem/internal/service/klaverjas"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/features"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/model/trees"
	"roem/internal/service/klaverjas/hybrid"
)

// fixed is a model with the same prediction for all deals, declarers and rules.
type fixed struct {
	win    float64
	effort hybrid.Hardness
}

func (fixed) Card() ([]api.KlaverjasModelDescription, []api.KlaverjasModelMeasured) { return nil, nil }

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
	got := decodeAs[api.KlaverjasPrediction](t, w)
	if got.Won || got.WinProbability != 0.2 || got.Confidence != 0.8 || got.Exact || got.Model.Name != "fixed" {
		t.Errorf("%+v", got)
	}
	if h := got.Hardness; h.Nodes != 1940 || h.NodesP90 != 4373 || h.Ms <= 0 || h.MsP90 <= h.Ms {
		t.Errorf("hardness %+v", h)
	}
	if got.Deal.Index != "66664208398121072" || got.Rules.System != "rotterdam" {
		t.Errorf("%+v", got)
	}
}

// The card contains the model that predictions name, and its measurements.
func TestModelCard(t *testing.T) {
	s := newServer(t)
	w := s.get(t, "/v1/klaverjas/model")
	status(t, w, http.StatusOK)
	card := decodeAs[api.KlaverjasModelCard](t, w)
	prediction := decodeAs[api.KlaverjasPrediction](t, s.post(t, "/v1/klaverjas/predict", someDeal))
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
	if empty := decodeAs[api.KlaverjasModelCard](t, newServer(t, withPredictor(nil)).get(t, "/v1/klaverjas/model")); len(empty.Models) != 0 {
		t.Errorf("without a model: %+v", empty)
	}
}

// A prediction without a model is answered with 422 and names the field. The hybrid searches such a position and gives the reason.
func TestWithoutAModel(t *testing.T) {
	s := newServer(t, withPredictor(trumps{}))
	for _, tt := range []struct{ name, body, where, says string }{
		{"other rules", with(`"rules": {"melds": false}`), "/rules", "There is no model"},
		{"other declarers", with(`"declarer": "EW"`), "/declarer", "There is no model"},
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
			got := decodeAs[api.KlaverjasHybridAnswer](t, w)
			if got.Route != api.KlaverjasRouteSearch || !got.Exact || got.Model != nil || got.Hardness != nil ||
				!strings.Contains(got.Reason, tt.says) {
				t.Errorf("%s", w.Body)
			}
			w = s.post(t, "/v1/klaverjas/solve", strings.Replace(tt.body, `"trump"`, `"goal": "win", "trump"`, 1))
			if solved := decodeAs[api.KlaverjasSolution](t, w); solved.Won != got.Won || solved.Source != api.SourceCache {
				t.Errorf("won %v by the hybrid, %v by the %s", got.Won, solved.Won, solved.Source)
			}
			if w = s.post(t, "/v1/klaverjas/hybrid", tt.body); decodeAs[api.KlaverjasHybridAnswer](t, w).Route != api.KlaverjasRouteCache {
				t.Errorf("the second time: %s", w.Body)
			}
		})
	}
}

// A server without models still answers requests with searches.
func TestNoModelAtAll(t *testing.T) {
	s := newServer(t, withPredictor(nil))
	status(t, s.post(t, "/v1/klaverjas/predict", someDeal), http.StatusUnprocessableEntity)
	w := s.post(t, "/v1/klaverjas/hybrid", someDeal)
	status(t, w, http.StatusOK)
	if got := decodeAs[api.KlaverjasHybridAnswer](t, w); got.Route != api.KlaverjasRouteSearch || !got.Won {
		t.Errorf("%s", w.Body)
	}
}

// stump is a tree of one split: whoever leads wins with more than two trumps.
func stump(t *testing.T) *forest.Model {
	t.Helper()
	about, err := json.Marshal(forest.About{
		Kind: forest.Tree, Name: "stump", Version: "7", Rules: klaverjas.RulesJSON(klaverjas.DefaultRules(klaverjas.Rotterdam)),
		LeaderDeclares: true, Calibration: forest.Calibration{Scale: 2}, Measured: []forest.Measured{{Sampling: "uniform", Network: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	b := trees.NewBuilder(trees.Shape{Inputs: forest.Inputs, Columns: features.Columns, Outputs: 1, Levels: 1, Training: about})
	b.Split(features.SuitCount, 2)
	b.Leaf([]float32{0})
	b.Leaf([]float32{1})
	grown, err := b.Forest()
	if err != nil {
		t.Fatal(err)
	}
	file, err := grown.Encode()
	if err != nil {
		t.Fatal(err)
	}
	m, err := forest.Load(file, forest.Tree)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A forest or a tree answers if there is one, and says what it does not cover.
func TestPredictByTrees(t *testing.T) {
	s := newServer(t, func(c *config) { c.trees = []*forest.Model{stump(t)} })
	tree := with(`"model": "tree"`)
	w := s.post(t, "/v1/klaverjas/predict", tree)
	status(t, w, http.StatusOK)
	got := decodeAs[api.KlaverjasPrediction](t, w)
	if !got.Won || got.WinProbability != 0.9 || got.Model.Name != "stump" || got.ExpectedOutcome != nil || got.Hardness != nil {
		t.Errorf("%s", w.Body)
	}
	w = s.post(t, "/v1/klaverjas/predict/batch", `{"model": "tree", "positions": [`+someDeal+`, {"trump": "X"}, `+
		with(`"rules": {"melds": false}`)+`, `+with(`"declarer": "EW"`)+`]}`)
	status(t, w, http.StatusOK)
	var all struct {
		Results []struct {
			Ok             bool
			WinProbability float64 `json:"win_probability"`
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &all); err != nil || len(all.Results) != 4 {
		t.Fatalf("%v, %s", err, w.Body)
	}
	for i, result := range all.Results {
		if result.Ok != (i == 0) || result.Ok && result.WinProbability != 0.9 {
			t.Errorf("item %d: %s", i, w.Body)
		}
	}
	for _, tt := range []struct{ name, path, body, where string }{
		{"no forest", "predict", with(`"model": "forest"`), "/model"},
		{"no forest for a list", "predict/batch", list(`"model": "forest", `, someDeal), "/model"},
		{"other rules", "predict", with(`"model": "tree", "rules": {"melds": false}`), "/rules"},
		{"other declarers", "predict", with(`"model": "tree", "declarer": "EW"`), "/declarer"},
		{"cards played", "predict", with(`"model": "tree", "played": ["JH"]`), "/played"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := s.post(t, "/v1/klaverjas/"+tt.path, tt.body)
			status(t, w, http.StatusUnprocessableEntity)
			if p := decodeAs[api.Problem](t, w); p.Type != "/docs/errors#no-model" || *(*p.Errors)[0].Pointer != tt.where {
				t.Errorf("%s", w.Body)
			}
		})
	}
	card := decodeAs[api.KlaverjasModelCard](t, s.get(t, "/v1/klaverjas/model"))
	if len(card.Trees) != 1 || card.Trees[0].Sha256 != got.Model.Sha256 || card.Trees[0].Nodes != 3 || card.Trees[0].Bytes == 0 ||
		len(card.Trees[0].Measured) != 1 || card.Trees[0].Measured[0].Model != api.KlaverjasModelKindNetwork {
		t.Errorf("%+v", card.Trees)
	}
}

// Features are of the canonical deal, and say which suits and seats they are of.
func TestFeatures(t *testing.T) {
	s := newServer(t)
	w := s.post(t, "/v1/klaverjas/features", `{"positions": [`+someDeal+`, {"trump": "D", "leader": "W", "deal": "0"}, `+
		with(`"played": ["JH"]`)+`]}`)
	status(t, w, http.StatusOK)
	var got struct {
		Columns []api.KlaverjasFeatureColumn
		Results []struct {
			api.KlaverjasDealFeatures
			Ok bool
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Columns) != features.Columns || len(got.Results) != 3 || !got.Results[0].Ok || got.Results[2].Ok {
		t.Fatalf("%s", w.Body)
	}
	// The deal with index 0 gives the leader all cards of the first suit, which is trump.
	first := got.Results[1]
	if fmt.Sprint(first.Seats) != "[W N E S]" || first.Suits[0] != "D" {
		t.Errorf("%v %v", first.Seats, first.Suits)
	}
	values := map[string]float64{}
	for i, c := range got.Columns {
		values[c.Name] = first.Values[i]
	}
	for name, want := range map[string]float64{"suit_count_N_clubs": 8, "suit_count_NS_clubs": 8, "stdev_N": 3.464101615, "points_N": 62} {
		if values[name] != want {
			t.Errorf("%s is %v, want %v", name, values[name], want)
		}
	}
}
