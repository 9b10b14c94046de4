package session

import (
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
)

// Hand is a hand of a session. With Setup.Compare it goes on when it is over: it is played again from its beginning, with that player in
// the seat of the player outside. The others draw the same numbers, so that they act as before as long as the seat does.
type Hand struct{ *hand }

type hand struct {
	players.Table // that is played now

	start *players.Table // before the first act, if the hand will be played again
	own   *players.Table // at the end, if it is played again: as the player outside has played it
}

// Act returns the hand after an action of the seat to act.
func (h Hand) Act(a players.Action) (Hand, error) {
	next := &hand{start: h.start, own: h.own}
	var err error
	if next.Table, err = h.Table.Act(a); err != nil {
		return h, err
	}
	if _, more := next.Turn(); !more && h.start != nil {
		next = &hand{Table: *h.start, own: &next.Table}
	}
	return Hand{next}, nil
}

// Left reports whether the program acts for the player outside, at its seat.
func (h Hand) Left(seat piquet.Seat) bool { return h.own != nil || h.Claimed(seat) }

// result returns the hand as the player outside has played it, and as it was played again.
func (h Hand) result() Result {
	if h.own != nil {
		return Result{h.own, &h.Table}
	}
	return Result{Table: &h.Table}
}
