// Package session plays Gin Rummy between a player outside of the program and one of its players. It holds the deals, and [Session.Sight]
// returns what the player outside may see: hidden cards leave this package only when their round is over.
//
// A Session is a value: an act returns another Session and does not change the first one. It has no clock, no store and no connection. What
// the other player does follows from the setup and the acts, so that the same acts lead to the same session.
package session

import (
	"slices"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/length"
	"roem/internal/engine/takeback"
	"roem/internal/random"
)

// MaxRounds is the number of rounds after which a game ends, and the player with more points wins. The rules have no such limit. It bounds
// what is kept of a game in which one player avoids to knock; games to 100 take some ten rounds.
const MaxRounds = length.MaxHands

// Setup is what a session begins with. It does not change. The player outside has the seat ginrummy.Me.
type Setup struct {
	Player   players.Kind   // the opponent
	Game     bool           // rounds are played until one has the points Target; otherwise one round
	Target   int            // of a game; 0 for ginrummy.GameScore
	Starter  *ginrummy.Seat // of the first round; nil for one that is drawn
	LayOffs  ginrummy.LayOffs
	Takeback bool // acts can be taken back
	// Secret is what the deals, and the opponent's own numbers, are drawn from. Who knows it knows all cards.
	Secret [2]uint64
	// Seed says that the first word of Secret is a seed that the player outside has chosen.
	Seed bool
}

// State is what a session waits for.
type State uint8

// The states. The first four are the states of a round, in the order of their phases.
const (
	Draw      State = iota // whether to pass, to take the top discard, or to draw from the stock
	Discard                // a discard
	Knock                  // whether to knock
	Meld                   // the melds, after a knock of the opponent
	RoundOver              // the next round
	Over                   // nothing: the game is over
)

var stateNames = [6]string{"draw", "discard", "knock", "meld", "round_over", "over"}

// String returns the name of the state in JSON.
func (s State) String() string { return stateNames[s%6] }

// Move is an action in a round.
type Move struct {
	ginrummy.Action
	// Best says that a knock, or the melds after one, use the best melds instead of the melds of the action.
	Best bool
}

// Act is what the player outside does: a move, or the wish for the next round.
type Act struct {
	Next bool
	Move Move
}

// Result is how a round ended.
type Result struct {
	Starter ginrummy.Seat
	ginrummy.Result
}

// Session is a session at one moment. The zero Session is not valid; New and Restore return valid ones.
type Session struct {
	setup   Setup
	acts    []Act    // of the player outside
	prior   *Session // before the last of acts; nil without acts
	taken   takeback.Count
	past    [][]Move // of both, in the rounds before the present one
	results []Result // of the rounds that are over
	scores  [2]int   // of these
	// The present round.
	before [2]int // the scores before it
	round  ginrummy.Round
	moves  []Move
	events [2][]ginrummy.Event // as each seat has seen them
	laid   [2]ginrummy.Arrangement
}

// New deals the first round.
func New(setup Setup) Session {
	starter := ginrummy.Seat(random.Below(random.New(setup.Secret[0], setup.Secret[1]), 2))
	if setup.Starter != nil {
		starter = *setup.Starter
	}
	if setup.Game && setup.Target == 0 {
		setup.Target = ginrummy.GameScore
	}
	return Session{setup: setup}.deal(starter)
}

// The streams of a round.
const (
	streamDeal    = 0
	streamPlayers = 1 // and above: one for each move
)

// deal deals the present round. Each is drawn from a stream of numbers of its own, so that the cards of one round, once they are known,
// tell nothing of the next.
func (s Session) deal(starter ginrummy.Seat) Session {
	d := ginrummy.RandomDeal(random.New(s.setup.Secret[0], s.setup.Secret[1], s.number()+1, streamDeal), starter)
	d.LayOffs = s.setup.LayOffs
	s.round, s.before = ginrummy.NewRound(&d), s.scores
	s.moves, s.events, s.laid = nil, [2][]ginrummy.Event{}, [2]ginrummy.Arrangement{}
	return s
}

// number returns the number of the present round, from 0.
func (s *Session) number() uint64 { return uint64(len(s.past)) }

// Setup returns what the session began with.
func (s Session) Setup() Setup { return s.setup }

// Rounds returns the moves of all rounds, as Restore takes them. The last round is the present one.
func (s Session) Rounds() [][]Move { return append(slices.Clip(s.past), s.moves) }

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

// State returns what the session waits for, be it of the player outside or of the opponent.
func (s Session) State() State {
	phase := s.round.Phase()
	switch {
	case phase != ginrummy.Ended:
		return State(phase)
	case !s.setup.Game || length.Over(len(s.results), MaxRounds, s.setup.Target, s.scores[:]...):
		return Over
	}
	return RoundOver
}

