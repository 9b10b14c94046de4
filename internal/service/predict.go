package service

import (
	"fmt"
	"math"
	"time"

	"roem/internal/api"
	"roem/internal/engine"
	"roem/internal/hybrid"
)

// Predictor is a set of models, each for the deals of some rules and declarers. It is safe for concurrent use.
type Predictor interface {
	// Predict returns what the model that knows such deals thinks of the deal, and which model that is.
	Predict(engine.Rules, engine.Deal) (hybrid.Prediction, api.ModelIdentity, *NoModelFor)
	// PredictAll returns what Predict returns of each of the deals, in less time.
	PredictAll(engine.Rules, []engine.Deal) []Predicted
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
func (without) Predict(engine.Rules, engine.Deal) (hybrid.Prediction, api.ModelIdentity, *NoModelFor) {
	return hybrid.Prediction{}, api.ModelIdentity{}, &NoModelFor{"", "there is no model in this program"}
}

// PredictAll knows none of the deals.
func (w without) PredictAll(rules engine.Rules, deals []engine.Deal) []Predicted {
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
func (s *Service) Model() api.ModelCard {
	described, measured := s.predictor.Card()
	return api.ModelCard{
		Models: described, Measured: measured, Hybrid: api.HybridRule{Gain: s.rule.Gain, Chance: s.rule.Chance}, Version: s.version,
	}
}

// Predict says what the model thinks of a deal. A deal that no model knows, or that has been played on, is an *Error of kind
// NoModel.
func (s *Service) Predict(in PositionQuery) (api.Prediction, error) {
	p := in.position
	known, model, err := s.predict(p)
	if err != nil {
		return api.Prediction{}, err
	}
	return s.outPrediction(p, known, model), nil
}

func (s *Service) outPrediction(p position, known hybrid.Prediction, model api.ModelIdentity) api.Prediction {
	return api.Prediction{
		Won: known.Won(), WinProbability: probability(known.WinProbability), Confidence: probability(known.Confidence()),
		ExpectedOutcome: math.Round(known.Outcome*10) / 10,
		Hardness:        s.outHardness(known.Effort),
		Exact:           false, Model: model,
		Rules: outRules(p.now.Rules()), Deal: outIdentity(p.now.Deal()), Version: s.version,
	}
}

// predict asks the model.
func (s *Service) predict(p position) (hybrid.Prediction, api.ModelIdentity, error) {
	if len(p.played) > 0 {
		return hybrid.Prediction{}, api.ModelIdentity{}, playedOn()
	}
	known, model, unknown := s.predictor.Predict(p.now.Rules(), p.now.Deal())
	return known, model, unknown.err()
}

// predictAll asks the model about many positions, those of equal rules at a time.
func (s *Service) predictAll(ps []position) (known []Predicted, errs []error) {
	known, errs = make([]Predicted, len(ps)), make([]error, len(ps))
	places := make(map[engine.Rules][]int)
	for i, p := range ps {
		if len(p.played) > 0 {
			errs[i] = playedOn()
			continue
		}
		places[p.now.Rules()] = append(places[p.now.Rules()], i)
	}
	for rules, at := range places {
		deals := make([]engine.Deal, len(at))
		for k, i := range at {
			deals[k] = ps[i].now.Deal()
		}
		for k, one := range s.predictor.PredictAll(rules, deals) {
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
	return noModel(Violation{Pointer: n.Pointer, Detail: n.Detail})
}

// playedOn is the error for a position that is no deal any more.
func playedOn() error {
	return noModel(Violation{
		Pointer: "/played", Detail: "holds cards: the model knows deals before the first card alone; hybrid and solve take such positions",
	})
}

// PredictBatch says what the model thinks of many deals.
func (s *Service) PredictBatch(in PredictBatch) (api.PredictBatch, error) {
	out := api.PredictBatch{Results: make([]any, len(in.Items))}
	ps := make([]position, 0, len(in.Items))
	places := make([]int, 0, len(in.Items)) // of the positions among the items
	for i, item := range in.Items {
		if item.Err != nil {
			out.Results[i] = itemError(item.Err)
			continue
		}
		ps, places = append(ps, item.Value), append(places, i)
	}
	known, errs := s.predictAll(ps)
	for k, i := range places {
		if errs[k] != nil {
			out.Results[i] = itemError(inList(errs[k], i))
			continue
		}
		out.Results[i] = s.outPrediction(ps[k], known[k].Prediction, known[k].Model)
	}
	return out, nil
}

// itemError stands in the place of an answer. It has no request id: that is the answer's.
func itemError(err error) api.ItemError { return api.ItemError{Error: Problem(err, "")} }

func (s *Service) outHardness(h hybrid.Hardness) api.Hardness {
	cards, most := h.Mean(), h.P90()
	perMS := s.pace.PerSecond() / float64(time.Second/time.Millisecond)
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

func noModel(vs ...Violation) *Error {
	detail := fmt.Sprintf("No model answers this, for %d reasons.", len(vs))
	if len(vs) == 1 {
		where := ""
		if vs[0].Pointer != "" {
			where = vs[0].Pointer + ": "
		}
		detail = fmt.Sprintf("No model answers this: %s%s.", where, vs[0].Detail)
	}
	return &Error{Kind: NoModel, Detail: detail, Violations: vs}
}
