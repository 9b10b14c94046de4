package klaverjas

import (
	"math"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/service"
	"roem/internal/service/klaverjas/handstrength"
	"roem/internal/service/klaverjas/hybrid"
)

// Predictor is a set of models, each for the deals of some rules and declarers. It is safe for concurrent use.
type Predictor interface {
	// Predict returns the prediction for the deal, and which model made it. If there is no model for the deal, it returns why.
	Predict(klaverjas.Rules, klaverjas.Deal) (hybrid.Prediction, api.ModelIdentity, *NoModelFor)
	// PredictAll returns the results of Predict for each of the deals, in less time.
	PredictAll(klaverjas.Rules, []klaverjas.Deal) []Predicted
	// Card returns the descriptions and the measurements of the models.
	Card() ([]api.KlaverjasModelDescription, []api.KlaverjasModelMeasured)
}

// Predicted is the result of a Predictor for a deal.
type Predicted struct {
	Prediction hybrid.Prediction
	Model      api.ModelIdentity
	Unknown    *NoModelFor // if it is set, the other fields are not
}

// NoModelFor is the reason why there is no model for a deal.
type NoModelFor struct {
	Pointer string // the field that no model covers, such as "/rules"
	Detail  string // what the models cover, as the detail of a violation
}

// without is the Predictor of a game without models.
type without struct{}

// Predict returns no prediction.
func (without) Predict(klaverjas.Rules, klaverjas.Deal) (hybrid.Prediction, api.ModelIdentity, *NoModelFor) {
	return hybrid.Prediction{}, api.ModelIdentity{}, &NoModelFor{"", "there is no model in this program"}
}

// PredictAll returns no predictions.
func (w without) PredictAll(rules klaverjas.Rules, deals []klaverjas.Deal) []Predicted {
	out := make([]Predicted, len(deals))
	for i, deal := range deals {
		_, _, out[i].Unknown = w.Predict(rules, deal)
	}
	return out
}

// Card returns empty lists.
func (without) Card() ([]api.KlaverjasModelDescription, []api.KlaverjasModelMeasured) {
	return []api.KlaverjasModelDescription{}, []api.KlaverjasModelMeasured{}
}

// Model returns the model card.
func (g *Game) Model() api.KlaverjasModelCard {
	described, measured := g.models().predictor.Card()
	rule := hybrid.DefaultRule()
	card := api.KlaverjasModelCard{
		Models: described, Measured: measured, Trees: g.treesCard(), Version: g.service.Version(),
		Hybrid: api.KlaverjasHybridRule{Gain: rule.Gain, Chance: rule.Chance, Likely: rule.Likely, HardNodes: rule.Hard},
	}
	if m := g.models().handModel; m != nil {
		h := m.Header()
		card.HandModel = &api.KlaverjasHandModelDescription{
			Name: h.Name, Version: h.Version, Sha256: m.SHA256(), Rules: make([]api.KlaverjasRules, len(h.Rules)),
		}
		for i, r := range h.Rules {
			rules := klaverjas.Rules(r)
			card.HandModel.Rules[i] = outRules(rules)
			failure := g.models().strength.Distilled.Error(handstrength.Question{Rules: rules})
			card.HandModel.StandardError = max(card.HandModel.StandardError, tenThousandths(failure))
		}
	}
	return card
}

// PredictQuery is a request for a prediction.
type PredictQuery struct {
	position Position
	trees    *forest.Model // nil for the network
}

// PredictBatchQuery is a request for many predictions.
type PredictBatchQuery struct {
	items positions
	trees *forest.Model // nil for the network
}

// Len returns how many positions the request lists.
func (q PredictBatchQuery) Len() int { return len(q.items) }

// Predict returns the model's prediction for a deal. If there is no model for it, or cards have been played, the error is a
// *service.Error of kind NoModel.
func (g *Game) Predict(q PredictQuery) (api.KlaverjasPrediction, error) {
	p := q.position
	if q.trees != nil {
		return g.predictByTrees(q.trees, p)
	}
	known, model, err := g.predict(p)
	if err != nil {
		return api.KlaverjasPrediction{}, err
	}
	return g.outPrediction(p, known, model), nil
}

