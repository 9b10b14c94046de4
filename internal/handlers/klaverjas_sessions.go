package handlers

import (
	"net/http"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/service/klaverjas"
)

// klaverjasSessionRoutes are the routes of the sessions of Klaverjas.
type klaverjasSessionRoutes = sessionRoutes[klaverjas.SessionQuery, klaverjas.SessionAct, api.KlaverjasSession]

func (h *Handlers) klaverjasSessions() klaverjasSessionRoutes {
	return klaverjasSessionRoutes{
		h: h, sessions: h.klaverjas.Sessions(), parse: h.klaverjas.ParseSession,
		about: func(s *api.KlaverjasSession) (string, []zap.Field) {
			return s.Links.Self, []zap.Field{zap.String("session_state", string(s.State)), zap.Int("hand", s.Number), zap.Int("acts", s.Acts)}
		},
	}
}

// KlaverjasCreateSession answers POST /v1/klaverjas/sessions.
func (h *Handlers) KlaverjasCreateSession(w http.ResponseWriter, r *http.Request, params api.KlaverjasCreateSessionParams) {
	h.klaverjasSessions().create(w, r, params.IdempotencyKey)
}

// KlaverjasSession answers GET /v1/klaverjas/sessions/{id}.
func (h *Handlers) KlaverjasSession(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.klaverjasSessions().get(w, r, id)
}

// KlaverjasEndSession answers DELETE /v1/klaverjas/sessions/{id}.
func (h *Handlers) KlaverjasEndSession(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.klaverjasSessions().end(w, r, id)
}

// KlaverjasSessionCall answers POST /v1/klaverjas/sessions/{id}/call.
func (h *Handlers) KlaverjasSessionCall(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.klaverjasSessions().act(w, r, id, h.klaverjas.ParseSessionCall)
}

// KlaverjasSessionPlay answers POST /v1/klaverjas/sessions/{id}/play.
func (h *Handlers) KlaverjasSessionPlay(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.klaverjasSessions().act(w, r, id, h.klaverjas.ParseSessionPlay)
}

// KlaverjasSessionNext answers POST /v1/klaverjas/sessions/{id}/next.
func (h *Handlers) KlaverjasSessionNext(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.klaverjasSessions().act(w, r, id, h.klaverjas.ParseSessionNext)
}
