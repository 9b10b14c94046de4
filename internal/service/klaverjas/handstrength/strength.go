// Package handstrength estimates how strong eight cards are for a trump: the share of the deals of the other 24 cards that the declarers
// win with all cards open and best play by all, and the distribution of the outcome.
//
// There are three methods. The hand model answers in microseconds, with a known mean error. The network predicts sampled worlds. The exact
// method corrects the network by exact searches of a few of these worlds, so that its expectation is the true share; rules that no network
// knows are searched alone. lab/docs/klaverjas/hand-strength.md describes the methods and how good they are.
package handstrength

import (
	"context"
	"fmt"
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/model/klaverjas/deal"
)

// Method is how an estimate is made.
type Method uint8

// The methods, from the fastest to the slowest. Auto is the fastest that reaches the precision.
const (
	Auto Method = iota
	HandModel
	Network
	Exact
)

var methodNames = [4]string{"auto", "hand_model", "network", "exact"}

// String returns the name of the method in JSON.
func (m Method) String() string { return methodNames[m&3] }

// ParseMethod reads auto, hand_model, network or exact.
func ParseMethod(text string) (Method, error) {
	return violation.ParseWord[Method](text, methodNames[:]...)
}

// The range of a precision, as a probability.
const (
	LeastPrecision   = 0.001
	MostPrecision    = 0.1
	DefaultPrecision = 0.01
)

// Question asks how strong a hand is.
type Question struct {
	Rules     klaverjas.Rules
	Hand      piquet.Set // eight cards
	Seat      piquet.Seat
	Leader    piquet.Seat
	Declarer  piquet.Team
	Trump     piquet.Suit
	Precision float64 // the standard error of the win probability that is wished, LeastPrecision to MostPrecision
	Method    Method
	Seed      uint64 // of the worlds
}

// Strength is the estimate for a trump. Outcomes are in points from the declarers' side.
type Strength struct {
	Trump          piquet.Suit
	Method         Method // that made the estimate; not Auto
	WinProbability float64
	StandardError  float64  // of WinProbability, with the error of a model that was used
	Mean           float64  // of the outcome
	MeanError      float64  // the standard error of Mean
	Quantiles      [5]int   // of the outcome, for Levels
	Pit            float64  // the probability that the declarers win all tricks
	Table          *AtTable // how such hands end at the table; nil if there is no table model for the rules
	Points         int      // the point count of the hand
	Worlds         int      // sampled
	Searches       int
	Nodes          uint64
	Examples       []Example // typical, lucky, unlucky; none without worlds
}

// Levels are the levels of the quantiles.
var Levels = [5]float64{0.05, 0.25, 0.5, 0.75, 0.95}

// Example is a sampled world whose outcome is at a quantile among the sampled worlds.
type Example struct {
	Kind    string // typical (the median), lucky (95 %) or unlucky (5 %)
	Hands   worlds.World
	Outcome float64 // predicted by the network or, if Exact, of the search
	Exact   bool
}

// Solver solves positions. *search.Solver is one.
type Solver interface {
	Solve(ctx context.Context, q search.Query) (search.Result, error)
}

// Predictor predicts deals. *model.Model is one.
type Predictor interface {
	Covers(rules klaverjas.Rules, d klaverjas.Deal) bool
	PredictBatch(rules klaverjas.Rules, deals []klaverjas.Deal, out []deal.Prediction, covered []bool)
}

// Distilled is a model that knows hands without worlds.
type Distilled interface {
	// Strength returns the estimate for the question, whose precision, method and seed it does not use. It returns false for rules that
	// it does not know.
	Strength(q Question) (Strength, bool)
	// Covers reports whether it knows the rules and the declarers of the question.
	Covers(q Question) bool
	// Error returns the root mean square error of its win probability under the rules of the question.
	Error(q Question) float64
}

// Estimator estimates. It is safe for concurrent use.
type Estimator struct {
	Predictor Predictor // nil for none
	Distilled Distilled // nil for none
}

// UnknownError is the error for a method that does not know the rules.
type UnknownError struct{ Method Method }

