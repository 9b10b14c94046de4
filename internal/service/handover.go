package service

import (
	"slices"
	"sync"
	"time"

	"roem/internal/computation"
)

// handOver is a waiter on its way from a request to the job that the request has become.
type handOver struct {
	query  Query
	waiter *computation.Waiter
}

// handOvers holds them, by the key of the job. Each waiter in it keeps its computation alive, so each leaves it again: a job takes it,
// or the request withdraws it. Equal requests may end at the same time. Each has its own waiter here, so that the search goes on if
// only one of them becomes a job.
type handOvers struct {
	mu    sync.Mutex
	byKey map[string][]handOver
}

// takeoverLimit is how long a waiter stays, once its job has been accepted. A job that has not taken it by then runs elsewhere.
const takeoverLimit = time.Second

// offer lets the job of the key take the waiter.
func (h *handOvers) offer(key string, o handOver) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.byKey[key] = append(h.byKey[key], o)
}

// take returns a waiter that is offered for the key. It is the caller's then.
func (h *handOvers) take(key string) (o handOver, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	offered := h.byKey[key]
	if len(offered) == 0 {
		return handOver{}, false
	}
	o = offered[0]
	h.keep(key, slices.Delete(offered, 0, 1))
	return o, true
}

// withdraw has the waiter leave unless a job has taken it.
func (h *handOvers) withdraw(key string, w *computation.Waiter) {
	if h.remove(key, w) {
		w.Leave()
	}
}

func (h *handOvers) remove(key string, w *computation.Waiter) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	offered := h.byKey[key]
	i := slices.IndexFunc(offered, func(o handOver) bool { return o.waiter == w })
	if i < 0 {
		return false
	}
	h.keep(key, slices.Delete(offered, i, i+1))
	return true
}

func (h *handOvers) keep(key string, offered []handOver) {
	if len(offered) == 0 {
		delete(h.byKey, key)
	} else {
		h.byKey[key] = offered
	}
}
