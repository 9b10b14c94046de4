package service

import (
	"sync"
	"time"

	"roem/internal/computation"
)

// handoff is a waiter on its way from a request to the job that the request has become.
type handoff struct {
	query  Query
	waiter *computation.Waiter
}

// handoffs holds them, by the key of the job. Each waiter in it keeps its computation alive, so each leaves it again: it is taken by
// the job, or withdrawn by the request.
type handoffs struct {
	mu    sync.Mutex
	byKey map[string]handoff
}

// takeoverLimit is how long a waiter stays, once its job has been accepted. A job that has not taken it by then runs elsewhere.
const takeoverLimit = time.Second

// offer lets the job of the key take the waiter. Where there is one of an equal request already, the job takes that one, which waits
// for the same computation, and this one leaves.
func (h *handoffs) offer(key string, o handoff) {
	if !h.put(key, o) {
		o.waiter.Leave()
	}
}

func (h *handoffs) put(key string, o handoff) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.byKey[key]; ok {
		return false
	}
	h.byKey[key] = o
	return true
}

// take returns the waiter that is offered for the key. It is the caller's then.
func (h *handoffs) take(key string) (o handoff, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o, ok = h.byKey[key]
	delete(h.byKey, key)
	return o, ok
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
	if h.byKey[key].waiter != w {
		return false
	}
	delete(h.byKey, key)
	return true
}
