package advice

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
)

// Player is a player that does what an Advisor advises. It has the method of players.Player.
type Player struct {
	a   *Advisor
	rng *rand.Rand
}

// NewPlayer returns a player.
func NewPlayer(s Settings, rng *rand.Rand) *Player { return &Player{New(s), rng} }

// Choose returns the best option.
func (p *Player) Choose(ctx context.Context, v ginrummy.View) (ginrummy.Action, error) {
	options, err := p.a.Options(ctx, &v, p.rng)
	if err != nil {
		return ginrummy.Action{}, err
	}
	return options[0].Action, nil
}
