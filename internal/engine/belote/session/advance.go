package session

import (
	"context"
	"fmt"

	"roem/internal/engine/belote/players"
	"roem/internal/random"
)

// Do runs work, which decides one call or card. slow says that it searches. pause may be nil: see players.Turn.
type Do func(ctx context.Context, slow bool, work func(ctx context.Context, tools *players.Tools, pause func() error) error) error

// Advance lets the opponent act until the session waits for the player outside. The error is the error of do or the error of the context;
// any other is a fault of the opponent.
func (s Session) Advance(ctx context.Context, do Do) (Session, error) {
	for !s.Waits() {
		a, err := s.choose(ctx, do)
		if err != nil {
			return s, err
		}
		next, err := s.do(a)
		if err != nil {
			return s, fmt.Errorf("the player %s as %s: %w", s.setup.Player.Name(), s.turn(), err)
		}
		if s, err = next.look(); err != nil {
			return s, err
		}
	}
	return s, nil
}

// choose returns the act of the opponent. Its numbers belong to the act, so that the same session has the same act.
func (s *Session) choose(ctx context.Context, do Do) (a Act, err error) {
	kind := s.setup.Player
	t := players.Turn{Rand: random.New(s.setup.Secret[0], s.setup.Secret[1], s.hand(), streamPlayers+uint64(len(s.done)))}
	slow := !s.decided || kind.Worlds() > 0
	err = do(ctx, slow, func(ctx context.Context, tools *players.Tools, pause func() error) (err error) {
		t.Tools, t.Pause = tools, pause
		if !s.decided {
			d := s.dealing()
			a.Kind = MakeCall
			a.Call, err = kind.Call(ctx, &d, t)
			return err
		}
		a.Kind = PlayCard
		a.Card, err = kind.Choose(ctx, s.seen, s.setup.Flip, t)
		return err
	})
	return a, err
}
