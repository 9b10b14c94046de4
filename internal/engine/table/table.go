// Package table is the frame of a hand, the same in every game: who is to act, what a player has seen, an act, the end. Sessions and
// matches are written once on it. It knows no game, and no search uses it.
package table

import (
	"context"
	"fmt"

	"roem/internal/engine/match"
	"roem/internal/engine/pause"
)

// Hand is a hand at one moment. It is a value: an act returns another one, and changes nothing. Bids, exchanges, announcements and cards
// are all acts. P is a seat, V what a seat has seen, A an act.
type Hand[H any, P ~uint8, V, A any] interface {
	// Turn returns who is to act. ok is false if the hand is over.
	Turn() (p P, ok bool)
	// View returns all that a seat has seen, with what it may do. Nothing hidden can be reached from a V.
	View(p P) V
	// Act returns the hand after an act of the seat to act. Its error may name hidden cards.
	Act(a A) (H, error)
}

// Fault is the error of a player that chose an action that is not allowed.
type Fault struct {
	Seat int
	Name string // of the seat
	Err  error
}

// Error returns the seat and what is wrong.
func (f *Fault) Error() string {
	return fmt.Sprintf("the player %s chose an action that is not allowed: %v", f.Name, f.Err)
}

// Unwrap returns what is wrong.
func (f *Fault) Unwrap() error { return f.Err }

// NewFault returns the fault of the player of a seat.
func NewFault[P ~uint8](p P, err error) *Fault { return &Fault{int(p), fmt.Sprint(p), err} }

// Sighted is a player that sees all cards: an upper bound for the others, and no fair player. Only Play shows it a hand, so that a session
// has none.
type Sighted[H any] interface {
	// See shows the player a hand in which it is to act.
	See(h H)
}

// Play lets players, by seat, play a hand to its end. watch, which may be nil, gets the hand before and after each act. The error is a
// *Fault, or the error of a player or of the context.
func Play[H Hand[H, P, V, A], P ~uint8, V, A any](
	ctx context.Context, h H, seats []match.Player[V, A], watch func(before, after H, a A),
) (H, error) {
	for {
		turn, ok := h.Turn()
		if !ok {
			return h, nil
		}
		pause.Point()
		if ctx.Err() != nil {
			return h, context.Cause(ctx)
		}
		if all, ok := match.Seated(seats[turn]).(Sighted[H]); ok {
			all.See(h)
		}
		a, err := seats[turn].Choose(ctx, h.View(turn))
		if err != nil {
			return h, err
		}
		next, err := h.Act(a)
		if err != nil {
			return h, NewFault(turn, err)
		}
		if watch != nil {
			watch(h, next, a)
		}
		h = next
	}
}
