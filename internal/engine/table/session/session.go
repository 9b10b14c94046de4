// Package session plays the hands of a game between one player outside of the program and players of the program. It holds the deals: the
// player outside, and the players of the program, get nothing of them but views.
//
// A Session is a value: an act returns another Session and does not change the first one. It has no clock, no store and no connection. What
// the other players do follows from the setup and the acts of the player outside, so that the same acts lead to the same session.
package session

import (
	"context"
	"encoding/json"
	"math/rand/v2"

	"roem/internal/engine/length"
	"roem/internal/engine/table"
	"roem/internal/engine/takeback"
	"roem/internal/random"
)

// Terms are what the setup of a session has in every game. They do not change.
type Terms struct {
	Hands    int  `json:"hands"`              // with a Target at most
	Target   int  `json:"target,omitempty"`   // the points that end the session: see length.Over; 0 for none
	Takeback bool `json:"takeback,omitempty"` // acts can be taken back
	// Secret is what the deals, and the players' own numbers, are drawn from. Who knows it knows all cards.
	Secret [2]uint64 `json:"secret"`
	// Seed says that the first word of Secret is a seed that the player outside has chosen.
	Seed bool `json:"seed,omitempty"`
}

// Common returns the terms of a setup in which they are embedded.
func (t Terms) Common() Terms { return t }

// Match is a setup with what its hands that are over have left: results, scores, who is to start. It is a value. As JSON it is its setup.
type Match[M any, H table.Hand[H, P, V, A], P ~uint8, V any, A comparable] interface {
	Common() Terms
	// Begin returns the match of a setup before its first hand.
	Begin() (M, error)
	// Seat returns the seat of the player outside in a hand, by its number from 0.
	Seat(hand int) P
	// Deal deals the hand with a number from 0, after all before it are over.
	Deal(rng *rand.Rand, hand int) (H, error)
	// Finish returns the match after a hand that is over.
	Finish(h H) (M, error)
	// Totals returns the points so far, in any order.
	Totals() []int
	// Needs returns what a hand that is not over waits for, and Makes in which state an act is made.
	Needs(h H) State
	Makes(a A) State
	// Words says of each state why an act of it cannot be made, and what the session waits for.
	Words() Words
	// Check returns why the player outside, at its turn and in the state of the act, may not make it. It knows nothing but the view.
	Check(v V, a A) error
	// Text returns the acts of a hand as what becomes JSON, often a line, which Parse reads: see Join and Split.
	Text(acts []A) any
	Parse(text json.RawMessage) ([]A, error)
}

// Leaver is a hand in which the program may act for the player outside: after a claim, or where the hand is played again.
type Leaver[P ~uint8] interface {
	// Left reports whether it acts for the player outside, if the seat is p.
	Left(p P) bool
}

// Act is what the player outside does.
type Act[A comparable] struct {
	Next   bool // deal the next hand; otherwise Action
	Action A
}

// Session is a session at one moment. The zero Session is not valid; New, Restore and Decode return valid ones.
type Session[M Match[M, H, P, V, A], H table.Hand[H, P, V, A], P ~uint8, V any, A comparable] struct {
	match M
	acts  table.List[Act[A]]      // of the player outside
	prior *Session[M, H, P, V, A] // before the last of acts; nil without acts, or where none can be taken back
	taken takeback.Count
	past  table.List[[]A] // by all players, in the hands before the present one
	hand  H               // the present one
	done  table.List[A]   // in it
	over  bool            // whether it is
}

// New deals the first hand.
func New[M Match[M, H, P, V, A], H table.Hand[H, P, V, A], P ~uint8, V any, A comparable](setup M) (s Session[M, H, P, V, A], err error) {
	if s.match, err = setup.Begin(); err != nil {
		return s, err
	}
	return s.deal()
}

// Restore returns the session of a setup after all that was done in its hands. Its error says that the hands contradict the setup.
func Restore[M Match[M, H, P, V, A], H table.Hand[H, P, V, A], P ~uint8, V any, A comparable](
	setup M, hands [][]A,
) (Session[M, H, P, V, A], error) {
	s, err := New(setup)
	for i, acts := range hands {
		s, err = s.restore(i, acts, err)
	}
	return s, err
}

// restore deals the hand with the index, unless it is the first, and does all that was done in it. It does nothing after an error.
func (s Session[M, H, P, V, A]) restore(i int, acts []A, err error) (Session[M, H, P, V, A], error) {
	if i > 0 && err == nil {
		s, err = s.next()
	}
	for _, a := range acts {
		if err == nil {
			err = s.do(a)
		}
	}
	return s, err
}

// Ends returns the session as it was at the end of each hand that is over.
func (s Session[M, H, P, V, A]) Ends() (ends []Session[M, H, P, V, A], err error) {
	at, err := New(s.match)
	hands := s.past.All()
	if s.over {
		hands = s.Hands()
	}
	for i, acts := range hands {
		at, err = at.restore(i, acts, err)
		ends = append(ends, at)
	}
	return ends, err
}

// The streams of a hand. Each hand is drawn from a stream of numbers of its own, so that the cards of one hand, once they are known, tell
// nothing of the next.
const (
	streamDeal    = 0
	streamPlayers = 1 // and above: for each act in turn
)

