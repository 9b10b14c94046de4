package ginhand

import (
	"slices"

	"roem/internal/engine/ginrummy"
)

// The inputs of a suit are, for each of its cards, what is known of it. Ages are numbers of turns of the opponent since then: 0 is its last turn.
const (
	ages       = 6 // 0, 1, 2, 3, 4 and 5, more
	atDiscard  = 0 // discarded by the opponent, by manner and age
	atRefused  = atDiscard + manners*ages
	atKept     = atRefused + ages // taken from the discards and still held, by age up to 3
	atReturned = atKept + 4       // taken and discarded later
	atOwn      = atReturned + 1
	atPile     = atOwn + 1
	marks      = atPile + 1
	Inputs     = marks * ginrummy.Ranks // Inputs is the number of inputs of a suit: 13 x mark + rank.
)

// The manners of a discard. A simple player discards its worst card: what it has left outside melds has no more points than the lowest discard so
// far, and a later discard with more points was most likely drawn in the same turn.
const (
	lowest = iota // after a draw from the stock, no more points than each discard before
	higher        // after a draw from the stock, more points than one before
	taking        // after it took the top discard
	manners
)

// The inputs that all suits have in common.
const (
	atLow      = 0            // the points of the lowest discard, 0 for none
	atSince    = atLow + 11   // its age
	atTurns    = atSince + 6  // turns of the opponent
	atLast     = atTurns + 16 // manner and points of the last discard
	atBefore   = atLast + 31  // points of the discard before it
	atHolds    = atBefore + 11
	atStarter  = atHolds + 7
	atElevenIn = atStarter + 2
	Shared     = atElevenIn + 2 // Shared is their number.
)

// In are the inputs of a situation. Suits are in canonical order: that of their inputs, so that the names of the suits make no difference.
type In struct {
	Suits   [4][]uint16 // the inputs of each suit that are present
	Shared  []uint16
	Order   [4]ginrummy.Suit // the suit of each list
	Kept    ginrummy.Set     // cards that the opponent certainly holds
	Unknown ginrummy.Set     // cards that it may hold
}

// Fill sets the inputs to those of a view.
func (in *In) Fill(v *ginrummy.View) {
	for i := range in.Suits {
		in.Suits[i] = in.Suits[i][:0]
	}
	in.Shared = in.Shared[:0]
	turns := 0
	for _, e := range v.Events {
		if e.Seat != v.Seat && e.Kind <= ginrummy.Stock {
			turns++
		}
	}
	var (
		seen    = ginrummy.NewSeen(v.Upcard, 0)
		since   [ginrummy.DeckSize]int8 // the turn in which a card was taken
		turn    = -1
		took    = false
		low     = 0
		lowTurn = 0
		last    = 0 // 0, or 1 + 10*manner + points - 1
		before  = 0
		points  = 0
	)
	mark := func(c ginrummy.Card, m int) {
		in.Suits[c.Suit()] = append(in.Suits[c.Suit()], uint16(m*ginrummy.Ranks+int(c.Rank())))
	}
	for _, e := range v.Events {
		if e.Seat != v.Seat {
			switch e.Kind {
			case ginrummy.Pass, ginrummy.Stock:
				turn++
				took = false
				if seen.Top != ginrummy.NoCard && (e.Kind == ginrummy.Pass || turn > 0 || seen.Top != v.Upcard) {
					mark(seen.Top, atRefused+age(turns-1-turn))
				}
			case ginrummy.Take:
				turn++
				took = true
				since[e.Card] = int8(min(turn, 100))
			case ginrummy.Discard:
				if seen.Kept.Has(e.Card) {
					mark(e.Card, atReturned)
				}
				p := e.Card.Points()
				manner := lowest
				switch {
				case took:
					manner = taking
				case low != 0 && p > low:
					manner = higher
				}
				if low == 0 || p < low {
					low, lowTurn = p, turn
				}
				before, points = points, p
				last = 1 + 10*manner + p - 1
				mark(e.Card, atDiscard+manner*ages+age(turns-1-turn))
			default:
			}
		}
		seen.Add(e, e.Seat == v.Seat)
	}
	for c := range seen.Kept.All() {
		mark(c, atKept+min(age(turns-1-int(since[c])), 3))
	}
	for c := range v.Own.All() {
		mark(c, atOwn)
	}
	for c := range seen.Pile.All() {
		mark(c, atPile)
	}
	in.Kept = seen.Kept
	in.Unknown = ginrummy.Deck &^ (v.Own | seen.Pile | seen.Kept)
	starter, eleven := 0, 0
	if v.Starter == v.Seat {
		starter = 1
	}
	if v.Own.Len() > ginrummy.HandSize {
		eleven = 1
	}
	in.Shared = append(in.Shared, uint16(atLow+low), uint16(atTurns+min(turns, 15)), uint16(atLast+last), uint16(atBefore+before),
		uint16(atHolds+min(seen.Kept.Len(), 6)), uint16(atStarter+starter), uint16(atElevenIn+eleven))
	if low != 0 {
		in.Shared = append(in.Shared, uint16(atSince+age(turns-1-lowTurn)))
	}
	in.sort()
}

// sort puts the suits into canonical order.
func (in *In) sort() {
	in.Order = ginrummy.Suits()
	for i := 1; i < 4; i++ {
		for j := i; j > 0 && slices.Compare(in.Suits[j], in.Suits[j-1]) < 0; j-- {
			in.Suits[j], in.Suits[j-1] = in.Suits[j-1], in.Suits[j]
			in.Order[j], in.Order[j-1] = in.Order[j-1], in.Order[j]
		}
	}
}

// age returns the interval of an age.
func age(turns int) int {
	switch {
	case turns < 4:
		return max(turns, 0)
	case turns < 6:
		return 4
	}
	return 5
}