func (g *Game) outPrediction(p Position, known hybrid.Prediction, model api.ModelIdentity) api.KlaverjasPrediction {
	outcome, hardness := math.Round(known.Outcome*10)/10, g.outHardness(known.Effort)
	return api.KlaverjasPrediction{
		Won: known.Won(), WinProbability: probability(known.WinProbability), Confidence: probability(known.Confidence()),
		ExpectedOutcome: &outcome, Hardness: &hardness, Exact: false, Model: model,
		Rules: outRules(p.now.Rules()), Deal: outIdentity(p.now.Deal()), Version: g.service.Version(),
	}
}

// predict returns the prediction for a position in which no card has been played.
func (g *Game) predict(p Position) (hybrid.Prediction, api.ModelIdentity, error) {
	if len(p.played) > 0 {
		return hybrid.Prediction{}, api.ModelIdentity{}, playedOn()
	}
	known, model, unknown := g.models().predictor.Predict(p.now.Rules(), p.now.Deal())
	return known, model, unknown.err()
}

// predictAll is predict for the positions of a list. Positions of equal rules are predicted together.
func (g *Game) predictAll(items positions) (known []Predicted, errs []error) {
	known, errs = make([]Predicted, len(items)), make([]error, len(items))
	places := make(map[klaverjas.Rules][]int)
	for i, item := range items {
		if errs[i] = item.Err; errs[i] != nil {
			continue
		}
		if len(item.Value.played) > 0 {
			errs[i] = playedOn()
			continue
		}
		rules := item.Value.now.Rules()
		places[rules] = append(places[rules], i)
	}
	for rules, at := range places {
		deals := make([]klaverjas.Deal, len(at))
		for k, i := range at {
			deals[k] = items[i].Value.now.Deal()
		}
		for k, one := range g.models().predictor.PredictAll(rules, deals) {
			known[at[k]], errs[at[k]] = one, one.Unknown.err()
		}
	}
	return known, errs
}

// err returns the error of a request for such a deal, nil for a nil n.
func (n *NoModelFor) err() error {
	if n == nil {
		return nil
	}
	return service.NewNoModel(n.Pointer, "%s", n.Detail)
}

// playedOn returns the error for a position in which cards have been played.
func playedOn() error {
	return service.NewNoModel("/played",
		"has cards: the model predicts only deals with no cards played; hybrid and solve accept such positions")
}

// predictionResult is a prediction in a list.
type predictionResult struct {
	Ok bool `json:"ok"`
	api.KlaverjasPrediction
}

// PredictBatch returns the model's predictions for many deals.
func (g *Game) PredictBatch(q PredictBatchQuery) (api.KlaverjasPredictBatch, error) {
	if q.trees != nil {
		return api.KlaverjasPredictBatch{Results: g.listByTrees(q.trees, q.items), Version: g.service.Version()}, nil
	}
	known, errs := g.predictAll(q.items)
	results := q.items.Results(g.service, func(i int, p Position) (any, error) {
		prediction := predictionResult{Ok: errs[i] == nil}
		if prediction.Ok {
			prediction.KlaverjasPrediction = g.outPrediction(p, known[i].Prediction, known[i].Model)
		}
		return prediction, inList(errs[i], i)
	})
	return api.KlaverjasPredictBatch{Results: results, Version: g.service.Version()}, nil
}

func (g *Game) outHardness(h hybrid.Hardness) api.KlaverjasHardness {
	cards, most := h.Mean(), h.P90()
	perMS := g.pace.PerSecond() / float64(time.Second/time.Millisecond)
	return api.KlaverjasHardness{
		Nodes: int64(math.Round(cards)), NodesP90: int64(math.Round(most)),
		Ms: milliseconds(cards / perMS), MsP90: milliseconds(most / perMS),
	}
}

// milliseconds rounds to a microsecond.
func milliseconds(ms float64) float64 { return math.Round(ms*1000) / 1000 }

// probability rounds to six digits, but never to 0 or 1: only exact results are certain.
func probability(p float64) float64 {
	const most = 1 - 1e-6
	return math.Round(1e6*min(max(p, 1-most), most)) / 1e6
}
