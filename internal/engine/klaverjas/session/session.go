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
	"roem/internal/engine/length"
	"roem/internal/engine/piquet"
	"roem/internal/engine/takeback"
	"roem/internal/engine/violation"
)

// Setup is what a session begins with. It does not change.
type Setup struct {
	Rules    klaverjas.Rules
	Seat     piquet.Seat     // the seat of the player outside
	Players  [2]players.Kind // the partner, and both opponents
	Hands    int             // how many hands are played; with a Target at most
	Target   int             // the points that end the session: see length.Over; 0 for none
	Bidding  bool            // whether Flow decides trump and the declarers
	Flow     bidding.Flow
	Again    bool         // in the flow bidding.Turned: see bidding.Setting
	Trump    *piquet.Suit // without bidding: of all hands; nil for one drawn for each hand
	Declarer *piquet.Team // without bidding: of all hands; nil for the team of the leader
	Leader   *piquet.Seat // of the first hand; nil for one that is drawn. The next seat leads the next hand
	// Begun is the position that the session begins in, which has one hand and no bidding; nil if the hands are dealt.
	Begun *Begun
	// Compare is the kind of player that plays each hand again from the seat of the player outside, when it is over; nil for none.
	Compare  *players.Kind
	Takeback bool // acts can be taken back
	// Secret is what the deals, and the players' own numbers, are drawn from. Who knows it knows all cards.
	Secret [2]uint64
	// Seed says that the first word of Secret is a seed that the player outside has chosen.
	Seed bool
}

// Begun is a position in a hand.
type Begun struct {
	Deal   klaverjas.Deal
	Played []piquet.Card
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
	Claim                   // the rest of the hand is played, because nothing is left to decide
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
	prior   *Session // before the last of acts; nil without acts
	taken   takeback.Count
	past    []Hand   // the hands before the present one
	results []Result // of the hands that are over
	number  int      // of the present hand, from 0
	dealt   dealt    // the present hand
	auction bidding.Auction
	// The play of the cards, once trump is decided.
	now     klaverjas.Position
	played  []piquet.Card
	claimed int // how many cards had been played when the rest was claimed; 0 if it was not
}

// Hand is what was said and played in a hand, by all seats.
type Hand struct {
	Calls  []bidding.Call
	Played []piquet.Card
	// Claimed is how many cards had been played when the player outside claimed the rest; 0 if it did not.
	Claimed int
	// Compared is the same hand with the player Setup.Compare in the seat; nil without it, or while the hand is not over.
	Compared *Hand
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
	Compared *Again // nil without Setup.Compare
}

// Again is how a hand was played with the player Setup.Compare in the seat of the player outside.
type Again struct {
	Hand   Hand
	Result Result
}

// New deals the first hand. Its error is klaverjas.Violations, or the error of the position which the session begins in.
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
		s, err = s.restore(i, h, err)
	}
	return s, err
}

// restore deals the hand with the index, unless it is the first, and does all that was said and played in it. It does nothing after an
// error.
func (s Session) restore(i int, h Hand, err error) (Session, error) {
	if i > 0 && err == nil {
		s, err = s.next()
	}
	if err == nil {
		s, err = s.redo(h)
	}
	if h.Compared != nil && err == nil {
		s, err = s.restoreCompared(*h.Compared)
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

// redo makes all calls and plays all cards of a hand, of which the cards before the session are a part.
func (s Session) redo(h Hand) (Session, error) {
	var err error
	for _, c := range h.Calls {
		if s, err = s.call(c); err != nil {
			return s, err
		}
	}
	for i, c := range h.Played {
		if i < len(s.played) { // before the session
			if s.played[i] != c {
				return s, &Contradicts{Number: i, Card: c}
			}
			continue
		}
		if i == h.Claimed && i > 0 {
			s = s.claim()
		}
		if s, err = s.play(c); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Setup returns what the session began with.
func (s Session) Setup() Setup { return s.setup }

// Hands returns all that was said and played, as Restore takes it. The last hand is the present one.
func (s Session) Hands() []Hand {
	h := Hand{Calls: s.auction.Calls(), Played: s.played, Claimed: s.claimed}
	if n := len(s.results); n > s.number && s.results[n-1].Compared != nil {
		h.Compared = &s.results[n-1].Compared.Hand
	}
	return append(slices.Clip(s.past), h)
}

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

// State returns what the session waits for, be it of the player outside or of another.
func (s Session) State() State {
	switch {
	case s.setup.Bidding && !s.auction.Done():
		return Bidding
	case !s.now.Finished():
		return Playing
	case s.ended():
		return Over
	}
	return HandOver
}

// ended reports whether the present hand, which is over, is the last one.
func (s Session) ended() bool {
	totals := s.totals()
	return length.Over(s.number+1, s.setup.Hands, s.setup.Target, totals[:]...)
}

// totals returns the points of the hands that are over, by team.
func (s Session) totals() (sum [2]int) {
	for _, r := range s.results {
		for team, points := range r.Points {
			sum[team] += points
		}
	}
	return sum
}

// Over reports whether all hands are over: nothing can change any more.
func (s Session) Over() bool { return s.State() == Over }

// Turn returns whose turn it is in the states Bidding and Playing.
func (s Session) Turn() piquet.Seat {
	if s.State() == Bidding {
		return s.auction.Turn()
	}
	return s.now.Turn()
}

// Waits reports whether the session waits for the player outside, or is over. It does not wait for what follows from an act: the rest of a
// hand that was claimed, and the hand that is played again for comparison.
func (s Session) Waits() bool {
	state := s.State()
	if state == HandOver || state == Over {
		return !s.comparable()
	}
	return s.Turn() == s.setup.Seat && s.claimed == 0
}

// Do returns the session after an act of the player outside. The session must wait for it. The error is a *WrongState, an *IllegalCall, an
// *IllegalCard or a *NotSettled, and tells nothing of the hidden cards.
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
	case a.Kind == Claim && state == Playing:
		if !s.Settled() {
			return s, &NotSettled{}
		}
		return s.claim(), nil
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
	turn, before := s.auction.Turn(), s
	var err error
	if s.auction, err = s.auction.Call(c); err != nil {
		return s, err
	}
	if turn == s.setup.Seat {
		s = s.did(Act{Kind: MakeCall, Call: c}, before)
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
	turn, before := s.now.Turn(), s
	var err error
	if s.now, err = s.now.Play(c); err != nil {
		return s, err
	}
	s.played = append(slices.Clip(s.played), c)
	if turn == s.setup.Seat && s.claimed == 0 {
		s = s.did(Act{Kind: PlayCard, Card: c}, before)
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
	s = s.did(Act{Kind: NextHand}, s)
	s.past = s.Hands()
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
