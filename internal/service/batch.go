package service

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"roem/internal/api"
	"roem/internal/engine/search"
	"roem/internal/solvecache"
)

// question is what one search answers: those of the batch who ask it differ in names alone.
type question struct {
	twin  canonical
	keys  []solvecache.Key
	items []int // who asks, in order

	found  found
	source api.Source
	began  time.Time
	err    error
}

// SolveBatch finds out as much about each position as the goal says. Equal positions are searched once, and several at a
// time. What is wrong with one is told in its place; the error of the whole is that of a context that ended.
func (s *Service) SolveBatch(ctx context.Context, in Batch) (api.SolveBatch, error) {
	began := time.Now()
	answers := make([]any, len(in.items))
	sum := newParts(runOf(ctx), len(in.items))
	byKey := map[solvecache.Key]*question{}
	var questions []*question
	for i, item := range in.items {
		switch {
		case item.Err != nil:
			answers[i] = itemError(item.Err)
			sum.add(1, 0)
		case item.Value.now.Finished():
			f := foundAtEnd(item.Value, in.goal)
			solution, err := s.solution(item.Value, in.goal, f, api.Search, time.Now())
			if err != nil {
				return api.SolveBatch{}, err
			}
			answers[i] = solution
			sum.add(1, 0)
		default:
			twin, err := newCanonical(item.Value)
			if err != nil {
				return api.SolveBatch{}, err
			}
			keys := twin.keysFor(in.goal)
			q := byKey[keys[0]]
			if q == nil {
				q = &question{twin: twin, keys: keys}
				byKey[keys[0]] = q
				questions = append(questions, q)
			}
			q.items = append(q.items, i)
		}
	}
	open := s.recall(ctx, questions, in.goal)
	for _, q := range questions {
		if q.source == api.Cache {
			sum.add(len(q.items), 0)
		}
	}
	if err := s.search(ctx, open, in.goal, sum); err != nil {
		return api.SolveBatch{}, err
	}
	var nodes int64
	for _, q := range questions {
		for n, i := range q.items {
			if q.err != nil {
				answers[i] = itemError(q.err)
				continue
			}
			source := q.source
			if n > 0 { // the first one's search is there already
				source = api.Cache
			}
			solution, err := s.solutionOf(q, in.items[i].Value, in.goal, source)
			if err != nil {
				return api.SolveBatch{}, err
			}
			answers[i] = solution
			nodes += solution.Stats.Nodes
		}
	}
	out := api.SolveBatch{
		Results: answers, Version: s.version,
		Stats: api.Stats{Nodes: nodes, ElapsedUs: time.Since(began).Microseconds()},
	}
	return out, nil
}

// solutionOf answers one who asks the question.
func (s *Service) solutionOf(q *question, p position, goal search.Goal, source api.Source) (api.Solution, error) {
	twin, err := newCanonical(p) // each has names of its own to be relabelled into
	if err != nil {
		return api.Solution{}, err
	}
	return s.solution(p, goal, twin.returned(q.found.clone(), p), source, q.began)
}

// recall answers what the cache knows, by one look into each layer, and returns the questions that are left.
func (s *Service) recall(ctx context.Context, questions []*question, goal search.Goal) (open []*question) {
	began := time.Now()
	var keys []solvecache.Key
	for _, q := range questions {
		keys = append(keys, q.keys...)
	}
	if len(keys) == 0 {
		return nil
	}
	known := s.cache.Get(ctx, keys)
	for _, q := range questions {
		q.began = began
		for _, a := range known[:len(q.keys)] {
			if f, ok := readFound(a.Value, goal, q.twin.now); ok {
				q.found, q.source = f, api.Cache
				break
			}
		}
		known = known[len(q.keys):]
		if q.source == "" {
			open = append(open, q)
		}
	}
	return open
}

// search answers the questions by as many searches at a time as there are searchers. Its error is that of a context that
// ended.
func (s *Service) search(ctx context.Context, questions []*question, goal search.Goal, sum *parts) error {
	var (
		next atomic.Int64
		all  sync.WaitGroup
	)
	for range min(s.pool.size, len(questions)) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(questions) || ctx.Err() != nil {
					return
				}
				q := questions[i]
				q.began = time.Now()
				f, answer, err := s.find(withRun(ctx, sum.part()), q.twin, goal)
				q.found, q.source, q.err = f, sourceOf(answer), err
				sum.add(len(q.items), 0)
			}
		})
	}
	all.Wait()
	return ctx.Err()
}
