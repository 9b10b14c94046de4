package klaverjas

import (
	"context"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/service/klaverjas/bidadvice"
)

// maxMatchSearches limits the searches of a pimc player for one place in the order of play: deals times worlds.
const maxMatchSearches = 200_000

// MatchQuery asks for a match between two kinds of players.
type MatchQuery struct {
	service.Uncached[players.Result]
	game    *Game
	contest players.Contest
}

// Key holds everything that the result depends on.
func (q *MatchQuery) Key() []byte {
	c := &q.contest
	key := appendRules(newKey(KindMatch), c.Rules)
	for _, kind := range []players.Kind{c.A, c.B} {
		key = key.Text(kind.Name()).Int(kind.Worlds())
	}
	key = key.Int(c.Units).Uint(c.Seed).Byte(byte(c.Declarers)).Byte(byte(c.Length)).Bool(c.Bidding != nil)
	if c.Bidding != nil {
		key = key.Byte(byte(c.Bidding.Flow))
	}
	return key
}

// Computation plays the match. It needs no slot; each deal does.
func (q *MatchQuery) Computation() computation.Spec {
	return service.Running(q.game.sharedKey(q.Key()), q.run)
}

// toolsKey is the key of the players' tools among the tools of a slot.
type toolsKey struct{ game *Game }

func (q *MatchQuery) run(ctx context.Context, task *computation.Task) (service.Answer[players.Result], error) {
	c := q.contest
	sum := service.NewParts(task, c.Units)
	c.Workers = q.game.service.ShareOf(ctx)
	c.Do = func(ctx context.Context, work func(context.Context, *players.Tools) error) error {
		return q.game.service.WithSlot(ctx, func(ctx context.Context, slot *computation.Slot) error {
			tools := computation.Tool(slot, toolsKey{q.game}, NewTools)
			before := tools.Nodes()
			err := work(ctx, tools)
			sum.Add(0, tools.Nodes()-before)
			return err
		})
	}
	c.Progress, c.Keeping = sum.Reach, q.game.service.Keeping(ctx, q.Key())
	result, err := c.Run(ctx)
	if err != nil {
		return service.Answer[players.Result]{}, err
	}
	return service.Answer[players.Result]{
		Result: result, Nodes: int64(result.Nodes), Progress: computation.Progress{Done: c.Units, Of: c.Units, Nodes: result.Nodes},
	}, nil
}

// PlayedBidding returns bidding in which all seats call by the policy of package bidadvice.
func PlayedBidding(flow bidding.Flow) *players.Bidding {
	return &players.Bidding{Flow: flow, Call: new(bidadvice.Policy).Call}
}

// CheckBidding returns the field that contradicts the bidding of a match, and why; or no error. declarer says that the way to choose the
// declarers was given too.
func CheckBidding(c *players.Contest, declarer bool) (pointer string, err error) {
	switch {
	case c.Bidding == nil:
		return "", nil
	case declarer:
		return "/declarer", violation.New(violation.NotUsed, "is given, but the bidding decides who declares")
	case !new(bidadvice.Policy).Covers(c.Rules):
		return "/bidding", violation.New(violation.Contradicts,
			"needs the default rules of rotterdam or amsterdam: there is no model of hands for other rules")
	}
	return "", nil
}
