package service

import (
	"fmt"

	"roem/internal/api"
	"roem/internal/engine/search"
)

// positionsField is the field of a request that lists positions, and maxPositions how many it may list.
const (
	positionsField = "positions"
	maxPositions   = 1000
)

// onePosition reads a position of a list.
func (d *Decoder) onePosition(body []byte) (position, error) {
	return decode(d.schemas, body, "Position", newPosition)
}

// inList turns the error of a position into that of the request whose list has it in place i.
func inList(err error, i int) error { return below(fmt.Sprintf("/%s/%d", positionsField, i), err) }

// listBody is the list of a request after decodeList has taken its items out.
type listBody struct {
	Positions []struct{} `json:"positions"`
}

func (l listBody) check() error {
	if n := len(l.Positions); n < 1 || n > maxPositions {
		return malformed(Violation{
			Pointer: "/" + positionsField, Detail: fmt.Sprintf("has %d: expected 1 to %d positions", n, maxPositions),
		})
	}
	return nil
}

// Batch is many positions with one goal.
type Batch struct {
	goal  search.Goal
	items []Item[position]
}

type solveListBody struct {
	listBody
	Goal *api.Goal `json:"goal"`
}

// SolveBatch reads the body of solve/batch. What is wrong with a position alone is the error of its item.
func (d *Decoder) SolveBatch(body []byte) (Batch, error) {
	build := func(in solveListBody) (SolveQuery, error) {
		goal, err := newGoal(in.Goal)
		if err == nil {
			err = in.check()
		}
		return SolveQuery{Goal: goal}, err
	}
	rest, items, err := decodeList(d.schemas, body, "SolveBatchRequest", positionsField, build, d.onePosition)
	return Batch{goal: rest.goal(), items: items}, err
}

// PredictBatch is the request for many predictions.
type PredictBatch struct{ Items []Item[position] }

// PredictBatch reads the body of predict/batch. What is wrong with a position alone is the error of its item.
func (d *Decoder) PredictBatch(body []byte) (PredictBatch, error) {
	build := func(in listBody) (struct{}, error) { return struct{}{}, in.check() }
	_, items, err := decodeList(d.schemas, body, "PredictBatchRequest", positionsField, build, d.onePosition)
	return PredictBatch{items}, err
}

// HybridBatch is the request for many answers within one budget.
type HybridBatch struct {
	Items         []Item[position]
	BudgetMs      *float64
	MinConfidence *float64
}

type hybridListBody struct {
	listBody
	limitsBody
}

// HybridBatch reads the body of hybrid/batch. What is wrong with a position alone is the error of its item.
func (d *Decoder) HybridBatch(body []byte) (HybridBatch, error) {
	build := func(in hybridListBody) (HybridBatch, error) {
		err := in.limitsBody.check()
		if err == nil {
			err = in.listBody.check()
		}
		return HybridBatch{BudgetMs: in.BudgetMs, MinConfidence: in.MinConfidence}, err
	}
	out, items, err := decodeList(d.schemas, body, "HybridBatchRequest", positionsField, build, d.onePosition)
	out.Items = items
	return out, err
}
