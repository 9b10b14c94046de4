package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"roem/internal/sessions"
)

// Played is a game at one moment, of which a client makes acts.
type Played[A comparable] interface {
	// Acts returns the acts of the client that stand, in order.
	Acts() []A
	// Encode returns the game as bytes.
	Encode() ([]byte, error)
	// Over reports whether nothing can change in the game any more. Its session ends before others.
	Over() bool
}

// SessionGame is a game that a client plays against players of the program. Q is a request for a session, S the game at one moment, A an
// act of the client, and T what the client gets. S is a value: an act returns another one. Functions whose errors are for the client return
// an *Error.
type SessionGame[Q any, S Played[A], A comparable, T any] interface {
	// Begin deals the first hand. What the request leaves open is drawn.
	Begin(q Q) (S, error)
	// Do returns the game after an act of the client. The error for an act of another kind than the game waits for is NewWrongAct.
	Do(s S, act A) (S, error)
	// Advance lets the players of the program act until the game waits for the client. It returns the same for the same game.
	Advance(ctx context.Context, s S) (S, error)
	// Decode returns the game of the bytes of Encode.
	Decode(value []byte) (S, error)
	// Answer returns what the client may see of the game. id and expires belong to the session.
	Answer(id string, expires time.Time, s S) T
}

// Sessions are the sessions of one game. They are safe for concurrent use.
type Sessions[Q any, S Played[A], A comparable, T any] struct {
	service *Service // limits the rate at which sessions are created
	name    string
	store   sessions.Store
	game    SessionGame[Q, S, A, T]
	hands   SessionHands[S] // nil if the game has none
}

// NewSessions returns the sessions of a game in a store, which may hold the sessions of other games too: name tells them apart. With nil
// they are in the memory of the process. The caller closes the store.
func NewSessions[Q any, S Played[A], A comparable, T any](
	s *Service, name string, store sessions.Store, game SessionGame[Q, S, A, T],
) *Sessions[Q, S, A, T] {
	if store == nil {
		store = sessions.NewMemory(sessions.Options{})
	}
	hands, _ := game.(SessionHands[S])
	return &Sessions[Q, S, A, T]{service: s, name: name, store: store, game: game, hands: hands}
}

// NewSession is a request for a session.
type NewSession struct {
	Owner   string // is charged for the session
	Network string // that the clients share who may be the same one; empty for none
	Holder  string // who alone may use the session; empty for whoever knows its id
	// IdempotencyKey makes the request repeatable: as long as the session is kept, the owner gets it again. Empty for none. Without a Holder
	// it is ignored: a session is its holder's, and nobody else could prove that the session is theirs.
	IdempotencyKey string
	Body           []byte // what another request with the same key differs in
}

// SessionAct is an act in a session, with the number that it has there.
type SessionAct[A comparable] struct {
	Number int
	Act    A
	Back   bool // takes the last act back instead, with all that followed
	// Place, if not nil, returns the pointer into the request of a pointer into the act.
	Place func(pointer string) string
}

// sessionRetry is the Retry-After when the store of the sessions is unavailable.
const sessionRetry = 2 * time.Second

// Create begins a session, and lets the other players act up to the client's first turn. A session that was created with the same
// idempotency key is returned as it is now.
func (g *Sessions[Q, S, A, T]) Create(ctx context.Context, n NewSession, q Q) (answer T, err error) {
	request := g.digest(n.Body)
	if n.Holder == "" {
		n.IdempotencyKey = ""
	}
	if n.IdempotencyKey != "" {
		entry, err := g.store.Find(ctx, n.Owner, n.IdempotencyKey, request)
		if err == nil {
			return g.restored(entry)
		}
		if !errors.Is(err, sessions.ErrNotFound) {
			return answer, sessionError(err)
		}
	}
	if err := g.service.mayCreate(n.Owner, n.Network); err != nil {
		return answer, err
	}
	s, err := g.game.Begin(q)
	if err != nil {
		return answer, err
	}
	if s, err = g.game.Advance(ctx, s); err != nil {
		return answer, err
	}
	value, err := s.Encode()
	if err != nil {
		return answer, err
	}
	id := g.stored(sessions.NewID())
	entry, err := g.store.Create(ctx, sessions.New{
		Owner: n.Owner, Group: n.Network, Holder: n.Holder, ID: id, Value: value, Key: n.IdempotencyKey, Request: request,
		Finished: s.Over(),
	})
	if err != nil {
		return answer, sessionError(err)
	}
	if entry.ID != id { // an equal request was faster
		return g.restored(entry)
	}
	return g.answer(entry, s), nil
}

// digest returns a digest of a request for a session of the game.
func (g *Sessions[Q, S, A, T]) digest(body []byte) string {
	sum := sha256.Sum256(append([]byte(g.name+"\x00"), body...))
	return hex.EncodeToString(sum[:])
}

// stored returns the id of a session in the store.
func (g *Sessions[Q, S, A, T]) stored(id string) string { return g.name + ":" + id }

// answer returns what the client may see of a session.
func (g *Sessions[Q, S, A, T]) answer(entry sessions.Entry, s S) T {
	return g.game.Answer(strings.TrimPrefix(entry.ID, g.stored("")), entry.Expires, s)
}

// restored returns what the client may see of a session in the store.
func (g *Sessions[Q, S, A, T]) restored(entry sessions.Entry) (answer T, err error) {
	s, err := g.game.Decode(entry.Value)
	if err != nil {
		return answer, err
	}
	return g.answer(entry, s), nil
}

