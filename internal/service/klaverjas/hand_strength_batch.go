package klaverjas

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/service"
)

// strengthResult is the strength of a hand in a list.
type strengthResult struct {
	Ok bool `json:"ok"`
	api.KlaverjasHandStrength
}

func newStrengthResult(answer service.Answer[any]) strengthResult {
	strength, ok := answer.Result.(api.KlaverjasHandStrength)
	return strengthResult{Ok: ok, KlaverjasHandStrength: strength}
}

// HandStrengthBatchQuery asks how strong many hands are. An error in one hand does not affect the others.
type HandStrengthBatchQuery struct {
	service.Uncached[any]
	game  *Game
	items service.Items[*HandStrengthQuery]
}

// Key holds the keys of all items.
func (q *HandStrengthBatchQuery) Key() []byte {
	return q.items.AppendTo(newKey(KindHandStrengthBatch), (*HandStrengthQuery).Key)
}

// Known returns the answer if the hand model answers all hands.
func (q *HandStrengthBatchQuery) Known(ctx context.Context) (service.Answer[any], bool, error) {
	began := time.Now()
	for _, item := range q.items {
		if item.Err == nil && !item.Value.fast {
			return service.Answer[any]{}, false, nil
		}
	}
	results := q.items.Results(q.game.service, func(_ int, hand *HandStrengthQuery) (any, error) {
		hand.began = time.Now() // the time of the answer is for this hand, not for the list
		answer, _, err := hand.Known(ctx)
		return newStrengthResult(answer), err
	})
	return q.answer(results, 0, began), true, nil
}

// Computation estimates the hands. It needs no slot; the hands do.
func (q *HandStrengthBatchQuery) Computation() computation.Spec {
	return service.Running(q.game.sharedKey(q.Key()), q.run)
}

// run estimates the hands. Its error is the error of EachItem.
func (q *HandStrengthBatchQuery) run(ctx context.Context, task *computation.Task) (service.Answer[any], error) {
	var (
		began   = time.Now()
		answers = make([]service.Answer[any], len(q.items))
		results = make([]any, len(q.items))
		sum     = service.NewParts(task, len(q.items))
		nodes   atomic.Int64
	)
	err := q.game.service.EachItem(ctx, len(q.items), func(i int) (err error) {
		if item := q.items[i]; item.Err == nil {
			answers[i], err = q.game.service.Answer(ctx, item.Value)
		}
		return err
	}, func(i int, err error) {
		switch err := cmp.Or(q.items[i].Err, err); {
		case err != nil:
			results[i] = q.game.service.ItemError(err)
		default:
			results[i] = newStrengthResult(answers[i])
		}
		nodes.Add(answers[i].Nodes)
		sum.Add(1, uint64(answers[i].Nodes))
	})
	if err != nil {
		return service.Answer[any]{}, err
	}
	return q.answer(results, nodes.Load(), began), nil
}

func (q *HandStrengthBatchQuery) answer(answers []any, nodes int64, began time.Time) service.Answer[any] {
	return service.Answer[any]{
		Result: api.KlaverjasHandStrengthBatch{
			Results: answers, Version: q.game.service.Version(),
			Stats: api.KlaverjasStats{Nodes: nodes, ElapsedUs: time.Since(began).Microseconds()},
		},
		Source: api.SourceSearch, Nodes: nodes,
		Progress: computation.Progress{Done: len(q.items), Of: len(q.items), Nodes: uint64(nodes)},
	}
}
