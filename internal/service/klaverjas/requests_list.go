package klaverjas

import (
	"context"
	"fmt"

	"roem/internal/engine/klaverjas/search"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/service"
	"roem/internal/service/klaverjas/hybrid"
)

// positionsField is the field of a request that lists positions.
const positionsField = "positions"

// positions are the positions of a list, or their errors.
type positions = service.Items[Position]

// positionIn reads a position of a list.
func positionIn[Out any](g *Game) func(context.Context, []byte, Out) (Position, error) {
	return func(ctx context.Context, body []byte, _ Out) (Position, error) { return g.ParsePosition(ctx, body) }
}

// inList returns the error of the position in place i with pointers from the top of the request.
func inList(err error, i int) error {
	return service.Below(fmt.Sprintf("/%s/%d", positionsField, i), err)
}

// ParseSolveBatch reads the body of solve/batch. An error in one position is the error of its item.
func (g *Game) ParseSolveBatch(ctx context.Context, body []byte) (*SolveBatchQuery, error) {
	build := func(in solveBatchBody) (search.Goal, error) { return newGoal(in.Goal, search.Value) }
	goal, items, err := service.DecodeList(ctx, g.schemas, body, "KlaverjasSolveBatchRequest", positionsField, build,
		positionIn[search.Goal](g))
	if err != nil {
		return nil, err
	}
	return &SolveBatchQuery{game: g, goal: goal, items: items}, nil
}

// PredictBatchQuery is a request for many predictions.
type PredictBatchQuery struct {
	items positions
	trees *forest.Model // nil for the network
}

// Len returns how many positions the request lists.
func (q PredictBatchQuery) Len() int { return len(q.items) }

// ParsePredictBatch reads the body of predict/batch. An error in one position is the error of its item.
func (g *Game) ParsePredictBatch(ctx context.Context, body []byte) (PredictBatchQuery, error) {
	build := func(in predictBatchBody) (*forest.Model, error) { return g.treesOf(in.Model) }
	trees, items, err := service.DecodeList(ctx, g.schemas, body, "KlaverjasPredictBatchRequest", positionsField, build,
		positionIn[*forest.Model](g))
	return PredictBatchQuery{items, trees}, err
}

// HybridBatchQuery is a request for the winners of many positions, within one budget.
type HybridBatchQuery struct {
	items positions
	// As in HybridQuery.
	BudgetMs, MinConfidence *float64
	By                      hybrid.Choice
}

// ParseHybridBatch reads the body of hybrid/batch. An error in one position is the error of its item.
func (g *Game) ParseHybridBatch(ctx context.Context, body []byte) (HybridBatchQuery, error) {
	build := func(in hybridBatchBody) (HybridBatchQuery, error) {
		by, err := newChoice(in.Route, in.MinConfidence)
		return HybridBatchQuery{BudgetMs: in.BudgetMs, MinConfidence: in.MinConfidence, By: by}, err
	}
	q, items, err := service.DecodeList(ctx, g.schemas, body, "KlaverjasHybridBatchRequest", positionsField, build,
		positionIn[HybridBatchQuery](g))
	q.items = items
	return q, err
}
