package ginrummy

import (
	"context"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/table/contest"
	"roem/internal/model/ginrummy/hand"
	"roem/internal/service"
)

// MatchQuery asks for a match between two kinds of players.
type MatchQuery struct {
	service.Uncached[played]
	service *service.Service
	contest players.Contest
}

// played is a match that was played.
type played struct {
	players.Result
	took time.Duration
}

// The names in keys: the format, and the version of the players and of the deals. It must change whenever a decision can change, but for
// new weights, which have a version of their own. TestPlayersVersion looks at some decisions.
const (
	gameName       = "gin_rummy"
	schemaVersion  = 3
	playersVersion = 3
)

// Key holds everything that the result depends on.
func (q *MatchQuery) Key() []byte {
	c := &q.contest
	return service.NewKey(gameName, schemaVersion, hand.Version,
		KindMatch).Int(playersVersion).Text(c.A.Name()).Text(c.A.Identity()).Text(c.B.Name()).Text(c.B.Identity()).Int(c.Pairs).
		Uint(c.Seed).Byte(byte(c.LayOffs))
}

// Computation plays the match. It needs no slot; each game, or each decision of a slow player, does.
func (q *MatchQuery) Computation() computation.Spec {
	return service.Contest(q.service, q.Key(), q.contest.Pairs, func(ctx context.Context, p contest.Plan) (played, error) {
		c, began := q.contest, time.Now()
		c.Progress, c.Keeping, c.Workers, c.Do = p.Progress, p.Keeping, p.Workers, q.service.Lend
		result, err := c.Run(ctx)
		return played{result, time.Since(began)}, err
	})
}
