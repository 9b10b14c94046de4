package tarok

import "time"

// About how much time of a searcher a decision of a player takes. Jobs are accepted and take turns by these estimates until they have run.
// The times and the number of decisions are of `roem tarok match -workers 1` against heuristic, 2 to 4 deals: its processor time.
var decisionTimes = map[string]time.Duration{
	"random": time.Microsecond, "heuristic": time.Microsecond, "quick-plain": time.Millisecond, "plain": 13 * time.Millisecond,
	"paper": 18 * time.Millisecond, "quick": time.Millisecond, "program": 4 * time.Millisecond,
}

// About how much time of a searcher a review takes in a world: for a card by playouts, a card of klop or a beggar, and the exchange.
// They are the processor time of `roem tarok review` for some random hands. A card of klop takes less than one of a beggar.
const (
	playoutTime  = 40 * time.Microsecond
	negativeTime = 400 * time.Microsecond
	trialTime    = 160 * time.Microsecond
)

// decisionsOfSeat is how many decisions a player has in a hand: the cards, and some of the bids, the exchange and the announcements.
const decisionsOfSeat = 18

// Cost is the cost of the decisions at all tables.
func (q *MatchQuery) Cost() time.Duration {
	c := &q.contest
	seats := c.Seating.Seats()
	hand := time.Duration(seats[0])*decisionTimes[c.A.Name()] + time.Duration(seats[1])*decisionTimes[c.B.Name()]
	return time.Duration(c.Deals*max(c.Hands, 1)*decisionsOfSeat) * hand
}
