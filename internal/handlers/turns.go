package handlers

import (
	"context"
	"net/http"
	"sync"

	"golang.org/x/sync/semaphore"
)

// turns bounds how many answers of one client are computed at a time. A client with many requests waits for its own. Requests of others
// share the processor with some of its requests only, and the server holds what it computes for a few of them.
type turns struct {
	each int64

	mu sync.Mutex
	of map[string]*turn // clients with a request that has or wants a turn
}

type turn struct {
	*semaphore.Weighted
	requests int
}

func newTurns(each int) *turns { return &turns{each: int64(each), of: make(map[string]*turn)} }

// enter waits for a turn of the client, which lasts until leave is called. Its error is the error of ctx.
func (t *turns) enter(ctx context.Context, client string) (leave func(), err error) {
	t.mu.Lock()
	one := t.of[client]
	if one == nil {
		one = &turn{Weighted: semaphore.NewWeighted(t.each)}
		t.of[client] = one
	}
	one.requests++
	t.mu.Unlock()
	err = one.Acquire(ctx, 1)
	return func() {
		if err == nil {
			one.Release(1)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if one.requests--; one.requests == 0 {
			delete(t.of, client)
		}
	}, err
}

// inTurn computes in a turn of the client. The function must wait for nothing: neither for a slot nor for the client. A client has turns of
// their own for lists, so that its small requests do not wait for them.
func inTurn[T any](h *Handlers, r *http.Request, list bool, compute func() (T, error)) (T, error) {
	turns := h.turns
	if list {
		turns = h.turnsOfLists
	}
	leave, err := turns.enter(r.Context(), ownerOf(r))
	defer leave()
	if err != nil {
		var none T
		return none, err
	}
	return compute()
}
