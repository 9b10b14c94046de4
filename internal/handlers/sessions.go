package handlers

import (
	"context"
	"net/http"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/service/klaverjas"
)

// KlaverjasCreateSession answers POST /v1/klaverjas/sessions.
func (h *Handlers) KlaverjasCreateSession(w http.ResponseWriter, r *http.Request) {
	body, err := h.body(w, r, h.maxBody)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	q, err := h.klaverjas.ParseSession(body)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	liftReadDeadline(w)
	ctx, cancel := context.WithTimeout(r.Context(), h.maxWait)
	defer cancel()
	out, err := h.klaverjas.CreateSession(ctx, ownerOf(r), q)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	noteSession(r, &out)
	w.Header().Set("Location", out.Links.Self)
	h.write(w, r, http.StatusCreated, "application/json", out)
}

// KlaverjasSession answers GET /v1/klaverjas/sessions/{id}.
func (h *Handlers) KlaverjasSession(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	if err := checkQuery(r); err != nil {
		h.fail(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.maxWait)
	defer cancel()
	out, err := h.klaverjas.Session(ctx, id)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	noteSession(r, &out)
	h.respond(w, r, out)
}

// KlaverjasEndSession answers DELETE /v1/klaverjas/sessions/{id}.
func (h *Handlers) KlaverjasEndSession(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	if err := checkQuery(r); err != nil {
		h.fail(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.maxWait)
	defer cancel()
	if err := h.klaverjas.EndSession(ctx, id); err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// KlaverjasSessionCall answers POST /v1/klaverjas/sessions/{id}/call.
func (h *Handlers) KlaverjasSessionCall(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.act(w, r, id, h.klaverjas.ParseSessionCall)
}

// KlaverjasSessionPlay answers POST /v1/klaverjas/sessions/{id}/play.
func (h *Handlers) KlaverjasSessionPlay(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.act(w, r, id, h.klaverjas.ParseSessionPlay)
}

// KlaverjasSessionNext answers POST /v1/klaverjas/sessions/{id}/next.
func (h *Handlers) KlaverjasSessionNext(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.act(w, r, id, h.klaverjas.ParseSessionNext)
}

// act answers an act in a session.
func (h *Handlers) act(w http.ResponseWriter, r *http.Request, id string, parse func([]byte) (klaverjas.SessionAct, error)) {
	post(h, w, r, parse, func(a klaverjas.SessionAct) (api.Session, error) {
		liftReadDeadline(w)
		ctx, cancel := context.WithTimeout(r.Context(), h.maxWait)
		defer cancel()
		out, err := h.klaverjas.Act(ctx, id, a)
		if err == nil {
			noteSession(r, &out)
		}
		return out, err
	})
}

// noteSession adds what is logged of a session. Its id is not: who knows it may play.
func noteSession(r *http.Request, s *api.Session) {
	eventOf(r).add(zap.String("session_state", string(s.State)), zap.Int("hand", s.Number), zap.Int("acts", s.Acts))
}
