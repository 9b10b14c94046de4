package session

import (
	"context"
	"fmt"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	frame "roem/internal/engine/table/session"
	"roem/internal/random"
)

// Others is how the players of the program decide.
type Others struct {
	// Call returns the call of the seat whose turn it is. It must depend on its arguments only.
	Call func(rules klaverjas.Rules, a bidding.Auction, hand piquet.Set) bidding.Call
	// Do runs work, which chooses one card, with tools. worlds is how many worlds the player searches for the card, or 0.
	Do func(ctx context.Context, worlds int, work func(context.Context, *players.Tools) error) error
}

// kind returns the kind of the player in a seat.
func (m Match) kind(seat piquet.Seat) players.Kind {
	switch seat {
	case m.Setup.Seat:
		return *m.Compare // plays the hand again
	case m.Setup.Seat.Partner():
		return m.Players[0]
	}
	return m.Players[1]
}

// Choose returns what a player of the program does. Its error is the error of Others.Do or of the player.
func (o Others) Choose(ctx context.Context, m Match, t frame.Turn[piquet.Seat], v players.View) (a players.Action, err error) {
	if !v.Decided {
		return players.Action{Kind: players.MakeCall, Call: o.Call(v.Rules, *v.Auction, v.Hand)}, nil
	}
	switch legal := v.Legal(); {
	case legal.Len() == 1:
		return players.Action{Card: legal.First()}, nil
	case v.Claimed:
		return players.Action{Card: rest(&v)}, nil
	}
	kind := m.kind(t.Seat)
	err = o.Do(ctx, kind.Worlds(), func(ctx context.Context, tools *players.Tools) error {
		// What a player draws when it is made belongs to the hand, so it is the same for each of its cards. What it draws for a card is not.
		rng := m.rand(t, 0)
		player := kind.New(players.Place{Seat: t.Seat, Rand: rng, Tools: tools})
		*rng = *m.rand(t, 1+len(v.Played))
		choice, err := player.Choose(ctx, v.View)
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("the player %s: %w", kind.Name(), err)
		}
		a.Card = choice.Card
		return err
	})
	return a, err
}

// rand returns the numbers of a player of the program in the present hand: with n = 0 the ones from which the player is made, and otherwise
// the ones of a card, where n is 1 and the number of cards played. The stream 0 of a hand deals it.
func (m *Match) rand(t frame.Turn[piquet.Seat], n int) *rand.Rand {
	return random.New(m.Secret[0], m.Secret[1], uint64(t.Hand)+1, 1+uint64(t.Seat)+4*uint64(n))
}
