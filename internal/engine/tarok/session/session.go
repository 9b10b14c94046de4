// Package session plays hands of tarok between one player outside of the program and two players of the program. It holds the deal, and
// [Session.Sight] returns what the player outside may see of it: the hidden cards leave this package only when their hand is over.
//
// A Session is a value: an act returns another Session and does not change the first one. It has no clock, no store and no connection. What
// the other players do follows from the setup and the acts of the player outside, so that the same acts lead to the same session.
package session

import (
	"slices"

	"roem/internal/engine/length"
	"roem/internal/engine/takeback"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/random"
)

// Setup is what a session begins with. It does not change.
type Setup struct {
	Rules tarok.Rules
	// Seat is the seat of the player outside in the first hand. The forehand moves on by one player each hand, so that a player who is A is C
	// in the next hand, and B in the one after it.
	Seat     tarok.Player
	Players  [2]string // the kinds of the others: who sits after the player outside, and after that one
	Hands    int       // with a Target at most
	Target   int       // the points that end the session: see length.Over; 0 for none
	NoRadli  bool      // no radli are given
	Takeback bool      // acts can be taken back
	// Secret is what the deals, and the players' own numbers, are drawn from. Who knows it knows all cards.
	Secret [2]uint64
	// Seed says that the first word of Secret is a seed that the player outside has chosen.
	Seed bool
}

// State is what the session waits for.
type State uint8

// The states.
const (
	Bidding  State = iota // a bid
	Exchange              // a group of the talon, and discards
	Announce              // words, or silence
	Playing               // a card
	HandOver              // the next hand
	Over                  // nothing: all hands are over
)

// String returns the name of the state in JSON.
func (s State) String() string {
	return [6]string{"bidding", "exchange", "announce", "playing", "hand_over", "over"}[s%6]
}

// Act is what the player outside does.
type Act struct {
	Next   bool // deal the next hand; otherwise Action
	Action players.Action
}

// Session is a session at one moment. The zero Session is not valid; New and Restore return valid ones.
type Session struct {
	setup   Setup
	acts    []Act    // of the player outside
	prior   *Session // before the last of acts; nil without acts
	taken   takeback.Count
	past    []Hand
	results []Result
	game    players.Session // scores, radli and margins, by place: the seats of the first hand
	table   players.Table   // the present hand
	actions []players.Action
	over    bool // whether the present hand is
}

// Hand is what was done in a hand by all players, in order.
type Hand []players.Action

// Result is how a hand ended.
type Result struct {
	Seat  tarok.Player // of the player outside
	Setup tarok.Setup
	Said  tarok.Announcements
	Score tarok.Score
}

// New deals the first hand.
func New(setup Setup) (Session, error) {
	s := Session{setup: setup, game: players.NewSession(setup.Rules)}
	s.game.NoRadli = setup.NoRadli
	return s.deal()
}

// Restore returns the session of a setup after all that was done in its hands. Its error says that the hands contradict the setup.
func Restore(setup Setup, hands []Hand) (Session, error) {
	s, err := New(setup)
	for i, h := range hands {
		s, err = s.restore(i, h, err)
	}
	return s, err
}

// restore deals the hand with the index, unless it is the first, and does all that was done in it. It does nothing after an error.
func (s Session) restore(i int, h Hand, err error) (Session, error) {
	if i > 0 && err == nil {
		s, err = s.next()
	}
	for _, a := range h {
		if err == nil {
			s, err = s.do(a)
		}
	}
	return s, err
}

// Ends returns the session as it was at the end of each hand that is over.
func (s Session) Ends() (ends []Session, err error) {
	at, err := New(s.setup)
	for i, h := range s.Hands()[:len(s.results)] {
		at, err = at.restore(i, h, err)
		ends = append(ends, at)
	}
	return ends, err
}

// The streams of a hand.
const (
	streamDeal    = 0
	streamPlayers = 1 // and above: for each action in turn
)

