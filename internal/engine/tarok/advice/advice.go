// Package advice is the program that plays tarok (source: Luštrek, Gams and Bratko, "A Program for Playing Tarok", 2003, section 3). It
// bids, exchanges, announces and plays in the same way: it draws deals that are consistent with what its player knows, and searches each
// with open cards.
//
// Bidding, exchange and announcements are decided by trial games, in which it plays all three players by shallow searches. A card is the
// one with the highest mean value over deep searches. In klop, which has no two sides, the cards are compared by hands played on with
// rules of thumb.
package advice

import (
	"context"

	"roem/internal/engine/tarok/search"
	"roem/internal/engine/tarok/worlds"
)

// Settings configure an Advisor.
type Settings struct {
	Samples   int  // deals that are searched for a card
	Trials    int  // deals for a contract, an exchange and announcements
	Pool      int  // deals that are drawn for the clusters, or weighed by Inference
	Clustered bool // the deals for searches and trial games are chosen from clusters; otherwise they are drawn at random
	Vote      bool // the card that is best in most deals, not that with the highest mean value
	Depth     int  // of the searches for a card, in cards; 0 for the depth of the paper by the tricks left: see depth
	Exact     int  // tricks left from which on the searches for a card, or the ends of playouts, are exact
	// TrialDepth is the depth of the searches of trial games, in cards.
	TrialDepth int
	Discards   int // discards that are tried for each group of the talon
	// Nodes, if not 0, bounds the searches for a card: after so many nodes no further deal is searched.
	Nodes uint64
	search.Enhancements

	// The following are not in the paper.

	// Playouts is the number of deals in which each card is played out by rules of thumb, and the score of the hand is its value; 0 for
	// searches of Samples deals. In klop and beggar a card is decided as without.
	Playouts int
	// PlayTrials plays trial games of the contracts with tricks to win by rules of thumb, and judges a contract by their mean score.
	PlayTrials bool
	Bar        float64 // with PlayTrials, a contract is viable if its mean score is above Bar and the margin of the view
	Inference
}

// Inference is what weighs deals against each other before playouts. Without any, they are equally likely.
type Inference struct {
	Bids      bool // what the players have bid
	Exchanges bool // the group of the talon that the declarer has taken, and the discards
	Cards     bool // the cards played
}

// Paper are the settings of the paper, where it gives them.
var Paper = Settings{
	Samples: 60, Trials: 30, Pool: worlds.Base, Clustered: true, Exact: 6, TrialDepth: 3, Discards: 3, Enhancements: search.AllFour,
}

// QuickPaper are the same for matches of thousands of deals: fewer deals, and of the cards those that a learned table leaves
// (search.Learned).
var QuickPaper = Settings{
	Samples: 12, Trials: 12, Pool: 60, Clustered: true, Depth: 9, Exact: 5, TrialDepth: 3, Discards: 2,
	Enhancements: search.Enhancements{Deepening: true, History: true, Selection: search.Learned, Table: search.Equivalence},
}

// Default are the settings of the program: the paper's settings for klop and beggar, and playouts for the other contracts.
var Default = Paper.playouts(300, 1200, 120)

// Quick are settings of the program that take as long as QuickPaper.
var Quick = QuickPaper.playouts(60, 150, 60)

// playouts returns the settings with decisions by playouts.
func (s Settings) playouts(deals, pool, trials int) Settings {
	s.Clustered, s.Exact = false, 3
	s.Playouts, s.Pool, s.Trials, s.PlayTrials, s.Bar = deals, pool, trials, true, -10
	s.Inference = Inference{Exchanges: true}
	return s
}

// Plain returns the settings with deals drawn at random.
func (s Settings) Plain() Settings {
	s.Clustered = false
	return s
}

// depth returns the depth of a search for a card with the given number of tricks left. The paper has 9 to 18.
func (s *Settings) depth(tricks int) int {
	switch {
	case s.Depth > 0:
		return s.Depth
	case tricks >= 12:
		return 9
	case tricks >= 9:
		return 12
	case tricks >= 7:
		return 15
	}
	return 18
}

// Advisor advises. Only one goroutine at a time may use it.
type Advisor struct {
	s      Settings
	solver *search.Solver
	// Pause, if not nil, is called at intervals of about 100 µs. An error ends the advice with this error.
	Pause func() error
	// Nodes is how many cards its searches have played so far.
	Nodes uint64
}

// tableBytes is the memory of the table of the exact search: enough for endings of eight tricks.
const tableBytes = 1 << 20

// New returns an advisor.
func New(s Settings) *Advisor {
	return &Advisor{s: s, solver: search.New(search.Options{TableBytes: tableBytes})}
}

type pauseKey struct{}

// WithPause returns a context for the players of this package, which then call pause at intervals of about 100 µs when they decide. An
// error ends the decision with this error.
func WithPause(ctx context.Context, pause func() error) context.Context {
	return context.WithValue(ctx, pauseKey{}, pause)
}

// pause returns the error of the context or of Pause.
func (a *Advisor) pause(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if a.Pause != nil {
		return a.Pause()
	}
	return nil
}
