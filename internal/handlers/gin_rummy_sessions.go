package handlers

import (
	"net/http"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/service/ginrummy"
)

// ginRummySessionRoutes are the routes of the sessions of Gin Rummy.
type ginRummySessionRoutes = sessionRoutes[ginrummy.SessionQuery, ginrummy.SessionAct, api.GinSession]

func (h *Handlers) ginRummySessions() ginRummySessionRoutes {
	return ginRummySessionRoutes{
		h: h, sessions: h.ginRummy.Sessions(), parse: h.ginRummy.ParseSession,
		about: func(s *api.GinSession) (string, []zap.Field) {
			return s.Links.Self, []zap.Field{zap.String("session_state", string(s.State)), zap.Int("round", s.Number), zap.Int("acts", s.Acts)}
		},
	}
}

// GinRummyCreateSession answers POST /v1/gin-rummy/sessions.
func (h *Handlers) GinRummyCreateSession(w http.ResponseWriter, r *http.Request, params api.GinRummyCreateSessionParams) {
	h.ginRummySessions().create(w, r, params.IdempotencyKey)
}

// GinRummySession answers GET /v1/gin-rummy/sessions/{id}.
func (h *Handlers) GinRummySession(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.ginRummySessions().get(w, r, id)
}

// GinRummyEndSession answers DELETE /v1/gin-rummy/sessions/{id}.
func (h *Handlers) GinRummyEndSession(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.ginRummySessions().end(w, r, id)
}

// GinRummySessionPlay answers POST /v1/gin-rummy/sessions/{id}/play.
func (h *Handlers) GinRummySessionPlay(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.ginRummySessions().act(w, r, id, h.ginRummy.ParseSessionPlay)
}

// GinRummySessionNext answers POST /v1/gin-rummy/sessions/{id}/next.
func (h *Handlers) GinRummySessionNext(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.ginRummySessions().act(w, r, id, h.ginRummy.ParseSessionNext)
}
