package service

import (
	"slices"
	"sync"
	"time"

	"roem/internal/computation"
)

// handoff is a waiter of a request that its job can take over.
type handoff struct {
	query  Query
	waiter *computation.Waiter
}

// handoffs holds the handoffs by the key of the job. Each of their waiters keeps its computation running, so each handoff is removed
// again: a job takes it over, or the request withdraws it. Equal requests may end at the same time. Each has its own waiter, so that
// the search continues if only one of them becomes a job.
type handoffs struct {
	mu    sync.Mutex
	byKey map[string][]handoff
}

// takeoverLimit is how long a handoff is offered after its job has been accepted. A job that has not taken it over by then runs in
// another process.
const takeoverLimit = time.Second

// offer adds a handoff for the job with the key.
func (h *handoffs) offer(key string, o handoff) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.byKey[key] = append(h.byKey[key], o)
}

// take removes and returns a handoff for the key.
func (h *handoffs) take(key string) (o handoff, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	offered := h.byKey[key]
	if len(offered) == 0 {
		return handoff{}, false
	}
	o = offered[0]
	h.keep(key, slices.Delete(offered, 0, 1))
	return o, true
}

// withdraw removes the handoff and leaves its computation, unless a job has taken it over.
func (h *handoffs) withdraw(key string, w *computation.Waiter) {
	if h.remove(key, w) {
		w.Leave()
	}
}

func (h *handoffs) remove(key string, w *computation.Waiter) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	offered := h.byKey[key]
	i := slices.IndexFunc(offered, func(o handoff) bool { return o.waiter == w })
	if i < 0 {
		return false
	}
	h.keep(key, slices.Delete(offered, i, i+1))
	return true
}

func (h *handoffs) keep(key string, offered []handoff) {
	if len(offered) == 0 {
		delete(h.byKey, key)
	} else {
		h.byKey[key] = offered
	}
}