// Over reports whether the game is over: nothing can change any more.
func (s Session) Over() bool { return s.State() == Over }

// Waits reports whether the session waits for the player outside, or is over.
func (s Session) Waits() bool { return s.State() >= RoundOver || s.round.Seat() == ginrummy.Me }

// Restore returns the session of a setup after all moves of its rounds. Its error says that the moves contradict the setup.
func Restore(setup Setup, rounds [][]Move) (Session, error) {
	s := New(setup)
	for i, moves := range rounds {
		var err error
		if s, err = s.restore(i, moves); err != nil {
			return s, err
		}
	}
	return s, nil
}

// restore deals the round with the index, unless it is the first, and makes its moves. It appends to the lists of the session.
func (s Session) restore(i int, moves []Move) (Session, error) {
	var err error
	if i > 0 {
		if s, err = s.next(); err != nil {
			return s, err
		}
	}
	for _, m := range moves {
		if s, err = s.play(m); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Ends returns the session as it was at the end of each round that is over.
func (s Session) Ends() (ends []Session, err error) {
	at := New(s.setup)
	for i, moves := range s.Rounds()[:len(s.results)] {
		if at, err = at.restore(i, moves); err != nil {
			return nil, err
		}
		ends = append(ends, at)
	}
	return ends, nil
}

// Do returns the session after an act of the player outside. The session must wait for it. The error is a *WrongState or a
// *ginrummy.IllegalAction, and tells nothing of the hidden cards.
func (s Session) Do(a Act) (Session, error) {
	s = s.clipped()
	if a.Next {
		return s.next()
	}
	if state := s.State(); a.Move.waitsFor() != state {
		return s, &WrongState{Act: a, State: state}
	}
	return s.play(a.Move)
}

// waitsFor returns the state in which a move is possible.
func (m Move) waitsFor() State {
	return [7]State{Draw, Draw, Draw, Discard, Knock, Knock, Meld}[m.Kind%7]
}

// next deals the next round. It appends to the lists of the session.
func (s Session) next() (Session, error) {
	if state := s.State(); state != RoundOver {
		return s, &WrongState{Act: Act{Next: true}, State: state}
	}
	last := s.results[len(s.results)-1]
	s = s.did(Act{Next: true}, s)
	s.past = append(s.past, s.moves)
	return s.deal(ginrummy.NextStarter(last.Starter, last.Result)), nil
}

// clipped returns the session with lists that grow by being copied, so that another session with the same lists does not change.
func (s Session) clipped() Session {
	s.acts, s.past, s.results, s.moves = slices.Clip(s.acts), slices.Clip(s.past), slices.Clip(s.results), slices.Clip(s.moves)
	s.events = [2][]ginrummy.Event{slices.Clip(s.events[0]), slices.Clip(s.events[1])}
	return s
}

// play makes a move of the player to decide. It appends to the lists of the session.
func (s Session) play(m Move) (Session, error) {
	seat, before, prior := s.round.Seat(), s.round, s
	action := s.resolve(m)
	after, err := before.Play(action)
	if err != nil {
		return s, err
	}
	s.round, s.moves = after, append(s.moves, m)
	for i := range s.events {
		if e, ok := ginrummy.EventOf(&before, &after, action, ginrummy.Seat(i)); ok {
			s.events[i] = append(s.events[i], e)
		}
	}
	if action.Kind == ginrummy.Knock || action.Kind == ginrummy.Lay {
		s.laid[seat], _ = ginrummy.ArrangementOf(action.Melds.Melds())
	}
	if seat == ginrummy.Me {
		s = s.did(Act{Move: m}, prior)
	}
	if r, ok := s.round.Result(); ok {
		s.results = append(s.results, Result{s.round.Deal().Starter, r})
		s.scores[0] += r.Score[0]
		s.scores[1] += r.Score[1]
	}
	return s, nil
}

// resolve returns the action of a move: its best melds are filled in. After a knock they are those with which the least is left after the
// lay-offs, or of the cards that the move does not lay off.
func (s *Session) resolve(m Move) ginrummy.Action {
	a := m.Action
	if !m.Best {
		return a
	}
	seat := s.round.Seat()
	hand := s.round.Hand(seat)
	if a.Kind == ginrummy.Lay && !a.Off.Given {
		a.Melds = hand.BestAgainst(s.laid[seat.Other()], s.setup.LayOffs)
	} else if best := (hand &^ a.Off.Cards()).Best(); len(best) > 0 {
		a.Melds = best[0]
	}
	return a
}