// deal deals the present hand. Each hand is drawn from a stream of numbers of its own, so that the cards of one hand, once they are known,
// tell nothing of the next.
func (s Session) deal() (Session, error) {
	table, err := s.game.Table(tarok.Random(random.New(s.setup.Secret[0], s.setup.Secret[1], s.hand(), streamDeal)))
	s.table, s.actions, s.over = table, nil, false
	return s, err
}

// hand is the number of the present hand, from 1.
func (s *Session) hand() uint64 { return uint64(len(s.past)) + 1 }

// Setup returns what the session began with.
func (s Session) Setup() Setup { return s.setup }

// Hands returns all that was done, as Restore takes it. The last hand is the present one.
func (s Session) Hands() []Hand { return append(slices.Clip(s.past), s.actions) }

// Acts returns the acts of the player outside that stand, in order.
func (s Session) Acts() []Act { return s.acts }

// MayTakeBack reports whether acts can be taken back.
func (s Session) MayTakeBack() bool { return s.setup.Takeback }

// TakeBack returns the session before the last act of the player outside, with the numbers of the acts that follow, or false if there is
// none.
func (s Session) TakeBack() (Session, bool) {
	if s.prior == nil {
		return s, false
	}
	out := *s.prior
	out.taken = s.taken.After(len(s.acts))
	return out, true
}

// Taken returns what was taken back.
func (s Session) Taken() takeback.Count { return s.taken }

// did adds an act of the player outside that was made in a session before.
func (s Session) did(a Act, before Session) Session {
	before.prior = nil
	s.acts, s.prior = append(slices.Clip(s.acts), a), &before
	return s
}

// seat returns the seat of the player outside in the present hand.
func (s *Session) seat() tarok.Player { return s.setup.Seat.After(2 * len(s.past)) }

// State returns what the session waits for, be it of the player outside or of another.
func (s Session) State() State {
	switch {
	case !s.over:
		return State(s.table.Phase())
	case length.Over(len(s.past)+1, s.setup.Hands, s.setup.Target, s.game.Scores[:]...):
		return Over
	}
	return HandOver
}

// Over reports whether all hands are over: nothing can change any more.
func (s Session) Over() bool { return s.State() == Over }

// Waits reports whether the session waits for the player outside, or is over.
func (s Session) Waits() bool {
	turn, ok := s.table.Turn()
	return s.over || !ok || turn == s.seat()
}

// Do returns the session after an act of the player outside. The session must wait for it. The error is a *WrongState or an *Illegal, and
// tells nothing of the hidden cards.
func (s Session) Do(a Act) (Session, error) {
	state := s.State()
	switch {
	case a.Next && state == HandOver:
		return s.next()
	case !a.Next && state == State(a.Action.Phase) && !s.over:
		if err := s.check(a.Action); err != nil {
			return s, err
		}
		return s.do(a.Action)
	}
	return s, &WrongState{Act: a, State: state}
}

// do makes an action of the player whose turn it is.
func (s Session) do(a players.Action) (Session, error) {
	outside, before := s.Waits(), s
	s.table = s.table.Clone()
	if err := s.table.Act(a); err != nil {
		return s, err
	}
	s.actions = append(slices.Clip(s.actions), a)
	if outside {
		s = s.did(Act{Action: a}, before)
	}
	if s.table.Phase() != players.Finished {
		return s, nil
	}
	r := Result{Seat: s.seat(), Setup: s.table.Setup(), Said: s.table.Announcements()}
	var err error
	if r.Score, err = s.game.Finish(&s.table); err != nil {
		return s, err
	}
	if s.setup.NoRadli {
		r.Score.Radli = [3]int{}
	}
	s.results, s.over = append(slices.Clip(s.results), r), true
	return s, nil
}

// next deals the next hand.
func (s Session) next() (Session, error) {
	if s.State() != HandOver {
		return s, &WrongState{Act: Act{Next: true}, State: s.State()}
	}
	s = s.did(Act{Next: true}, s)
	s.past = s.Hands()
	return s.deal()
}
