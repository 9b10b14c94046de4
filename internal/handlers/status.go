package handlers

import (
	"net/http"

	"roem/internal/api"
	"roem/internal/service"
)

// Healthz answers GET /healthz.
func (h *Handlers) Healthz(w http.ResponseWriter, r *http.Request) {
	h.respond(w, r, api.Status{Status: api.Ok})
}

// Readyz answers GET /readyz.
func (h *Handlers) Readyz(w http.ResponseWriter, r *http.Request) {
	if h.stopping.Load() {
		h.fail(w, r, &service.Error{
			Kind: service.Stopping, RetryAfter: stoppingRetry,
			Detail: "The server is shutting down.",
		})
		return
	}
	h.respond(w, r, api.Status{Status: api.Ok})
}

// Version answers GET /version.
func (h *Handlers) Version(w http.ResponseWriter, r *http.Request) { h.respond(w, r, h.version) }
