package nim

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"roem/internal/engine/violation"
	"roem/internal/service"
)

// played is a session at one moment.
type played struct {
	Piles piles
	Moves []NimMove // of the client
	Turn  bool      // it is the turn of the program
}

// table lets a client play against the program.
type table struct{ game *Game }

// Begin begins with the piles of the request.
func (table) Begin(p piles) (played, error) { return played{Piles: p}, nil }

// Acts returns the moves of the client.
func (s played) Acts() []NimMove { return s.Moves }

// Do returns the session after a move of the client.
func (table) Do(s played, m NimMove) (played, error) {
	switch {
	case s.Piles.over():
		return s, service.NewSessionConflict(service.SessionOver, len(s.Moves), "The session is over.")
	case !slices.Contains(s.Piles.moves(), m):
		return s, service.Refused(violation.New(violation.NotLegal, "is more than the pile has").At("/take"))
	}
	return played{Piles: s.Piles.after(m), Moves: append(slices.Clip(s.Moves), m), Turn: true}, nil
}

// Advance makes the move of the program: one that wins, if there is one.
func (table) Advance(_ context.Context, s played) (played, error) {
	if s.Turn && !s.Piles.over() {
		s.Piles, s.Turn = s.Piles.after(append(s.Piles.winning(), s.Piles.moves()...)[0]), false
	}
	return s, nil
}

// Encode returns the session as bytes.
func (s played) Encode() ([]byte, error) { return json.Marshal(s) }

// Over reports whether all piles are empty.
func (s played) Over() bool { return s.Piles.over() }

// Decode returns the session of the bytes of Encode.
func (table) Decode(value []byte) (s played, err error) {
	err = json.Unmarshal(value, &s)
	return s, err
}

// Answer returns the session as the client sees it.
func (t table) Answer(id string, _ time.Time, s played) NimSession {
	state := Play
	if s.Piles.over() {
		state = map[bool]NimSessionState{true: Won, false: Lost}[s.Turn]
	}
	return NimSession{
		Id: id, State: state, Acts: len(s.Moves), Piles: s.Piles, Version: t.game.service.Version(),
	}
}

// act returns the move.
func (in playBody) act() (service.SessionAct[NimMove], error) {
	return service.SessionAct[NimMove]{Number: *in.Acts, Act: NimMove{Pile: *in.Pile, Take: in.Take}}, nil
}
