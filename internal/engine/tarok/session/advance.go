package session

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/tarok/players"
	"roem/internal/random"
)

// Others decides for the players of the program: it returns what a player of a kind does in a view. What it draws is from rng.
type Others func(ctx context.Context, kind string, v *players.View, rng *rand.Rand) (players.Action, error)

// Advance lets the other players act until the session waits for the player outside. The error is the error of others, the error of the
// context, or a *players.Fault.
func (s Session) Advance(ctx context.Context, others Others) (Session, error) {
	for !s.Waits() {
		if err := ctx.Err(); err != nil {
			return s, context.Cause(ctx)
		}
		turn, _ := s.table.Turn()
		v := s.table.View(turn)
		v.Margins = players.Seated(&s.game, s.game.Margins)[turn]
		kind := s.setup.Players[(turn+2-s.seat())%3]
		rng := random.New(s.setup.Secret[0], s.setup.Secret[1], s.hand(), streamPlayers+uint64(len(s.actions)))
		a, err := others(ctx, kind, &v, rng)
		if err != nil {
			return s, err
		}
		next, err := s.do(a)
		if err != nil {
			return s, &players.Fault{Player: turn, Err: err}
		}
		s = next
	}
	return s, nil
}
