package handlers

import (
	"net/http"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/service/tarok"
)

// tarokSessionRoutes are the routes of the sessions of tarok.
type tarokSessionRoutes = sessionRoutes[tarok.SessionQuery, tarok.SessionAct, api.TarokSession]

func (h *Handlers) tarokSessions() tarokSessionRoutes {
	return tarokSessionRoutes{
		h: h, sessions: h.tarok.Sessions(), parse: h.tarok.ParseSession,
		about: func(s *api.TarokSession) (string, []zap.Field) {
			return s.Links.Self, []zap.Field{zap.String("session_state", string(s.State)), zap.Int("hand", s.Number), zap.Int("acts", s.Acts)}
		},
	}
}

// TarokCreateSession answers POST /v1/tarok/sessions.
func (h *Handlers) TarokCreateSession(w http.ResponseWriter, r *http.Request, params api.TarokCreateSessionParams) {
	h.tarokSessions().create(w, r, params.IdempotencyKey)
}

// TarokSession answers GET /v1/tarok/sessions/{id}.
func (h *Handlers) TarokSession(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.tarokSessions().get(w, r, id)
}

// TarokEndSession answers DELETE /v1/tarok/sessions/{id}.
func (h *Handlers) TarokEndSession(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.tarokSessions().end(w, r, id)
}

// TarokSessionBid answers POST /v1/tarok/sessions/{id}/bid.
func (h *Handlers) TarokSessionBid(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.tarokSessions().act(w, r, id, h.tarok.ParseSessionBid)
}

// TarokSessionExchange answers POST /v1/tarok/sessions/{id}/exchange.
func (h *Handlers) TarokSessionExchange(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.tarokSessions().act(w, r, id, h.tarok.ParseSessionExchange)
}

// TarokSessionAnnounce answers POST /v1/tarok/sessions/{id}/announce.
func (h *Handlers) TarokSessionAnnounce(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.tarokSessions().act(w, r, id, h.tarok.ParseSessionAnnounce)
}

// TarokSessionPlay answers POST /v1/tarok/sessions/{id}/play.
func (h *Handlers) TarokSessionPlay(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.tarokSessions().act(w, r, id, h.tarok.ParseSessionPlay)
}

// TarokSessionNext answers POST /v1/tarok/sessions/{id}/next.
func (h *Handlers) TarokSessionNext(w http.ResponseWriter, r *http.Request, id api.SessionId) {
	h.tarokSessions().act(w, r, id, h.tarok.ParseSessionNext)
}
