package klaverjas

import (
	"context"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/service/klaverjas/hybrid"
)

// ParsePosition reads the body of legal-moves and deals/index.
func (g *Game) ParsePosition(ctx context.Context, body []byte) (Position, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasPosition", newPosition)
}

// ParsePredict reads the body of predict.
func (g *Game) ParsePredict(ctx context.Context, body []byte) (PredictQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasPredictRequest", func(in predictBody) (q PredictQuery, err error) {
		if q.trees, err = g.treesOf(in.Model); err != nil {
			return q, err
		}
		q.position, err = newPosition(in.positionBody)
		return q, err
	})
}

// ParseAnalyse reads the body of analyse.
func (g *Game) ParseAnalyse(ctx context.Context, body []byte) (*AnalyseQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasPosition", func(in positionBody) (*AnalyseQuery, error) {
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
}

// ParseSolve reads the body of solve. The default goal is value.
func (g *Game) ParseSolve(ctx context.Context, body []byte) (*SolveQuery, error) {
	if q, ok := g.repeats.find(body); ok {
		return q, nil
	}
	q, err := g.ParseSolveFor(ctx, body, search.Value)
	if err != nil {
		return nil, err
	}
	q.body = body
	return q, nil
}

// ParseSolveFor reads the body of solve, with a default goal.
func (g *Game) ParseSolveFor(ctx context.Context, body []byte, goal search.Goal) (*SolveQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasSolveRequest", func(in solveBody) (*SolveQuery, error) {
		goal, err := newGoal(in.Goal, goal)
		if err != nil {
			return nil, err
		}
		p, err := newPosition(in.positionBody)
		if err != nil {
			return nil, err
		}
		return g.newSolveQuery(p, goal)
	})
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
func (g *Game) ParseTable(ctx context.Context, body []byte) (*TableQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasTableRequest", func(in tableBody) (*TableQuery, error) {
		rules, leader, hands, err := in.parse()
		if err != nil {
			return nil, err
		}
		return g.newTableQuery(rules, leader, hands)
	})
}

func (in tableBody) parse() (rules klaverjas.Rules, leader piquet.Seat, hands [4]piquet.Set, err error) {
	var vs service.Problems
	rules = newRules(in.Rules, &vs)
	leader, err = piquet.ParseSeat(in.Leader)
	vs.Add("/leader", err)
	hands, err = in.Hands.parse()
	vs.Add("/hands", err)
	return rules, leader, hands, vs.Err()
}

// HybridQuery is a request for the winner of a position, within a budget.
type HybridQuery struct {
	BudgetMs      *float64 // the budget in milliseconds; nil for none
	MinConfidence *float64 // the minimum confidence at which the model's answer is accepted; with nil the rule decides
	By            hybrid.Choice
	position      Position
}

// ParseHybrid reads the body of hybrid.
func (g *Game) ParseHybrid(ctx context.Context, body []byte) (HybridQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasHybridRequest", func(in hybridBody) (HybridQuery, error) {
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
