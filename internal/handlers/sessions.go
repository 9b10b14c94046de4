package handlers

import (
	"context"
	"net/http"

	"go.uber.org/zap"

	"roem/internal/service"
)

// sessionsOfGame are the sessions of a game, as service.Sessions has them. Q is a request for a session, A a numbered act, and T the
// answer.
type sessionsOfGame[Q, A, T any] interface {
	Create(ctx context.Context, n service.NewSession, q Q) (T, error)
	Get(ctx context.Context, holder, id string) (T, error)
	Act(ctx context.Context, holder, id string, a A) (T, error)
	End(ctx context.Context, holder, id string) error
}

// sessionRoutes answers the requests for the sessions of one game.
type sessionRoutes[Q, A, T any] struct {
	h        *Handlers
	sessions sessionsOfGame[Q, A, T]
	parse    func(ctx context.Context, body []byte) (Q, error)
	// about returns the path of a session, and what is logged of it. Its id is not logged: who knows it may play.
	about func(*T) (path string, logged []zap.Field)
}

// create answers a request for a new session.
func (s sessionRoutes[Q, A, T]) create(w http.ResponseWriter, r *http.Request, idempotencyKey *string) {
	body, err := s.h.body(w, r, s.h.maxBody)
	if err != nil {
		s.h.fail(w, r, err)
		return
	}
	key, err := readIdempotencyKey(idempotencyKey)
	if err != nil {
		s.h.fail(w, r, err)
		return
	}
	q, err := s.parse(r.Context(), body)
	if err != nil {
		s.h.fail(w, r, err)
		return
	}
	liftReadDeadline(w)
	ctx, cancel := context.WithTimeout(r.Context(), s.h.maxWait)
	defer cancel()
	c := clientOf(r)
	out, err := s.sessions.Create(ctx, service.NewSession{
		Owner: c.owner, Network: c.network, Holder: c.holder, IdempotencyKey: key, Body: body,
	}, q)
	if err != nil {
		s.h.fail(w, r, err)
		return
	}
	path, logged := s.about(&out)
	eventOf(r).add(logged...)
	w.Header().Set("Location", path)
	s.h.write(w, r, http.StatusCreated, "application/json", out)
}

// get answers a request for a session.
func (s sessionRoutes[Q, A, T]) get(w http.ResponseWriter, r *http.Request, id string) {
	if err := checkQuery(r); err != nil {
		s.h.fail(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.h.maxWait)
	defer cancel()
	out, err := s.sessions.Get(ctx, clientOf(r).holder, id)
	if err != nil {
		s.h.fail(w, r, err)
		return
	}
	s.note(r, &out)
	s.h.respond(w, r, out)
}

// end answers a request to end a session.
func (s sessionRoutes[Q, A, T]) end(w http.ResponseWriter, r *http.Request, id string) {
	if err := checkQuery(r); err != nil {
		s.h.fail(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.h.maxWait)
	defer cancel()
	if err := s.sessions.End(ctx, clientOf(r).holder, id); err != nil {
		s.h.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// act answers an act in a session, whose body parse reads.
func (s sessionRoutes[Q, A, T]) act(w http.ResponseWriter, r *http.Request, id string, parse func(context.Context, []byte) (A, error)) {
	postWaiting(s.h, w, r, parse, func(ctx context.Context, a A) (T, error) {
		out, err := s.sessions.Act(ctx, clientOf(r).holder, id, a)
		if err == nil {
			s.note(r, &out)
		}
		return out, err
	})
}

// note adds what is logged of a session to the event of the request.
func (s sessionRoutes[Q, A, T]) note(r *http.Request, out *T) {
	_, logged := s.about(out)
	eventOf(r).add(logged...)
}
