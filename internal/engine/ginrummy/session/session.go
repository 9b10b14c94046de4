// Package session plays Gin Rummy between a player outside of the program and one of its players (package table/session). [See] returns
// what the player outside may see: hidden cards leave this package only when their round is over.
package session

import (
	"math/rand/v2"
	"slices"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	frame "roem/internal/engine/table/session"
	"roem/internal/random"
)

// Terms are what the setup of every session has.
type Terms = frame.Terms

// Setup is what a session begins with. It does not change.
type Setup struct {
	Terms

	Seat    ginrummy.Seat    `json:"seat,omitempty"`    // of the player outside
	Player  string           `json:"player"`            // the kind of the opponent
	Starter *ginrummy.Seat   `json:"starter,omitempty"` // of the first hand; nil for one that is drawn
	LayOffs ginrummy.LayOffs `json:"lay_offs,omitempty"`
}

// State is what a session waits for.
type State = frame.State

// The states. The first four are the states of a round.
const (
	Draw     State = "draw"    // whether to pass, to take the top discard, or to draw from the stock
	Discard  State = "discard" // a discard
	Knock    State = "knock"   // whether to knock
	Meld     State = "meld"    // the melds, after a knock of the opponent
	HandOver       = frame.HandOver
	Over           = frame.Over
)

// Act is what the player outside does.
type Act = frame.Act[ginrummy.Action]

// Session is a session at one moment.
type Session = frame.Session[Match, players.Table, ginrummy.Seat, ginrummy.View, ginrummy.Action]

// Match is the setup of a session, with what its rounds that are over have left.
type Match struct {
	Setup

	starter ginrummy.Seat // of the next round
	scores  [2]int
	results []Result
}

// Result is how a round ended.
type Result struct {
	Starter ginrummy.Seat
	ginrummy.Result
}

// New deals the first round.
func New(setup Setup) (Session, error) { return frame.New(Match{Setup: setup}) }

// Begin returns the match before its first round.
func (m Match) Begin() (Match, error) {
	m = Match{Setup: m.Setup, starter: ginrummy.Seat(random.Below(random.New(m.Secret[0], m.Secret[1]), 2))}
	if m.Setup.Starter != nil {
		m.starter = *m.Setup.Starter
	}
	return m, nil
}

// Seat returns the seat of the player outside.
func (m Match) Seat(int) ginrummy.Seat { return m.Setup.Seat }

// Deal deals the next round.
func (m Match) Deal(rng *rand.Rand, _ int) (players.Table, error) {
	d := ginrummy.RandomDeal(rng, m.starter)
	d.LayOffs = m.LayOffs
	return players.NewTable(&d, m.scores), nil
}

// Finish adds the result of a round.
func (m Match) Finish(t players.Table) (Match, error) {
	r, _ := t.Result()
	m.results = append(slices.Clip(m.results), Result{m.starter, r})
	for i, points := range r.Score {
		m.scores[i] += points
	}
	m.starter = ginrummy.NextStarter(m.starter, r)
	return m, nil
}

// Totals returns the scores.
func (m Match) Totals() []int { return m.scores[:] }

// Needs returns what a round waits for.
func (m Match) Needs(t players.Table) State { return [4]State{Draw, Discard, Knock, Meld}[t.Phase()&3] }

// Makes returns the state in which an action is possible.
func (m Match) Makes(a ginrummy.Action) State {
	return [7]State{Draw, Draw, Draw, Discard, Knock, Knock, Meld}[a.Kind%7]
}

// Check refuses nothing: a *ginrummy.IllegalAction tells nothing of the hidden cards.
func (m Match) Check(ginrummy.View, ginrummy.Action) error { return nil }

// Words returns what the session waits for.
func (m Match) Words() frame.Words {
	return frame.Words{
		Draw:     {"a card cannot be drawn or passed", "the session waits for a draw"},
		Discard:  {"a card cannot be discarded", "the session waits for a discard"},
		Knock:    {"the decision whether to knock cannot be made", "the session waits for a decision whether to knock"},
		Meld:     {"melds cannot be laid down", "the opponent has knocked, and the session waits for melds"},
		HandOver: {"the next hand cannot be dealt", "the hand is over, and the session waits for the next one"},
		Over:     {"", "the game is over"},
	}
}
