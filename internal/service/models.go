package service

import (
	"fmt"
	"strings"

	"roem/internal/api"
	"roem/internal/cards"
	"roem/internal/engine"
	"roem/internal/hybrid"
	"roem/internal/model"
)

// models is the Predictor of the weights that come with the program.
type models struct {
	*model.Model
	identities map[kindOfDeal]api.ModelIdentity
	known      string // the rules that there is a model for, in words
}

// kindOfDeal is what a model is trained for.
type kindOfDeal struct {
	rules          engine.Rules
	leaderDeclares bool
}

// DefaultPredictor returns the models that come with the program.
func DefaultPredictor() (Predictor, error) {
	m, err := model.Default()
	if err != nil {
		return nil, err
	}
	out := models{m, map[kindOfDeal]api.ModelIdentity{}, ""}
	var systems []string
	for _, t := range m.Trained() {
		rules := engine.Rules(t.Rules)
		out.identities[kindOfDeal{rules, t.LeaderDeclares}] = api.ModelIdentity{Name: t.Name, Version: t.Version, Sha256: t.SHA256}
		systems = append(systems, rules.System.String())
	}
	out.known = strings.Join(systems, ", ")
	return out, nil
}

// Predict returns what the model thinks of a deal.
func (m models) Predict(rules engine.Rules, deal engine.Deal) (hybrid.Prediction, api.ModelIdentity, *NoModelFor) {
	leaderDeclares := deal.Declarer == deal.Leader.Team()
	p, ok := m.Model.Predict(rules, deal)
	if !ok {
		return hybrid.Prediction{}, api.ModelIdentity{}, m.missing(rules, deal)
	}
	return hybrid.Prediction{
		WinProbability: p.WinProbability,
		Outcome:        p.Outcome,
		Effort:         hybrid.HardnessOf(p.Log10Nodes, p.Log10Nodes90),
	}, m.identities[kindOfDeal{rules, leaderDeclares}], nil
}

// missing says why no model knows a deal.
func (m models) missing(rules engine.Rules, deal engine.Deal) *NoModelFor {
	leaders := deal.Leader.Team()
	for _, team := range cards.Teams() {
		deal.Declarer = team
		if m.Covers(rules, deal) {
			who := "the leader's team"
			if team != leaders {
				who = "the other team than the leader's"
			}
			return &NoModelFor{"/declarer", fmt.Sprintf("is %s: the model knows only deals that %s declares", team.Opponents(), who)}
		}
	}
	return &NoModelFor{"/rules", "are not those of a model: there is one for the default rules of " + m.known}
}
