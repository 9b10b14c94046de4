package klaverjas

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"roem/internal/api"
	"roem/internal/bidadvice"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/service"
	"roem/internal/sessions"
)

// sessionRetry is the Retry-After when the store of the sessions is unavailable.
const sessionRetry = 2 * time.Second

// CreateSession deals the first hand of a session, and lets the other players act up to the seat's first turn. owner is charged for the session.
func (g *Game) CreateSession(ctx context.Context, owner string, q SessionQuery) (api.Session, error) {
	setup := q.setup
	if !setup.Seed {
		if err := drawSecret(&setup); err != nil {
			return api.Session{}, err
		}
	}
	s, err := session.New(setup)
	if err != nil {
		return api.Session{}, asImpossible(err)
	}
	if s, err = s.Advance(ctx, g.others()); err != nil {
		return api.Session{}, err
	}
	value, err := s.Encode()
	if err != nil {
		return api.Session{}, err
	}
	id := sessions.NewID()
	entry, err := g.sessions.Create(ctx, owner, id, value)
	if err != nil {
		return api.Session{}, sessionError(err)
	}
	return g.outSession(id, entry, s), nil
}

// Session returns a session as its seat sees it.
func (g *Game) Session(ctx context.Context, id string) (api.Session, error) {
	entry, s, err := g.loadSession(ctx, id)
	if err != nil {
		return api.Session{}, err
	}
	return g.outSession(id, entry, s), nil
}

// EndSession ends a session.
func (g *Game) EndSession(ctx context.Context, id string) error {
	if !sessionID(id) {
		return sessionError(sessions.ErrNotFound)
	}
	return sessionError(g.sessions.Delete(ctx, id))
}

// Act makes an act in a session, and lets the other players act up to the seat's next turn. An act that the session has already changes
// nothing.
//
// Nothing is locked while the players decide. The session changes in one step after that, if it is still the one that they saw. If it is not,
// another request has made an act with the same number: if it is the same act, its result is the answer, and otherwise this one is refused.
func (g *Game) Act(ctx context.Context, id string, a SessionAct) (api.Session, error) {
	for range sessionAttempts {
		entry, s, err := g.loadSession(ctx, id)
		if err != nil {
			return api.Session{}, err
		}
		switch done := s.Acts(); {
		case a.number < len(done) && done[a.number] == a.act:
			return g.outSession(id, entry, s), nil
		case a.number < len(done):
			return api.Session{}, conflict(len(done), fmt.Sprintf("The session has another act with the number %d. Its next act has the number %d.", a.number, len(done)))
		case a.number > len(done):
			return api.Session{}, conflict(len(done), fmt.Sprintf("The next act of the session has the number %d, not %d.", len(done), a.number))
		}
		next, err := s.Do(a.act)
		if err != nil {
			return api.Session{}, refused(a, err)
		}
		if next, err = next.Advance(ctx, g.others()); err != nil {
			return api.Session{}, err
		}
		value, err := next.Encode()
		if err != nil {
			return api.Session{}, err
		}
		entry, err = g.sessions.Swap(ctx, id, entry.Version, value)
		if errors.Is(err, sessions.ErrChanged) {
			continue // it has more acts now, so that the next attempt is the last
		}
		if err != nil {
			return api.Session{}, sessionError(err)
		}
		return g.outSession(id, entry, next), nil
	}
	return api.Session{}, sessionError(fmt.Errorf("%w: the session changes without new acts", sessions.ErrUnavailable))
}

// sessionAttempts limits the attempts at an act. If the store keeps what it is told, two are enough.
const sessionAttempts = 4

// loadSession reads a session from the store.
func (g *Game) loadSession(ctx context.Context, id string) (sessions.Entry, session.Session, error) {
	if !sessionID(id) {
		return sessions.Entry{}, session.Session{}, sessionError(sessions.ErrNotFound)
	}
	entry, err := g.sessions.Get(ctx, id)
	if err != nil {
		return entry, session.Session{}, sessionError(err)
	}
	s, err := session.Decode(entry.Value)
	return entry, s, err
}

// sessionIDLength is the length of the ids that sessions.NewID returns.
const sessionIDLength = 26

// sessionID reports whether a text has the form of an id. Others are not looked for.
func sessionID(text string) bool {
	return len(text) == sessionIDLength && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// others returns how the players of the program decide in sessions. A player that searches worlds gets a slot for each card.
func (g *Game) others() session.Others {
	return session.Others{Call: new(bidadvice.Policy).Call, Do: g.chooseInSession}
}

func (g *Game) chooseInSession(ctx context.Context, worlds int, work func(context.Context, *players.Tools) error) error {
	if worlds == 0 {
		tools, _ := g.quick.Get().(*players.Tools)
		defer g.quick.Put(tools)
		return work(ctx, tools)
	}
	return g.service.WithSlot(ctx, func(ctx context.Context, slot *computation.Slot) error {
		tools := computation.Tool(slot, toolsKey{g}, NewTools)
		before, end := tools.Nodes(), service.EffortOf(ctx).BeginSearch()
		err := work(ctx, tools)
		end(tools.Nodes() - before)
		return err
	})
}

// sessionError returns an error of the store as a *service.Error.
func sessionError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sessions.ErrNotFound):
		return &service.Error{Kind: service.NoSuchSession, Cause: err, Detail: "There is no session of this id."}
	case errors.Is(err, sessions.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return &service.Error{
			Kind: service.SessionsUnavailable, RetryAfter: sessionRetry, Cause: err,
			Detail: "The store of the sessions cannot be reached at the moment.",
		}
	}
	return err
}

// refused returns the error for an act that the session does not take.
func refused(a SessionAct, err error) error {
	if e, ok := errors.AsType[*session.WrongState](err); ok {
		return conflict(a.number, "In this session "+e.Error()+".")
	}
	return service.NewImpossible(service.Violation{Pointer: a.field, Detail: err.Error()})
}

// conflict is the error for an act that does not fit the session. acts is the number of the session's next act.
func conflict(acts int, detail string) error {
	return &service.Error{Kind: service.SessionConflict, Acts: &acts, Detail: detail}
}
