package service

import (
	"slices"
	"sync"
	"time"

	"roem/internal/computation"
)

// handoff is a waiter on its way from a request to the job that the request has become.
type handoff struct {
	query  Query
	waiter *computation.Waiter
}

// handoffs holds them, by the key of the job. Each waiter in it keeps its computation alive, so each leaves it again: a job takes it,
// or the request withdraws it. Equal requests may end at the same time. Each has its own waiter here, so that the search goes on if
// only one of them becomes a job.
type handoffs struct {
	mu    sync.Mutex
	byKey map[string][]handoff
}

// takeoverLimit is how long a waiter stays, once its job has been accepted. A job that has not taken it by then runs elsewhere.
const takeoverLimit = time.Second

// offer lets the job of the key take the waiter.
func (h *handoffs) offer(key string, o handoff) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.byKey[key] = append(h.byKey[key], o)
}

// take returns a waiter that is offered for the key. It is the caller's then.
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

// withdraw has the waiter leave unless a job has taken it.
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
