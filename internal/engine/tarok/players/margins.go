package players

import "roem/internal/engine/tarok"

// Margins are what a player keeps from hand to hand of a session (source: "A Program for Playing Tarok", section 3).
type Margins struct {
	// Points is by how many points above 35 the trial games of a contract must be won on average before it is bid.
	Points int
	// Announce is the share of the trial games in which a bonus must have been made before it is announced.
	Announce [4]float64
}

// DefaultMargins are those at the start of a session. The paper starts with 3 points and gives no shares. Our trial games are harder for
// the declarer than hands are: with 3 the program bids too little (lab/docs/tarok/README.md).
var DefaultMargins = Margins{Points: 0, Announce: [4]float64{0.8, 0.8, 0.8, 0.8}}

// The limits of margins, and the step of the shares. The paper gives none.
const (
	leastMargin = -10
	mostMargin  = 20
	shareStep   = 0.02
	leastShare  = 0.5
	mostShare   = 0.98
)

// After returns the margins of a seat after a hand: one point more if the seat was declarer and lost; one less if another was declarer and
// lost. An announced bonus of the seat's side that failed raises its share, one that was made without being announced lowers it.
func (m Margins) After(seat tarok.Player, setup *tarok.Setup, said *tarok.Announcements, score *tarok.Score) Margins {
	if setup.Contract == tarok.Klop || score.Won {
		return m.announced(seat, setup, said, score)
	}
	if seat == setup.Declarer {
		m.Points = min(m.Points+1, mostMargin)
	} else {
		m.Points = max(m.Points-1, leastMargin)
	}
	return m.announced(seat, setup, said, score)
}

func (m Margins) announced(seat tarok.Player, setup *tarok.Setup, said *tarok.Announcements, score *tarok.Score) Margins {
	if setup.Contract.Exchange() == 0 {
		return m
	}
	side := tarok.Opponents
	if seat == setup.Declarer {
		side = tarok.Declarers
	}
	for i := range m.Announce {
		worth := int(side) * score.Bonuses[i] // what the bonus was worth for the side
		switch {
		case said.Bonuses[i].By == side && worth < 0:
			m.Announce[i] = min(m.Announce[i]+shareStep, mostShare)
		// a pagat that was lost is nobody's merit
		case said.Bonuses[i].By == tarok.NoSide && worth > 0 && (tarok.Bonus(i) != tarok.LastPagat || score.LostPagat == tarok.NoSide):
			m.Announce[i] = max(m.Announce[i]-shareStep, leastShare)
		}
	}
	return m
}
