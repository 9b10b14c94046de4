package hand

import (
	"roem/internal/engine/ginrummy"
)

// The state of a card, as the neighbour of another: what is known of it, and what the opponent did with it. Ages count turns of the
// opponent since then.
const (
	stateOpen    = iota                  // in the hand of the opponent or in the stock
	stateOff                             // there is no such card
	stateOwn                             // in the player's hand
	statePile                            // a discard that the opponent was not offered
	stateKept                            // taken by the opponent and held, by age
	stateRefused = stateKept + ages      // the top discard when the opponent passed or drew from the stock, by age
	stateDropped = stateRefused + ages   // discarded by the opponent, by manner and age
	states       = stateDropped + 3*ages // their number
)

// ages is the number of intervals of an age: 0, 1, 2 and 3, more.
const ages = 4

// The manners of a discard. A simple player discards its worst card: what it has left outside melds has no more points than the lowest
// discard so far, and a later discard with more points was most likely drawn in the same turn.
const (
	lowest = iota // after a draw from the stock, no more points than each discard before
	higher        // after a draw from the stock, more points than one before
	taking        // after it took the top discard
)

// The inputs of a card. Each group has exactly one that is present, but for the neighbours: six of its suit, and three of its rank.
const (
	atSuit  = 0                        // by distance in the suit, from three below to three above, and state
	atRank  = atSuit + 6*states        // the other cards of its rank, by state
	atLow   = atRank + states          // rank and the points of the lowest discard
	atSince = atLow + 13*11            // rank and how long ago that was
	atLast  = atSince + 13*6           // rank and the points of the last discard
	atMelds = atLast + 13*11           // its side; how many runs and cards of its rank are possible
	atDrawn = atMelds + sides*4*4      // rank and the draws from the stock since the last discard with fewer points
	atTaken = atDrawn + 13*8           // its side and how well it explains a card that the opponent took: holdings.explain
	atMight = atTaken + sides*says     // its side and the weight of the melds that it can be in: holdings.melds
	Inputs  = atMight + sides*meldSays // Inputs is their number.
	present = 6 + 3 + 1 + 1 + 1 + 1 + 1 + 1 + 1
)

// The sides of a card: fewer points than the lowest discard, the same, more but no more than the last discard, or more than the last
// discard. A simple player has cards of the last side only in melds.
const sides = 4

// The inputs that all cards have in common.
const (
	atTurns   = 0            // turns of the opponent
	atManner  = atTurns + 16 // of the last discard, 3 for none
	atBefore  = atManner + 4 // the points of the discard before it
	atHolds   = atBefore + 11
	atStarter = atHolds + 6
	atEleven  = atStarter + 2
	Shared    = atEleven + 2 // Shared is their number.
	common    = 6
)

// In are the inputs of a situation.
type In struct {
	Cards   [ginrummy.DeckSize][present]uint16 // of the open cards
	Shared  [common]uint16
	Kept    ginrummy.Set // cards that the opponent certainly holds
	Unknown ginrummy.Set // cards that it may hold: those with inputs
}

// history is what the opponent did in the events of a view.
type history struct {
	state          [ginrummy.DeckSize]uint8
	seen           ginrummy.Seen
	turns, turn    int // of the opponent: their number, and the present one from 0
	low, lowTurn   int // the points of its lowest discard, 0 for none, and the turn
	manner         int // of its last discard; 3 for none
	points, before int // of its last discard, and of the discard before it
	took           bool
	holdings
}

// Fill sets the inputs to the inputs of a view.
func (in *In) Fill(v *ginrummy.View) {
	h := history{seen: ginrummy.NewSeen(v.Upcard, 0), turn: -1, manner: 3}
	h.read(v)
	in.Kept = h.seen.Kept
	in.Unknown = ginrummy.Deck &^ (v.Own | h.seen.Pile | h.seen.Kept)
	starter, eleven := 0, 0
	if v.Starter == v.Seat {
		starter = 1
	}
	if v.Own.Len() > ginrummy.HandSize {
		eleven = 1
	}
	in.Shared = [common]uint16{
		uint16(atTurns + min(h.turns, 15)), uint16(atManner + h.manner), uint16(atBefore + h.before), uint16(atHolds + min(in.Kept.Len(), 5)),
		uint16(atStarter + starter), uint16(atEleven + eleven),
	}
	since := 0
	if h.low != 0 {
		since = 1 + min(h.turns-1-h.lowTurn, 4)
	}
	may := in.Unknown | in.Kept // what the opponent can hold
	h.explain(in.Unknown)
	for s := in.Unknown; s != 0; s &= s - 1 {
		c := s.First()
		in.card(c, &h.state, may, h.low, since, h.points)
		side := sideOf(c.Points(), h.low, h.points)
		in.Cards[c][present-3] = uint16(atDrawn + int(c.Rank())*8 + min(1+h.draws[c.Points()], 7))
		in.Cards[c][present-2] = uint16(atTaken + side*says + h.say(c))
		in.Cards[c][present-1] = uint16(atMight + side*meldSays + meldSay(h.melds(c, in.Kept, in.Unknown)))
	}
}

