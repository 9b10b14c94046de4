package klaverjas

import (
	"context"
	"encoding/json"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// solutionResult is a solution in a list.
type solutionResult struct {
	Ok bool `json:"ok"`
	api.KlaverjasSolution
}

// SolveBatchQuery is a request for the solutions of many positions with one goal. An error in one item does not affect the others.
type SolveBatchQuery struct {
	service.Uncached
	game  *Game
	goal  search.Goal
	items []Item
}

// Key holds all items in their own seats and suits.
func (q *SolveBatchQuery) Key() []byte {
	key := newKey(KindSolveBatch).Byte(byte(q.goal))
	for _, item := range q.items {
		if item.Err != nil {
			key = appendProblem(key.Bool(false), item.Err)
			continue
		}
		key = key.Bool(true).Bytes(item.Value.appendTo(nil))
	}
	return key
}

// appendProblem writes what the answer says of an item that is wrong.
func appendProblem(key service.Key, err error) service.Key {
	text, bad := json.Marshal(service.Problem(err, ""))
	if bad != nil { // problems always encode
		text = nil
	}
	return key.Bytes(text)
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
	source api.Source
	began  time.Time
	err    error
}

// run searches equal positions once, and several positions at a time. An item that cannot be answered gets its error. The error of
// run is that of EachItem.
func (q *SolveBatchQuery) run(ctx context.Context, task *computation.Task) (service.Answer, error) {
	began := time.Now()
	answers := make([]any, len(q.items))
	sum := newParts(task, len(q.items))
	questions, err := q.questions(answers, sum)
	if err != nil {
		return service.Answer{}, err
	}
	open := q.recall(ctx, questions)
	for _, one := range questions {
		if one.source == api.Cache {
			sum.add(len(one.items), 0)
		}
	}
	if err := q.search(ctx, open, sum); err != nil {
		return service.Answer{}, err
	}
	var nodes int64
	for _, one := range questions {
		for n, i := range one.items {
			if one.err != nil {
				answers[i] = q.game.service.ItemError(one.err)
				continue
			}
			source := one.source
			if n > 0 { // the search is counted for the first item
				source = api.Cache
			}
			twin, err := newCanonical(q.items[i].Value) // each item has its own relabelling
			if err != nil {
				return service.Answer{}, err
			}
			p := q.items[i].Value
			solution := q.game.solution(p, q.goal, twin.returned(one.result.clone(), p), source, one.began)
			answers[i] = solutionResult{Ok: true, KlaverjasSolution: solution}
			nodes += solution.Stats.Nodes
		}
	}
	out := api.KlaverjasSolveBatch{
		Results: answers, Version: q.game.service.Version(),
		Stats: api.KlaverjasStats{Nodes: nodes, ElapsedUs: time.Since(began).Microseconds()},
	}
	return service.Answer{
		Body: out, Nodes: nodes, Progress: computation.Progress{Done: len(q.items), Of: len(q.items), Nodes: uint64(nodes)},
	}, nil
}

// questions answers the items that need no search, and returns the questions of the others.
func (q *SolveBatchQuery) questions(answers []any, sum *parts) (questions []*question, err error) {
	byKey := map[solvecache.Key]*question{}
	for i, item := range q.items {
		switch {
		case item.Err != nil:
			answers[i] = q.game.service.ItemError(item.Err)
			sum.add(1, 0)
		case item.Value.now.Finished():
			solution := q.game.solution(item.Value, q.goal, resultAtEnd(item.Value, q.goal), api.Search, time.Now())
			answers[i] = solutionResult{Ok: true, KlaverjasSolution: solution}
			sum.add(1, 0)
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
			one.result, one.source = f, api.Cache
		} else {
			open = append(open, one)
		}
		known = known[len(one.keys):]
	}
	return open
}

// search answers the questions. Its error is that of EachItem.
func (q *SolveBatchQuery) search(ctx context.Context, questions []*question, sum *parts) error {
	return q.game.service.EachItem(ctx, len(questions), func(i int) error {
		one := questions[i]
		one.began = time.Now()
		f, value, err := q.game.find(ctx, one.twin, q.goal, sum.part(), 0)
		one.result, one.source = f, value.Source()
		return err
	}, func(i int, err error) {
		questions[i].err = err
		sum.add(len(questions[i].items), 0)
	})
}
