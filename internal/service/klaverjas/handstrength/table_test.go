package handstrength

import (
	"math"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/hand"
)

// Every system with a hand model has a table model, for every place of the leader and both declaring teams.
func TestTableModelIsComplete(t *testing.T) {
	h, err := hand.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, trained := range h.Header().Rules {
		rules := klaverjas.Rules(trained)
		maps := TableModel(rules)
		if maps == nil {
			t.Fatalf("%s has a hand model and no table model", rules.System)
		}
		for declarer := range maps.Hand {
			for leader := range maps.Hand[declarer] {
				if maps.Hand[declarer][leader] == (TableMap{}) {
					t.Errorf("%s, declarer %d, leader %d: no coefficients", rules.System, declarer, leader)
				}
			}
		}
		rules.Melds = false
		if TableModel(rules) != nil {
			t.Errorf("%s without melds has a table model, but no games were played under these rules", rules.System)
		}
	}
}

// The numbers at the table are possible in a game: probabilities, a pit is a win, and better hands are better.
func TestAtTable(t *testing.T) {
	h, err := hand.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	e := &Estimator{Distilled: OfModel(h)}
	rng := index.NewRand(3)
	for range 500 {
		q := question(rng, HandModel, DefaultPrecision)
		q.Rules = klaverjas.DefaultRules(klaverjas.System(rng.IntN(2)))
		q.Declarer = piquet.Team(rng.IntN(2))
		s := estimate(t, e, q, nil)
		at := s.Table
		if at == nil {
			t.Fatal("no numbers at the table")
		}
		if at.Pit < 0 || at.Pit > at.WinProbability || at.WinProbability > 1 || math.IsNaN(at.Mean) || math.Abs(at.Mean) > 400 {
			t.Errorf("%+v: %+v", q, *at)
		}
		if d := at.WinProbability - s.WinProbability; math.Abs(d) > 0.35 {
			t.Errorf("%+v: %.3f at the table, %.3f with all cards open", q, at.WinProbability, s.WinProbability)
		}
	}
	strong, weak := question(rng, HandModel, DefaultPrecision), question(rng, HandModel, DefaultPrecision)
	strong.Trump, weak.Trump = piquet.Hearts, piquet.Hearts
	strong.Hand, weak.Hand = setOf(t, "JH 9H AH 7H AS 10S AD 8C"), setOf(t, "7S 8S 9S 7D 8D 7C 8C 8H")
	a, b := estimate(t, e, strong, nil).Table, estimate(t, e, weak, nil).Table
	if !(a.WinProbability > 0.9 && b.WinProbability < 0.3 && a.Mean > 60 && b.Mean < -60) {
		t.Errorf("a strong hand %+v, a weak hand %+v", a, b)
	}
	for _, p := range []float64{0, 1} { // an estimate of searches can be certain
		at := TableModel(strong.Rules).Hand[0][0].At(NumbersOf(&Strength{WinProbability: p, Pit: p, Mean: 200 * (2*p - 1)}))
		if !(at.WinProbability > 0 && at.WinProbability < 1) || math.Abs(at.WinProbability-p) > 0.2 {
			t.Errorf("%.0f with all cards open is %+v at the table", p, at)
		}
	}
}
