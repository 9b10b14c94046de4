// Package session plays hands of Klaverjas between one seat, whose player is outside of the program, and three players of the program. It
// holds the deal, and [Session.Sight] returns what the seat may see of it: the hidden cards leave this package only when their hand is
// over.
//
// A Session is a value: an act returns another Session and does not change the first one. It has no clock, no store and no connection. What
// the other players do follows from the setup and the acts of the seat, so that the same acts lead to the same session.
package session

import (
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Setup is what a session begins with. It does not change.
type Setup struct {
	Rules    klaverjas.Rules
	Seat     piquet.Seat     // the seat of the player outside
	Players  [2]players.Kind // the partner, and both opponents
	Hands    int             // how many hands are played
	Bidding  bool            // whether Flow decides trump and the declarers
	Flow     bidding.Flow
	Again    bool         // in the flow bidding.Turned: see bidding.Setting
	Trump    *piquet.Suit // without bidding: of all hands; nil for one drawn for each hand
	Declarer *piquet.Team // without bidding: of all hands; nil for the team of the leader
	Leader   *piquet.Seat // of the first hand; nil for one that is drawn. The next seat leads the next hand
	// Secret is what the deals, and the players' own numbers, are drawn from. Who knows it knows all cards.
	Secret [2]uint64
	// Seed says that the first word of Secret is a seed that the player outside has chosen.
	Seed bool
}

// State is what a session waits for.
type State uint8

// The states.
const (
	Bidding  State = iota // a call
	Playing               // a card
	HandOver              // the next hand
	Over                  // nothing: all hands are over
)

// String returns the name of the state in JSON.
func (s State) String() string { return [4]string{"bidding", "playing", "hand_over", "over"}[s&3] }

// ActKind is the kind of an act.
type ActKind uint8

// The kinds of acts.
const (
	MakeCall ActKind = iota // of Act.Call
	PlayCard                // of Act.Card
	NextHand                // after a hand that is over
)

// Act is what the player outside does.
type Act struct {
	Kind ActKind
	Call bidding.Call
	Card piquet.Card
}

// Session is a session at one moment. The zero Session is not valid; New and Restore return valid ones.
type Session struct {
	setup   Setup
	acts    []Act    // of the player outside
	past    []Hand   // the hands before the present one
	results []Result // of the hands that are over
	number  int      // of the present hand, from 0
	dealt   dealt    // the present hand
	auction bidding.Auction
	// The play of the cards, once trump is decided.
	now    klaverjas.Position
	played []piquet.Card
}

// Hand is what was said and played in a hand, by all seats.
type Hand struct {
	Calls  []bidding.Call
	Played []piquet.Card
}

// Result is how a hand ended.
type Result struct {
	Trump    piquet.Suit
	Leader   piquet.Seat
	Declarer piquet.Team
	By       *piquet.Seat // who declared; nil without bidding
	Outcome  int          // see klaverjas.Position.Outcome
	Pit      bool
	Score    klaverjas.Score
	Taken    [2]int // tricks, by team
	Points   [2]int // on the score sheet, by team: see players.Sheet
}

// New deals the first hand. Its error is klaverjas.Violations.
func New(setup Setup) (Session, error) {
	if err := setup.Rules.Validate(); err != nil {
		return Session{}, err
	}
	return Session{setup: setup}.deal()
}

// Restore returns the session of a setup after all that was said and played in its hands. Its error says that the hands contradict the
// setup.
func Restore(setup Setup, hands []Hand) (Session, error) {
	s, err := New(setup)
	for i, h := range hands {
		if i > 0 && err == nil {
			s, err = s.next()
		}
		for _, c := range h.Calls {
			if err == nil {
				s, err = s.call(c)
			}
		}
		for _, c := range h.Played {
			if err == nil {
				s, err = s.play(c)
			}
		}
	}
	return s, err
}

// Setup returns what the session began with.
func (s Session) Setup() Setup { return s.setup }

// Hands returns all that was said and played, as Restore takes it. The last hand is the present one.
func (s Session) Hands() []Hand {
	return append(slices.Clip(s.past), Hand{Calls: s.auction.Calls(), Played: s.played})
}

// Acts returns the acts of the player outside, in order.
func (s Session) Acts() []Act { return s.acts }

// State returns what the session waits for, be it of the player outside or of another.
func (s Session) State() State {
	switch {
	case s.setup.Bidding && !s.auction.Done():
		return Bidding
	case !s.now.Finished():
		return Playing
	case s.number+1 < s.setup.Hands:
		return HandOver
	}
	return Over
}

// Turn returns whose turn it is in the states Bidding and Playing.
func (s Session) Turn() piquet.Seat {
	if s.State() == Bidding {
		return s.auction.Turn()
	}
	return s.now.Turn()
}

// Waits reports whether the session waits for the player outside, or is over.
func (s Session) Waits() bool {
	state := s.State()
	return state == HandOver || state == Over || s.Turn() == s.setup.Seat
}

// Do returns the session after an act of the player outside. The session must wait for it. The error is a *WrongState, an *IllegalCall or
// an *IllegalCard, and tells nothing of the hidden cards.
func (s Session) Do(a Act) (Session, error) {
	state := s.State()
	switch {
	case a.Kind == MakeCall && state == Bidding:
		if legal := s.auction.Legal(); !slices.Contains(legal, a.Call) {
			return s, &IllegalCall{Call: a.Call, Legal: legal}
		}
		return s.call(a.Call)
	case a.Kind == PlayCard && state == Playing:
		if err := s.check(a.Card); err != nil {
			return s, err
		}
		return s.play(a.Card)
	case a.Kind == NextHand && state == HandOver:
		return s.next()
	}
	return s, &WrongState{Act: a.Kind, State: state}
}

// check returns why the seat may not play the card. The engine's own error would name the holder of a card that the seat does not hold.
func (s Session) check(c piquet.Card) error {
	legal := s.now.Legal()
	if legal.Has(c) {
		return nil
	}
	e := &IllegalCard{Card: c, Legal: legal}
	switch seat := s.setup.Seat; {
	case s.now.Hand(seat).Has(c):
		_, err := s.now.Play(c)
		e.duty(err)
	case s.dealt.hands[seat].Has(c):
		e.Code, e.Reason = violation.NotHeld, "it has been played"
	default:
		e.Code, e.Reason = violation.NotHeld, "it is not in your hand"
	}
	return e
}

// call makes a call of the seat whose turn it is.
func (s Session) call(c bidding.Call) (Session, error) {
	if s.State() != Bidding {
		return s, &WrongState{Act: MakeCall, State: s.State()}
	}
	turn := s.auction.Turn()
	var err error
	if s.auction, err = s.auction.Call(c); err != nil {
		return s, err
	}
	if turn == s.setup.Seat {
		s.acts = append(slices.Clip(s.acts), Act{Kind: MakeCall, Call: c})
	}
	for s.auction.NeedsSuit() {
		if s.auction, err = s.auction.TurnUp(s.dealt.turned[len(s.auction.Setting().Turned)]); err != nil {
			return s, err
		}
	}
	if s.auction.Done() {
		by, trump := s.auction.Result()
		return s.begin(trump, by.Team())
	}
	return s, nil
}

// play plays a card of the seat whose turn it is.
func (s Session) play(c piquet.Card) (Session, error) {
	if s.State() != Playing {
		return s, &WrongState{Act: PlayCard, State: s.State()}
	}
	turn := s.now.Turn()
	var err error
	if s.now, err = s.now.Play(c); err != nil {
		return s, err
	}
	s.played = append(slices.Clip(s.played), c)
	if turn == s.setup.Seat {
		s.acts = append(slices.Clip(s.acts), Act{Kind: PlayCard, Card: c})
	}
	if s.now.Finished() {
		s.results = append(slices.Clip(s.results), s.result())
	}
	return s, nil
}

// next deals the next hand.
func (s Session) next() (Session, error) {
	if s.State() != HandOver {
		return s, &WrongState{Act: NextHand, State: s.State()}
	}
	s.past = s.Hands()
	s.acts = append(slices.Clip(s.acts), Act{Kind: NextHand})
	s.number++
	return s.deal()
}

// begin begins the play of the cards.
func (s Session) begin(trump piquet.Suit, declarer piquet.Team) (Session, error) {
	p, err := klaverjas.NewPosition(s.setup.Rules, klaverjas.Deal{
		Trump: trump, Leader: s.dealt.leader, Declarer: declarer, Hands: s.dealt.hands,
	})
	s.now, s.played = p, nil
	return s, err
}

// result returns how the present hand ended.
func (s Session) result() Result {
	d := s.now.Deal()
	return Result{
		Trump: d.Trump, Leader: d.Leader, Declarer: d.Declarer, By: s.by(), Outcome: s.now.Outcome(), Pit: s.now.Pit(),
		Score: s.now.Score(), Taken: s.now.TricksTaken(), Points: players.Sheet(s.now),
	}
}

// by returns who declares; nil without bidding, or while it goes on.
func (s Session) by() *piquet.Seat {
	if !s.setup.Bidding || !s.auction.Done() {
		return nil
	}
	by, _ := s.auction.Result()
	return &by
}
