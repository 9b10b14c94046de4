package klaverjas

import (
	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/nn/weightfile"
	"roem/internal/service/klaverjas/hybrid"
)

// LaterPredictor returns the models that come with the program. What is known of them is read when they are first asked, because most pages
// only solve.
func LaterPredictor() Predictor { return laterModels{} }

type laterModels struct{}

var readModels weightfile.Remembered[Predictor]

// known returns the models. It panics with the error of a description that cannot be read, which is a fault of the program.
func (laterModels) known() models {
	p, err := readModels.Get(DefaultPredictor)
	if err != nil {
		panic(err)
	}
	m, _ := p.(models) // DefaultPredictor returns no other
	return m
}

// Predict returns the model's prediction for a deal.
func (l laterModels) Predict(rules klaverjas.Rules, d klaverjas.Deal) (hybrid.Prediction, api.ModelIdentity, *NoModelFor) {
	return l.known().Predict(rules, d)
}

// PredictAll returns the model's predictions for many deals.
func (l laterModels) PredictAll(rules klaverjas.Rules, deals []klaverjas.Deal) []Predicted {
	return l.known().PredictAll(rules, deals)
}

// Card returns the descriptions and the measurements of the models.
func (l laterModels) Card() ([]api.KlaverjasModelDescription, []api.KlaverjasModelMeasured) {
	return l.known().Card()
}

// Checksums returns the checksums of all files of weights, one after the other.
func (l laterModels) Checksums() string { return l.known().Checksums() }

// Covers says whether there is a model for these rules and this side declaring.
func (l laterModels) Covers(rules klaverjas.Rules, d klaverjas.Deal) bool {
	return l.known().Covers(rules, d)
}

// PredictBatch predicts deals as deal.Model does.
func (l laterModels) PredictBatch(rules klaverjas.Rules, deals []klaverjas.Deal, out []deal.Prediction, covered []bool) {
	l.known().PredictBatch(rules, deals, out, covered)
}