// Get returns a session as the client may see it. holder is the API key of the client, empty for none.
func (g *Sessions[Q, S, A, T]) Get(ctx context.Context, holder, id string) (answer T, err error) {
	entry, s, err := g.load(ctx, holder, id)
	if err != nil {
		return answer, err
	}
	return g.answer(entry, s), nil
}

// End ends a session.
func (g *Sessions[Q, S, A, T]) End(ctx context.Context, holder, id string) error {
	if _, err := g.find(ctx, holder, id); err != nil {
		return err
	}
	return sessionError(g.store.Delete(ctx, g.stored(id)))
}

// Act makes an act in a session, and lets the other players act up to the client's next turn. An act that the session has already changes
// nothing.
//
// Nothing is locked while the players decide. The session changes in one step after that, if it is still the one that they saw. If it is
// not, another request has made an act with the same number: if it is the same act, its result is the answer, and otherwise this one is
// refused.
func (g *Sessions[Q, S, A, T]) Act(ctx context.Context, holder, id string, a SessionAct[A]) (answer T, err error) {
	for range sessionAttempts {
		entry, s, err := g.load(ctx, holder, id)
		if err != nil {
			return answer, err
		}
		switch number := NumberOf(s); {
		case a.Number < number && wasDone(s, a):
			return g.answer(entry, s), nil
		case a.Number < number:
			return answer, NewSessionConflict(ActTaken, number,
				fmt.Sprintf("The session has another act with the number %d. Its next act has the number %d.", a.Number, number))
		case a.Number > number:
			return answer, NewSessionConflict(ActTooEarly, number,
				fmt.Sprintf("The next act of the session has the number %d, not %d.", number, a.Number))
		}
		next, err := g.after(ctx, s, a)
		if err != nil {
			return answer, err
		}
		value, err := next.Encode()
		if err != nil {
			return answer, err
		}
		entry, err = g.store.Swap(ctx, entry.ID, entry.Version, value, next.Over())
		if errors.Is(err, sessions.ErrChanged) {
			continue // it has more acts now, so that the next attempt is the last
		}
		if err != nil {
			return answer, sessionError(err)
		}
		return g.answer(entry, next), nil
	}
	return answer, sessionError(fmt.Errorf("%w: the session changes without new acts", sessions.ErrUnavailable))
}

// after returns the game after an act, at the next turn of the client.
func (g *Sessions[Q, S, A, T]) after(ctx context.Context, s S, a SessionAct[A]) (next S, err error) {
	if a.Back {
		return g.back(s)
	}
	if next, err = g.game.Do(s, a.Act); err != nil {
		if a.Place != nil {
			err = Moved(err, a.Place)
		}
		return next, err
	}
	return g.game.Advance(ctx, next)
}

// sessionAttempts limits the attempts at an act. If the store keeps what it is told, two are enough.
const sessionAttempts = 4

// find reads a session from the store. For all but its holder there is none.
func (g *Sessions[Q, S, A, T]) find(ctx context.Context, holder, id string) (entry sessions.Entry, err error) {
	if !sessionID(id) {
		return entry, sessionError(sessions.ErrNotFound)
	}
	entry, err = g.store.Get(ctx, g.stored(id))
	if err == nil && entry.Holder != "" && entry.Holder != holder {
		err = sessions.ErrNotFound
	}
	return entry, sessionError(err)
}

// load reads a session and its game from the store.
func (g *Sessions[Q, S, A, T]) load(ctx context.Context, holder, id string) (entry sessions.Entry, s S, err error) {
	if entry, err = g.find(ctx, holder, id); err != nil {
		return entry, s, err
	}
	s, err = g.game.Decode(entry.Value)
	return entry, s, err
}

// sessionIDLength is the length of the ids that sessions.NewID returns.
const sessionIDLength = 26

// sessionID reports whether a text has the form of an id. Others are not looked for.
func sessionID(text string) bool {
	return len(text) == sessionIDLength && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// sessionError returns an error of the store as an *Error.
func sessionError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sessions.ErrNotFound):
		return &Error{Kind: NoSuchSession, Cause: err, Detail: "There is no session with this id."}
	case errors.Is(err, sessions.ErrKeyReused):
		return &Error{Kind: KeyReused, Cause: err, Detail: keyReused}
	case errors.Is(err, sessions.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return &Error{
			Kind: SessionsUnavailable, RetryAfter: sessionRetry, Cause: err,
			Detail: "The store of the sessions cannot be reached at the moment.",
		}
	}
	return err
}

// NewSessionConflict returns the error for an act that does not fit the session. acts is the number of the session's next act.
func NewSessionConflict(code Code, acts int, detail string) error {
	return &Error{Kind: SessionConflict, Code: code, Acts: &acts, Detail: detail}
}

// NewWrongAct returns the error for an act of another kind than the session waits for, with the cause that its game gives. over says that
// the session waits for no act any more.
func NewWrongAct(acts int, over bool, cause error) error {
	code := WrongAct
	if over {
		code = SessionOver
	}
	return NewSessionConflict(code, acts, "In this session "+cause.Error()+".")
}

// DrawSecret draws the secret of a session, from numbers that nobody can guess, unless the client has chosen a seed.
func DrawSecret(secret *[2]uint64, chosen bool) error {
	if chosen {
		return nil
	}
	if err := binary.Read(rand.Reader, binary.LittleEndian, secret); err != nil {
		return fmt.Errorf("drawing the secret of a session: %w", err)
	}
	return nil
}