// read goes through the events of a view.
func (h *history) read(v *ginrummy.View) {
	h.reset()
	for _, e := range v.Events {
		if e.Seat != v.Seat && e.Kind <= ginrummy.Stock {
			h.turns++
		}
	}
	for _, e := range v.Events {
		if e.Seat != v.Seat {
			h.add(e)
		}
		h.seen.Add(e, e.Seat == v.Seat)
	}
	for s := v.Own; s != 0; s &= s - 1 {
		if c := s.First(); h.state[c] == stateOpen {
			h.state[c] = stateOwn
		}
	}
	for s := h.seen.Pile; s != 0; s &= s - 1 {
		if c := s.First(); h.state[c] == stateOpen {
			h.state[c] = statePile
		}
	}
}

// add adds an event of the opponent.
func (h *history) add(e ginrummy.Event) {
	if e.Kind <= ginrummy.Stock {
		h.turn++
		h.took = e.Kind == ginrummy.Take
	}
	ago := age(h.turns - 1 - h.turn)
	switch e.Kind {
	case ginrummy.Pass, ginrummy.Stock:
		h.refuse(h.seen.Top)
		if e.Kind == ginrummy.Stock {
			h.draw()
		}
		if h.seen.Top != ginrummy.NoCard {
			h.state[h.seen.Top] = uint8(stateRefused + ago)
		}
	case ginrummy.Take:
		h.state[e.Card] = uint8(stateKept + ago)
		h.take(e.Card, h.seen.Kept)
	case ginrummy.Discard:
		p := e.Card.Points()
		h.manner = lowest
		switch {
		case h.took:
			h.manner = taking
		case h.low != 0 && p > h.low:
			h.manner = higher
		}
		if h.low == 0 || p < h.low {
			h.low, h.lowTurn = p, h.turn
		}
		h.before, h.points = h.points, p
		h.discard(e.Card)
		h.state[e.Card] = uint8(stateDropped + h.manner*ages + ago)
	default:
	}
}

// card sets the inputs of a card.
func (in *In) card(c ginrummy.Card, state *[ginrummy.DeckSize]uint8, may ginrummy.Set, low, since, last int) {
	to := &in.Cards[c]
	r, suit := int(c.Rank()), int(c.Suit())
	n := 0
	for k, d := range [6]int{-3, -2, -1, 1, 2, 3} {
		st := stateOff
		if r+d >= 0 && r+d < ginrummy.Ranks {
			st = int(state[int(c)+d])
		}
		to[n] = uint16(atSuit + k*states + st)
		n++
	}
	var same [3]uint16
	for u, k := 0, 0; u < 4; u++ {
		if u != suit {
			same[k] = uint16(atRank) + uint16(state[u*ginrummy.Ranks+r])
			k++
		}
	}
	// In ascending order, so that the sum does not depend on the names of the suits.
	same[0], same[1] = min(same[0], same[1]), max(same[0], same[1])
	same[1], same[2] = min(same[1], same[2]), max(same[1], same[2])
	same[0], same[1] = min(same[0], same[1]), max(same[0], same[1])
	n += copy(to[n:], same[:])
	around := uint32(may.InSuit(c.Suit())) << 2 >> r // bits 0 to 4: from two below to two above
	runs := 0
	for _, need := range [3]uint32{0b00011, 0b01010, 0b11000} {
		if around&need == need {
			runs++
		}
	}
	sets := (may & ginrummy.OfRank(c.Rank())).Without(c).Len()
	side := sideOf(c.Points(), low, last)
	to[n], to[n+1], to[n+2] = uint16(atLow+r*11+low), uint16(atSince+r*6+since), uint16(atLast+r*11+last)
	to[n+3] = uint16(atMelds + (side*4+runs)*4 + sets)
}

// sideOf returns the side of a card with the points.
func sideOf(points, low, last int) int {
	switch {
	case low == 0 || points < low:
		return 0
	case points == low:
		return 1
	case points <= last:
		return 2
	}
	return 3
}

// age returns the interval of an age.
func age(turns int) int {
	switch {
	case turns < 2:
		return max(turns, 0)
	case turns < 4:
		return 2
	}
	return 3
}
