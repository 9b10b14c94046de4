package belote

import (
	"math"
	"time"

	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/search"
)

// About how much time of a searcher the parts of a job take. Jobs are accepted and take turns by these estimates until they have run.
// The times of searches and states come from lab/docs/belote/README.md. The times of players are the processor time of `roem belote
// match -workers 1` of sampling:10 against random, 8 to 200 deals, on two cores beside other work.
const (
	searchTime    = 20 * time.Millisecond // a search for points at the first lead of four suits
	stateTime     = 40 * time.Nanosecond  // a state of any algorithm
	treeTime      = time.Second           // the count of what minimax makes of a deal of three suits: see compare.Way.Counted
	quickCardTime = 10 * time.Microsecond // a card of a player without searches
	cardsOfSide   = 32                    // cards that a side plays of a deal in a match: sixteen in each of two hands
	cardsOfDeck   = 32                    // with four suits; a search of fewer suits is taken for one late in a hand
	halving       = 4                     // cards after which a search takes half as long
	contractPart  = 6                     // a search for points takes as long as this number of searches for the contract
	noTrumpTimes  = 4                     // a search without trump takes as long as this number of searches with trump
)

// worldTimes are about how long a player takes for a world at a card, on average over a hand, by the number of suits.
var worldTimes = [5]time.Duration{1: time.Microsecond, 2: 10 * time.Microsecond, 3: 200 * time.Microsecond, 4: 3300 * time.Microsecond}

// Cost is the cost of the cards of both sides.
func (q *MatchQuery) Cost() time.Duration {
	c := &q.contest
	world := worldTimes[c.Suits]
	if c.NoTrump {
		world *= noTrumpTimes
	}
	if c.Utility == search.Contract {
		world /= contractPart
	}
	card := func(k players.Kind) time.Duration {
		if k.Name() == players.Exact {
			return quickCardTime + world
		}
		return quickCardTime + time.Duration(k.Worlds())*world
	}
	return time.Duration(c.Deals*cardsOfSide) * (card(c.A) + card(c.B))
}

// Cost is the cost of the worlds, which are searched until the end of the hand.
func (q *AdviseQuery) Cost() time.Duration {
	n, _ := q.question.Searched()
	played := cardsOfDeck - q.question.View.Left()
	return time.Duration(float64(n) * float64(searchTime) * math.Exp2(-float64(played)/halving))
}

// Cost is the cost of a search for each world.
func (q *BidQuery) Cost() time.Duration { return time.Duration(q.worlds) * searchTime }

// Cost is the cost of as many states as the limit allows, and of what is counted without a limit.
func (q *CompareQuery) Cost() (sum time.Duration) {
	e := &q.experiment
	for _, suits := range e.Suits {
		for _, way := range compare.Ways(suits) {
			each := time.Duration(e.Limit) * stateTime
			if way.Counted(suits) {
				each = treeTime
			}
			sum += time.Duration(e.Deals) * each
		}
	}
	return sum
}
