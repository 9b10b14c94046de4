// Package session plays hands of Belote Découverte between a player outside of the program and one of its players. It holds the deal, and
// [Session.Sight] returns what both players see of it: a card that is face down leaves this package only when it has been turned.
//
// A Session is a value: an act returns another Session and does not change the first one. It has no clock, no store and no connection. What
// the other player does follows from the setup and the acts of the player outside, so that the same acts lead to the same session.
package session

import (
	"slices"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/score"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/length"
	"roem/internal/engine/piquet"
	"roem/internal/engine/takeback"
	"roem/internal/random"
)

// Way says how the trump of a hand is decided.
type Way uint8

// The ways.
const (
	Called  Way = iota // by calls while the cards are dealt: see package bidding
	Drawn              // a suit of the deck is drawn, and A declares
	Without            // no hand has a trump, and nobody declares
)

var wayNames = []string{"bidding", "drawn", "none"}

// String returns the name of the way in JSON.
func (w Way) String() string { return wayNames[w%3] }

// Setup is what a session begins with. It does not change.
type Setup struct {
	// Seat is the seat of the player outside in the first hand. The players take turns to deal, so that who is A in a hand is B in the next.
	Seat   belote.Player
	Player players.Kind // the opponent
	Hands  int          // with a Target at most
	Target int          // the points that end the session: see length.Over; 0 for none
	Deck   piquet.Set
	Way    Way
	Flip   worlds.Flip
	// Score is how each hand is scored. A Threshold of 0 is the usual one of the contract. Without trump, the contract is score.None.
	Score    score.Rules
	Takeback bool // acts can be taken back
	// Secret is what the deals, and the opponent's own numbers, are drawn from. Who knows it knows all cards.
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

// Act is what a player does.
type Act struct {
	Kind ActKind
	Call belote.Trump // the trump that is chosen; belote.NoTrump for a pass
	Card piquet.Card
}

// Session is a session at one moment. The zero Session is not valid; New and Restore return valid ones.
type Session struct {
	setup   Setup
	acts    []Act    // of the player outside
	prior   *Session // before the last of acts; nil without acts
	taken   takeback.Count
	past    [][]Act  // of both players, in the hands before the present one
	results []Result // of the hands that are over
	totals  [2]int   // of the player outside, then of the other
	held    int      // points for the winner of a later hand
	// The present hand.
	deal    belote.Deal
	decided bool            // whether the cards are played, or have been
	now     belote.Position // of deal, if decided
	done    []Act           // of both players
	calls   []belote.Trump
	played  []piquet.Card
	last    *belote.Trick
	seen    *worlds.View // what both players see of now; set by look
}

// Result is how a hand ended.
type Result struct {
	Seat     belote.Player // of the player outside
	Trump    belote.Trump
	Declarer belote.Player
	Rules    score.Rules
	Score    score.Sheet
	Won      [2]int // by seat: points of earlier hands that were held
}

// Written returns what a player wrote down, with points of earlier hands.
func (r *Result) Written(p belote.Player) int { return r.Score.Written[p] + r.Won[p] }

// threshold returns the points with which a declarer makes the contract, or nearly: with the contract score.Standard, it needs more than
// the other player, whatever else both score.
func (s Setup) threshold(trump belote.Trump) int {
	switch {
	case trump == belote.NoTrump: // nobody declares
	case s.Score.Contract == score.Standard:
		return trump.Total(s.Deck)/2 + 1
	case s.Score.Threshold > 0:
		return s.Score.Threshold
	}
	return trump.DefaultThreshold(s.Deck)
}

// New deals the first hand.
func New(setup Setup) (Session, error) { return Restore(setup, nil) }

// The streams of a hand.
const (
	streamDeal    = 0
	streamPlayers = 1 // and above: one for each act
)

// begin deals the present hand. Each is drawn from a stream of numbers of its own, so that the cards of one hand, once they are known, tell
// nothing of the next.
func (s Session) begin() (Session, error) {
	rng := random.New(s.setup.Secret[0], s.setup.Secret[1], s.hand(), streamDeal)
	trump := belote.NoTrump
	if s.setup.Way == Drawn {
		trumps := bidding.Trumps(s.setup.Deck)
		trump = trumps[random.Below(rng, uint64(len(trumps)-1))] // the last is no trump
	}
	s.deal = belote.Random(rng, s.setup.Deck, trump)
	s.done, s.calls, s.played, s.last, s.decided = nil, nil, nil, nil, false
	if s.setup.Way == Called {
		return s, nil
	}
	return s.decide(trump, belote.A)
}

// decide begins the play of the cards.
func (s Session) decide(trump belote.Trump, declarer belote.Player) (Session, error) {
	s.deal.Trump, s.deal.Declarer, s.deal.Threshold = trump, declarer, s.setup.threshold(trump)
	s.decided = true
	var err error
	s.now, err = belote.NewPosition(s.deal)
	return s, err
}

// Restore returns the session of a setup after all that was done in its hands. Its error says that the hands contradict the setup.
func Restore(setup Setup, hands [][]Act) (Session, error) {
	if setup.Way == Without {
		setup.Score.Contract = score.None
	}
	s, err := Session{setup: setup}.begin()
	for i, acts := range hands {
		s, err = s.restore(i, acts, err)
	}
	if err != nil {
		return s, err
	}
	return s.look()
}

// restore deals the hand with the index, unless it is the first, and makes all its acts. It does nothing after an error.
func (s Session) restore(i int, acts []Act, err error) (Session, error) {
	if i > 0 && err == nil {
		s, err = s.next()
	}
	for _, a := range acts {
		if err == nil {
			s, err = s.do(a)
		}
	}
	return s, err
}

// Ends returns the session as it was at the end of each hand that is over.
func (s Session) Ends() (ends []Session, err error) {
	at, err := Session{setup: s.setup}.begin()
	for i, acts := range s.Hands()[:len(s.results)] {
		if at, err = at.restore(i, acts, err); err == nil {
			at, err = at.look()
		}
		ends = append(ends, at)
	}
	return ends, err
}

// look sets what both players see. Replaying a session does so once, at its end.
func (s Session) look() (Session, error) {
	if s.seen = nil; !s.decided {
		return s, nil
	}
	var err error
	s.seen, err = worlds.Of(&s.now, s.played, s.setup.Flip)
	return s, err
}

// hand is the number of the present hand, from 1.
func (s *Session) hand() uint64 { return uint64(len(s.past)) + 1 }

// seat returns the seat of the player outside in the present hand.
func (s *Session) seat() belote.Player { return s.setup.Seat ^ belote.Player(len(s.past)&1) }

// Setup returns what the session began with.
func (s Session) Setup() Setup { return s.setup }

// Hands returns all that was done, as Restore takes it. The last hand is the present one.
func (s Session) Hands() [][]Act { return append(slices.Clip(s.past), s.done) }

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

// State returns what the session waits for, be it of the player outside or of the other.
func (s Session) State() State {
	switch {
	case !s.decided:
		return Bidding
	case !s.now.Finished():
		return Playing
	case length.Over(len(s.past)+1, s.setup.Hands, s.setup.Target, s.totals[:]...):
		return Over
	}
	return HandOver
}

// Over reports whether all hands are over: nothing can change any more.
func (s Session) Over() bool { return s.State() == Over }

// turn returns whose turn it is in the states Bidding and Playing.
func (s *Session) turn() belote.Player {
	if !s.decided {
		return bidding.Speaker(len(s.calls) + 1)
	}
	return s.now.Turn()
}

// Waits reports whether the session waits for the player outside, or is over.
func (s Session) Waits() bool { return s.State() >= HandOver || s.turn() == s.seat() }

// declared reports whether somebody must make a contract.
func (s *Session) declared() bool { return s.decided && s.deal.Trump != belote.NoTrump }

// dealing returns the open cards in the state Bidding: each call follows the open cards of a set of its player.
func (s *Session) dealing() bidding.Dealing {
	d := bidding.Dealing{Deck: s.deal.Deck, Threshold: s.setup.threshold(belote.TrumpOf(s.deal.Deck.First().Suit()))}
	for stage := range len(s.calls) + 1 {
		p := bidding.Speaker(stage + 1)
		for range s.deal.Suits() {
			d.Open[p] = append(d.Open[p], s.deal.Stacks[p][len(d.Open[p])].Top)
		}
	}
	return d
}

// Do returns the session after an act of the player outside. The session must wait for it. The error is a *WrongState, an *IllegalCall or
// a *belote.IllegalCard, and tells nothing of the cards face down.
func (s Session) Do(a Act) (next Session, err error) {
	switch state := s.State(); {
	case a.Kind == NextHand:
		next, err = s.next()
	case State(a.Kind) != state:
		err = &WrongState{Act: a.Kind, State: state}
	default:
		if err = s.check(a); err == nil {
			next, err = s.do(a)
		}
	}
	if err != nil {
		return s, err
	}
	return next.look()
}

// do makes a call or plays a card of the player whose turn it is.
func (s Session) do(a Act) (next Session, err error) {
	if state := s.State(); State(a.Kind) != state {
		return s, &WrongState{Act: a.Kind, State: state}
	}
	turn := s.turn()
	if turn == s.seat() {
		s = s.did(a, s)
	}
	s.done = append(slices.Clip(s.done), a)
	if a.Kind == MakeCall {
		s.calls = append(slices.Clip(s.calls), a.Call)
		if a.Call != belote.NoTrump || len(s.calls) == bidding.Stages {
			return s.decide(a.Call, turn)
		}
		return s, nil
	}
	var trick *belote.Trick
	if s.now, trick, err = s.now.Completes(a.Card); err != nil {
		return s, err
	}
	if trick != nil {
		s.last = trick
	}
	s.played = append(slices.Clip(s.played), a.Card)
	if s.now.Finished() {
		return s.finish()
	}
	return s, nil
}

// finish adds the result of the present hand.
func (s Session) finish() (Session, error) {
	r := Result{Seat: s.seat(), Trump: s.deal.Trump, Declarer: s.deal.Declarer, Rules: s.setup.Score}
	if r.Rules.Threshold = s.deal.Threshold; !s.declared() {
		r.Rules.Contract = score.None
	}
	start, err := belote.NewPosition(s.deal)
	if err != nil {
		return s, err
	}
	parts, err := score.Hand(r.Rules, start, s.played)
	if err != nil {
		return s, err
	}
	r.Score = score.Settle(r.Rules, r.Declarer, parts)
	if winner := belote.A; r.Score.Written[belote.A] != r.Score.Written[belote.B] && r.Score.Result != score.Litige {
		if r.Score.Written[belote.B] > r.Score.Written[belote.A] {
			winner = belote.B
		}
		r.Won[winner], s.held = s.held, 0
	}
	s.held += r.Score.Held
	s.results = append(slices.Clip(s.results), r)
	s.totals[0] += r.Written(r.Seat)
	s.totals[1] += r.Written(r.Seat.Other())
	return s, nil
}

// next deals the next hand.
func (s Session) next() (Session, error) {
	if state := s.State(); state != HandOver {
		return s, &WrongState{Act: NextHand, State: state}
	}
	s = s.did(Act{Kind: NextHand}, s)
	s.past = s.Hands()
	return s.begin()
}
