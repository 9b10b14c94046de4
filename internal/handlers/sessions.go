package handlers

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
	"go.uber.org/zap"

	"roem/internal/service"
)

// mountSessions adds the routes of the sessions of a game, below a path.
func (h *Handlers) mountSessions(path string, s *service.Playing) {
	one := path + "/{id}"
	h.route(http.MethodPost, path, func(w http.ResponseWriter, r *http.Request) {
		eventOf(r).newSession = true
		h.createSession(w, r, s)
	})
	h.route(http.MethodGet, one, func(w http.ResponseWriter, r *http.Request) { h.getSession(w, r, s) })
	if s.Hand != nil {
		h.route(http.MethodGet, one+"/hands/{number}", func(w http.ResponseWriter, r *http.Request) { h.getHand(w, r, s) })
		h.route(http.MethodGet, one+"/records", func(w http.ResponseWriter, r *http.Request) { h.getRecords(w, r, s) })
	}
	h.route(http.MethodDelete, one, func(w http.ResponseWriter, r *http.Request) { h.endSession(w, r, s) })
	for _, act := range s.Acts {
		h.route(http.MethodPost, one+"/"+act.Name, func(w http.ResponseWriter, r *http.Request) {
			h.act(w, r, act)
		})
	}
}

// createSession answers a request for a new session.
func (h *Handlers) createSession(w http.ResponseWriter, r *http.Request, s *service.Playing) {
	out, err := func() (out service.Session, err error) {
		body, err := h.body(w, r, h.maxBody)
		if err != nil {
			return out, err
		}
		key, err := readIdempotencyKey(r)
		if err != nil {
			return out, err
		}
		create, err := s.Create(r.Context(), body)
		if err != nil {
			return out, err
		}
		ctx, cancel := context.WithTimeout(r.Context(), h.maxWait)
		defer cancel()
		c := clientOf(r)
		out, err = create(ctx, service.NewSession{Owner: c.owner, Network: c.network, Holder: c.holder, IdempotencyKey: key, Body: body})
		if err == nil && key != "" && c.holder == "" {
			w.Header().Set("Idempotency-Key-Ignored", "true")
		}
		return out, err
	}()
	if err != nil {
		h.fail(w, r, err)
		return
	}
	noteSession(r, out)
	w.Header().Set("Location", out.Path)
	h.write(w, r, http.StatusCreated, "application/json", out.Body)
}

// getSession answers a request for a session.
func (h *Handlers) getSession(w http.ResponseWriter, r *http.Request, s *service.Playing) {
	h.readSession(w, r, func(ctx context.Context, holder, id string) (any, error) {
		out, err := s.Get(ctx, holder, id)
		noteSession(r, out)
		return out.Body, err
	})
}

// getHand answers a request for a session as it was when a hand was over.
func (h *Handlers) getHand(w http.ResponseWriter, r *http.Request, s *service.Playing) {
	h.readSession(w, r, func(ctx context.Context, holder, id string) (any, error) {
		out, err := s.Hand(ctx, holder, id, chi.URLParam(r, "number"))
		noteSession(r, out)
		return out.Body, err
	})
}

// getRecords answers a request for the records of a session.
func (h *Handlers) getRecords(w http.ResponseWriter, r *http.Request, s *service.Playing) {
	h.readSession(w, r, func(ctx context.Context, holder, id string) (any, error) { return s.Records(ctx, holder, id) })
}

// readSession answers a request with what read returns of a session.
func (h *Handlers) readSession(w http.ResponseWriter, r *http.Request, read func(ctx context.Context, holder, id string) (any, error)) {
	if err := checkQuery(r); err != nil {
		h.fail(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.maxWait)
	defer cancel()
	out, err := read(ctx, clientOf(r).holder, chi.URLParam(r, "id"))
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, out)
}

// endSession answers a request to end a session.
func (h *Handlers) endSession(w http.ResponseWriter, r *http.Request, s *service.Playing) {
	if err := checkQuery(r); err != nil {
		h.fail(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.maxWait)
	defer cancel()
	if err := s.End(ctx, clientOf(r).holder, chi.URLParam(r, "id")); err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// act answers an act in a session.
func (h *Handlers) act(w http.ResponseWriter, r *http.Request, act service.PlayingAct) {
	postWaiting(h, w, r, h.maxBody, func(ctx context.Context, body []byte) (func(context.Context) (any, error), error) {
		do, err := act.Read(ctx, body)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (any, error) {
			out, err := do(ctx, clientOf(r).holder, chi.URLParam(r, "id"))
			if err == nil {
				noteSession(r, out)
			}
			return out.Body, err
		}, nil
	})
}

// noteSession adds what is logged of a session to the event of the request.
func noteSession(r *http.Request, s service.Session) { eventOf(r).add(loggedNotes(s.Notes)...) }

// loggedNotes returns notes as fields of the log.
func loggedNotes(notes []service.Note) []zap.Field {
	fields := make([]zap.Field, len(notes))
	for i, note := range notes {
		fields[i] = zap.Any(note.Name, note.Value)
	}
	return fields
}
