package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	game "roem/internal/service/klaverjas"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
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
			if got.Route != api.RouteSearch || !got.Exact || got.Model != nil || got.Hardness != nil || !strings.Contains(got.Reason, tt.says) {
				t.Errorf("%s", w.Body)
			}
			w = s.post(t, "/v1/klaverjas/solve", strings.Replace(tt.body, `"trump"`, `"goal": "win", "trump"`, 1))
			if solved := decodeAs[api.KlaverjasSolution](t, w); solved.Won != got.Won || solved.Source != api.Cache {
				t.Errorf("won %v by the hybrid, %v by the %s", got.Won, solved.Won, solved.Source)
			}
			if w = s.post(t, "/v1/klaverjas/hybrid", tt.body); decodeAs[api.KlaverjasHybridAnswer](t, w).Route != api.RouteCache {
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
	if got := decodeAs[api.KlaverjasHybridAnswer](t, w); got.Route != api.RouteSearch || !got.Won {
		t.Errorf("%s", w.Body)
	}
}
