package session

import (
	"encoding/json"
	"math/rand/v2"

	"roem/internal/engine/table"
)

// Play is what the hand of a Single waits for.
const Play State = "play"

// Single is the match of one hand, which begins as its setup says. The player outside has the first seat. The hand has one kind of act,
// and refuses what is not allowed without telling what is hidden. H and A are kept as JSON.
type Single[H table.Hand[H, P, V, A], P ~uint8, V any, A comparable] struct {
	Terms

	Start H `json:"start"`
}

// Begin returns the match before its hand.
func (m Single[H, P, V, A]) Begin() (Single[H, P, V, A], error) {
	m.Hands = 1
	return m, nil
}

// Seat returns the first seat.
func (Single[H, P, V, A]) Seat(int) P { return 0 }

// Deal returns the hand. Nothing is drawn.
func (m Single[H, P, V, A]) Deal(*rand.Rand, int) (H, error) { return m.Start, nil }

// Finish keeps nothing of the hand.
func (m Single[H, P, V, A]) Finish(H) (Single[H, P, V, A], error) { return m, nil }

// Totals returns none.
func (Single[H, P, V, A]) Totals() []int { return nil }

// Needs returns Play.
func (Single[H, P, V, A]) Needs(H) State { return Play }

// Makes returns Play.
func (Single[H, P, V, A]) Makes(A) State { return Play }

// Check refuses nothing: the hand does.
func (Single[H, P, V, A]) Check(V, A) error { return nil }

// Words returns what the session waits for.
func (Single[H, P, V, A]) Words() Words {
	return Words{
		Play: {"nothing can be played", "the session waits for a move"}, HandOver: {Cannot: "no hand can be dealt"},
		Over: {Waits: "the session is over"},
	}
}

// Text returns the acts, which become JSON.
func (Single[H, P, V, A]) Text(acts []A) any { return acts }

// Parse reads them.
func (Single[H, P, V, A]) Parse(text json.RawMessage) (acts []A, err error) {
	err = json.Unmarshal(text, &acts)
	return acts, err
}
