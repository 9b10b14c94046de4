package klaverjas

import (
	"context"
	"testing"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/service"
	"roem/internal/service/klaverjas/hybrid"
)

// counting counts the calls of a model.
type counting struct {
	Predictor
	ones, lists int
}

func (c *counting) Predict(rules klaverjas.Rules, deal klaverjas.Deal) (hybrid.Prediction, api.ModelIdentity, *NoModelFor) {
	c.ones++
	return c.Predictor.Predict(rules, deal)
}

func (c *counting) PredictAll(rules klaverjas.Rules, deals []klaverjas.Deal) []Predicted {
	c.lists++
	return c.Predictor.PredictAll(rules, deals)
}

// Many positions are predicted with one call for each set of rules. The predictions, and the reasons for missing ones, equal the results
// of single calls.
func TestManyPredictionsAreThoseOfEach(t *testing.T) {
	shipped, err := DefaultPredictor()
	if err != nil {
		t.Fatal(err)
	}
	asked := &counting{Predictor: shipped}
	one, all := &Game{guesses: &embedded{predictor: shipped}}, &Game{guesses: &embedded{predictor: asked}}
	rng := index.NewRand(4)
	ps := make(positions, 300)
	for i := range ps {
		played := 0
		if i%7 == 6 {
			played = 3
		}
		ps[i].Value = randomPosition(t, rng, played)
	}
	known, errs := all.predictAll(ps)
	ok := 0
	for i, p := range ps {
		prediction, identity, err := one.predict(p.Value)
		if err == nil {
			ok++
		}
		if known[i].Prediction != prediction || known[i].Model != identity || (err == nil) != (errs[i] == nil) ||
			err != nil && (service.KindOf(errs[i]) != service.NoModel || errs[i].Error() != err.Error()) {
			t.Errorf("%d: %+v, %v; alone %+v %+v, %v", i, known[i], errs[i], prediction, identity, err)
		}
	}
	if ok == 0 || ok == len(ps) {
		t.Errorf("%d of %d have a model: too few or too many for the test", ok, len(ps))
	}
	if asked.ones != 0 || asked.lists == 0 || asked.lists > 4 { // two systems, two values of nat_melds
		t.Errorf("the model was called for %d deals and %d lists", asked.ones, asked.lists)
	}
}

// PredictBatch calls only PredictAll.
func TestPredictBatchAsksAtOnce(t *testing.T) {
	shipped, err := DefaultPredictor()
	if err != nil {
		t.Fatal(err)
	}
	asked := &counting{Predictor: shipped}
	g := newGame(t, service.Options{}, Options{Predictor: asked})
	in, err := ParsePredictBatch()(context.Background(), g, []byte(`{"positions": [{"trump": "C", "leader": "N", "deal": "1"}, {"trump": "X"},
		{"trump": "D", "leader": "N", "deal": "2", "rules": {"melds": false}}, {"trump": "D", "leader": "E", "deal": "3"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	out, err := g.PredictBatch(in)
	if err != nil || len(out.Results) != 4 || asked.ones != 0 || asked.lists != 2 {
		t.Errorf("calls for %d deals and %d lists, %d results, %v", asked.ones, asked.lists, len(out.Results), err)
	}
	for i, result := range out.Results {
		if _, failed := result.(api.ItemError); failed != (i == 1 || i == 2) { // an unknown suit, and rules without a model
			t.Errorf("result %d: %+v", i, result)
		}
	}
}

// A predicted probability is never 0 or 1.
func TestProbabilityIsNeverCertain(t *testing.T) {
	for p, want := range map[float64]float64{0: 1e-6, 1e-9: 1e-6, 0.25: 0.25, 0.1234567: 0.123457, 1 - 1e-9: 0.999999, 1: 0.999999} {
		if got := probability(p); got != want {
			t.Errorf("%v becomes %v, want %v", p, got, want)
		}
	}
}
