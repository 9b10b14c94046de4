package klaverjas

import (
	"fmt"
	"math"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/hybrid"
	"roem/internal/service"
)

// Predictor is a set of models, each for the deals of some rules and declarers. It is safe for concurrent use.
type Predictor interface {
	// Predict returns what the model that knows such deals thinks of the deal, and which model that is.
	Predict(klaverjas.Rules, klaverjas.Deal) (hybrid.Prediction, api.ModelIdentity, *NoModelFor)
	// PredictAll returns what Predict returns of each of the deals, in less time.
	PredictAll(klaverjas.Rules, []klaverjas.Deal) []Predicted
	// Card says what the models are and how good they are: all of a model card but what the service knows.
	Card() ([]api.ModelDescription, []api.ModelMeasured)
}

// Predicted is what a Predictor returns of a deal.
type Predicted struct {
	Prediction hybrid.Prediction
	Model      api.ModelIdentity
	Unknown    *NoModelFor // where it is set, nothing else is
}

// NoModelFor says why no model knows a deal.
type NoModelFor struct {
	Pointer string // the field that is to blame, as "/rules"
	Detail  string // what is known instead, as a violation says it
}

// without is the Predictor of a service that has no model.
type without struct{}

// Predict knows no deal.
func (without) Predict(klaverjas.Rules, klaverjas.Deal) (hybrid.Prediction, api.ModelIdentity, *NoModelFor) {
	return hybrid.Prediction{}, api.ModelIdentity{}, &NoModelFor{"", "there is no model in this program"}
}

// PredictAll knows none of the deals.
func (w without) PredictAll(rules klaverjas.Rules, deals []klaverjas.Deal) []Predicted {
	out := make([]Predicted, len(deals))
	for i, deal := range deals {
		_, _, out[i].Unknown = w.Predict(rules, deal)
	}
	return out
}

// Card has nothing to say.
func (without) Card() ([]api.ModelDescription, []api.ModelMeasured) {
	return []api.ModelDescription{}, []api.ModelMeasured{}
}

// Model returns the model card.
func (g *Game) Model() api.ModelCard {
	described, measured := g.predictor.Card()
	return api.ModelCard{
		Models: described, Measured: measured, Hybrid: api.HybridRule{Gain: g.rule.Gain, Chance: g.rule.Chance}, Version: g.service.Version(),
	}
}

// Predict says what the model thinks of a deal. A deal that no model knows, or that has been played on, is an *service.Error of kind
// NoModel.
func (g *Game) Predict(p Position) (api.Prediction, error) {
	known, model, err := g.predict(p)
	if err != nil {
		return api.Prediction{}, err
	}
	return g.outPrediction(p, known, model), nil
}

func (g *Game) outPrediction(p Position, known hybrid.Prediction, model api.ModelIdentity) api.Prediction {
	return api.Prediction{
		Won: known.Won(), WinProbability: probability(known.WinProbability), Confidence: probability(known.Confidence()),
		ExpectedOutcome: math.Round(known.Outcome*10) / 10,
		Hardness:        g.outHardness(known.Effort),
		Exact:           false, Model: model,
		Rules: outRules(p.now.Rules()), Deal: outIdentity(p.now.Deal()), Version: g.service.Version(),
	}
}

// predict asks the model.
func (g *Game) predict(p Position) (hybrid.Prediction, api.ModelIdentity, error) {
	if len(p.played) > 0 {
		return hybrid.Prediction{}, api.ModelIdentity{}, playedOn()
	}
	known, model, unknown := g.predictor.Predict(p.now.Rules(), p.now.Deal())
	return known, model, unknown.err()
}

// predictAll asks the model about many positions, those of equal rules at a time.
func (g *Game) predictAll(ps []Position) (known []Predicted, errs []error) {
	known, errs = make([]Predicted, len(ps)), make([]error, len(ps))
	places := make(map[klaverjas.Rules][]int)
	for i, p := range ps {
		if len(p.played) > 0 {
			errs[i] = playedOn()
			continue
		}
		places[p.now.Rules()] = append(places[p.now.Rules()], i)
	}
	for rules, at := range places {
		deals := make([]klaverjas.Deal, len(at))
		for k, i := range at {
			deals[k] = ps[i].now.Deal()
		}
		for k, one := range g.predictor.PredictAll(rules, deals) {
			known[at[k]], errs[at[k]] = one, one.Unknown.err()
		}
	}
	return known, errs
}

// err is the error of a request for what no model knows, nil where there is no reason.
func (n *NoModelFor) err() error {
	if n == nil {
		return nil
	}
	return noModel(service.Violation{Pointer: n.Pointer, Detail: n.Detail})
}

// playedOn is the error for a position that is no deal any more.
func playedOn() error {
	return noModel(service.Violation{
		Pointer: "/played", Detail: "holds cards: the model knows deals before the first card alone; hybrid and solve take such positions",
	})
}

// PredictBatch says what the model thinks of many deals.
func (g *Game) PredictBatch(q PredictBatchQuery) (api.PredictBatch, error) {
	out := api.PredictBatch{Results: make([]any, len(q.items))}
	ps := make([]Position, 0, len(q.items))
	places := make([]int, 0, len(q.items)) // of the positions among the items
	for i, item := range q.items {
		if item.err != nil {
			out.Results[i] = g.itemError(item.err)
			continue
		}
		ps, places = append(ps, item.position), append(places, i)
	}
	known, errs := g.predictAll(ps)
	for k, i := range places {
		if errs[k] != nil {
			out.Results[i] = g.itemError(service.InList(errs[k], i))
			continue
		}
		out.Results[i] = g.outPrediction(ps[k], known[k].Prediction, known[k].Model)
	}
	return out, nil
}

func (g *Game) outHardness(h hybrid.Hardness) api.Hardness {
	cards, most := h.Mean(), h.P90()
	perMS := g.pace.PerSecond() / float64(time.Second/time.Millisecond)
	return api.Hardness{
		Nodes: int64(math.Round(cards)), NodesP90: int64(math.Round(most)),
		Ms: milliseconds(cards / perMS), MsP90: milliseconds(most / perMS),
	}
}

// milliseconds rounds to a microsecond.
func milliseconds(ms float64) float64 { return math.Round(ms*1000) / 1000 }

// probability rounds to six digits, more would tell nothing, but never to certainty: that is for what is proven.
func probability(p float64) float64 {
	const most = 1 - 1e-6
	return math.Round(1e6*min(max(p, 1-most), most)) / 1e6
}

func noModel(vs ...service.Violation) *service.Error {
	detail := fmt.Sprintf("No model answers this, for %d reasons.", len(vs))
	if len(vs) == 1 {
		where := ""
		if vs[0].Pointer != "" {
			where = vs[0].Pointer + ": "
		}
		detail = fmt.Sprintf("No model answers this: %s%s.", where, vs[0].Detail)
	}
	return &service.Error{Kind: service.NoModel, Detail: detail, Violations: vs}
}