// Error names the method.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("the method %s knows no model for these rules and declarers", e.Method)
}

// Method returns the method that answers the question, never Auto. Its error is an *[UnknownError].
func (e *Estimator) Method(q Question) (Method, error) {
	known := e.Distilled != nil && e.Distilled.Covers(q)
	covered := e.covers(q)
	switch q.Method {
	case HandModel:
		if !known {
			return 0, &UnknownError{HandModel}
		}
	case Network:
		if !covered {
			return 0, &UnknownError{Network}
		}
	case Auto:
		switch {
		case known && e.Distilled.Error(q) <= q.Precision:
			return HandModel, nil
		case covered && networkSuffices(q.Rules, q.Precision):
			return Network, nil
		}
		return Exact, nil
	}
	return q.Method, nil
}

func (e *Estimator) covers(q Question) bool {
	return e.Predictor != nil && e.Predictor.Covers(q.Rules, q.deal(worlds.World{}))
}

func (q Question) deal(w worlds.World) klaverjas.Deal {
	return klaverjas.Deal{Trump: q.Trump, Leader: q.Leader, Declarer: q.Declarer, Hands: w}
}

// Estimate returns the strength of a hand for a trump. The same question has the same answer. solver is used by Exact only. progress,
// which may be nil, is told the share of the work done. The errors are the errors of the method and of the context, and
// [klaverjas.Violations] for an impossible hand.
func (e *Estimator) Estimate(ctx context.Context, q Question, solver Solver, progress func(share float64, nodes uint64)) (Strength, error) {
	method, err := e.Method(q)
	if err != nil {
		return Strength{}, err
	}
	if progress == nil {
		progress = func(float64, uint64) {}
	}
	s, known := Strength{}, false
	if method == HandModel {
		s, known = e.Distilled.Strength(q)
	}
	if !known { // the hand model knows all hands of rules that it covers; for others than hands New has the error
		if s, err = e.overWorlds(ctx, q, method == Exact, solver, progress); err != nil {
			return Strength{}, err
		}
	}
	s.Trump, s.Method, s.Points = q.Trump, method, Points(q.Hand, q.Trump)
	s.WinProbability = min(max(s.WinProbability, 0), 1)
	s.Pit = min(max(s.Pit, 0), s.WinProbability)
	if t := TableModel(q.Rules); t != nil {
		s.Table = new(t.MapOf(&q).At(NumbersOf(&s)))
	}
	return s, nil
}

// overWorlds estimates from sampled worlds.
func (e *Estimator) overWorlds(
	ctx context.Context, q Question, exact bool, solver Solver, progress func(float64, uint64),
) (Strength, error) {
	worlds, err := worlds.New(worlds.View{
		Rules: q.Rules, Trump: q.Trump, Leader: q.Leader, Declarer: q.Declarer, Seat: q.Seat, Hand: q.Hand,
	})
	switch {
	case err != nil:
		return Strength{}, err
	case e.covers(q):
		return e.predicted(ctx, q, exact, worlds, solver, progress)
	default:
		return searched(ctx, q, worlds, solver, progress)
	}
}

// ModelError is the root mean square over hands of the difference between the network's mean over all worlds of a hand and the share
// of these worlds that the declarers win. It is part of the standard error of the method Network. strength-eval of commit 7086e62f
// measures it.
func ModelError(rules klaverjas.Rules) float64 {
	if rules.System == klaverjas.Amsterdam {
		return 0.009
	}
	return 0.005
}

// networkSuffices reports whether the network alone can reach the precision with a reasonable number of worlds.
func networkSuffices(rules klaverjas.Rules, precision float64) bool {
	return precision >= 1.25*ModelError(rules)
}

// leastWorlds and mostWorlds limit the number of worlds of an estimate.
const (
	leastWorlds = 256
	mostWorlds  = 1 << 19
)

func worldsFor(n float64) int {
	if math.IsNaN(n) {
		return leastWorlds
	}
	return int(math.Ceil(min(max(n, leastWorlds), mostWorlds)))
}
