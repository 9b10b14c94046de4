package worlds

import (
	"math/rand/v2"

	"roem/internal/engine/tarok"
	"roem/internal/engine/violation"
	"roem/internal/random"
)

// Place is where a card may be: a hand, which is one of the players, the talon, or the discards.
type Place uint8

// The places. The first three are the players.
const (
	InTalon    Place = 3
	InDiscards Place = 4
)

// Places is the number of places.
const Places = 5

// Worlds are the deals that are consistent with a view. A world is which cards each player was dealt, which are in the talon, and which
// were discarded. The order of the cards of the talon that nobody has seen does not distinguish worlds. All that follows from the rules of
// the deal, the exchange and the play is used:
//
//   - Each player was dealt 16 cards with at least one tarok; a deal without is void.
//   - The cards that the declarer took from the talon were played by, or are with, or were discarded by the declarer.
//   - No king and none of taroks 1, 21 and 22 was discarded. Discarded taroks are shown. So what the declarer discards unseen is of the
//     suits; and if taroks were discarded, the declarer kept no card of the suits but kings.
//   - Every card was legal when it was played: see [Shown]. Cards discarded or in the talon are free of this.
//
// What players bid and announce, and which of several legal cards they play, changes nothing: no rule ties it to their cards.
type Worlds struct {
	view   View
	course course
	hidden []tarok.Card // in the order of the deck
	piles  [3]Place     // where they may be: with the next player, the one after, and in the talon or the discards
	sizes  [3]int
	table  table
}

// New returns the worlds of a view. Its error is Violations: what is wrong with the view, or that no deal is consistent with it.
func New(v View) (*Worlds, error) {
	if bad := v.check(); len(bad) > 0 {
		return nil, bad
	}
	c, err := v.follow()
	if err != nil {
		return nil, err
	}
	next, after := v.Player.Next(), v.Player.After(2)
	w := &Worlds{view: v, course: c, piles: [3]Place{Place(next), Place(after), InTalon}}
	taken, talon := v.taken(), tarok.SetOf(v.Talon...)
	known := v.Hand | talon | v.Discards | c.played[0] | c.played[1] | c.played[2]
	w.sizes = [3]int{tarok.HandSize - c.played[next].Len(), tarok.HandSize - c.played[after].Len(), tarok.TalonSize - len(v.Talon)}
	free := tarok.Deck // what the third pile may hold
	if v.exchanged() && !v.declares() {
		known &^= taken &^ v.Discards &^ c.played[v.Declarer]
		w.piles[2], w.sizes[2], free = InDiscards, v.Contract.Exchange()-v.Discards.Len(), plain
	}
	w.hidden = (tarok.Deck &^ known).Slice()

	may := [3]tarok.Set{tarok.Deck &^ c.missing[next], tarok.Deck &^ c.missing[after], free}
	var needs [2]tarok.Set // the taroks of which each player was dealt one; empty if it is known that the player was
	for i, p := range [2]tarok.Player{next, after} {
		dealt := c.played[p]
		needs[i] = tarok.OfSuit(tarok.Taroks)
		switch {
		case !v.exchanged():
		case p == v.Declarer:
			needs[i] &^= taken
		default:
			may[i] &^= taken
		}
		if dealt&needs[i] != 0 {
			needs[i] = 0
		}
	}
	w.table = newTable(w.hidden, w.sizes, may, needs)
	if w.Count() == 0 {
		return nil, tarok.Violations{violation.New(violation.CannotBe, "no deal of the hidden cards agrees with the view:  "+
			"the players have shown that they cannot hold all of them").At(w.culprit())}
	}
	return w, nil
}

// culprit returns the pointer of what can make a view impossible whose parts are possible each.
func (w *Worlds) culprit() string {
	switch {
	case len(w.view.Played) > 0:
		return "/played"
	case !w.view.Discards.Empty():
		return "/discards"
	default:
		return "/hand"
	}
}

// View returns what the player knows.
func (w *Worlds) View() View { return w.view }

// Count returns the number of worlds, at least 1. It is below 2^51.
func (w *Worlds) Count() uint64 { return w.table.count() }

// Hidden returns the cards whose place may be unknown, in the order of the deck.
func (w *Worlds) Hidden() []tarok.Card { return w.hidden }

// Turn returns who is to play, or has won the last trick if every card was played.
func (w *Worlds) Turn() tarok.Player { return w.course.turn }

// World returns the world with a number from 0 to Count()-1. The unseen cards of the talon are in the order of the deck. In the stage
// of bidding only the deal and the rules of the setup have a meaning. It panics for any other number.
func (w *Worlds) World(n uint64) tarok.Setup {
	if n >= w.Count() {
		panic("worlds: no world has this number")
	}
	return w.setup(w.table.world(n))
}

// Sample draws a world. Each is equally likely, and so is each order of the unseen cards of the talon.
func (w *Worlds) Sample(rng *rand.Rand) tarok.Setup {
	s := w.World(random.Below(rng, w.Count()))
	random.Shuffle(rng, s.Deal.Talon[len(w.view.Talon):])
	return s
}

// setup returns the setup in which the hidden cards are in these piles.
func (w *Worlds) setup(piles [3]tarok.Set) tarok.Setup {
	v := &w.view
	s := v.setup()
	if w.piles[2] == InTalon {
		copy(s.Deal.Talon[len(v.Talon):], piles[2].Slice())
	} else {
		s.Discards |= piles[2]
	}
	for i, p := range w.piles[:2] {
		s.Deal.Hands[p] = piles[i] | w.course.played[p]
		if v.exchanged() && tarok.Player(p) == v.Declarer {
			s.Deal.Hands[p] = (s.Deal.Hands[p] | s.Discards) &^ s.Taken()
		}
	}
	return s
}

// Position returns the position of a world in the play after the cards of the view. It panics in another stage and for other setups.
func (w *Worlds) Position(s tarok.Setup) tarok.Position {
	p, err := tarok.NewPosition(s)
	if err == nil {
		p, err = p.Replay(w.view.Played)
	}
	if err != nil {
		panic("worlds: not a world: " + err.Error())
	}
	return p
}

// Counts returns for each hidden card, as in Hidden, in how many worlds it is at each place.
func (w *Worlds) Counts() [][Places]uint64 {
	out := make([][Places]uint64, len(w.hidden))
	for i, row := range w.table.places() {
		for pile, n := range row {
			out[i][w.piles[pile]] = n
		}
	}
	return out
}
