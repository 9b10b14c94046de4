package handlers

import (
	"net/http"
	"slices"
	"sync"

	"roem/internal/api"
	"roem/internal/service"
)

// Healthz answers GET /healthz.
func (h *Handlers) Healthz(w http.ResponseWriter, r *http.Request) {
	h.respond(w, r, api.Status{Status: api.StatusStatusOk})
}

// Readyz answers GET /readyz.
func (h *Handlers) Readyz(w http.ResponseWriter, r *http.Request) {
	if err := h.readiness.error(); err != nil {
		h.fail(w, r, err)
		return
	}
	out := api.Readiness{Status: api.ReadinessStatusOk}
	if failing := h.readiness.stores(); len(failing) > 0 {
		out.Failing = &failing
	}
	h.respond(w, r, out)
}

// readiness is whether the server should get requests.
type readiness struct {
	mu       sync.Mutex
	stopping bool
	failure  error // of the last self-check
	failing  []api.FailingStore
}

// stop records that the server is stopping. Like set, it returns whether the server is ready now.
func (r *readiness) stop() (ready bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopping = true
	return false
}

// set records the result of a self-check.
func (r *readiness) set(failure error) (ready bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failure = failure
	return failure == nil && !r.stopping
}

// setStores records which stores failed their last check.
func (r *readiness) setStores(failing []api.FailingStore) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failing = failing
}

func (r *readiness) stores() []api.FailingStore {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.failing)
}

func (r *readiness) isStopping() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopping
}

// error returns why the server is not ready, nil where it is.
func (r *readiness) error() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.stopping:
		return &service.Error{Kind: service.Stopping, RetryAfter: stoppingRetry, Detail: "The server is shutting down."}
	case r.failure != nil:
		return &service.Error{
			Kind: service.Unhealthy, RetryAfter: stoppingRetry, Cause: r.failure,
			Detail: "The last self-check of the server failed: " + r.failure.Error() + ".",
		}
	}
	return nil
}

// Version answers GET /version.
func (h *Handlers) Version(w http.ResponseWriter, r *http.Request) { h.respond(w, r, h.version) }
