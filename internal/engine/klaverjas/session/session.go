// Package session plays hands of Klaverjas between one seat, whose player is outside of the program, and three players of the program
// (package table/session). [See] returns what the player outside may see: the hidden cards leave this package only when their hand is over.
package session

import (
	"math/rand/v2"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	frame "roem/internal/engine/table/session"
	"roem/internal/random"
)

// Terms are what the setup of every session has.
type Terms = frame.Terms

// Setup is what a session begins with. It does not change.
type Setup struct {
	Terms

	Rules    klaverjas.RulesJSON `json:"rules"`
	Seat     piquet.Seat         `json:"seat"`               // of the player outside
	Players  [2]players.Kind     `json:"players"`            // the partner, and both opponents
	Flow     *bidding.Flow       `json:"flow,omitempty"`     // decides trump and the declarers; nil without bidding
	Again    bool                `json:"again,omitempty"`    // in the flow bidding.Turned: see bidding.Setting
	Trump    *piquet.Suit        `json:"trump,omitempty"`    // without bidding: of all hands; nil for one drawn for each hand
	Declarer *piquet.Team        `json:"declarer,omitempty"` // without bidding: of all hands; nil for the team of the leader
	Leader   *piquet.Seat        `json:"leader,omitempty"`   // of the first hand; nil for one that is drawn. The next seat leads the next hand
	// Begun is the position that the session begins in, which has one hand and no bidding; nil if the hands are dealt.
	Begun *Begun `json:"begun,omitempty"`
	// Known, if not nil, is what the player outside has seen of a position that is drawn when the session begins.
	Known *worlds.Knowledge `json:"-"`
	// Compare is the kind of player that plays each hand again from the seat of the player outside, when it is over; nil for none.
	Compare *players.Kind `json:"compare,omitempty"`
}

// Begun is a position in a hand.
type Begun struct {
	klaverjas.Deal

	Played line[piquet.Card] `json:"played,omitempty"`
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
type Session = frame.Session[Match, Hand, piquet.Seat, players.View, players.Action]

// Match is the setup of a session, with what its hands that are over have left.
type Match struct {
	Setup

	first   piquet.Seat // the leader of the first hand
	results []Result
	totals  [2]int // points on the score sheet, by team: see players.Sheet
}

// Result is a hand that is over.
type Result struct {
	*players.Table

	Again *players.Table // as the player Setup.Compare plays it; nil without it
}

// New deals the first hand. Its error is klaverjas.Violations, or the error of the position which the session begins in.
func New(setup Setup) (Session, error) { return frame.New(Match{Setup: setup}) }

// Decode returns the session of the bytes of Session.Encode.
func Decode(text []byte) (Session, error) { return frame.Decode[Match](text) }

// Begin returns the match before its first hand.
func (m Match) Begin() (Match, error) {
	m = Match{Setup: m.Setup, first: piquet.Seat(random.Below(random.New(m.Secret[0], m.Secret[1]), 4))}
	if m.Leader != nil {
		m.first = *m.Leader
	}
	if k := m.Known; k != nil {
		p := k.Position(k.Sample(random.New(m.Secret[0], m.Secret[1], 1, 0)))
		m.Begun, m.Known = &Begun{p.Deal(), slices.Clone(k.View().Played)}, nil
	}
	return m, klaverjas.Rules(m.Rules).Validate()
}

// Seat returns the seat of the player outside.
func (m Match) Seat(int) piquet.Seat { return m.Setup.Seat }

// Deal deals a hand, and plays the cards before the session.
func (m Match) Deal(rng *rand.Rand, number int) (Hand, error) { return m.begin(m.draw(rng, number)) }

// draw returns a deal, the order in which suits are turned, and the cards before the session.
func (m Match) draw(rng *rand.Rand, number int) (d klaverjas.Deal, turned [4]piquet.Suit, before []piquet.Card) {
	d.Leader, d.Trump = m.first.Plus(number), piquet.Suit(random.Below(rng, 4))
	if m.Trump != nil {
		d.Trump = *m.Trump
	}
	if d.Declarer = d.Leader.Team(); m.Declarer != nil {
		d.Declarer = *m.Declarer
	}
	d.Hands = index.Random(rng, d.Trump, d.Leader)
	turned = piquet.Suits()
	random.Shuffle(rng, turned[:])
	if m.Begun != nil {
		d, before = m.Begun.Deal, m.Begun.Played
	}
	return d, turned, before
}

// begin returns the hand of a deal, after cards.
func (m Match) begin(d klaverjas.Deal, turned [4]piquet.Suit, before []piquet.Card) (h Hand, err error) {
	var t players.Table
	if m.Flow == nil {
		t, err = players.NewTable(klaverjas.Rules(m.Rules), d)
	} else {
		t, err = players.NewAuction(klaverjas.Rules(m.Rules), d, *m.Flow, m.Again, turned)
	}
	if err == nil {
		t, err = t.After(before)
	}
	h.hand = &hand{Table: t}
	if m.Compare != nil {
		h.start = &t
	}
	return h, err
}

// Finish adds the result of a hand.
func (m Match) Finish(h Hand) (Match, error) {
	r := h.result()
	m.results = append(slices.Clip(m.results), r)
	for team, points := range players.Sheet(r.Position()) {
		m.totals[team] += points
	}
	return m, nil
}

// Totals returns the points on the score sheet.
func (m Match) Totals() []int { return m.totals[:] }

// Needs returns what a hand waits for.
func (m Match) Needs(h Hand) State {
	if h.Decided() {
		return Playing
	}
	return Bidding
}

// Makes returns the state in which an action is made.
func (m Match) Makes(a players.Action) State {
	if a.Kind == players.MakeCall {
		return Bidding
	}
	return Playing
}
