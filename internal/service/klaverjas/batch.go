package klaverjas

import (
	"context"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// solvedItem is what is found about a position of a list.
type solvedItem struct {
	result result // in the seats and suits of the position
	source service.Source
	began  time.Time
	err    error
}

// SolveBatchQuery is a request for the solutions of many positions with one goal. An error in one item does not affect the others.
type SolveBatchQuery struct {
	service.Uncached[[]solvedItem]
	game  *Game
	goal  search.Goal
	items positions
}

// Key holds all items in their own seats and suits.
func (q *SolveBatchQuery) Key() []byte {
	return q.items.AppendTo(newKey(KindSolveBatch).Byte(byte(q.goal)), func(p Position) []byte { return p.appendTo(nil) })
}

// Known returns the answer if no item needs a search.
func (q *SolveBatchQuery) Known(ctx context.Context) (answer service.Answer[[]solvedItem], ok bool, err error) {
	items := make([]solvedItem, len(q.items))
	questions, err := q.questions(items)
	if err != nil || len(q.recall(ctx, questions)) > 0 {
		return answer, false, err
	}
	answer, err = q.answer(items, questions)
	return answer, err == nil, err
}

// Computation solves the items. It needs no slot; the searches do.
func (q *SolveBatchQuery) Computation() computation.Spec {
	return service.Running(q.game.sharedKey(q.Key()), q.run)
}

// question is the question of one search. Its items differ only in the names of suits and seats.
type question struct {
	twin  canonical
	keys  []solvecache.Key
	items []int // in order

	result result
	source service.Source
	began  time.Time
	err    error
}

// run searches equal positions once, and several positions at a time. An item that cannot be answered gets its error. The error of run is
// the error of EachItem.
func (q *SolveBatchQuery) run(ctx context.Context, task *computation.Task) (service.Answer[[]solvedItem], error) {
	items := make([]solvedItem, len(q.items))
	sum := service.NewParts(task, len(q.items))
	questions, err := q.questions(items)
	if err != nil {
		return service.Answer[[]solvedItem]{}, err
	}
	open := q.recall(ctx, questions)
	left := 0
	for _, one := range open {
		left += len(one.items)
	}
	sum.Add(len(q.items)-left, 0)
	if err := q.search(ctx, open, sum); err != nil {
		return service.Answer[[]solvedItem]{}, err
	}
	return q.answer(items, questions)
}

// answer adds the answers of the questions, and returns the whole.
func (q *SolveBatchQuery) answer(items []solvedItem, questions []*question) (service.Answer[[]solvedItem], error) {
	var nodes uint64
	for _, one := range questions {
		for n, i := range one.items {
			item := &items[i]
			item.source, item.began, item.err = one.source, one.began, one.err
			if one.err != nil {
				continue
			}
			if n > 0 { // the search is counted for the first item
				item.source = service.FromCache
			}
			twin, err := newCanonical(q.items[i].Value) // each item has its own relabelling
			if err != nil {
				return service.Answer[[]solvedItem]{}, err
			}
			item.result = twin.returned(one.result.clone(), q.items[i].Value)
			nodes += item.result.progress(item.source).Nodes
		}
	}
	source := service.FromCache
	if nodes > 0 {
		source = service.FromSearch
	}
	return service.Answer[[]solvedItem]{
		Result: items, Source: source, Nodes: int64(nodes), Progress: computation.Progress{Done: len(items), Of: len(items), Nodes: nodes},
	}, nil
}

// questions answers the items that need no search, and returns the questions of the others.
func (q *SolveBatchQuery) questions(items []solvedItem) (questions []*question, err error) {
	byKey := map[solvecache.Key]*question{}
	for i, item := range q.items {
		switch {
		case item.Err != nil:
			items[i].err = item.Err
		case item.Value.now.Finished():
			items[i] = solvedItem{result: resultAtEnd(item.Value, q.goal), source: service.FromSearch, began: time.Now()}
		default:
			twin, err := newCanonical(item.Value)
			if err != nil {
				return nil, err
			}
			keys := twin.keysFor(q.goal)
			one := byKey[keys[0]]
			if one == nil {
				one = &question{twin: twin, keys: keys}
				byKey[keys[0]] = one
				questions = append(questions, one)
			}
			one.items = append(one.items, i)
		}
	}
	return questions, nil
}

// recall answers questions from the cache, with one lookup in each layer, and returns the questions that are left.
func (q *SolveBatchQuery) recall(ctx context.Context, questions []*question) (open []*question) {
	began := time.Now()
	var keys []solvecache.Key
	for _, one := range questions {
		keys = append(keys, one.keys...)
	}
	if len(keys) == 0 {
		return nil
	}
	known := q.game.service.Cache().Get(ctx, keys)
	for _, one := range questions {
		one.began = began
		if f, _, ok := firstResult(known[:len(one.keys)], q.goal, one.twin.now); ok {
			one.result, one.source = f, service.FromCache
		} else {
			open = append(open, one)
		}
		known = known[len(one.keys):]
	}
	return open
}

// search answers the questions. Its error is the error of EachItem.
func (q *SolveBatchQuery) search(ctx context.Context, questions []*question, sum *service.Parts) error {
	return q.game.service.EachItem(ctx, len(questions), func(i int) error {
		one := questions[i]
		one.began = time.Now()
		f, value, err := q.game.find(ctx, one.twin, q.goal, sum.Part(), 0)
		one.result, one.source = f, value.Source()
		return err
	}, func(i int, err error) {
		questions[i].err = err
		sum.Add(len(questions[i].items), 0)
	})
}
