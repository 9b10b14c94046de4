package klaverjas

import (
	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/service"
)

// treesOf returns the model of a kind, nil for the network. The error is of kind NoModel if the program has none.
func (g *Game) treesOf(kind *api.KlaverjasModelKind) (*forest.Model, error) {
	if kind == nil || *kind == api.KlaverjasModelKindNetwork {
		return nil, nil //nolint:nilnil // the network has no trees
	}
	for _, m := range g.models().trees {
		if string(m.Kind) == string(*kind) {
			return m, nil
		}
	}
	return nil, service.NewNoModel("/model", "is %[1]s, and there is none here: roem-lab klaverjas trees-train makes the file of one, which "+
		"models.%[1]s of the configuration of a server names, or the flag -%[1]s of roem", *kind)
}

// notByTrees returns the error of a position that a forest or a tree does not predict.
func notByTrees(m *forest.Model, p Position) error {
	rules, d := p.now.Rules(), p.now.Deal()
	switch {
	case len(p.played) > 0:
		return playedOn()
	case rules != klaverjas.Rules(m.Rules):
		return service.NewNoModel("/rules", "are not the rules that the %s is trained for", m.Kind)
	case !m.Covers(rules, d):
		return service.NewNoModel("/declarer", "is %s: the %s is trained for deals that the other team declares", d.Declarer, m.Kind)
	}
	return nil
}

// predictByTrees returns the prediction of a forest or a tree.
func (g *Game) predictByTrees(m *forest.Model, p Position) (api.KlaverjasPrediction, error) {
	if err := notByTrees(m, p); err != nil {
		return api.KlaverjasPrediction{}, err
	}
	return g.outByTrees(m, p, m.Predict(p.now.Deal())), nil
}

// outByTrees returns the answer for a probability that the declarers win.
func (g *Game) outByTrees(m *forest.Model, p Position, won float64) api.KlaverjasPrediction {
	return api.KlaverjasPrediction{
		Won: won > 0.5, WinProbability: probability(won), Confidence: probability(max(won, 1-won)),
		Model: api.ModelIdentity{Name: m.Name, Version: m.Version, Sha256: m.SHA256},
		Rules: outRules(p.now.Rules()), Deal: outIdentity(p.now.Deal()), Version: g.service.Version(),
	}
}

// listByTrees returns the results of a list.
func (g *Game) listByTrees(m *forest.Model, items positions) []any {
	errs, places, deals := make([]error, len(items)), make([]int, len(items)), make([]klaverjas.Deal, 0, len(items))
	for i, item := range items {
		if errs[i] = item.Err; errs[i] == nil {
			errs[i] = notByTrees(m, item.Value)
		}
		if places[i] = len(deals); errs[i] == nil {
			deals = append(deals, item.Value.now.Deal())
		}
	}
	won := m.PredictAll(deals)
	return items.Results(g.service, func(i int, p Position) (any, error) {
		if errs[i] != nil {
			return nil, inList(errs[i], i)
		}
		return predictionResult{true, g.outByTrees(m, p, won[places[i]])}, nil
	})
}

// treesCard describes the forest and the tree.
func (g *Game) treesCard() []api.KlaverjasTreesDescription {
	out := []api.KlaverjasTreesDescription{}
	for _, m := range g.models().trees {
		one := api.KlaverjasTreesDescription{
			Model: api.KlaverjasModelKind(m.Kind), Name: m.Name, Version: m.Version, Sha256: m.SHA256, Bytes: int64(m.Bytes),
			Memory: int64(m.Trees().Bytes()), Trees: m.Trees().Trees(), Nodes: m.Trees().Nodes(), Rules: outRules(klaverjas.Rules(m.Rules)),
			Declarers: api.KlaverjasTreesDescriptionDeclarersOthers, TrainedOn: []api.KlaverjasTrainingData{},
			Measured: []api.KlaverjasTreesMeasured{},
		}
		if m.LeaderDeclares {
			one.Declarers = api.KlaverjasTreesDescriptionDeclarersLeaders
		}
		for _, d := range m.Data {
			one.TrainedOn = append(one.TrainedOn, outTrainingData(klaverjas.Rules(m.Rules), &d))
		}
		for i := range m.Measured {
			one.Measured = append(one.Measured, outTreesMeasured(m.Kind, &m.Measured[i]))
		}
		out = append(out, one)
	}
	return out
}

func outTreesMeasured(kind forest.Kind, m *forest.Measured) api.KlaverjasTreesMeasured {
	out := api.KlaverjasTreesMeasured{
		Model: api.KlaverjasModelKind(kind), Sampling: m.Sampling, Seed: m.Seed, Rows: m.Rows, ShareWon: m.ShareWon,
		Accuracy: outFigure(m.Accuracy), LogLoss: outFigure(m.LogLoss), Brier: outFigure(m.Brier), Ece: outFigure(m.ECE),
		Calibration: outConfidence(m.ByConfidence),
	}
	if m.Network {
		out.Model = api.KlaverjasModelKindNetwork
	}
	return out
}

func outFigure(m deal.Measured) api.KlaverjasFigure {
	return api.KlaverjasFigure{Value: m.Value, Low: m.Low, High: m.High}
}

func outConfidence(bins []deal.ConfidenceBin) []api.KlaverjasConfidenceBin {
	out := make([]api.KlaverjasConfidenceBin, len(bins))
	for i, b := range bins {
		out[i] = api.KlaverjasConfidenceBin{From: b.From, To: b.To, Share: b.Share, Expected: b.Expected, Accuracy: b.Accuracy}
	}
	return out
}
