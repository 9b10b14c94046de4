package service

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
)

// EachItem does the n items of a list, as many at a time as the client may have searches, and calls done with the error of each. Its own
// error is the error of a context that ended, or one that is not about an item: a limit of the client, a full queue, a server that stops.
// It is then the error of the whole, for the waiters whom it concerns.
func (s *Service) EachItem(ctx context.Context, n int, do func(i int) error, done func(i int, err error)) error {
	var (
		next  atomic.Int64
		all   sync.WaitGroup
		whole atomic.Pointer[error]
	)
	for range min(s.ShareOf(ctx), n) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil || whole.Load() != nil {
					return
				}
				_, err := computation.Protect(func() (any, error) { return nil, do(i) })
				if ctx.Err() != nil {
					return // err is the error of the context, and not of the item
				}
				switch KindOf(err) {
				case Limited, Busy, Stopping:
					whole.CompareAndSwap(nil, &err)
				default:
					done(i, err)
				}
			}
		})
	}
	all.Wait()
	if err := whole.Load(); err != nil && ctx.Err() == nil {
		return *err
	}
	return ctx.Err()
}

// EachPart does the n parts of a computation as EachItem does items, and reports how many are done. Its error is the error of a part too.
func (s *Service) EachPart(ctx context.Context, task *computation.Task, n int, do func(i int) error) error {
	var (
		mu     sync.Mutex
		ended  int
		failed error
		report = Counted(task, n)
	)
	err := s.EachItem(ctx, n, do, func(_ int, err error) {
		mu.Lock()
		defer mu.Unlock()
		ended++
		failed = cmp.Or(failed, err)
		report(ended)
	})
	return cmp.Or(err, failed)
}

// ItemError returns the element of a list for an item that failed. It has no request id, because the answer has one. A fault of the program
// is also reported to the observer of the service, because the request succeeds as a whole.
func (s *Service) ItemError(err error) api.ItemError {
	if KindOf(err) == Internal {
		s.Fault(err)
	}
	return api.ItemError{Error: Problem(err, "")}
}

// Results returns the elements of an answer to a list: what answer returns for each item, or an error.
func (items Items[V]) Results(s *Service, answer func(i int, value V) (any, error)) []any {
	results := make([]any, len(items))
	for i, item := range items {
		err := item.Err
		if err == nil {
			results[i], err = answer(i, item.Value)
		}
		if err != nil {
			results[i] = s.ItemError(err)
		}
	}
	return results
}

// AppendTo adds the keys of the items to the key of their list. The answer says what is wrong with an item, so the key has that too.
func (items Items[V]) AppendTo(key Key, keyOf func(V) []byte) Key {
	for _, item := range items {
		if item.Err == nil {
			key = key.Bool(true).Bytes(keyOf(item.Value))
			continue
		}
		text, err := json.Marshal(Problem(item.Err, ""))
		if err != nil { // problems always encode
			text = nil
		}
		key = key.Bool(false).Bytes(text)
	}
	return key
}

// Cost returns the sum of what the items cost.
func (items Items[V]) Cost(costOf func(V) time.Duration) (sum time.Duration) {
	for _, item := range items {
		if item.Err == nil {
			sum += costOf(item.Value)
		}
	}
	return sum
}

// AtOnce is the most time of searchers that a list may need to be waited for. A list that needs more becomes a job at once, unless its
// client says how long it waits.
const AtOnce = time.Second
