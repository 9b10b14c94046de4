package session

import (
	"cmp"

	"roem/internal/engine/takeback"
)

// State is what a session waits for. Each game has states of its hands, besides the last two.
type State string

// The states after a hand.
const (
	HandOver State = "hand_over" // the next hand
	Over     State = "over"      // nothing: all hands are over
)

// Words say of each state why an act that is made in it cannot be made now, and what the session waits for in it.
type Words map[State]struct{ Cannot, Waits string }

// WrongState is the error for an act of another kind than the session waits for.
type WrongState struct {
	State State
	text  string
}

// Error says what the session waits for.
func (e *WrongState) Error() string { return e.text }

// Worded is a match with actions that have words of their own for why they cannot be made: of another kind than the state is for.
type Worded[A any] interface {
	Cannot(a A) string // empty for the words of the state
}

// wrong is the error for an act that is made in a state.
func (s Session[M, H, P, V, A]) wrong(made State, a Act[A]) error {
	words, state := s.match.Words(), s.State()
	cannot := words[made].Cannot
	if own, ok := any(s.match).(Worded[A]); ok && !a.Next {
		cannot = cmp.Or(own.Cannot(a.Action), cannot)
	}
	return &WrongState{state, cannot + ": " + words[state].Waits}
}

// State returns what the session waits for, be it of the player outside or of another.
func (s Session[M, H, P, V, A]) State() State {
	switch {
	case !s.over:
		return s.match.Needs(s.hand)
	case s.last():
		return Over
	}
	return HandOver
}

// HandOver reports whether the present hand is over.
func (s Session[M, H, P, V, A]) HandOver() bool { return s.over }

// Over reports whether all hands are over: nothing can change any more.
func (s Session[M, H, P, V, A]) Over() bool { return s.State() == Over }

// MayTakeBack reports whether acts can be taken back.
func (s Session[M, H, P, V, A]) MayTakeBack() bool { return s.match.Common().Takeback }

// TakeBack returns the session before the last act of the player outside, with the numbers of the acts that follow, or false if there is
// none.
func (s Session[M, H, P, V, A]) TakeBack() (Session[M, H, P, V, A], bool) {
	if s.prior == nil {
		return s, false
	}
	out := *s.prior
	out.taken = s.taken.After(s.acts.Len())
	return out, true
}

// Taken returns what was taken back.
func (s Session[M, H, P, V, A]) Taken() takeback.Count { return s.taken }

// Next returns the number of the next act of the player outside.
func (s Session[M, H, P, V, A]) Next() int { return s.taken.Number(s.acts.Len()) }
