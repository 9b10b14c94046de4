package service

import "roem/internal/engine/takeback"

// Retractable is a game at one moment of which acts can be taken back. A game whose moments are none has no taking back.
type Retractable[S any] interface {
	// MayTakeBack reports whether the session was created so.
	MayTakeBack() bool
	// TakeBack returns the game before the last act of the client that stands, and false if there is none.
	TakeBack() (S, bool)
	// Taken returns what was taken back.
	Taken() takeback.Count
}

// takenOf returns what was taken back in a game.
func takenOf[S any](s S) takeback.Count {
	if r, ok := any(s).(Retractable[S]); ok {
		return r.Taken()
	}
	return takeback.Count{}
}

// NumberOf returns the number of the next act of a game.
func NumberOf[S Played[A], A comparable](s S) int { return takenOf(s).Number(len(s.Acts())) }

// wasDone reports whether the game has the act, with its number. Of what was before the last taking back nothing is known.
func wasDone[S Played[A], A comparable](s S, a SessionAct[A]) bool {
	place, back, known := takenOf(s).Place(a.Number)
	return known && back == a.Back && (back || s.Acts()[place] == a.Act)
}

// back returns the game without the last act of the client and all that followed.
func (g *Sessions[Q, S, A, T]) back(s S) (next S, err error) {
	r, ok := any(s).(Retractable[S])
	if !ok || !r.MayTakeBack() {
		return s, NewSessionConflict(NoTakeback, NumberOf(s), "In this session no act can be taken back: it was created without takeback.")
	}
	if next, ok = r.TakeBack(); !ok {
		return s, NewSessionConflict(NothingToTakeBack, NumberOf(s), "The session has no act that can be taken back.")
	}
	value, err := next.Encode()
	if err != nil {
		return s, err
	}
	return g.game.Decode(value) // shares nothing with the game after the act
}
