package session

import (
	"context"
	"fmt"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/random"
)

// Do runs work, which chooses one action. slow says that it can take a millisecond or more.
type Do func(ctx context.Context, slow bool, work func(context.Context) error) error

// Advance lets the opponent act until the session waits for the player outside. The error is the error of do, the error of the context, or
// a *players.Fault.
func (s Session) Advance(ctx context.Context, do Do) (Session, error) {
	s = s.clipped()
	for !s.Waits() {
		a, err := s.choose(ctx, do)
		if err != nil {
			return s, err
		}
		next, err := s.play(Move{Action: a})
		if err != nil {
			return s, &players.Fault{Seat: s.round.Seat(), Err: err}
		}
		s = next
	}
	return s, nil
}

// choose returns the action of the opponent. Its random numbers follow from the move, so that the same session has the same action.
func (s *Session) choose(ctx context.Context, do Do) (a ginrummy.Action, err error) {
	kind := s.setup.Player
	err = do(ctx, kind.Slow(), func(ctx context.Context) error {
		rng := random.New(s.setup.Secret[0], s.setup.Secret[1], s.number()+1, streamPlayers+uint64(len(s.moves)))
		var err error
		a, err = kind.New(rng).Choose(ctx, ginrummy.NewView(&s.round, ginrummy.Opponent, s.events[ginrummy.Opponent], s.before))
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("the player %s: %w", kind.Name(), err)
		}
		return err
	})
	return a, err
}
