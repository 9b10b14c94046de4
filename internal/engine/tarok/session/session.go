// Package session plays hands of tarok between one player outside of the program and two players of the program (package table/session).
// [See] returns what the player outside may see: the hidden cards leave this package only when their hand is over.
package session

import (
	"math/rand/v2"
	"slices"

	frame "roem/internal/engine/table/session"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
)

// Terms are what the setup of every session has.
type Terms = frame.Terms

// Setup is what a session begins with. It does not change.
type Setup struct {
	Terms

	Rules tarok.Rules `json:"rules"`
	// Seat is the seat of the player outside in the first hand. The forehand moves on by one player each hand, so that a player who is A is C
	// in the next hand, and B in the one after it.
	Seat    tarok.Player `json:"seat"`
	Players [2]string    `json:"players"`            // the kinds of the others: who sits after the player outside, and after that one
	NoRadli bool         `json:"no_radli,omitempty"` // no radli are given
}

// State is what the session waits for.
type State = frame.State

// The states.
const (
	Bidding  State = "bidding"  // a bid
	Exchange State = "exchange" // a group of the talon, and discards
	Announce State = "announce" // words, or silence
	Playing  State = "playing"  // a card
	HandOver       = frame.HandOver
	Over           = frame.Over
)

// StateOf returns the state in which an action of a phase is made.
func StateOf(p players.Phase) State { return [4]State{Bidding, Exchange, Announce, Playing}[p&3] }

// Act is what the player outside does.
type Act = frame.Act[players.Action]

// Session is a session at one moment.
type Session = frame.Session[Match, players.Table, tarok.Player, *players.View, players.Action]

// Match is the setup of a session, with what its hands that are over have left.
type Match struct {
	Setup

	game    players.Session // scores, radli and margins, by place: the seats of the first hand
	results []Result
}

// Result is how a hand ended.
type Result struct {
	Seat  tarok.Player // of the player outside
	Setup tarok.Setup
	Said  tarok.Announcements
	Score tarok.Score
}

// New deals the first hand.
func New(setup Setup) (Session, error) { return frame.New(Match{Setup: setup}) }

// Decode returns the session of the bytes of Session.Encode.
func Decode(text []byte) (Session, error) { return frame.Decode[Match](text) }

// Begin returns the match before its first hand.
func (m Match) Begin() (Match, error) {
	m.game, m.results = players.NewSession(m.Rules), nil
	m.game.NoRadli = m.NoRadli
	return m, nil
}

// Seat returns the seat of the player outside in a hand.
func (m Match) Seat(hand int) tarok.Player { return m.Setup.Seat.After(2 * hand) }

// Player returns the kind of the player at the turn.
func (m Match) Player(t frame.Turn[tarok.Player]) string {
	return m.Players[(t.Seat+2-m.Seat(t.Hand))%3]
}

// Deal deals the next hand.
func (m Match) Deal(rng *rand.Rand, _ int) (players.Table, error) {
	return m.game.Table(tarok.Random(rng))
}

// Finish adds the result of a hand.
func (m Match) Finish(t players.Table) (Match, error) {
	r := Result{Seat: m.Seat(m.game.Hands), Setup: t.Setup(), Said: t.Announcements()}
	var err error
	if r.Score, err = m.game.Finish(t); m.NoRadli {
		r.Score.Radli = [3]int{}
	}
	m.results = append(slices.Clip(m.results), r)
	return m, err
}

// Totals returns the scores.
func (m Match) Totals() []int { return m.game.Scores[:] }

// Needs returns what a hand waits for.
func (m Match) Needs(t players.Table) State { return StateOf(t.Phase()) }

// Makes returns the state in which an action is made.
func (m Match) Makes(a players.Action) State { return StateOf(a.Phase) }

// fromSeat returns numbers by place in the order of the players from the one outside.
func (m *Match) fromSeat(places [3]int) (out [3]int) {
	for i := range out {
		out[i] = places[(int(m.Setup.Seat)+i)%3]
	}
	return out
}
