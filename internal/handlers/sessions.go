package handlers

import (
	"net/http"

	"roem/internal/api"
)

// KlaverjasCreateSession answers POST /v1/klaverjas/sessions.
func (h *Handlers) KlaverjasCreateSession(w http.ResponseWriter, r *http.Request) { h.notFound(w, r) }

// KlaverjasSession answers GET /v1/klaverjas/sessions/{id}.
func (h *Handlers) KlaverjasSession(w http.ResponseWriter, r *http.Request, _ api.SessionId) {
	h.notFound(w, r)
}

// KlaverjasEndSession answers DELETE /v1/klaverjas/sessions/{id}.
func (h *Handlers) KlaverjasEndSession(w http.ResponseWriter, r *http.Request, _ api.SessionId) {
	h.notFound(w, r)
}

// KlaverjasSessionCall answers POST /v1/klaverjas/sessions/{id}/call.
func (h *Handlers) KlaverjasSessionCall(w http.ResponseWriter, r *http.Request, _ api.SessionId) {
	h.notFound(w, r)
}

// KlaverjasSessionPlay answers POST /v1/klaverjas/sessions/{id}/play.
func (h *Handlers) KlaverjasSessionPlay(w http.ResponseWriter, r *http.Request, _ api.SessionId) {
	h.notFound(w, r)
}

// KlaverjasSessionNext answers POST /v1/klaverjas/sessions/{id}/next.
func (h *Handlers) KlaverjasSessionNext(w http.ResponseWriter, r *http.Request, _ api.SessionId) {
	h.notFound(w, r)
}
