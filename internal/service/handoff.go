package service

import (
	"sync"
	"time"

	"roem/internal/computation"
)

// handoff is a waiter that a request offers to the job that it has become.
type handoff struct {
	query  Query
	waiter *computation.Waiter
}

// handoffs holds the handoffs by the key of the job. Each waiter in it keeps its computation running, so every entry is removed
// again: the job takes it, or the request withdraws it.
type handoffs struct {
	mu    sync.Mutex
	byKey map[string]handoff
}

// takeoverLimit is how long a waiter is offered after its job has been accepted. A job that has not taken it by then runs in another
// process.
const takeoverLimit = time.Second

// offer offers the waiter to the job of the key. If an equal request has offered its waiter already, this one leaves: both wait for
// the same computation.
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

// take removes and returns the handoff that is offered for the key.
func (h *handoffs) take(key string) (o handoff, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o, ok = h.byKey[key]
	delete(h.byKey, key)
	return o, ok
}

// withdraw removes the handoff and leaves its computation, unless a job has taken it.
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