// deal deals the present hand.
func (s Session[M, H, P, V, A]) deal() (_ Session[M, H, P, V, A], err error) {
	s.done, s.over = table.List[A]{}, false
	s.hand, err = s.match.Deal(s.rand(streamDeal), s.past.Len())
	return s, err
}

func (s *Session[M, H, P, V, A]) rand(stream int) *rand.Rand {
	secret := s.match.Common().Secret
	return random.New(secret[0], secret[1], uint64(s.Number()), uint64(stream))
}

// Number is the number of the present hand, from 1.
func (s Session[M, H, P, V, A]) Number() int { return s.past.Len() + 1 }

// Match returns the setup, with what the hands that are over have left.
func (s Session[M, H, P, V, A]) Match() M { return s.match }

// Hand returns the present hand, with all its cards.
func (s Session[M, H, P, V, A]) Hand() H { return s.hand }

// With returns the session with another hand in place of the present one, after the same acts: tests exchange hidden cards with it.
func (s Session[M, H, P, V, A]) With(hand H) Session[M, H, P, V, A] {
	s.hand = hand
	return s
}

// Done returns what was done in the present hand.
func (s Session[M, H, P, V, A]) Done() []A { return s.done.All() }

// Hands returns all that was done, as Restore takes it. The last hand is the present one.
func (s Session[M, H, P, V, A]) Hands() [][]A { return s.past.With(s.done.All()).All() }

// Acts returns the acts of the player outside that stand, in order.
func (s Session[M, H, P, V, A]) Acts() []Act[A] { return s.acts.All() }

// Seat returns the seat of the player outside in the present hand.
func (s Session[M, H, P, V, A]) Seat() P { return s.match.Seat(s.past.Len()) }

// View returns what the player outside has seen of the present hand.
func (s Session[M, H, P, V, A]) View() V { return s.hand.View(s.Seat()) }

// Waits reports whether the session waits for the player outside, or is over.
func (s Session[M, H, P, V, A]) Waits() bool { return s.waits() }

func (s *Session[M, H, P, V, A]) waits() bool {
	turn, ok := s.hand.Turn()
	if hand, may := any(s.hand).(Leaver[P]); may && hand.Left(turn) {
		return s.over
	}
	return s.over || !ok || turn == s.match.Seat(s.past.Len())
}

// Do returns the session after an act of the player outside. The session must wait for it. The error is a *WrongState or the error of
// Match.Check, and tells nothing of the hidden cards.
func (s Session[M, H, P, V, A]) Do(a Act[A]) (Session[M, H, P, V, A], error) {
	if a.Next {
		return s.next()
	}
	if made := s.match.Makes(a.Action); made != s.State() {
		return s, s.wrong(made, a)
	}
	if err := s.match.Check(s.View(), a.Action); err != nil {
		return s, err
	}
	err := s.do(a.Action)
	return s, err
}

// did adds an act of the player outside. Only a session in which acts can be taken back keeps what was before it.
func (s *Session[M, H, P, V, A]) did(a Act[A]) {
	if s.match.Common().Takeback {
		prior := *s
		prior.prior = nil
		s.prior = &prior
	}
	s.acts = s.acts.With(a)
}

// do makes an act of the player whose turn it is. A session in which the act is refused is as it was.
func (s *Session[M, H, P, V, A]) do(a A) error {
	if s.over {
		return s.wrong(s.match.Makes(a), Act[A]{Action: a})
	}
	hand, err := s.hand.Act(a)
	if err != nil {
		return err
	}
	if s.waits() {
		s.did(Act[A]{Action: a})
	}
	s.hand, s.done = hand, s.done.With(a)
	if _, more := hand.Turn(); !more {
		s.over = true
		s.match, err = s.match.Finish(hand)
	}
	return err
}

// next deals the next hand.
func (s Session[M, H, P, V, A]) next() (Session[M, H, P, V, A], error) {
	if s.State() != HandOver {
		return s, s.wrong(HandOver, Act[A]{Next: true})
	}
	s.did(Act[A]{Next: true})
	s.past = s.past.With(s.done.All())
	return s.deal()
}

// Turn is the turn of a player of the program.
type Turn[P ~uint8] struct {
	Seat P
	Hand int        // its number, from 0
	Rand *rand.Rand // of this turn alone, so that the same session has the same act
}

// Advance lets the other players act until the session waits for the player outside. choose decides for them: it gets what the seat has
// seen. The error is the error of choose or of the context, or a *table.Fault.
func (s Session[M, H, P, V, A]) Advance(
	ctx context.Context, choose func(context.Context, M, Turn[P], V) (A, error),
) (Session[M, H, P, V, A], error) {
	for !s.waits() {
		if ctx.Err() != nil {
			return s, context.Cause(ctx)
		}
		turn, _ := s.hand.Turn()
		a, err := choose(ctx, s.match, Turn[P]{turn, s.past.Len(), s.rand(streamPlayers + s.done.Len())}, s.hand.View(turn))
		if err != nil {
			return s, err
		}
		if err := s.do(a); err != nil {
			return s, table.NewFault(turn, err)
		}
	}
	return s, nil
}

// last reports whether the present hand, which is over, is the last.
func (s *Session[M, H, P, V, A]) last() bool {
	terms := s.match.Common()
	return length.Over(s.Number(), terms.Hands, terms.Target, s.match.Totals()...)
}
