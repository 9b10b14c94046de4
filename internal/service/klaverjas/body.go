package klaverjas

import (
	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/service/klaverjas/hybrid"
)

// ParsePosition reads the body of legal-moves and deals/index.
var ParsePosition = service.PlainBodyOf[*Game]("KlaverjasPosition", newPosition)

// ParsePredict reads the body of predict.
func ParsePredict() service.Parser[*Game, PredictQuery] {
	return service.BodyOf("KlaverjasPredictRequest", func(g *Game, in predictBody) (q PredictQuery, err error) {
		if q.trees, err = g.treesOf(in.Model); err != nil {
			return q, err
		}
		q.position, err = newPosition(in.positionBody)
		return q, err
	})
}

// ParseAnalyse reads the body of analyse.
var ParseAnalyse = service.BodyOf("KlaverjasPosition", func(g *Game, in positionBody) (*AnalyseQuery, error) {
	p, err := newPosition(in)
	if err != nil {
		return nil, err
	}
	if n := len(p.played); n < minAnalysed {
		return nil, service.Refused(violation.New(violation.WrongCount, "holds %d of the cards of the hand, expected %d to %d", n, minAnalysed,
			piquet.Deck.Len()).At("/played").Of(n).Between(minAnalysed, piquet.Deck.Len()))
	}
	return g.newAnalyseQuery(p)
})

// ParseSolve reads the body of solve. The default goal is value.
var ParseSolve = service.BodyOf("KlaverjasSolveRequest", readSolve(search.Value))

// readSolve reads the body of solve, with a default goal.
func readSolve(otherwise search.Goal) func(*Game, solveBody) (*SolveQuery, error) {
	return func(g *Game, in solveBody) (*SolveQuery, error) {
		goal, err := newGoal(in.Goal, otherwise)
		if err != nil {
			return nil, err
		}
		p, err := newPosition(in.positionBody)
		if err != nil {
			return nil, err
		}
		return g.newSolveQuery(p, goal)
	}
}

// newGoal parses a goal, or returns the default.
func newGoal(in *api.KlaverjasGoal, otherwise search.Goal) (search.Goal, error) {
	if in == nil {
		return otherwise, nil
	}
	goal, err := search.ParseGoal(string(*in))
	if err != nil {
		return 0, service.Refused(violation.Of("/goal", err)...)
	}
	return goal, nil
}

// ParseTable reads the body of table.
var ParseTable = service.BodyOf("KlaverjasTableRequest", func(g *Game, in tableBody) (*TableQuery, error) {
	rules, leader, hands, err := in.parse()
	if err != nil {
		return nil, err
	}
	return g.newTableQuery(rules, leader, hands)
})

func (in tableBody) parse() (rules klaverjas.Rules, leader piquet.Seat, hands [4]piquet.Set, err error) {
	var vs service.Problems
	rules = newRules(in.Rules, &vs)
	leader, err = piquet.ParseSeat(in.Leader)
	vs.Add("/leader", err)
	hands, err = in.Hands.parse()
	vs.Add("/hands", err)
	return rules, leader, hands, vs.Err()
}

// ParseHybrid reads the body of hybrid.
func ParseHybrid() service.Parser[*Game, HybridQuery] {
	return service.BodyOf("KlaverjasHybridRequest", func(_ *Game, in hybridBody) (HybridQuery, error) {
		q := HybridQuery{BudgetMs: in.BudgetMs, MinConfidence: in.MinConfidence}
		var err error
		if q.By, err = newChoice(in.Route, in.MinConfidence); err != nil {
			return q, err
		}
		q.position, err = newPosition(in.positionBody)
		return q, err
	})
}

// parseChoice returns the choice with the name, which is auto, doubt or distribution.
func parseChoice(name string) (hybrid.Choice, error) {
	routes := map[api.KlaverjasRouting]hybrid.Choice{
		api.KlaverjasRoutingAuto: hybrid.Auto, api.KlaverjasRoutingDoubt: hybrid.Doubt, api.KlaverjasRoutingDistribution: hybrid.Distribution,
	}
	by, ok := routes[api.KlaverjasRouting(name)]
	if !ok {
		return 0, violation.Word(name, api.KlaverjasRoutingDistribution, api.KlaverjasRoutingDoubt, api.KlaverjasRoutingAuto)
	}
	return by, nil
}

// newChoice returns the choice of a request, Auto without one.
func newChoice(route *api.KlaverjasRouting, minConfidence *float64) (by hybrid.Choice, err error) {
	if route != nil {
		if by, err = parseChoice(string(*route)); err != nil {
			return 0, service.Refused(violation.Of("/route", err)...)
		}
	}
	return by, fitsChoice(by, minConfidence)
}

// fitsChoice returns an error for a confidence that the choice does not ask for.
func fitsChoice(by hybrid.Choice, minConfidence *float64) error {
	if by == hybrid.Distribution && minConfidence != nil {
		return service.Refused(violation.New(violation.NotUsed,
			"is given with the route distribution, which does not ask the model how sure it is").At("/min_confidence").Of(*minConfidence))
	}
	return nil
}
