package klaverjas

import (
	"time"

	"roem/internal/engine/klaverjas/players"
	"roem/internal/service/klaverjas/handstrength"
)

// About how much time of a searcher the parts of a job take. Jobs are accepted and take turns by these estimates until they have run.
// The times of searches come from lab/docs/klaverjas/advice.md, and the times of hand-strength from lab/docs/klaverjas/hand-strength.md.
// The times of players are the processor time of `roem match -workers 1` against random, 12 deals, on two cores beside other work.
const (
	searchTime    = 4 * time.Millisecond   // a search for the value of each card at the first lead
	quickestTime  = 10 * time.Microsecond  // a search at the end of a hand
	playedTime    = 25 * time.Microsecond  // playing a world to its end
	quickCardTime = 20 * time.Microsecond  // a card of a player without worlds
	networkTime   = 5 * time.Millisecond   // the strength of a hand with one trump by the network, with the default precision
	exactTime     = 120 * time.Millisecond // the same by searches
	possiblesTime = 10 * time.Millisecond  // what each seat knows after each card of a hand
	cardsOfHand   = 8                      // cards of a seat in a hand
	cardsOfSide   = 32                     // cards that a side plays of a deal in a match: sixteen in each of two hands
)

// worldTimes are about how long a player takes for a card for each world.
var worldTimes = map[string]time.Duration{
	"pimc": 250 * time.Microsecond, "belief": 250 * time.Microsecond, "playout": 25 * time.Microsecond, "mixture": 45 * time.Microsecond,
}

// searchTimeAfter returns about how long a search takes when the given number of cards have been played: a third for each trick.
func searchTimeAfter(cards int) time.Duration {
	d := searchTime
	for range cards / 4 {
		d /= 3
	}
	return max(d, quickestTime)
}

// cardTime returns about how long the player takes for a card.
func cardTime(k players.Kind) time.Duration {
	return quickCardTime + time.Duration(k.Worlds())*worldTimes[k.Base()]
}

// Cost is the cost of the cards of both sides.
func (q *MatchQuery) Cost() time.Duration {
	c := &q.contest
	return time.Duration(c.Units*c.Length.Hands()*cardsOfSide) * (cardTime(c.A) + cardTime(c.B))
}

// Cost is the cost of the cards of all seats, and of the knowledge of each seat after each card.
func (q *PlayQuery) Cost() (sum time.Duration) {
	for _, kind := range q.kinds {
		sum += cardsOfHand * cardTime(kind)
	}
	if q.level != nil {
		sum += possiblesTime
	}
	return sum * time.Duration(q.count)
}

// Cost is the cost of one search.
func (q *SolveQuery) Cost() time.Duration { return searchTimeAfter(len(q.position.played)) }

// Cost is the cost of a search for each item.
func (q *SolveBatchQuery) Cost() time.Duration {
	return q.items.Cost(func(p Position) time.Duration { return searchTimeAfter(len(p.played)) })
}

// Cost is the cost of a search before each card.
func (q *AnalyseQuery) Cost() (sum time.Duration) {
	for i := range q.position.played {
		sum += searchTimeAfter(i)
	}
	return sum
}

// Cost is the cost of a search for each part.
func (q *TableQuery) Cost() time.Duration { return tableEntries * searchTime }

// Cost is the cost of the worlds, or the budget if there is less of it.
func (q *AdviseQuery) Cost() time.Duration {
	each := searchTimeAfter(len(q.question.Knowledge().View().Played))
	if q.method == playoutMethod {
		each = playedTime
	}
	cost := time.Duration(q.worlds) * each
	if q.budget != nil {
		cost = min(cost, *q.budget)
	}
	return cost
}

// Cost is the cost of the trumps that the hand model does not answer. The number of worlds grows with the square of the precision.
func (q *HandStrengthQuery) Cost() (sum time.Duration) {
	for _, one := range q.questions {
		each := quickCardTime
		switch method, err := q.game.models().strength.Method(one); {
		case err != nil, method == handstrength.HandModel:
		case method == handstrength.Network:
			each = networkTime
		default:
			each = exactTime
		}
		part := one.Precision / handstrength.DefaultPrecision
		sum += time.Duration(float64(each) / (part * part))
	}
	return sum
}

// Cost is the cost of all hands.
func (q *HandStrengthBatchQuery) Cost() time.Duration { return q.items.Cost((*HandStrengthQuery).Cost) }
