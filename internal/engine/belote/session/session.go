// Package session plays hands of Belote Découverte between a player outside of the program and one of its players (package table/session).
// [See] returns what both players see: a card that is face down leaves this package only when it has been turned.
package session

import (
	"math/rand/v2"
	"slices"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/score"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	frame "roem/internal/engine/table/session"
	"roem/internal/engine/violation"
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

// ParseWay reads bidding, drawn or none.
func ParseWay(text string) (Way, error) { return violation.ParseWord[Way](text, wayNames...) }

// Terms are what the setup of every session has.
type Terms = frame.Terms

// Setup is what a session begins with. It does not change.
type Setup struct {
	Terms

	// Seat is the seat of the player outside in the first hand. The players take turns to deal, so that who is A in a hand is B in the next.
	Seat   belote.Player
	Player players.Kind // the opponent
	Deck   piquet.Set
	Way    Way
	Flip   worlds.Flip
	// Score is how each hand is scored. A Threshold of 0 is the usual one of the contract. Without trump, the contract is score.None.
	Score score.Rules
}

// State is what a session waits for.
type State = frame.State

// The states.
const (
	Bidding  State = "bidding" // a call
	Playing  State = "playing" // a card
	HandOver       = frame.HandOver
	Over           = frame.Over
)

// Act is what the player outside does.
type Act = frame.Act[players.Action]

// Session is a session at one moment.
type Session = frame.Session[Match, players.Table, belote.Player, players.View, players.Action]

// Match is the setup of a session, with what its hands that are over have left.
type Match struct {
	Setup

	results []Result
	totals  [2]int // of the player outside, then of the other
	held    int    // points for the winner of a later hand
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
func New(setup Setup) (Session, error) { return frame.New(Match{Setup: setup}) }

// Decode returns the session of the bytes of Session.Encode.
func Decode(text []byte) (Session, error) { return frame.Decode[Match](text) }

// Begin returns the match before its first hand.
func (m Match) Begin() (Match, error) {
	if m.Way == Without {
		m.Score.Contract = score.None
	}
	return Match{Setup: m.Setup}, nil
}

// Seat returns the seat of the player outside in a hand.
func (m Match) Seat(hand int) belote.Player { return m.Setup.Seat ^ belote.Player(hand&1) }

// Deal deals a hand.
func (m Match) Deal(rng *rand.Rand, _ int) (players.Table, error) {
	trump := belote.NoTrump
	if m.Way == Drawn {
		trumps := bidding.Trumps(m.Deck)
		trump = trumps[random.Below(rng, uint64(len(trumps)-1))] // the last is no trump
	}
	return m.table(belote.Random(rng, m.Deck, trump))
}

// table returns the hand of a deal before the first act.
func (m Match) table(d belote.Deal) (players.Table, error) {
	return players.NewTable(d, m.Way == Called, players.Rules{Flip: m.Flip, Threshold: m.threshold})
}

// Finish adds the result of a hand.
func (m Match) Finish(t players.Table) (Match, error) {
	deal := t.Deal()
	r := Result{Seat: m.Seat(len(m.results)), Trump: deal.Trump, Declarer: deal.Declarer, Rules: m.Score}
	if r.Rules.Threshold = deal.Threshold; deal.Trump == belote.NoTrump {
		r.Rules.Contract = score.None
	}
	start, err := belote.NewPosition(deal)
	if err != nil {
		return m, err
	}
	parts, err := score.Hand(r.Rules, start, t.Played())
	if err != nil {
		return m, err
	}
	r.Score = score.Settle(r.Rules, r.Declarer, parts)
	if winner := belote.A; r.Score.Written[belote.A] != r.Score.Written[belote.B] && r.Score.Result != score.Litige {
		if r.Score.Written[belote.B] > r.Score.Written[belote.A] {
			winner = belote.B
		}
		r.Won[winner], m.held = m.held, 0
	}
	m.held += r.Score.Held
	m.results = append(slices.Clip(m.results), r)
	m.totals[0] += r.Written(r.Seat)
	m.totals[1] += r.Written(r.Seat.Other())
	return m, nil
}

// Totals returns the points written down.
func (m Match) Totals() []int { return m.totals[:] }

// Needs returns what a hand waits for.
func (m Match) Needs(t players.Table) State { return m.Makes(players.Action{Calls: !t.Decided()}) }

// Makes returns the state in which an action is made.
func (m Match) Makes(a players.Action) State {
	if a.Calls {
		return Bidding
	}
	return Playing
}
