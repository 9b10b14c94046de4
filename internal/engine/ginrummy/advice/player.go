package advice

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
)

// Player is a player that does what an Advisor advises. It is a players.Valuer.
type Player struct {
	a   *Advisor
	rng *rand.Rand
}

// NewPlayer returns a player.
func NewPlayer(s Settings, rng *rand.Rand) *Player { return &Player{New(s), rng} }

// Kind returns the kind of such players, under a name.
func Kind(name string, s Settings) players.Kind {
	return match.NewKind(name, true, func(rng *rand.Rand) players.Player { return NewPlayer(s, rng) })
}

// Choose returns the best option.
func (p *Player) Choose(ctx context.Context, v ginrummy.View) (ginrummy.Action, error) {
	options, err := p.a.Options(ctx, &v, p.rng)
	if err != nil {
		return ginrummy.Action{}, err
	}
	return options[0].Action, nil
}

// Value sets what the options are worth in points of the round, and which is best. Discards that the player has not considered have no
// value.
func (p *Player) Value(ctx context.Context, v ginrummy.View, options []players.Option) error {
	valued, err := p.a.Options(ctx, &v, p.rng)
	if err != nil {
		return err
	}
	for i, one := range valued {
		for j := range options {
			o := &options[j]
			if o.Action.Same(one.Action) {
				o.Value, o.Error, o.Valued, o.Best = one.Value, one.Error, len(valued) > 1, i == 0
				if one.Action.Kind == ginrummy.Knock {
					o.Action.Melds = one.Action.Melds
				}
			}
		}
	}
	return nil
}
