package belote

import (
	"context"

	"roem/internal/computation"
	"roem/internal/engine/belote/players"
	"roem/internal/service"
)

// maxMatchSearches limits the worlds of a player for one place in the order of play: deals times worlds.
const maxMatchSearches = 100_000

// MatchQuery asks for a match between two kinds of players.
type MatchQuery struct {
	service.Uncached[players.Result]
	game    *Game
	contest players.Contest
}

// Key holds everything that the result depends on.
func (q *MatchQuery) Key() []byte {
	c := &q.contest
	return newKey(KindMatch).Text(c.A.Name()).Text(c.B.Name()).Int(c.Deals).Uint(c.Seed).Int(c.Suits).Bool(c.NoTrump).Byte(byte(c.Flip)).
		Byte(byte(c.Utility))
}

// Computation plays the match. It needs no slot; each deal takes slots in turns.
func (q *MatchQuery) Computation() computation.Spec {
	type answer = service.Answer[players.Result]
	return service.Running(computation.Key(q.Key()), func(ctx context.Context, task *computation.Task) (answer, error) {
		c := q.contest
		c.Workers = q.game.service.ShareOf(ctx)
		c.Do = q.game.service.WithPause
		c.Keeping = q.game.service.Keeping(ctx, q.Key())
		at := computation.Progress{Of: c.Deals}
		task.Report(at)
		c.Progress = func(deals int, generated uint64) {
			at.Done, at.Nodes = deals, generated
			task.Report(at)
		}
		end := service.EffortOf(ctx).BeginSearch()
		result, err := c.Run(ctx)
		end(result.Generated)
		if err != nil {
			return service.Answer[players.Result]{}, err
		}
		return service.Answer[players.Result]{
			Result: result, Source: service.FromSearch, Nodes: int64(result.Generated), Progress: at,
		}, nil
	})
}
