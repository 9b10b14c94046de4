package advice

import (
	"context"
	"math/rand/v2"
	"sync"

	"roem/internal/engine/match"
	"roem/internal/engine/tarok/players"
)

// Program is the name of the program with the default settings.
const Program = "program"

// Kinds returns the kinds of players: the kinds of package players, the program of the paper without and with clusters, and our program,
// each with few deals or with many.
func Kinds() []players.Kind {
	return append(players.Kinds(), Kind("quick-plain", QuickPaper.Plain()), Kind("plain", Paper.Plain()), Kind("paper", Paper),
		Kind("quick", Quick), Kind(Program, Default))
}

// Kind returns a kind of player that plays with the settings.
func Kind(name string, s Settings) players.Kind {
	pool := &sync.Pool{New: func() any { return New(s) }}
	return match.NewKind(name, true, func(rng *rand.Rand) players.Player { return player{rng, pool} })
}

// player is the program. What it draws depends on its generator, and nothing else on what it did before.
type player struct {
	rng  *rand.Rand
	pool *sync.Pool // of advisors
}

// Choose returns what the program does.
func (p player) Choose(ctx context.Context, v *players.View) (players.Action, error) {
	a, _ := p.pool.Get().(*Advisor)
	defer p.pool.Put(a)
	a.Pause, _ = ctx.Value(pauseKey{}).(func() error)
	return a.Choose(ctx, v, p.rng)
}

// Choose returns what the program does in a view.
func (a *Advisor) Choose(ctx context.Context, v *players.View, rng *rand.Rand) (out players.Action, err error) {
	out.Phase = v.Phase
	switch v.Phase {
	case players.ToBid:
		out.Bid, _, err = a.Bid(ctx, v, rng)
	case players.ToExchange:
		list, err := a.Exchange(ctx, v, rng)
		if err != nil {
			return out, err
		}
		out.Group, out.Discards = list[0].Group, list[0].Discards
	case players.ToAnnounce:
		out.Words, _, err = a.Announce(ctx, v, rng)
	default:
		if legal := v.Legal(); legal.Len() == 1 {
			out.Card = legal.First()
			return out, nil
		}
		cards, err := a.Card(ctx, v, rng)
		if err != nil {
			return out, err
		}
		out.Card = cards.List[0].Card
	}
	return out, err
}
