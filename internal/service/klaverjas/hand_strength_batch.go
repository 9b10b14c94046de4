package klaverjas

import (
	"context"
	"sync/atomic"
	"time"

	"roem/internal/computation"
	"roem/internal/service"
	"roem/internal/service/klaverjas/handstrength"
)

// strengthItem is what is found about a hand of a list.
type strengthItem struct {
	answer service.Answer[[]handstrength.Strength]
	err    error
}

// HandStrengthBatchQuery asks how strong many hands are. An error in one hand does not affect the others.
type HandStrengthBatchQuery struct {
	service.Uncached[[]strengthItem]
	game  *Game
	items service.Items[*HandStrengthQuery]
}

// Key holds the keys of all items.
func (q *HandStrengthBatchQuery) Key() []byte {
	return q.items.AppendTo(newKey(KindHandStrengthBatch), (*HandStrengthQuery).Key)
}

// Known returns the answer if the hand model answers all hands.
func (q *HandStrengthBatchQuery) Known(ctx context.Context) (answer service.Answer[[]strengthItem], ok bool, err error) {
	for _, item := range q.items {
		if item.Err == nil && !item.Value.fast {
			return answer, false, nil
		}
	}
	found := make([]strengthItem, len(q.items))
	for i, item := range q.items {
		if found[i].err = item.Err; item.Err == nil {
			began := time.Now() // the time of the answer is for this hand, not for the list
			found[i].answer, _, found[i].err = item.Value.Known(ctx)
			found[i].answer.Began = began
		}
	}
	return q.answer(found, 0), true, nil
}

// Computation estimates the hands. It needs no slot; the hands do.
func (q *HandStrengthBatchQuery) Computation() computation.Spec {
	return service.Running(q.game.sharedKey(q.Key()), q.run)
}

// run estimates the hands. Its error is the error of EachItem.
func (q *HandStrengthBatchQuery) run(ctx context.Context, task *computation.Task) (service.Answer[[]strengthItem], error) {
	var (
		found = make([]strengthItem, len(q.items))
		sum   = service.NewParts(task, len(q.items))
		nodes atomic.Int64
	)
	err := q.game.service.EachItem(ctx, len(q.items), func(i int) (err error) {
		item, began := q.items[i], time.Now()
		if err = item.Err; err == nil {
			found[i].answer, err = service.Ask(ctx, q.game.service, item.Value)
		}
		found[i].answer.Began = began
		return err
	}, func(i int, err error) {
		found[i].err = err
		nodes.Add(found[i].answer.Nodes)
		sum.Add(1, uint64(found[i].answer.Nodes))
	})
	return q.answer(found, nodes.Load()), err
}

func (q *HandStrengthBatchQuery) answer(found []strengthItem, nodes int64) service.Answer[[]strengthItem] {
	return service.Answer[[]strengthItem]{
		Result: found, Source: service.FromSearch, Nodes: nodes,
		Progress: computation.Progress{Done: len(found), Of: len(found), Nodes: uint64(nodes)},
	}
}
