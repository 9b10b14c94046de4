package klaverjas

import (
	"fmt"

	"roem/internal/api"
	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
)

// ParsePosition reads the body of legal-moves, predict and deals/index.
func (g *Game) ParsePosition(body []byte) (Position, error) {
	in, err := g.readPosition(body)
	if err != nil {
		return Position{}, err
	}
	return newPosition(in)
}

func (g *Game) readPosition(body []byte) (api.Position, error) {
	if r, ok := readPlain(body); ok && r.goal == nil {
		return r.Position, nil
	}
	return service.Decode[api.Position](g.service.Decoder, body, "Position")
}

// ParseSolve reads the body of solve. Without a goal it is value.
func (g *Game) ParseSolve(body []byte) (*SolveQuery, error) {
	return g.ParseSolveFor(body, search.Value)
}

// ParseSolveFor reads the body of solve, with a goal for one that has none.
func (g *Game) ParseSolveFor(body []byte, goal search.Goal) (*SolveQuery, error) {
	in, err := g.readSolve(body)
	if err != nil {
		return nil, err
	}
	if in.Goal != nil {
		if goal, err = search.ParseGoal(string(*in.Goal)); err != nil {
			return nil, service.NewMalformed(service.Violation{Pointer: "/goal", Detail: err.Error()})
		}
	}
	p, err := newPosition(api.Position{
		Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
	})
	if err != nil {
		return nil, err
	}
	return g.newSolveQuery(p, goal)
}

func (g *Game) readSolve(body []byte) (api.SolveRequest, error) {
	if r, ok := readPlain(body); ok {
		return api.SolveRequest{
			Rules: r.Rules, Trump: r.Trump, Leader: r.Leader, Declarer: r.Declarer,
			Hands: r.Hands, Deal: r.Deal, Played: r.Played, Goal: r.goal,
		}, nil
	}
	return service.Decode[api.SolveRequest](g.service.Decoder, body, "SolveRequest")
}

// ParseAnalyse reads the body of analyse.
func (g *Game) ParseAnalyse(body []byte) (*AnalyseQuery, error) {
	p, err := g.ParsePosition(body)
	if err != nil {
		return nil, err
	}
	if n := len(p.played); n < minAnalysed {
		return nil, service.NewImpossible(service.Violation{
			Pointer: "/played",
			Detail:  fmt.Sprintf("holds %d of the cards of the hand, expected %d to %d", n, minAnalysed, cards.Deck.Len()),
		})
	}
	return g.newAnalyseQuery(p)
}

// ParseTable reads the body of table.
func (g *Game) ParseTable(body []byte) (*TableQuery, error) {
	in, err := service.Decode[api.TableRequest](g.service.Decoder, body, "TableRequest")
	if err != nil {
		return nil, err
	}
	rules, leader, hands, err := newUntrumped(in)
	if err != nil {
		return nil, err
	}
	return g.newTableQuery(rules, leader, hands)
}

// newUntrumped reads a deal without trump and declarer.
func newUntrumped(in api.TableRequest) (rules klaverjas.Rules, leader cards.Seat, hands [4]cards.Set, err error) {
	var vs violations
	rules = newRules(in.Rules, &vs)
	leader, err = cards.ParseSeat(in.Leader)
	vs.add("/leader", err)
	hands, err = newHands(in.Hands)
	vs.add("/hands", err)
	if len(vs) > 0 {
		return rules, leader, hands, service.NewImpossible(vs...)
	}
	return rules, leader, hands, nil
}

// HybridQuery asks who wins a Position, within a budget.
type HybridQuery struct {
	BudgetMs      *float64 // within how many milliseconds; nil is without a budget
	MinConfidence *float64 // the minimum confidence at which the model's answer is accepted; nil leaves it to the rule
	position      Position
}

// ParseHybrid reads the body of hybrid.
func (g *Game) ParseHybrid(body []byte) (HybridQuery, error) {
	in, err := service.Decode[api.HybridRequest](g.service.Decoder, body, "HybridRequest")
	if err != nil {
		return HybridQuery{}, err
	}
	q := HybridQuery{BudgetMs: in.BudgetMs, MinConfidence: in.MinConfidence}
	q.position, err = newPosition(api.Position{
		Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
	})
	return q, err
}

// Item is a position of a list, or what is wrong with it.
type Item struct {
	position Position
	err      error // a *service.Error whose pointers lead from the top of the request
}

// PredictBatchQuery asks for many predictions.
type PredictBatchQuery struct{ items []Item }

// Len returns how many positions the request lists.
func (q PredictBatchQuery) Len() int { return len(q.items) }

// HybridBatchQuery asks for many answers within one budget.
type HybridBatchQuery struct {
	items         []Item
	budgetMs      *float64
	minConfidence *float64
}

// ParsePredictBatch reads the body of predict/batch. What is wrong with a position alone is the error of its item.
func (g *Game) ParsePredictBatch(body []byte) (PredictBatchQuery, error) {
	_, items, err := parseList[api.PredictBatchRequest](g, body, "PredictBatchRequest")
	return PredictBatchQuery{items: items}, err
}

// ParseHybridBatch reads the body of hybrid/batch. What is wrong with a position alone is the error of its item.
func (g *Game) ParseHybridBatch(body []byte) (HybridBatchQuery, error) {
	rest, items, err := parseList[api.HybridBatchRequest](g, body, "HybridBatchRequest")
	return HybridBatchQuery{items: items, budgetMs: rest.BudgetMs, minConfidence: rest.MinConfidence}, err
}

// ParseSolveBatch reads the body of solve/batch. What is wrong with a position alone is the error of its item.
func (g *Game) ParseSolveBatch(body []byte) (*SolveBatchQuery, error) {
	rest, items, err := parseList[api.SolveBatchRequest](g, body, "SolveBatchRequest")
	if err != nil {
		return nil, err
	}
	q := &SolveBatchQuery{game: g, goal: search.Value, items: items}
	if rest.Goal != nil {
		if q.goal, err = search.ParseGoal(string(*rest.Goal)); err != nil {
			return nil, service.NewMalformed(service.Violation{Pointer: "/goal", Detail: err.Error()})
		}
	}
	return q, nil
}

func parseList[T any](g *Game, body []byte, schema string) (rest T, items []Item, err error) {
	err = service.DecodeList(g.service.Decoder, body, schema, &rest, func(n int) { items = make([]Item, n) }, func(i int, text []byte) {
		items[i].position, err = g.ParsePosition(text)
		items[i].err = service.InList(err, i)
	})
	return rest, items, err
}
