package session

import (
	"context"
	"fmt"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// Others is how the players of the program decide.
type Others struct {
	// Call returns the call of the seat whose turn it is. It must depend on its arguments only.
	Call func(rules klaverjas.Rules, a bidding.Auction, hand piquet.Set) bidding.Call
	// Do runs work, which chooses one card, with tools. worlds is how many worlds the player searches for the card, or 0.
	Do func(ctx context.Context, worlds int, work func(context.Context, *players.Tools) error) error
}

// Advance lets the other players act until the session waits for the player outside. The error is the error of Others.Do, the error of the
// context, or a *players.Fault.
func (s Session) Advance(ctx context.Context, o Others) (Session, error) {
	for !s.Waits() {
		next, err := s.step(ctx, o)
		if err != nil {
			return s, err
		}
		s = next
	}
	return s, nil
}

// step lets the player whose turn it is act.
func (s Session) step(ctx context.Context, o Others) (Session, error) {
	if s.comparable() {
		again, err := s.Again(ctx, o)
		if err != nil {
			return s, err
		}
		return s.withCompared(again), nil
	}
	if s.State() == Bidding {
		return s.call(o.Call(s.setup.Rules, s.auction, s.dealt.hands[s.auction.Turn()]))
	}
	c, err := s.choose(ctx, o)
	if err != nil {
		return s, err
	}
	next, err := s.play(c)
	if err != nil {
		turn := s.now.Turn()
		return s, &players.Fault{Player: s.kind(turn).Name(), Seat: turn, Deal: s.now.Deal(), Played: s.played, Cause: err}
	}
	return next, nil
}

// kind returns the kind of the player in a seat.
func (s Session) kind(seat piquet.Seat) players.Kind {
	switch seat {
	case s.setup.Seat:
		return *s.setup.Compare // plays the hand again
	case s.setup.Seat.Partner():
		return s.setup.Players[0]
	}
	return s.setup.Players[1]
}

// choose returns the card of the player whose turn it is.
func (s Session) choose(ctx context.Context, o Others) (c piquet.Card, err error) {
	seat := s.now.Turn()
	if legal := s.now.Legal(); legal.Len() == 1 {
		return legal.First(), nil
	}
	if seat == s.setup.Seat && s.claimed > 0 {
		return s.rest(), nil
	}
	kind := s.kind(seat)
	err = o.Do(ctx, kind.Worlds(), func(ctx context.Context, tools *players.Tools) error {
		// What a player draws when it is made belongs to the hand, so it is the same for each of its cards. What it draws for a card is not.
		rng := random.New(s.setup.Secret[0], s.setup.Secret[1], uint64(s.number)+1, playerStream(seat, 0))
		player := kind.New(players.Place{Seat: seat, Rand: rng, Tools: tools})
		*rng = *random.New(s.setup.Secret[0], s.setup.Secret[1], uint64(s.number)+1, playerStream(seat, 1+len(s.played)))
		choice, err := player.Choose(ctx, worlds.ViewOf(s.now, s.played, seat))
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("the player %s: %w", kind.Name(), err)
		}
		c = choice.Card
		return err
	})
	return c, err
}
