package klaverjas

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/service"
)

// HandStrengthBatchQuery asks how strong many hands are. An error in one hand does not affect the others.
type HandStrengthBatchQuery struct {
	service.Uncached
	game  *Game
	items []strengthItem
}

// Key holds the keys of all items.
func (q *HandStrengthBatchQuery) Key() []byte {
	key := newKey(KindHandStrengthBatch)
	for _, item := range q.items {
		if item.Err != nil {
			key = appendProblem(key.Bool(false), item.Err)
			continue
		}
		key = key.Bool(true).Bytes(item.Value.Key())
	}
	return key
}

// Known returns the answer if the hand model answers all hands.
func (q *HandStrengthBatchQuery) Known(ctx context.Context) (service.Answer, bool, error) {
	began := time.Now()
	for _, item := range q.items {
		if item.Err == nil && !item.Value.fast {
			return service.Answer{}, false, nil
		}
	}
	answers := make([]any, len(q.items))
	for i, item := range q.items {
		if item.Err != nil {
			answers[i] = q.game.itemError(item.Err)
			continue
		}
		item.Value.began = time.Now() // the time of the answer is that of this hand, not of the list
		answer, _, err := item.Value.Known(ctx)
		if err != nil {
			return service.Answer{}, false, err
		}
		answers[i] = answer.Body
	}
	return q.answer(answers, 0, began), true, nil
}

// Computation estimates the hands. It needs no slot; the hands do.
func (q *HandStrengthBatchQuery) Computation() computation.Spec {
	return service.Running(q.game.sharedKey(q.Key()), q.run)
}

// run estimates as many hands at a time as the client may have searches. Its error is that of a context that ended, or one that is not
// about a hand: a limit of the client, a full queue, a server that stops.
func (q *HandStrengthBatchQuery) run(ctx context.Context, task *computation.Task) (service.Answer, error) {
	var (
		began   = time.Now()
		answers = make([]any, len(q.items))
		sum     = newParts(task, len(q.items))
		nodes   atomic.Int64
		next    atomic.Int64
		all     sync.WaitGroup
		whole   atomic.Pointer[error]
	)
	for range min(q.game.service.ShareOf(ctx), len(q.items)) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(q.items) || ctx.Err() != nil || whole.Load() != nil {
					return
				}
				item := q.items[i]
				if item.Err != nil {
					answers[i] = q.game.itemError(item.Err)
					sum.add(1, 0)
					continue
				}
				var answer service.Answer
				_, err := computation.Protect(func() (_ any, err error) {
					answer, err = q.game.service.Answer(ctx, item.Value)
					return nil, err
				})
				if ctx.Err() != nil {
					return // err is that of the context, and not of the hand
				}
				switch service.KindOf(err) {
				case service.Limited, service.Busy, service.Stopping:
					whole.CompareAndSwap(nil, &err)
					return
				default:
				}
				if err != nil {
					answers[i] = q.game.itemError(err)
				} else {
					answers[i] = answer.Body
				}
				nodes.Add(answer.Nodes)
				sum.add(1, uint64(answer.Nodes))
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return service.Answer{}, ctx.Err()
	}
	if err := whole.Load(); err != nil {
		return service.Answer{}, *err
	}
	return q.answer(answers, nodes.Load(), began), nil
}

func (q *HandStrengthBatchQuery) answer(answers []any, nodes int64, began time.Time) service.Answer {
	return service.Answer{
		Body: api.KlaverjasHandStrengthBatch{
			Results: answers, Version: q.game.service.Version(),
			Stats: api.KlaverjasStats{Nodes: nodes, ElapsedUs: time.Since(began).Microseconds()},
		},
		Source: api.Search, Nodes: nodes,
		Progress: computation.Progress{Done: len(q.items), Of: len(q.items), Nodes: uint64(nodes)},
	}
}
