package klaverjas

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service/klaverjas/hybrid"
)

// models is the Predictor with the weights that are part of the program.
type models struct {
	*deal.Model
	identities map[kindOfDeal]api.ModelIdentity
	known      string // the systems that there is a model for, in words
	card       *deal.Card
	checksums  string // of all files of weights
}

// kindOfDeal are the deals that a model is trained for.
type kindOfDeal struct {
	rules          klaverjas.Rules
	leaderDeclares bool
}

// DefaultPredictor returns the models that are part of the program.
func DefaultPredictor() (Predictor, error) {
	m, err := deal.Default()
	if err != nil {
		return nil, err
	}
	card := deal.DefaultCard()
	out := models{Model: m, identities: map[kindOfDeal]api.ModelIdentity{}, card: card}
	var systems []string
	for _, t := range m.Trained() {
		rules := klaverjas.Rules(t.Rules)
		out.identities[kindOfDeal{rules, t.LeaderDeclares}] = api.ModelIdentity{Name: t.Name, Version: t.Version, Sha256: t.SHA256}
		out.checksums += t.SHA256
		if name := rules.System.String(); !slices.Contains(systems, name) { // there may be a model for each declaring team
			systems = append(systems, name)
		}
	}
	out.known = strings.Join(systems, " and ")
	return out, nil
}

// Checksums returns the checksums of all files of weights, one after the other.
func (m models) Checksums() string { return m.checksums }

// Predict returns the model's prediction for a deal.
func (m models) Predict(rules klaverjas.Rules, deal klaverjas.Deal) (hybrid.Prediction, api.ModelIdentity, *NoModelFor) {
	leaderDeclares := deal.Declarer == deal.Leader.Team()
	p, ok := m.Model.Predict(rules, deal)
	if !ok {
		return hybrid.Prediction{}, api.ModelIdentity{}, m.missing(rules, deal)
	}
	return outOfModel(p), m.identities[kindOfDeal{rules, leaderDeclares}], nil
}

// PredictAll returns the model's predictions for many deals.
func (m models) PredictAll(rules klaverjas.Rules, deals []klaverjas.Deal) []Predicted {
	out, covered := make([]deal.Prediction, len(deals)), make([]bool, len(deals))
	m.PredictBatch(rules, deals, out, covered)
	all := make([]Predicted, len(deals))
	for i, deal := range deals {
		if !covered[i] {
			all[i].Unknown = m.missing(rules, deal)
			continue
		}
		all[i].Prediction = outOfModel(out[i])
		all[i].Model = m.identities[kindOfDeal{rules, deal.Declarer == deal.Leader.Team()}]
	}
	return all
}

func outOfModel(p deal.Prediction) hybrid.Prediction {
	return hybrid.Prediction{
		WinProbability: p.WinProbability, Outcome: p.Outcome, Effort: hybrid.HardnessOf(p.Log10Nodes, p.Log10Nodes90),
	}
}

// missing returns why there is no model for a deal.
func (m models) missing(rules klaverjas.Rules, deal klaverjas.Deal) *NoModelFor {
	leaders := deal.Leader.Team()
	for _, team := range piquet.Teams() {
		deal.Declarer = team
		if m.Covers(rules, deal) {
			who := "the leader's team"
			if team != leaders {
				who = "the other team than the leader's"
			}
			return &NoModelFor{"/declarer", fmt.Sprintf("is %s: the model covers only deals that %s declares", team.Opponents(), who)}
		}
	}
	return &NoModelFor{"/rules", "have no model: there is one for the default rules of " + m.known}
}

// Card returns the descriptions of the models with their training data, and their measurements.
func (m models) Card() ([]api.KlaverjasModelDescription, []api.KlaverjasModelMeasured) {
	described := make([]api.KlaverjasModelDescription, 0, len(m.card.Weights))
	for i := range m.card.Weights {
		w := &m.card.Weights[i]
		one := api.KlaverjasModelDescription{
			Name: w.Name, Version: w.Version, Sha256: w.SHA256, Parameters: w.Parameters,
			Rules: outRules(klaverjas.Rules(w.Rules)), Declarers: api.KlaverjasModelDescriptionDeclarersOthers,
			TrainedOn: []api.KlaverjasTrainingData{},
		}
		if w.LeaderDeclares {
			one.Declarers = api.KlaverjasModelDescriptionDeclarersLeaders
		}
		// Training may have continued from earlier weights, with the same data sets or others.
		for _, stage := range append([]deal.Stage{{Rules: &w.Rules, Data: w.Data}}, w.Before...) {
			for _, d := range stage.Data {
				row := outTrainingData(deal.RulesOr(stage.Rules), &d)
				if !slices.ContainsFunc(one.TrainedOn, func(other api.KlaverjasTrainingData) bool { return reflect.DeepEqual(other, row) }) {
					one.TrainedOn = append(one.TrainedOn, row)
				}
			}
		}
		described = append(described, one)
	}
	measured := make([]api.KlaverjasModelMeasured, 0, len(m.card.Sets))
	for i := range m.card.Sets {
		measured = append(measured, outMeasured(&m.card.Sets[i]))
	}
	return described, measured
}

func outTrainingData(rules klaverjas.Rules, d *deal.Data) api.KlaverjasTrainingData {
	row := api.KlaverjasTrainingData{Rules: outRules(rules), Sampling: d.Sampling, Goal: d.Goal, Seed: d.Seed, Rows: d.Rows}
	if d.ChosenBy != "" {
		row.Gain, row.ChosenBy = &d.Gain, &d.ChosenBy
	}
	return row
}

func outMeasured(s *deal.SetReport) api.KlaverjasModelMeasured {
	out := api.KlaverjasModelMeasured{
		Rules: outRules(deal.RulesOr(s.Rules)), Sampling: s.Sampling, Seed: s.Seed, Declarers: api.KlaverjasModelMeasuredDeclarersOthers,
		Rows:     s.Rows,
		ShareWon: s.ShareWon,
		Accuracy: outFigure(s.Accuracy), LogLoss: outFigure(s.LogLoss), Brier: outFigure(s.Brier), Ece: outFigure(s.ECE),
		Calibration: outConfidence(s.ByConfidence), ByEffort: make([]api.KlaverjasEffortBin, len(s.ByEffort)),
		Hardness: api.KlaverjasHardnessMeasured{
			RankCorrelation: outFigure(s.Hardness.RankCorrelation), RankCorrelationFromClass: s.Hardness.RankCorrelationFromClass,
			WithinP90: outFigure(s.Hardness.Coverage),
		},
	}
	if s.LeaderDeclares {
		out.Declarers = api.KlaverjasModelMeasuredDeclarersLeaders
	}
	for i, b := range s.ByEffort {
		out.ByEffort[i] = api.KlaverjasEffortBin{From: int64(b.From), To: int64(b.To), Share: b.Share, Accuracy: b.Accuracy}
	}
	return out
}
