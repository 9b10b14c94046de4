package klaverjas

import (
	"context"
	"fmt"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
)

// positionsField is the field of a request that lists positions, and maxPositions how many it may list.
const (
	positionsField = "positions"
	maxPositions   = 1000
)

// list is the list of positions of a request.
var list = service.List{Field: positionsField, Most: maxPositions}

// Item is a position of a list, or its error.
type Item = service.Item[Position]

// inList returns the error of the position in place i with pointers from the top of the request.
func inList(err error, i int) error {
	return service.Below(fmt.Sprintf("/%s/%d", positionsField, i), err)
}

// listBody is the list of a request after its items have been taken out.
type listBody struct {
	Positions []struct{} `json:"positions"`
}

func (l listBody) check() error {
	if n := len(l.Positions); n < 1 || n > maxPositions {
		return service.NewMalformed(service.Violation{
			Pointer: "/" + positionsField, Detail: fmt.Sprintf("has %d: expected 1 to %d positions", n, maxPositions),
		})
	}
	return nil
}

type solveListBody struct {
	listBody
	Goal *api.KlaverjasGoal `json:"goal"`
}

// ParseSolveBatch reads the body of solve/batch. An error in one position is the error of its item.
func (g *Game) ParseSolveBatch(ctx context.Context, body []byte) (*SolveBatchQuery, error) {
	build := func(in solveListBody) (search.Goal, error) {
		goal, err := newGoal(in.Goal, search.Value)
		if err == nil {
			err = in.check()
		}
		return goal, err
	}
	goal, items, err := service.DecodeList(ctx, g.schemas, body, "KlaverjasSolveBatchRequest", list, build, g.ParsePosition)
	if err != nil {
		return nil, err
	}
	return &SolveBatchQuery{game: g, goal: goal, items: items}, nil
}

// PredictBatchQuery is a request for many predictions.
type PredictBatchQuery struct{ items []Item }

// Len returns how many positions the request lists.
func (q PredictBatchQuery) Len() int { return len(q.items) }

// ParsePredictBatch reads the body of predict/batch. An error in one position is the error of its item.
func (g *Game) ParsePredictBatch(ctx context.Context, body []byte) (PredictBatchQuery, error) {
	build := func(in listBody) (struct{}, error) { return struct{}{}, in.check() }
	_, items, err := service.DecodeList(ctx, g.schemas, body, "KlaverjasPredictBatchRequest", list, build, g.ParsePosition)
	return PredictBatchQuery{items}, err
}

// HybridBatchQuery is a request for the winners of many positions, within one budget.
type HybridBatchQuery struct {
	items  []Item
	limits limitsBody
}

type hybridListBody struct {
	listBody
	limitsBody
}

// ParseHybridBatch reads the body of hybrid/batch. An error in one position is the error of its item.
func (g *Game) ParseHybridBatch(ctx context.Context, body []byte) (HybridBatchQuery, error) {
	build := func(in hybridListBody) (HybridBatchQuery, error) {
		err := in.limitsBody.check()
		if err == nil {
			err = in.listBody.check()
		}
		return HybridBatchQuery{limits: in.limitsBody}, err
	}
	q, items, err := service.DecodeList(ctx, g.schemas, body, "KlaverjasHybridBatchRequest", list, build, g.ParsePosition)
	q.items = items
	return q, err
}
