package klaverjas

import (
	"fmt"

	"roem/internal/engine/klaverjas/search"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/service"
)

// positionsField is the field of a request that lists positions.
const positionsField = "positions"

// positions are the positions of a list, or their errors.
type positions = service.Items[Position]

// positionsOf returns the Parser of a list of positions. common reads what they have in common. An error in one position is the error of
// its item.
func positionsOf[B, C, Q any, P service.Body[B]](
	schema string, common func(*Game, B) (C, error), of func(*Game, C, positions) Q,
) service.Parser[*Game, Q] {
	return service.ListOf[*Game, B, C, positionBody, Position, Q, P](schema, positionsField, common, "KlaverjasPosition",
		func(_ *Game, in positionBody, _ C) (Position, error) { return newPosition(in) }, of)
}

// inList returns the error of the position in place i with pointers from the top of the request.
func inList(err error, i int) error {
	return service.Below(fmt.Sprintf("/%s/%d", positionsField, i), err)
}

// ParseSolveBatch reads the body of solve/batch.
var ParseSolveBatch = positionsOf("KlaverjasSolveBatchRequest",
	func(_ *Game, in solveBatchBody) (search.Goal, error) { return newGoal(in.Goal, search.Value) },
	func(g *Game, goal search.Goal, items positions) *SolveBatchQuery {
		return &SolveBatchQuery{game: g, goal: goal, items: items}
	})

// ParsePredictBatch reads the body of predict/batch.
func ParsePredictBatch() service.Parser[*Game, PredictBatchQuery] {
	return positionsOf("KlaverjasPredictBatchRequest",
		func(g *Game, in predictBatchBody) (*forest.Model, error) { return g.treesOf(in.Model) },
		func(_ *Game, trees *forest.Model, items positions) PredictBatchQuery {
			return PredictBatchQuery{items, trees}
		})
}

// ParseHybridBatch reads the body of hybrid/batch.
func ParseHybridBatch() service.Parser[*Game, HybridBatchQuery] {
	return positionsOf("KlaverjasHybridBatchRequest",
		func(_ *Game, in hybridBatchBody) (HybridBatchQuery, error) {
			by, err := newChoice(in.Route, in.MinConfidence)
			return HybridBatchQuery{BudgetMs: in.BudgetMs, MinConfidence: in.MinConfidence, By: by}, err
		},
		func(_ *Game, q HybridBatchQuery, items positions) HybridBatchQuery {
			q.items = items
			return q
		})
}

// ParseFeatures reads the body of features.
var ParseFeatures = positionsOf("KlaverjasFeaturesRequest", func(*Game, featuresBody) (struct{}, error) { return struct{}{}, nil },
	func(_ *Game, _ struct{}, items positions) FeaturesQuery { return FeaturesQuery{items} })
