package ginrummy

import (
	"strings"
	"time"

	"roem/internal/engine/ginrummy/players"
)

// About how much time of a searcher the parts of a match take. Jobs are accepted and take turns by these estimates until they have run.
// The time of a slow player comes from lab/docs/gin-rummy/README.md. The number of decisions comes from `roem gin-rummy match -a playout
// -deals 10`.
const (
	slowTime    = 1400 * time.Microsecond // a decision of a player that searches
	quickTime   = time.Microsecond        // a decision of another one
	oheTime     = 20 * time.Microsecond   // a decision of the player of the paper: every third needs an estimate
	decidesPair = 240                     // decisions of a side in a pair of games
)

// Cost is the cost of the decisions of both sides.
func (q *MatchQuery) Cost() time.Duration {
	each := func(k players.Kind) time.Duration {
		switch {
		case k.Slow():
			return slowTime
		case strings.HasPrefix(k.Name(), players.OHE):
			return oheTime
		}
		return quickTime
	}
	return time.Duration(q.contest.Pairs*decidesPair) * (each(q.contest.A) + each(q.contest.B))
}
